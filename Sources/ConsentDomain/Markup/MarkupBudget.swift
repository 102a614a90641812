/// Limits the markup that is read for one call, over all its texts. It is counted before the work and during it.
package struct MarkupBudget: Sendable {
  package static let mostBytes = 4 << 20
  package static let mostTags = 24_000

  /// A budget for texts of the usual size, which take some milliseconds at most.
  package static var light: MarkupBudget { MarkupBudget(bytes: 64 << 10, tags: 300, isLight: true) }

  private let byteBound: Int
  private let tagBound: Int
  /// Whether work that exceeds this budget may be repeated with a full one.
  private let isLight: Bool
  private var bytes = 0
  private var tags = 0
  /// Whether the work was refused only because this is a light budget.
  private(set) var wantsMore = false
  private let isOver: @Sendable () -> Bool

  /// - Parameter isOver: whether nobody waits for the call any longer, so that reading stops.
  package init(isOver: @escaping @Sendable () -> Bool = { Task.isCancelled }) {
    self.init(bytes: Self.mostBytes, tags: Self.mostTags, isLight: false, isOver: isOver)
  }

  private init(
    bytes: Int, tags: Int, isLight: Bool, isOver: @escaping @Sendable () -> Bool = { Task.isCancelled }
  ) {
    (byteBound, tagBound) = (bytes, tags)
    self.isLight = isLight
    self.isOver = isOver
  }

  /// Checks a text that somebody wrote, and counts it.
  mutating func spend(on html: String) throws(MarkupError) {
    try spend(bytes: html.utf8.count)
    tags += try MarkupBounds.check(html)
    if isLight, tags > tagBound { wantsMore = true }
    guard tags <= tagBound else { throw .tooMuchAltogether("tags", count: tags, bound: tagBound) }
  }

  /// The same for Markdown. The HTML made of it counts as well, when it is cleaned.
  mutating func spend(onMarkdown markdown: String) throws(MarkupError) {
    try spend(bytes: markdown.utf8.count)
    try MarkupBounds.check(markdown: markdown)
  }

  private mutating func spend(bytes count: Int) throws(MarkupError) {
    bytes += count
    if isLight, bytes > byteBound { wantsMore = true }
    guard bytes <= byteBound else { throw .tooMuchAltogether("bytes", count: bytes, bound: byteBound) }
  }

  /// Call this before work whose cost is unknown. A light budget refuses it, so that it is done again with a full one.
  mutating func needAll() throws(MarkupError) {
    guard isLight else { return }
    wantsMore = true
    throw .stopped
  }

  /// Throws if nobody waits for the call any longer. Called between steps that are bounded themselves.
  func checkTime() throws(MarkupError) {
    if isOver() { throw .stopped }
  }
}
