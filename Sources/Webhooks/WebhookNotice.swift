public import Base
public import Storage

/// What a receiver is told of an event: identifiers and states, but none of the personal data that a service keeps.
public struct WebhookNotice: Hashable, Sendable {
  public enum Value: Hashable, Sendable {
    case text(String)
    case texts([String])
    case number(Int64)
    case flag(Bool)

    var json: String {
      switch self {
      case .text(let text): JSONText.quoted(text)
      case .texts(let texts): "[" + texts.map { JSONText.quoted($0) }.joined(separator: ",") + "]"
      case .number(let number): String(number)
      case .flag(let flag): flag ? "true" : "false"
      }
    }
  }

  public struct Field: Hashable, Sendable {
    public let name: String
    public let value: Value

    public init(_ name: String, _ value: Value) {
      self.name = name
      self.value = value
    }
  }

  /// The kind of event, such as "consent.session_ended".
  public let kind: String
  public let studyID: String
  public let subjectID: String
  public let fields: [Field]
  /// Where an event comes from that another service has told of; nil for events of the service's own.
  public let origin: Origin?

  /// The event in the log of the service where it happened.
  public struct Origin: Hashable, Sendable {
    public let service: String
    public let sequence: Int64
    public let at: Instant

    public init(_ service: String, _ sequence: Int64, at: Instant) {
      (self.service, self.sequence, self.at) = (service, sequence, at)
    }
  }

  public init(kind: String, studyID: String, subjectID: String, fields: [Field], from origin: Origin? = nil) {
    self.kind = kind
    self.studyID = studyID
    self.subjectID = subjectID
    self.fields = fields
    self.origin = origin
  }

  /// Whether a kind is the given one, or begins with it and a full stop.
  static func does(_ kind: String, belongTo family: String) -> Bool {
    kind == family || kind.hasPrefix("\(family).")
  }
}

/// Translates a service's events into notices for receivers.
public struct WebhookSource: Sendable {
  /// The service's name in messages, such as "consent".
  public let service: String
  /// All kinds of notices that the service sends.
  public let kinds: [String]
  /// The notice of an event; nil for an event that is not sent to receivers.
  let notice: @Sendable (Event) throws -> WebhookNotice?
  /// Appends an event that says that a webhook was changed.
  let record: @Sendable (_ change: String, StoredWebhook, _ actor: String, Transaction) throws -> Void

  public init(
    service: String, kinds: [String], notice: @escaping @Sendable (Event) throws -> WebhookNotice?,
    record: @escaping @Sendable (_ change: String, StoredWebhook, _ actor: String, Transaction) throws -> Void
  ) {
    self.service = service
    self.kinds = kinds
    self.notice = notice
    self.record = record
  }
}
