package import Base

/// The calls that wait for one service.
///
/// Priority classes go in order. Within a class the callers take turns, so that one who floods waits behind his own
/// calls only; within a caller the call with the earliest deadline is next.
package struct ServiceQueue: Sendable {
  private var classes: [PriorityClass] = CallPriority.allCases.map { _ in PriorityClass() }
  package private(set) var count = 0

  package init() {}

  /// Whose turn it is: a client's key or, for those who act for others, the tenant and subject they act for.
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
    package var priority: CallPriority
    /// Whether it may be handed to a worker that lets it wait: only what can be done again elsewhere may.
    package var mayWaitAtWorker: Bool

    package init(
      call: UInt64, deadline: MonotonicTime, share: Share, priority: CallPriority, mayWaitAtWorker: Bool = true
    ) {
      self.call = call
      self.deadline = deadline
      self.share = share
      self.priority = priority
      self.mayWaitAtWorker = mayWaitAtWorker
    }
  }

  package mutating func insert(_ ticket: Ticket) {
    classes[ticket.priority.place].insert(ticket)
    count += 1
  }

  /// The call whose turn it is, taken out. A worker that would let it wait gets only what may wait there.
  package mutating func next(forWaiting: Bool) -> UInt64? {
    for place in classes.indices.reversed() {
      if let call = classes[place].next(forWaiting: forWaiting) {
        count -= 1
        return call
      }
    }
    return nil
  }

  package mutating func remove(_ ticket: Ticket) {
    if classes[ticket.priority.place].remove(ticket) { count -= 1 }
  }

  /// How many calls one caller has here.
  package func count(of share: Share) -> Int {
    classes.reduce(0) { $0 + $1.count(of: share) }
  }

  /// How many calls would go before a new one: all of higher classes, and in its own class as many rounds of turns as
  /// its caller's own earlier calls need.
  package func countAhead(of ticket: Ticket) -> Int {
    let place = ticket.priority.place
    let higher = classes[(place + 1)...].reduce(0) { $0 + $1.count }
    return higher + classes[place].countAhead(of: ticket)
  }
}

extension CallPriority {
  fileprivate var place: Int { Int(rawValue) - 1 }
}

/// One priority class: callers in turn, each with a heap of deadlines.
private struct PriorityClass: Sendable {
  private var callers: [ServiceQueue.Share: CallerQueue] = [:]
  private var turns: [ServiceQueue.Share] = []
  private var turn = 0
  private(set) var count = 0

  mutating func insert(_ ticket: ServiceQueue.Ticket) {
    if callers[ticket.share] == nil { turns.append(ticket.share) }
    callers[ticket.share, default: CallerQueue()].insert(ticket)
    count += 1
  }

  mutating func next(forWaiting: Bool) -> UInt64? {
    for _ in 0..<turns.count {
      turn %= turns.count
      let share = turns[turn]
      if let call = callers[share]?.takeEarliest(forWaiting: forWaiting) {
        count -= 1
        if !forget(share) { turn += 1 }
        return call
      }
      turn += 1
    }
    return nil
  }

  mutating func remove(_ ticket: ServiceQueue.Ticket) -> Bool {
    guard callers[ticket.share]?.remove(call: ticket.call) == true else { return false }
    count -= 1
    forget(ticket.share)
    return true
  }

  func count(of share: ServiceQueue.Share) -> Int { callers[share]?.count ?? 0 }

  func countAhead(of ticket: ServiceQueue.Ticket) -> Int {
    guard let own = callers[ticket.share] else { return min(count, turns.count) }
    let rounds = own.countEarlier(than: ticket.deadline) + 1
    return min(count, rounds * turns.count)
  }

  /// Takes a caller without calls out of the round.
  @discardableResult
  private mutating func forget(_ share: ServiceQueue.Share) -> Bool {
    guard callers[share]?.count == 0 else { return false }
    callers[share] = nil
    if let place = turns.firstIndex(of: share) {
      turns.remove(at: place)
      if place < turn { turn -= 1 }
    }
    return true
  }
}

/// One caller's calls, earliest deadline first.
private struct CallerQueue: Sendable {
  private var timers = TimerHeap()
  /// Calls that start only where a slot is free.
  private var pinned: Set<UInt64> = []

  var count: Int { timers.count }

  mutating func insert(_ ticket: ServiceQueue.Ticket) {
    timers.set(ticket.call, at: ticket.deadline)
    if !ticket.mayWaitAtWorker { pinned.insert(ticket.call) }
  }

  mutating func takeEarliest(forWaiting: Bool) -> UInt64? {
    guard let call = timers.first, !(forWaiting && pinned.contains(call)) else { return nil }
    _ = remove(call: call)
    return call
  }

  mutating func remove(call: UInt64) -> Bool {
    guard timers.contains(call) else { return false }
    timers.remove(call)
    pinned.remove(call)
    return true
  }

  func countEarlier(than deadline: MonotonicTime) -> Int { timers.count(notAfter: deadline) }
}
