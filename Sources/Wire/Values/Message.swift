/// A message of the contract as a Swift value. The types are generated from proto/; docs/contract.md tells how.
public protocol Message: Hashable, Sendable {
  /// The full name, such as `assent.signature.v1.RenderRequest`.
  static var messageName: String { get }

  /// A message in which nothing is set.
  init()

  /// Reads protobuf's binary form. Fields that the contract does not name are checked and dropped.
  init(decoding bytes: Span<UInt8>, limits: DecodingLimits) throws(CodecError)

  /// The message in protobuf's binary form. The same value always gives the same bytes.
  func encoded() throws(CodecError) -> [UInt8]
}

extension Message {
  /// Reads protobuf's binary form. Fields that the contract does not name are checked and dropped.
  public init(decoding bytes: [UInt8], limits: DecodingLimits = .standard) throws(CodecError) {
    try self.init(decoding: bytes.span, limits: limits)
  }
}
