internal import Base

/// Resolves the escapes of JSON's strings.
enum JSONEscapes {
  /// Writes the text with its escapes resolved; returns its length in bytes.
  static func resolve(
    _ raw: UnsafeBufferPointer<UInt8>, into output: UnsafeMutablePointer<UInt8>
  ) throws(CodecFault) -> Int {
    let text = unsafe Span(_unsafeElements: raw)
    var index = 0
    var count = 0
    while index < text.count {
      let byte = text[index]
      index += 1
      guard byte == UInt8(ascii: "\\") else {
        unsafe output[count] = byte
        count += 1
        continue
      }
      do throws(JSONEscape.Fault) {
        for unit in UTF8.encode(try JSONEscape.scalar(in: text, at: &index)) ?? .init() {
          unsafe output[count] = unit
          count += 1
        }
      } catch {
        throw CodecFault(error == .halfCharacter ? .invalidText : .notJSON, error.requirement)
      }
    }
    // The cursor has not seen marks that are written as escapes.
    let resolved = unsafe Span(_unsafeElements: UnsafeBufferPointer(start: output, count: count))
    guard StreamSafeText.holds(resolved) else { throw CodecFault(.invalidText, StreamSafeText.requirement) }
    return count
  }
}
