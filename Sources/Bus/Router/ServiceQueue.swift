package import Base

/// The calls that wait for one service.
///
/// Callers take turns, so that one who floods waits only behind their own calls; of one caller's calls, the one with
/// the earliest deadline is next.
package struct ServiceQueue: Sendable {
  private var callers: [Share: CallerQueue] = [:]
  /// The callers in turn, from `head` on. A caller without calls stays until its turn comes or the round is compacted:
  /// finding it in the middle would cost more than the calls themselves.
  private var round: [Share] = []
  private var head = 0
  /// How many callers in the round have no calls.
  private var emptied = 0
  package private(set) var count = 0
  /// How many calls may wait at a worker only after a time.
  private var pinned = 0
  /// Of these, no caller's earliest call may wait at a worker before.
  private var firstRelease = MonotonicTime.never

  package init() {}

  /// Who takes turns: a caller, by tenant and name, or the session of a peer that may name callers and has named none.
  package struct Share: Hashable, Sendable {
    package var session: UInt64 = 0
    package var tenant = ""
    package var subject = ""

    package init(session: UInt64 = 0, tenant: String = "", subject: String = "") {
      self.session = session
      self.tenant = tenant
      self.subject = subject
    }
  }

  package struct Ticket: Sendable {
    package var call: UInt64
    package var deadline: MonotonicTime
    package var share: Share
    /// Until when the call waits for a free slot, and not in a worker's own queue; nil if it may wait there at once.
    package var needsSlotUntil: MonotonicTime?

    package init(call: UInt64, deadline: MonotonicTime, share: Share, needsSlotUntil: MonotonicTime? = nil) {
      self.call = call
      self.deadline = deadline
      self.share = share
      self.needsSlotUntil = needsSlotUntil
    }
  }

  package mutating func insert(_ ticket: Ticket) {
    count += 1
    if let release = ticket.needsSlotUntil {
      pinned += 1
      firstRelease = min(firstRelease, release)
    }
    if let known = callers[ticket.share] {
      if known.count == 0 { emptied -= 1 }
    } else {
      round.append(ticket.share)
    }
    callers[ticket.share, default: CallerQueue()].insert(ticket)
  }

  /// Removes and returns the next call; for a worker that would let it wait, only a call that may wait there by now.
  package mutating func next(forWaiting: Bool, at now: MonotonicTime) -> UInt64? {
    if forWaiting, pinned == count, now < firstRelease { return nil }
    var release = MonotonicTime.never
    for _ in head..<round.count {
      let share = round[head]
      head += 1
      let taken = callers[share]?.takeEarliest(forWaiting: forWaiting, at: now)
      if callers[share]?.count == 0 {
        if taken == nil { emptied -= 1 }
        callers[share] = nil
      } else {
        round.append(share)
        if pinned > 0 { release = min(release, callers[share]?.release ?? .never) }
      }
      if let taken {
        count -= 1
        if taken.isPinned { pinned -= 1 }
        firstRelease = min(firstRelease, release)
        tidyUp()
        return taken.call
      }
    }
    // Every caller was passed over, so this is the first time at which one need not be.
    firstRelease = release
    tidyUp()
    return nil
  }

  package mutating func remove(_ ticket: Ticket) {
    guard callers[ticket.share]?.remove(call: ticket.call) == true else { return }
    count -= 1
    if ticket.needsSlotUntil != nil { pinned -= 1 }
    if callers[ticket.share]?.count == 0 { emptied += 1 }
    if pinned > 0 { firstRelease = min(firstRelease, callers[ticket.share]?.release ?? .never) }
    tidyUp()
  }

  /// How many calls one caller has here.
  package func count(of share: Share) -> Int { callers[share]?.count ?? 0 }

  /// How many calls would precede a new one: as many rounds of turns as its caller's own earlier calls need.
  package func countAhead(of ticket: Ticket) -> Int {
    let present = callers.count - emptied
    guard let own = callers[ticket.share], own.count > 0 else { return min(count, present) }
    let rounds = own.countEarlier(than: ticket.deadline) + 1
    return min(count, rounds * present)
  }

  private mutating func tidyUp() {
    if pinned == 0 { firstRelease = .never }
    if count == 0 {
      callers.removeAll(keepingCapacity: callers.capacity < 64)
      round.removeAll(keepingCapacity: round.capacity < 64)
      head = 0
      emptied = 0
    } else if emptied > 16, 2 * emptied > callers.count {
      round = round[head...].filter { callers[$0]?.count != 0 }
      callers = callers.filter { $0.value.count > 0 }
      head = 0
      emptied = 0
    } else if head > 32, 2 * head > round.count {
      round.removeFirst(head)
      head = 0
    }
    assert(pinned >= 0 && pinned <= count, "calls that wait for a free slot are some of those that wait")
    assert(emptied >= 0 && emptied <= callers.count, "callers without calls are some of those in the round")
    assert(callers.count <= round.count - head, "each caller has its turn in the round")
  }
}

/// One caller's calls, earliest deadline first.
private struct CallerQueue: Sendable {
  private var timers = TimerHeap()
  /// Calls that may wait at a worker only after a time, and from when on.
  private var pinned: [UInt64: MonotonicTime] = [:]
  /// No call here has a later deadline.
  private var latest = MonotonicTime(nanoseconds: .min)

  var count: Int { timers.count }

  /// From when on the earliest call may wait at a worker; nil if it may at any time.
  var release: MonotonicTime? {
    pinned.isEmpty ? nil : timers.first.flatMap { pinned[$0] }
  }

  mutating func insert(_ ticket: ServiceQueue.Ticket) {
    timers.set(ticket.call, at: ticket.deadline)
    latest = max(latest, ticket.deadline)
    if let release = ticket.needsSlotUntil { pinned[ticket.call] = release }
  }

  /// nil also if the call is to wait at a worker, and may not yet.
  mutating func takeEarliest(forWaiting: Bool, at now: MonotonicTime) -> (call: UInt64, isPinned: Bool)? {
    guard let call = timers.first else { return nil }
    let release = release
    if forWaiting, let release, now < release { return nil }
    _ = remove(call: call)
    return (call, release != nil)
  }

  mutating func remove(call: UInt64) -> Bool {
    guard timers.contains(call) else { return false }
    timers.remove(call)
    if !pinned.isEmpty { pinned[call] = nil }
    return true
  }

  /// How many calls are due no later; an estimate if there are many. Usually all are: most callers give each call the
  /// same time-out, so that a new call goes behind all others.
  func countEarlier(than deadline: MonotonicTime) -> Int {
    deadline >= latest ? count : timers.estimatedCount(notAfter: deadline)
  }
}
