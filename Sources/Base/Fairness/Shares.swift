/// Divides a bounded amount among holders. Nobody gets more than is still free: one holder gets at most a half, two a
/// third each, and so on.
///
/// Inlinable, because calls of other modules use it: without that, generic types are looked up at run time.
@frozen public struct Shares<Holder: Hashable> {
  public let limit: Int
  @usableFromInline var total = 0
  @usableFromInline var own: [Holder: Int] = [:]

  @inlinable public init(of limit: Int) {
    self.limit = limit
  }

  /// How much all holders have together.
  @inlinable public var taken: Int { total }

  /// How many holders have anything.
  @inlinable public var holders: Int { own.count }

  @inlinable public subscript(_ holder: Holder) -> Int { own[holder, default: 0] }

  /// Whether a holder may take this much more. Taking less than before is always allowed.
  @inlinable public func admits(_ count: Int, for holder: Holder) -> Bool { admits(count, to: self[holder]) }

  @inlinable func admits(_ count: Int, to share: Int, leaving reserve: Int = 0) -> Bool {
    count <= 0 || FairShare.mayTake(count, own: share, of: limit - reserve, taken: taken)
  }

  /// Takes `count` more for a holder; returns false, and takes nothing, if that is not admitted.
  ///
  /// - Parameter reserve: the part of the limit that is kept for others.
  @inlinable public mutating func take(_ count: Int, for holder: Holder, leaving reserve: Int = 0) -> Bool {
    let share = self[holder]
    guard admits(count, to: share, leaving: reserve) else { return false }
    add(count, to: share, of: holder)
    return true
  }

  @inlinable public mutating func giveBack(_ count: Int, for holder: Holder) { add(-count, for: holder) }

  /// Changes a holder's share, whether that is admitted or not.
  @inlinable public mutating func add(_ count: Int, for holder: Holder) { add(count, to: self[holder], of: holder) }

  @inlinable mutating func add(_ count: Int, to earlier: Int, of holder: Holder) {
    if count == 0 { return }
    let share = earlier + count
    assert(share >= 0, "a holder gives back more than it has")
    own[holder] = share == 0 ? nil : share
    total += count
  }
}

extension Shares: Sendable where Holder: Sendable {}

public enum FairShare {
  /// Whether a holder that has `own` may take `count` more of `limit`, of which all holders have `taken`.
  @inlinable public static func mayTake(_ count: Int, own: Int, of limit: Int, taken: Int) -> Bool {
    // Not computed as a sum, which might overflow: `count` may be whatever a caller has announced.
    count <= limit - taken - own
  }
}
