public import Wire

/// Messages that are stored and read again. A decoder has limits, so what is over them is refused before it is stored:
/// it could never be read.
public enum LastingMessage {
  /// The most bytes of a message that its authors make: a decoder takes more, for what is added to it later and for the
  /// rest of the answer in which it stands.
  public static let longest = 24 << 20
  /// Nothing so short unfolds to more memory than a decoder takes.
  private static let short = 64 << 10

  /// The bytes of a message, which can be read again.
  ///
  /// - Parameters:
  ///   - what: names the message in a refusal.
  ///   - bound: the most bytes; no more than a decoder takes.
  public static func encode<Body: Message>(
    _ body: Body, as what: String, atMost bound: Int = longest
  ) throws -> [UInt8] {
    let bytes = try body.encoded()
    guard bytes.count <= bound else {
      throw Refusal(.exhausted, "too_large", "\(what) has \(bytes.count) bytes; at most \(bound) are allowed")
    }
    guard bytes.count > short else { return bytes }
    do throws(CodecError) {
      _ = try Body(decoding: bytes)
    } catch {
      guard error.isLimit else { throw error }
      throw Refusal(.exhausted, "too_large", "\(what) could not be read again: \(error.message)")
    }
    return bytes
  }
}
