/// Numbers in vector formats: in hundredths, without superfluous characters.
enum Decimal {
  /// Rounded to whole hundredths; halves away from zero.
  static func hundredths(_ value: Float) -> Int { Int((value * 100).rounded()) }

  /// `1234` as `12.34`, `1200` as `12`, `-5` as `-.05`.
  static func append(hundredths value: Int, to text: inout [UInt8]) {
    let size = value.magnitude
    if value < 0 { text.append(UInt8(ascii: "-")) }
    let whole = size / 100, part = size % 100
    if whole > 0 || part == 0 { text += String(whole).utf8 }
    guard part > 0 else { return }
    text.append(UInt8(ascii: "."))
    text.append(UInt8(ascii: "0") + UInt8(part / 10))
    if !part.isMultiple(of: 10) { text.append(UInt8(ascii: "0") + UInt8(part % 10)) }
  }

  /// A length in a unit of paper, with four decimal places: exact to a millionth of a page.
  static func spelled(_ value: Double) -> String {
    let tenThousandths = Int((value * 10_000).rounded())
    let whole = tenThousandths / 10_000, part = tenThousandths % 10_000
    guard part > 0 else { return String(whole) }
    var digits = String(part + 10_000).dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return "\(whole).\(digits)"
  }
}
