/// Words below the ink in every picture of it: who signed, when and why. They are stored and hashed with the ink, so
/// that no picture can say anything else.
public struct Inscription: Hashable, Sendable {
  public var name: String
  public var date: String
  public var reason: String

  public init(name: String = "", date: String = "", reason: String = "") {
    (self.name, self.date, self.reason) = (name, date, reason)
  }

  public static let none = Inscription()

  /// The lines that are shown, from the top.
  public var lines: [String] { parts.filter { !$0.isEmpty } }

  /// All parts, including empty ones, as they are stored.
  public var parts: [String] { [name, date, reason] }

  func validated() throws(InkError) -> Inscription {
    for (part, path) in zip(parts, ["name", "date", "reason"]) {
      guard part.utf8.count <= InkLimits.inscriptionBytes else {
        throw InkError(
          path: "inscription.\(path)", finding: "has \(part.utf8.count) bytes",
          requirement: "a line below ink has at most \(InkLimits.inscriptionBytes) bytes")
      }
      guard part.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
        throw InkError(
          path: "inscription.\(path)", finding: "has control characters", requirement: "words below ink are one line")
      }
    }
    return self
  }
}
