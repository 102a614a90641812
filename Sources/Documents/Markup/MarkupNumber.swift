/// Numbers in attributes, within bounds that nothing which counts or measures with them can leave. One beyond them is
/// none, as in browsers.
enum MarkupNumber {
  /// Far more than any picture is wide, in pixels.
  private static let longest = 100_000.0

  /// The number of a list's item, or a count of cells: 32 bits, so that a list can go on counting from it.
  static func whole(_ text: String?) -> Int? { text.flatMap { Int32($0) }.map(Int.init) }

  /// In pixels. "inf" and "nan" are words that Swift reads as numbers.
  static func length(_ text: String?) -> Double? {
    guard let value = text.flatMap(Double.init), value.magnitude <= longest else { return nil }
    return value
  }
}
