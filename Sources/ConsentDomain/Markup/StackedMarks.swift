/// Marks that stand on one letter, such as accents. Comparing or looking up a text puts them in an order, in time that
/// grows with the square of their number.
enum StackedMarks {
  /// More than any writing has.
  static let most = 30

  /// The text without the marks beyond those; nil when there are none.
  static func limited(_ text: String) -> String? {
    // Marks begin with this byte or a greater one: few texts have to be read by characters.
    guard text.utf8.contains(where: { $0 >= 0xCC }) else { return nil }
    var kept = String.UnicodeScalarView()
    var (marks, isLess) = (0, false)
    for scalar in text.unicodeScalars {
      marks = scalar.properties.canonicalCombiningClass == .notReordered ? 0 : marks + 1
      if marks > most { isLess = true } else { kept.append(scalar) }
    }
    return isLess ? String(kept) : nil
  }
}
