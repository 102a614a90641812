/// What a person's name may contain, wherever one is stored, printed or drawn.
///
/// A name is one line that shows at least one letter. Characters that break the line, turn its direction around or
/// cannot be seen would let a name read as another one, or as nothing.
public enum NameRule {
  /// Why a text is not a name.
  public struct Fault: Error, Hashable, Sendable {
    /// The rule's name in refusals.
    public let rule: String
    public let finding: String
    public let requirement: String
  }

  /// Marks of direction and joining that are part of how some scripts are written.
  private static let marks: Set<Unicode.Scalar> = ["\u{200C}", "\u{200D}", "\u{200E}", "\u{200F}", "\u{61C}"]

  public static func check(_ text: String) throws(Fault) {
    if let scalar = text.unicodeScalars.first(where: isRefused) {
      throw Fault(
        rule: "control_characters", finding: "has \(described(scalar))",
        requirement: "a name is one line without control and formatting characters")
    }
    guard text.unicodeScalars.contains(where: isVisibleLetter) else {
      throw Fault(rule: "no_letter", finding: "shows no letter", requirement: "a name has at least one letter")
    }
  }

  private static func isRefused(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format: !marks.contains(scalar)
    default: false
    }
  }

  /// Unicode counts filler characters as letters, but they cannot be seen.
  private static func isVisibleLetter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
      !scalar.properties.isDefaultIgnorableCodePoint
    default: false
    }
  }

  private static func described(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    return scalar.properties.name.map { "\(code), \($0)" } ?? code
  }
}
