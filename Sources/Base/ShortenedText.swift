extension StringProtocol {
  /// The beginning of a text that a caller chose, for an error's field or message. It is long enough for every valid
  /// name.
  package var shortened: String { shortened(to: 80) }

  /// The beginning of a text, with at most `count` bytes. Not counted in characters, since one may be as long as a
  /// request.
  package func shortened(to count: Int) -> String {
    let bytes = utf8
    guard bytes.count > count else { return String(self) }
    // An index inside a scalar is rounded down to the scalar's beginning.
    return String(self[..<bytes.index(bytes.startIndex, offsetBy: count)])
  }
}
