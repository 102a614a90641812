extension StringProtocol {
  /// The beginning of a text that a caller chose, for the field or the message of an error: the whole of every name
  /// that is allowed.
  package var shortened: String { shortened(to: 80) }

  /// The beginning of a text, with at most `count` bytes: one character may be as long as a request.
  package func shortened(to count: Int) -> String {
    let bytes = utf8
    guard bytes.count > count else { return String(self) }
    // An index inside a scalar counts as the place where that begins.
    return String(self[..<bytes.index(bytes.startIndex, offsetBy: count)])
  }
}
