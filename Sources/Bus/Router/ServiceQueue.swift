package import Base
package import RPC

/// The calls that wait for one service.
///
/// Priority classes go in order. Within a class the callers take turns, so that one who floods waits only behind their
/// own calls; of one caller's calls, the one with the earliest deadline is next.
package struct ServiceQueue: Sendable {
  private var classes: [PriorityClass] = CallPriority.allCases.map { _ in PriorityClass() }
  package private(set) var count = 0

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
    package var priority: CallPriority
    /// Until when the call waits for a free slot, and not in a worker's own queue; nil if it may wait there at once.
    package var needsSlotUntil: MonotonicTime?

    package init(
      call: UInt64, deadline: MonotonicTime, share: Share, priority: CallPriority, needsSlotUntil: MonotonicTime? = nil
    ) {
      self.call = call
      self.deadline = deadline
      self.share = share
      self.priority = priority
      self.needsSlotUntil = needsSlotUntil
    }
  }

  package mutating func insert(_ ticket: Ticket) {
    classes[ticket.priority.place].insert(ticket)
    count += 1
    assert(isSound, "a call waits in one class")
  }

  /// Removes and returns the next call; for a worker that would let it wait, only a call that may wait there by now.
  package mutating func next(forWaiting: Bool, at now: MonotonicTime) -> UInt64? {
    for place in classes.indices.reversed() {
      if let call = classes[place].next(forWaiting: forWaiting, at: now) {
        count -= 1
        assert(isSound, "a call waits in one class")
        return call
      }
    }
    return nil
  }

  package mutating func remove(_ ticket: Ticket) {
    if classes[ticket.priority.place].remove(ticket) { count -= 1 }
    assert(isSound, "a call waits in one class")
  }

  private var isSound: Bool { count == classes.reduce(0) { $0 + $1.count } }

  /// How many calls one caller has here.
  package func count(of share: Share) -> Int {
    classes.reduce(0) { $0 + $1.count(of: share) }
  }

  /// How many calls would precede a new one: all of higher classes, and in its own class as many rounds of turns as its
  /// caller's own earlier calls need.
  package func countAhead(of ticket: Ticket) -> Int {
    let place = ticket.priority.place
    let higher = classes[(place + 1)...].reduce(0) { $0 + $1.count }
    return higher + classes[place].countAhead(of: ticket)
  }
}

extension CallPriority {
  fileprivate var place: Int { Int(rawValue) - 1 }
}
