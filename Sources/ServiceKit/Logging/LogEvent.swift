public import Base

/// A named value of an event.
public struct LogField: Sendable, Hashable {
  public let name: String
  public let value: LogValue

  /// A field whose name says that it is a secret loses its value here.
  init(_ name: String, _ value: LogValue) {
    self.name = name
    self.value = Self.isSensitive(name) ? .redacted : value
  }

  private static func isSensitive(_ name: String) -> Bool {
    let words = name.lowercased().split { !$0.isLetter }
    return words.contains { sensitiveWords.contains(String($0)) }
  }

  private static let sensitiveWords: Set<String> = [
    "authorization", "cookie", "credential", "credentials", "passcode", "passphrase", "password", "secret", "token",
  ]
}

/// An event of a log.
public struct LogEvent: Sendable {
  public let time: Instant
  public let level: LogLevel
  /// What happened, always in the same words: details that vary are in the fields.
  public let event: String
  public let fields: [LogField]

  /// The value of the field called `name`.
  public subscript(_ name: String) -> LogValue? {
    fields.last { $0.name == name }?.value
  }
}
