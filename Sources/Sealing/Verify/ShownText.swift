/// Text from a document, made safe for a line that people read. Its author must not be able to end the line and add a
/// verdict of their own, to move a terminal's cursor, or to reverse the direction of what follows.
public enum ShownText {
  private static let most = 1000

  /// The text with every invisible character replaced by its number.
  public static func plain(_ text: String) -> String {
    var shown = ""
    for (count, scalar) in text.unicodeScalars.enumerated() {
      guard count < most else { return shown + "…" }
      if isSeen(scalar) { shown.unicodeScalars.append(scalar) } else { shown += named(scalar) }
    }
    return shown
  }

  /// The text in quotes, which it cannot end itself.
  public static func quoted(_ text: String) -> String {
    // Not by characters: an apostrophe with a mark on it is another one, and still looks like an apostrophe.
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "'" || scalar == "\\" { escaped.append("\\") }
      escaped.append(scalar)
    }
    return "'\(plain(String(escaped)))'"
  }

  private static func isSeen(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.properties.isDefaultIgnorableCodePoint { return false }
    return switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    default: true
    }
  }

  private static func named(_ scalar: Unicode.Scalar) -> String {
    "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
  }
}
