/// Why something is not valid ink: which field, what it holds, and what it may hold.
public struct InkError: Error, Hashable, Sendable {
  public enum Cause: Hashable, Sendable {
    /// The field's value is not allowed.
    case invalid
    /// What was asked for exceeds a budget.
    case tooMuch
    /// The work was stopped, because nobody waits for it any longer.
    case stopped
  }

  public let cause: Cause
  /// The field in the sender's notation, such as `strokes[2].points[17].x`.
  public let path: String
  /// What the field holds: "is NaN", "has 1000000 points".
  public let finding: String
  /// What the field may hold: "coordinates must be finite numbers between -100000 and 100000".
  public let requirement: String

  public init(_ cause: Cause = .invalid, path: String, finding: String, requirement: String) {
    self.cause = cause
    self.path = path
    self.finding = finding
    self.requirement = requirement
  }
}

extension InkError: CustomStringConvertible {
  public var description: String { "\(path) \(finding); \(requirement)" }
}

/// A sender's text in a form that an error may repeat: short, and without characters that break a line of a log.
func excerpt(_ text: some StringProtocol) -> String {
  let shown = text.unicodeScalars.prefix(40).map { scalar -> Character in
    scalar.value < 0x20 || scalar.value == 0x7F ? "·" : Character(scalar)
  }
  return "'\(String(shown))\(text.unicodeScalars.count > 40 ? "…" : "")'"
}
