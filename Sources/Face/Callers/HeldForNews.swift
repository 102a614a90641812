package import Base

/// Calls that a door holds until it is known what was revoked.
package struct HeldForNews<Item> {
  private var items: [Item] = []
  /// When the items are released even without news; nil while there are none.
  package private(set) var until: MonotonicTime?

  package init() {}

  /// - Parameter wake: called from any thread when `takeReady` has something to return.
  package mutating func add(
    _ item: Item, at now: MonotonicTime, _ news: RevocationNews, wake: @escaping @Sendable () -> Void
  ) {
    items.append(item)
    guard until == nil else { return }
    until = now + RevocationNews.longestWait
    news.whenHeard(wake)
  }

  /// All items, once news has arrived or the wait for it is over; none before that.
  package mutating func takeReady(at now: MonotonicTime, _ news: RevocationNews) -> [Item] {
    guard let end = until, !news.isUnderWay || now >= end else { return [] }
    until = nil
    return exchange(&items, with: [])
  }
}
