internal import Base
package import RPC
internal import Synchronization

/// The memory budget of all doors of a gateway: for requests that are still arriving or that no service has begun to
/// answer, and for answers that their callers have not read.
///
/// It is counted by caller, however many connections a caller opens. Nobody may hold more than is still free: one
/// caller gets at most a half, two a third each, and so on. The first 64 KiB of each message have a budget of their
/// own, so that short messages find room while long ones have used up theirs. Answers have a third budget.
package final class GatheringRoom: Sendable {
  /// A message up to this size costs no more memory than the call itself, and is not counted.
  package static let uncounted = 4 << 10
  /// A message up to this size is a short one.
  package static let short = 64 << 10

  private struct State {
    /// The first 64 KiB of each message, without its first 4 KiB.
    var short: Shares<String>
    /// All messages beyond their first 64 KiB.
    var long: Shares<String>
    /// Unread answers.
    var unread: Shares<String>
  }

  private let state: Mutex<State>

  /// - Parameters:
  ///   - short: bytes for the first 64 KiB of all messages together.
  ///   - long: bytes for the rest of all messages together.
  ///   - unread: bytes for answers.
  package init(short: Int = 128 << 20, long: Int = 512 << 20, unread: Int = 512 << 20) {
    state = Mutex(State(short: Shares(of: short), long: Shares(of: long), unread: Shares(of: unread)))
  }

  /// How many bytes requests occupy.
  package var taken: Int { state.withLock { $0.short.taken + $0.long.taken } }

  /// How many bytes answers occupy.
  package var unread: Int { state.withLock { $0.unread.taken } }

  /// Throws if there were no room now for a message of this size.
  package func check(_ count: Int, of holder: String) throws(Status) {
    guard count > Self.uncounted else { return }
    let parts = Self.parts(count)
    let isAdmitted = state.withLock {
      $0.short.admits(parts.short, for: holder) && $0.long.admits(parts.long, for: holder)
    }
    guard isAdmitted else { throw Self.refusal }
  }

  /// Counts that a caller's message has grown or shrunk from `former` to `count` bytes; throws when there is no room.
  fileprivate func change(from former: Int, to count: Int, of holder: String) throws(Status) {
    let (before, after) = (Self.parts(former), Self.parts(count))
    let (short, long) = (after.short - before.short, after.long - before.long)
    guard short != 0 || long != 0 else { return }
    let isAdmitted = state.withLock { state in
      guard state.short.admits(short, for: holder), state.long.admits(long, for: holder) else { return false }
      state.short.add(short, for: holder)
      state.long.add(long, for: holder)
      return true
    }
    guard isAdmitted else { throw Self.refusal }
  }

  /// Counts that a caller's answer has so many bytes more than before, or fewer; throws when there is no room.
  fileprivate func changeUnread(by more: Int, of holder: String) throws(Status) {
    guard more != 0 else { return }
    guard state.withLock({ $0.unread.take(more, for: holder) }) else {
      throw Status(
        .resourceExhausted,
        rule: "no_room_for_answer",
        "the call has ended, and too much of earlier answers is unread, of this caller or of all; "
          + "read them, and repeat this call under its idempotency key",
        metadata: ["retry-after-ms": "1000"])
    }
  }

  private static func parts(_ count: Int) -> (short: Int, long: Int) {
    (max(0, min(count, short) - uncounted), max(0, count - short))
  }

  private static var refusal: Status {
    Status(
      .resourceExhausted, rule: "no_room", "too many large requests are on their way at once, of this caller or of all",
      metadata: ["retry-after-ms": "1000"])
  }
}

/// The part of the budget that one call's request holds; it is given back when the call ends at the latest.
package struct Gathering: ~Copyable {
  private let room: GatheringRoom
  private let holder: String
  private var held = 0

  /// - Parameter holder: the account or address that the call is counted for.
  package init(in room: GatheringRoom, of holder: String) {
    self.room = room
    self.holder = holder
  }

  deinit {
    // Shrinking never throws.
    try? room.change(from: held, to: 0, of: holder)
  }

  /// Sets how many bytes have arrived, and how many more the message itself has announced.
  ///
  /// Announcing costs a caller nothing, so announced bytes count only once something has arrived: those of a short
  /// message after 4 KiB, those of a long one after 64 KiB. From then on there is room for the whole message, so that
  /// it can be completed.
  package mutating func hold(_ kept: Int, missing: Int = 0) throws(Status) {
    let whole = kept + missing
    let count =
      switch kept {
      case ...GatheringRoom.uncounted: kept
      case ...GatheringRoom.short: min(whole, GatheringRoom.short)
      default: whole
      }
    try room.change(from: held, to: count, of: holder)
    held = count
  }

  package mutating func release() {
    try? room.change(from: held, to: 0, of: holder)
    held = 0
  }
}

/// What one call holds of the room for answers; it is given back at the latest with the call.
///
/// It holds nothing for an answer of up to 4 KiB, and whole pieces of 16 KiB for a longer one: that is how doors keep
/// answers, and so a stream of short messages seldom takes the room's lock.
package struct UnreadAnswer: ~Copyable {
  private let room: GatheringRoom
  private let holder: String
  /// What is counted in the room.
  private var held = 0

  /// - Parameter holder: the account or address that the call is counted for.
  package init(in room: GatheringRoom, of holder: String) {
    self.room = room
    self.holder = holder
  }

  deinit {
    // There is always room for less.
    try? room.changeUnread(by: -held, of: holder)
  }

  /// Sets how many bytes are kept for the caller. When there is no room for more, what was held stays held.
  package mutating func hold(_ count: Int) throws(Status) {
    let counted = Self.counted(count)
    try room.changeUnread(by: counted - held, of: holder)
    held = counted
  }

  /// Sets how many bytes are still kept, once the caller has read some.
  package mutating func shrink(to count: Int) {
    if Self.counted(count) < held { try? hold(count) }
  }

  private static func counted(_ count: Int) -> Int {
    guard count > GatheringRoom.uncounted else { return 0 }
    return (count + ByteQueue.piece - 1) / ByteQueue.piece * ByteQueue.piece
  }
}

extension VerifiedCaller {
  /// The account or address that the caller's memory is counted for.
  package func holder(at address: String) -> String { CountedAddress.holder(account, at: address) }
}
