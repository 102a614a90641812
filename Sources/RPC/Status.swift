public import Wire

/// The outcome of a call. It is also the error that handlers throw for their callers, and that callers catch.
public struct Status: Error, Hashable, Sendable {
  public var code: StatusCode
  /// For people: what happened, where, why, and what to do next.
  public var message: String
  /// For programs: the same in messages of any type, each with the name of its type.
  public var details: [Detail]
  /// Metadata that is sent with the end of the call (gRPC's trailers).
  public var metadata: Metadata
  /// If true, no handler has seen the call in any try: its gateway has said so, or the call ended before it was sent.
  /// It is not sent on with the status, and two statuses that differ only in it are equal.
  public package(set) var isNotStarted = false

  public init(_ code: StatusCode, _ message: String = "", details: [Detail] = [], metadata: Metadata = Metadata()) {
    self.code = code
    self.message = message
    self.details = details
    self.metadata = metadata
  }

  /// A message that explains a status to programs, in the form of `google.protobuf.Any`.
  public struct Detail: Hashable, Sendable {
    /// The full name of the message's type, `assent.bus.v1.RetryHint` for example.
    public var typeName: String
    public var value: [UInt8]

    public init(typeName: String, value: [UInt8]) {
      self.typeName = typeName
      self.value = value
    }

    /// Encoding cannot fail: the message was made here, within all bounds.
    public init<Explanation: Message>(_ message: Explanation) {
      self.init(typeName: Explanation.messageName, value: (try? message.encoded()) ?? [])
    }
  }

  /// The same status, as the outcome of a call that no handler has seen.
  package var unstarted: Status {
    var status = self
    status.isNotStarted = true
    return status
  }

  /// How many instances of the service were lost while they had the call, if its gateway gave it up after that. More
  /// than one suggests that the call itself ends every process that gets it.
  public package(set) var lostInstances: Int {
    get { metadata[Self.lostInstancesKey].flatMap { Int($0) } ?? 0 }
    set {
      metadata.removeAll(Self.lostInstancesKey)
      if newValue > 0 { metadata.appendUnchecked(key: Self.lostInstancesKey, value: Array(String(newValue).utf8)) }
    }
  }

  private static let lostInstancesKey = "lost-instances"

  public static func == (one: Status, other: Status) -> Bool {
    one.code == other.code && one.message == other.message && one.details == other.details
      && one.metadata == other.metadata
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(message)
    hasher.combine(details)
    hasher.combine(metadata)
  }

  public static let ok = Status(.ok)

  public var isOK: Bool { code == .ok }
}

extension Status: CustomStringConvertible {
  public var description: String { message.isEmpty ? code.name : "\(code.name): \(message)" }
}
