public import Wire

/// The outcome of a call. As an error it is what a handler throws on purpose and what a caller catches.
public struct Status: Error, Hashable, Sendable {
  public var code: StatusCode
  /// What happened, where, why, and what to do next: for people.
  public var message: String
  /// The same for programs: messages of any type, named by their type.
  public var details: [Detail]
  /// Metadata that ends the call (gRPC's trailers).
  public var metadata: Metadata

  public init(_ code: StatusCode, _ message: String = "", details: [Detail] = [], metadata: Metadata = Metadata()) {
    self.code = code
    self.message = message
    self.details = details
    self.metadata = metadata
  }

  /// One message that explains a status to programs, as `google.protobuf.Any` would carry it.
  public struct Detail: Hashable, Sendable {
    /// The full name of the message's type, `assent.bus.v1.RetryHint` for example.
    public var typeName: String
    public var value: [UInt8]

    public init(typeName: String, value: [UInt8]) {
      self.typeName = typeName
      self.value = value
    }

    /// A message of ours always has a binary form: it was made here, within every bound.
    public init<Explanation: Message>(_ message: Explanation) {
      self.init(typeName: Explanation.messageName, value: (try? message.encoded()) ?? [])
    }
  }

  public static let ok = Status(.ok)

  public var isOK: Bool { code == .ok }
}

extension Status: CustomStringConvertible {
  public var description: String { message.isEmpty ? code.name : "\(code.name): \(message)" }
}
