/// A message of the contract as a Swift value. The types are generated from proto/; see docs/contract.md.
///
/// Generated messages are equal when their bytes are, and not hashable: see `GeneratedMessage` and `MessageKey`.
public protocol Message: Equatable, Sendable {
  /// The full name, such as `assent.signature.v1.RenderRequest`.
  static var messageName: String { get }

  /// A message in which nothing is set.
  init()

  /// Reads protobuf's binary form. Fields that the contract does not name are checked and dropped.
  init(decoding bytes: Span<UInt8>, limits: DecodingLimits) throws(CodecError)

  /// The message in protobuf's binary form. The same value always gives the same bytes.
  func encoded() throws(CodecError) -> [UInt8]

  /// Reads proto3's JSON, with either spelling of a field's name.
  init(json: Span<UInt8>, options: JSONDecodingOptions) throws(CodecError)

  /// The message as proto3's JSON, in UTF-8.
  func json(_ options: JSONEncodingOptions) throws(CodecError) -> [UInt8]
}

extension Message {
  /// Reads protobuf's binary form. Fields that the contract does not name are checked and dropped.
  public init(decoding bytes: [UInt8], limits: DecodingLimits = .standard) throws(CodecError) {
    try self.init(decoding: bytes.span, limits: limits)
  }

  /// Reads proto3's JSON, with either spelling of a field's name.
  public init(json: [UInt8], options: JSONDecodingOptions = .standard) throws(CodecError) {
    try self.init(json: json.span, options: options)
  }

  /// Reads proto3's JSON, with either spelling of a field's name.
  public init(json: String, options: JSONDecodingOptions = .standard) throws(CodecError) {
    try self.init(json: Array(json.utf8), options: options)
  }

  /// The message as proto3's JSON, in UTF-8.
  public func json() throws(CodecError) -> [UInt8] {
    try json(.standard)
  }

  /// The message as proto3's JSON.
  public func jsonText(_ options: JSONEncodingOptions = .standard) throws(CodecError) -> String {
    String(decoding: try json(options), as: UTF8.self)
  }
}
