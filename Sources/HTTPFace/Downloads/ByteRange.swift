/// Which bytes of a file a request asks for (RFC 9110).
package enum ByteRange: Equatable, Sendable {
  case whole
  /// This range, which is not empty.
  case part(Range<Int>)
  /// The request asks only for bytes beyond the end of the file.
  case beyond

  /// - Parameters:
  ///   - text: the header `Range`. One that is malformed, or that asks for several ranges, counts as absent.
  ///   - count: how long the file is.
  package init(_ text: String?, of count: Int) {
    guard let text, text.hasPrefix("bytes=") else {
      self = .whole
      return
    }
    let ends = text.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, ends.allSatisfy({ $0.utf8.count <= 18 && $0.utf8.allSatisfy { 48...57 ~= $0 } }) else {
      self = .whole
      return
    }
    switch (Int(ends[0]), Int(ends[1])) {
    case (nil, nil): self = .whole
    case (nil, let length?): self = length == 0 || count == 0 ? .beyond : .part(max(0, count - length)..<count)
    case (let first?, nil): self = first < count ? .part(first..<count) : .beyond
    case (let first?, let last?):
      guard first <= last else {
        self = .whole
        return
      }
      self = first < count ? .part(first..<min(last + 1, count)) : .beyond
    }
  }
}
