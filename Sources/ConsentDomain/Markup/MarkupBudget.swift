/// What reading markup may take for one call, over all its texts. Counted ahead of the work and while it goes on.
package struct MarkupBudget: Sendable {
  package static let mostBytes = 4 << 20
  package static let mostTags = 24_000

  /// What a text of the usual size takes, some milliseconds at most.
  package static var light: MarkupBudget { MarkupBudget(bytes: 64 << 10, tags: 300, isLight: true) }

  private let byteBound: Int
  private let tagBound: Int
  /// Whether more may be asked for.
  private let isLight: Bool
  private var bytes = 0
  private var tags = 0
  /// Whether the work was refused only because this is a light budget.
  private(set) var wantsMore = false
  private let isOver: @Sendable () -> Bool

  /// - Parameter isOver: whether nobody waits for the call any longer; its task is cancelled then.
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

  /// The same for Markdown, whose HTML counts besides.
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

  /// To be asked between steps that are bounded each.
  func checkTime() throws(MarkupError) {
    if isOver() { throw .stopped }
  }
}
