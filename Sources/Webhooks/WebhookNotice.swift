internal import Base
public import Storage

/// What a receiver is told of an event: references, and nothing that a service keeps about people.
public struct WebhookNotice: Hashable, Sendable {
  public enum Value: Hashable, Sendable {
    case text(String)
    case number(Int64)
    case flag(Bool)

    var json: String {
      switch self {
      case .text(let text): JSONText.quoted(text)
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

  /// Such as "consent.session_ended".
  public let kind: String
  public let studyID: String
  public let subjectID: String
  public let fields: [Field]

  public init(kind: String, studyID: String, subjectID: String, fields: [Field]) {
    self.kind = kind
    self.studyID = studyID
    self.subjectID = subjectID
    self.fields = fields
  }

  /// Whether a kind is the given one, or begins with it and a full stop.
  static func does(_ kind: String, belongTo family: String) -> Bool {
    kind == family || kind.hasPrefix("\(family).")
  }
}

/// A service's events, as receivers are told of them.
public struct WebhookSource: Sendable {
  /// "consent".
  public let service: String
  /// All kinds that there are.
  public let kinds: [String]
  /// nil for an event that nobody is told of.
  let notice: @Sendable (Event) throws -> WebhookNotice?
  /// Puts on record that a webhook was changed.
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
