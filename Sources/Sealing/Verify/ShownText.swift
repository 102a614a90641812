/// What a document says of itself, made fit for a line that people read. Whoever wrote it must not end the line and
/// write a verdict of their own, move the cursor of a terminal, or turn the direction of what follows.
enum ShownText {
  private static let most = 1000

  /// Without anything that is not seen as itself: that is named by its number.
  static func plain(_ text: String) -> String {
    var shown = ""
    for (count, scalar) in text.unicodeScalars.enumerated() {
      guard count < most else { return shown + "…" }
      if isSeen(scalar) { shown.unicodeScalars.append(scalar) } else { shown += named(scalar) }
    }
    return shown
  }

  /// Between quotes, which the text itself cannot end.
  static func quoted(_ text: String) -> String {
    "'\(plain(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'")))'"
  }

  private static func isSeen(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    default: true
    }
  }

  private static func named(_ scalar: Unicode.Scalar) -> String {
    "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
  }
}
