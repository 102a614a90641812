/// Numbers in text formats: with no more decimal places than the grid has.
enum TextNumber {
  /// To four places, which hold every value of the grid; zeros at the end are left out.
  static func spelled(_ value: Double) -> String {
    guard let scaled = Int(exactly: (value.magnitude * 10_000).rounded()) else { return "\(value)" }
    let sign = value < 0 && scaled > 0 ? "-" : ""
    let whole = scaled / 10_000, part = scaled % 10_000
    guard part > 0 else { return "\(sign)\(whole)" }
    var digits = String(part + 10_000).dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return "\(sign)\(whole).\(digits)"
  }

  /// Text for use between the quotes of an XML attribute.
  static func xml(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case "\"": escaped += "&quot;"
      // XML 1.0 cannot represent the other control characters.
      case "\u{0}"..<" ":
        escaped += scalar == "\n" || scalar == "\t" || scalar == "\r" ? "&#\(scalar.value);" : "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
