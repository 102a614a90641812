public import Wire

/// Encodes messages that are stored and decoded later. A message over the decoder's limits is refused before it is
/// stored, since it could never be decoded.
public enum LastingMessage {
  /// The most bytes of a message that callers write. A decoder accepts more, which leaves room for what services add
  /// later and for the answer that contains the message.
  public static let longest = 24 << 20
  /// No message up to this size exceeds a decoder's limit on memory, so none is decoded for a check.
  private static let short = 64 << 10

  /// Encodes a message, and makes sure that the bytes can be decoded.
  ///
  /// - Parameters:
  ///   - what: names the message in a refusal.
  ///   - bound: the most bytes; at most what a decoder accepts.
  public static func encode<Body: Message>(
    _ body: Body, as what: String, atMost bound: Int = longest
  ) throws -> [UInt8] {
    let bytes = try body.encoded()
    guard bytes.count <= bound else {
      throw Refusal(.invalid, "too_large", "\(what) has \(bytes.count) bytes; at most \(bound) are allowed")
    }
    guard bytes.count > short else { return bytes }
    do throws(CodecError) {
      _ = try Body(decoding: bytes)
    } catch {
      guard error.isLimit else { throw error }
      throw Refusal(.invalid, "too_large", "\(what) could not be read again: \(error.message)")
    }
    return bytes
  }
}
