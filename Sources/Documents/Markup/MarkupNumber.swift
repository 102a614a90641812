/// Reads numbers of attributes. Numbers out of bounds are ignored, as in browsers, so that no arithmetic with the
/// others can overflow.
enum MarkupNumber {
  /// In pixels: far more than any picture is wide.
  private static let longest = 100_000.0

  /// An item's number, or a count of cells: of 32 bits, so that a list can count on from it without overflowing.
  static func whole(_ text: String?) -> Int? { text.flatMap { Int32($0) }.map(Int.init) }

  /// A length in pixels. The bound also excludes "inf" and "nan", which Swift reads as numbers.
  static func length(_ text: String?) -> Double? {
    guard let value = text.flatMap(Double.init), value.magnitude <= longest else { return nil }
    return value
  }
}
