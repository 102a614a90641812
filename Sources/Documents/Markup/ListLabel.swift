/// The label of a list's item.
enum ListLabel {
  static func text(_ number: Int, _ numbering: ListBlock.Numbering) -> String {
    switch numbering {
    case .none: ""
    case .disc: "•"
    case .decimal: "\(number)."
    case .lowerAlpha: letters(number).lowercased() + "."
    case .upperAlpha: letters(number) + "."
    case .lowerRoman: roman(number).lowercased() + "."
    case .upperRoman: roman(number) + "."
    }
  }

  /// A … Z, AA … as spreadsheets name columns.
  private static func letters(_ number: Int) -> String {
    guard number > 0 else { return String(number) }
    var rest = number
    var letters: [UInt8] = []
    while rest > 0 {
      letters.insert(UInt8(ascii: "A") + UInt8((rest - 1) % 26), at: 0)
      rest = (rest - 1) / 26
    }
    return String(decoding: letters, as: UTF8.self)
  }

  private static func roman(_ number: Int) -> String {
    guard (1...3999).contains(number) else { return String(number) }
    let values = [
      (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"),
      (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
    ]
    var rest = number
    var text = ""
    for (value, letters) in values {
      while rest >= value {
        text += letters
        rest -= value
      }
    }
    return text
  }
}
