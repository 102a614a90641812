package import Base

/// Sockets of another protocol on a reactor's own thread.
///
/// The guest keeps them in an epoll set of its own, whose descriptor the reactor watches beside its links. It is called
/// only in the reactor's turns, by one thread at a time: so what arrives at it goes out on the bus in the same turn,
/// and no other thread is woken in between. It must neither block nor compute for long.
package protocol ReactorGuest: AnyObject {
  /// Readable when a member of the guest's set has an event.
  var descriptor: Int32 { get }
  /// Reads what has arrived and submits it to the bus. Called when the descriptor had an event, or the time that
  /// `write` named has come.
  func read(at now: MonotonicTime)
  /// Passes on what has come back for its calls: at the end of every turn. Returns when `read` must be called although
  /// nothing arrives.
  func write(at now: MonotonicTime) -> MonotonicTime?
  /// Goes on with its work, and asks its peers to go elsewhere with what they have next.
  func leave(at now: MonotonicTime)
  /// Whether somebody may still come, or be there, who has not gone elsewhere.
  func isVisited(at now: MonotonicTime) -> Bool
  /// Accepts nothing new, and tells its peers so.
  func drain(at now: MonotonicTime)
  /// Whether all that had been accepted before `drain` has been answered and sent.
  var isDrained: Bool { get }
}

/// The guests of one reactor.
package final class Guests {
  private let watch: SocketWatch
  private var all: [Stay] = []

  private final class Stay {
    let guest: any ReactorGuest
    var isReady = true
    var due: MonotonicTime?

    init(_ guest: any ReactorGuest) {
      self.guest = guest
    }
  }

  init(watch: SocketWatch) {
    self.watch = watch
  }

  deinit {
    for stay in all { watch.remove(stay.guest.descriptor) }
  }

  /// The key of the first guest: the keys of guests are above those of all links.
  private static let firstKey: UInt64 = 1 << 62

  package func add(_ guest: any ReactorGuest) throws(ZeroMQError) {
    try watch.add(guest.descriptor, as: Self.firstKey + UInt64(all.count))
    all.append(Stay(guest))
  }

  /// Notes an event of a guest; false if the key is not a guest's.
  func note(_ key: UInt64) -> Bool {
    // The watch's own key stands at the very end.
    guard key >= Self.firstKey, key - Self.firstKey < UInt64(all.count) else { return false }
    all[Int(key - Self.firstKey)].isReady = true
    return true
  }

  func read(at now: MonotonicTime) {
    for stay in all where stay.isReady || stay.due.map({ $0 <= now }) ?? false {
      stay.isReady = false
      stay.due = nil
      stay.guest.read(at: now)
    }
  }

  /// Returns when the next turn must start although nothing arrives.
  func write(at now: MonotonicTime) -> MonotonicTime? {
    for stay in all { stay.due = stay.guest.write(at: now) }
    return all.compactMap(\.due).min()
  }

  func leave(at now: MonotonicTime) {
    for stay in all { stay.guest.leave(at: now) }
  }

  func areVisited(at now: MonotonicTime) -> Bool { all.contains { $0.guest.isVisited(at: now) } }

  func drain(at now: MonotonicTime) {
    for stay in all { stay.guest.drain(at: now) }
  }

  var areDrained: Bool { all.allSatisfy(\.guest.isDrained) }
}
