/// What reading markup may take for one call, over all its texts. Counted ahead of the work and while it goes on.
package struct MarkupBudget: Sendable {
  package static let mostBytes = 4 << 20
  package static let mostTags = 24_000

  private var bytes = 0
  private var tags = 0
  private let isOver: @Sendable () -> Bool

  /// - Parameter isOver: whether the caller's time is up. A call that nobody waits for any longer has its task cancelled.
  package init(isOver: @escaping @Sendable () -> Bool = { Task.isCancelled }) {
    self.isOver = isOver
  }

  /// Checks a text that somebody wrote, and counts it.
  mutating func spend(on html: String) throws(MarkupError) {
    tags += try MarkupBounds.check(html)
    bytes += html.utf8.count
    guard bytes <= Self.mostBytes else { throw .tooMuchAltogether("bytes", count: bytes, bound: Self.mostBytes) }
    guard tags <= Self.mostTags else { throw .tooMuchAltogether("tags", count: tags, bound: Self.mostTags) }
  }

  /// To be asked between steps that are bounded each.
  func checkTime() throws(MarkupError) {
    if isOver() { throw .stopped }
  }
}
