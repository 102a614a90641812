/// The parts of a number in JSON, so that an integer loses no digit.
struct DecimalNumber {
  /// The leading digits as a number, as many as fit into 64 bits: integers with more are out of range anyway.
  private var digits: UInt64 = 0
  private var isExact = true
  private var exponent = 0
  private var isNegative = false

  /// nil when the text is not a number in JSON's grammar.
  init?(_ text: Span<UInt8>) {
    var index = 0
    if index < text.count, text[index] == UInt8(ascii: "-") {
      isNegative = true
      index += 1
    }
    let start = index
    readDigits(text, &index, afterPoint: false)
    guard index > start, index == start + 1 || text[start] != UInt8(ascii: "0") else { return nil }
    if index < text.count, text[index] == UInt8(ascii: ".") {
      index += 1
      let fraction = index
      readDigits(text, &index, afterPoint: true)
      guard index > fraction else { return nil }
    }
    if index < text.count, text[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      guard readExponent(text, &index) else { return nil }
    }
    guard index == text.count else { return nil }
  }

  private mutating func readDigits(_ text: Span<UInt8>, _ index: inout Int, afterPoint: Bool) {
    while index < text.count, text[index].isDigit {
      append(text[index] - UInt8(ascii: "0"))
      if afterPoint { exponent -= 1 }
      index += 1
    }
  }

  private mutating func append(_ digit: UInt8) {
    let (product, overflows) = digits.multipliedReportingOverflow(by: 10)
    let (sum, overflowsToo) = product.addingReportingOverflow(UInt64(digit))
    if overflows || overflowsToo || exponent > 0 {
      // The digit is dropped, and the exponent makes up for it.
      exponent += 1
      if digit != 0 { isExact = false }
    } else {
      digits = sum
    }
  }

  private mutating func readExponent(_ text: Span<UInt8>, _ index: inout Int) -> Bool {
    let isMinus = index < text.count && text[index] == UInt8(ascii: "-")
    if isMinus || (index < text.count && text[index] == UInt8(ascii: "+")) { index += 1 }
    let start = index
    var value = 0
    while index < text.count, text[index].isDigit {
      // Bounded, since further digits make no difference: the exponent is far beyond every type.
      value = min(value * 10 + Int(text[index] - UInt8(ascii: "0")), 1_000_000_000)
      index += 1
    }
    exponent += isMinus ? -value : value
    return index > start
  }

  /// The nearest `Double` of a number with few digits; nil for any other number. Digits below 2⁵³ and powers of ten up
  /// to 10²² are exact, so that there is one rounding.
  var shortDouble: Double? {
    guard isExact, digits < 1 << 53, (-22...22).contains(exponent) else { return nil }
    let power = Self.powers[abs(exponent)]
    let magnitude = exponent < 0 ? Double(digits) / power : Double(digits) * power
    return isNegative ? -magnitude : magnitude
  }

  private static let powers = (0..<22).reduce(into: [1.0]) { powers, exponent in powers.append(powers[exponent] * 10) }

  /// The number as an integer, or nil when it has a fraction or does not fit.
  func integer<Number: FixedWidthInteger>(as _: Number.Type) -> Number? {
    if digits == 0 { return isExact ? 0 : nil }
    guard isExact, (-20...20).contains(exponent) else { return nil }
    var magnitude = digits
    for _ in 0..<max(0, -exponent) {
      guard magnitude % 10 == 0 else { return nil }
      magnitude /= 10
    }
    for _ in 0..<max(0, exponent) {
      let (product, overflows) = magnitude.multipliedReportingOverflow(by: 10)
      if overflows { return nil }
      magnitude = product
    }
    if !isNegative { return Number(exactly: magnitude) }
    // The lowest signed number has no positive counterpart.
    if magnitude == Int64.min.magnitude { return Number(exactly: Int64.min) }
    return Int64(exactly: magnitude).flatMap { Number(exactly: -$0) }
  }
}

extension UInt8 {
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
