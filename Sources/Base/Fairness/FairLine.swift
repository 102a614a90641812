/// Decides who is next where callers share a few threads: a plain value, without threads or time.
///
/// There are two lanes. Work begins in the light one; what proves heavy there goes on in the heavy one, which has few
/// threads of its own. Within a lane callers take turns, however much each of them wants. Callers may be of a
/// group, such as the devices of a tenant: then groups take turns, and within a group its callers. A caller whose work
/// proved heavy stands in the heavy lane from then on, with what it has waiting, until it has brought light work a few
/// times: so its heavy work costs others a light try once, and not each time.
package struct FairLine<Element> {
  package struct Turn {
    package let caller: String
    package let lane: FairLane
    package let number: UInt64
    package let element: Element
  }

  private let limits: FairLimits
  private var lanes: [FairLane: LaneState] = [:]
  /// How often each caller that brought heavy work has still to bring light work; oldest first, bounded.
  private var debts: [String: Int] = [:]
  private var debtors = WaitingLine<String>()

  fileprivate struct LaneState {
    var lines: [String: Line] = [:]
    /// What waits, by its number.
    var waiting: [UInt64: Waiting] = [:]
    /// Groups with somebody waiting, in the order of their turns.
    var turns = WaitingLine<String>()
    /// The callers of each of them, in the order of theirs.
    var turnsInGroups: [String: WaitingLine<String>] = [:]
    var running: [String: Int] = [:]
    var runningCount = 0
    /// Without what must wait: one caller's would be the refusal of all others' otherwise.
    var waitingCount = 0
    var waitingInGroups: [String: Int] = [:]

    mutating func append(_ waiting: Waiting, for caller: String) {
      if lines[caller] == nil {
        if turnsInGroups[waiting.group] == nil { turns.append(waiting.group) }
        turnsInGroups[waiting.group, default: WaitingLine()].append(caller)
      }
      lines[caller, default: Line()].append(waiting.number)
      self.waiting[waiting.number] = waiting
      count(1, of: waiting)
    }

    private mutating func count(_ change: Int, of waiting: Waiting) {
      guard !waiting.mustWait else { return }
      waitingCount += change
      let count = waitingInGroups[waiting.group, default: 0] + change
      waitingInGroups[waiting.group] = count == 0 ? nil : count
    }

    /// Many may leave at once, so leaving costs no look at all that waits. A line that is empty then keeps its turn and
    /// is passed over.
    mutating func remove(_ number: UInt64, of caller: String) -> Element? {
      guard let found = waiting.removeValue(forKey: number) else { return nil }
      count(-1, of: found)
      lines[caller]?.left { [waiting] in waiting[$0] != nil }
      return found.element
    }

    /// Takes all that a caller has waiting.
    mutating func take(from caller: String) -> [Waiting] {
      var all: [Waiting] = []
      while let next = takeFirst(of: caller) { all.append(next) }
      return all
    }

    private mutating func takeFirst(of caller: String) -> Waiting? {
      while let number = lines[caller]?.numbers.popFirst() {
        guard let first = waiting.removeValue(forKey: number) else { continue }
        lines[caller]?.count -= 1
        count(-1, of: first)
        return first
      }
      return nil
    }

    /// Starts the first one of the caller whose turn it is, passing over callers that have as many threads as they may.
    mutating func start(most: Int) -> (String, Waiting)? {
      for _ in 0..<turns.count {
        guard let group = turns.popFirst(), var callers = turnsInGroups.removeValue(forKey: group) else { continue }
        let started = start(most: most, of: &callers)
        if !callers.isEmpty {
          turnsInGroups[group] = callers
          turns.append(group)
        }
        if let started { return started }
      }
      return nil
    }

    /// The same among the callers of one group.
    private mutating func start(most: Int, of callers: inout WaitingLine<String>) -> (String, Waiting)? {
      for _ in 0..<callers.count {
        guard let caller = callers.popFirst() else { continue }
        guard running[caller, default: 0] < most || lines[caller]?.count == 0 else {
          callers.append(caller)
          continue
        }
        let first = takeFirst(of: caller)
        if lines[caller]?.count == 0 { lines[caller] = nil } else { callers.append(caller) }
        guard let first else { continue }
        running[caller, default: 0] += 1
        runningCount += 1
        return (caller, first)
      }
      return nil
    }

    mutating func finish(_ caller: String) {
      guard let count = running[caller] else { return }
      running[caller] = count > 1 ? count - 1 : nil
      runningCount -= 1
    }
  }

  fileprivate struct Waiting {
    let number: UInt64
    let group: String
    let mustWait: Bool
    let element: Element
  }

  /// The numbers of what one caller has waiting, in order, and of some that have left.
  fileprivate struct Line {
    var numbers = WaitingLine<UInt64>()
    /// Without those that have left.
    var count = 0

    mutating func append(_ number: UInt64) {
      numbers.append(number)
      count += 1
    }

    /// One has left. Now and then all that have are taken out, so that they are never many more than those that wait.
    mutating func left(isWaiting: (UInt64) -> Bool) {
      count -= 1
      guard numbers.count > 2 * count + 32 else { return }
      for number in numbers.pop(numbers.count) where isWaiting(number) { numbers.append(number) }
    }
  }

  private var lastNumber: UInt64 = 0

  package init(_ limits: FairLimits) {
    self.limits = limits
    for lane in FairLane.allCases { lanes[lane] = LaneState() }
  }

  /// How many wait that could have been refused.
  package var waitingCount: Int { lanes.values.reduce(0) { $0 + $1.waitingCount } }
  package var runningCount: Int { lanes.values.reduce(0) { $0 + $1.runningCount } }
  /// How many callers are remembered for any reason.
  package var knownCallers: Int {
    lanes.values.reduce(into: Set(debts.keys)) { $0.formUnion($1.lines.keys.map { $0 }) }.count
  }

  /// Where work of this caller begins.
  package func lane(of caller: String) -> FairLane { debts[caller] == nil ? .light : .heavy }

  /// Puts `element` in line; gives a number to take it out again.
  ///
  /// - Parameters:
  ///   - group: whose the caller is, always the same. Callers of a group may have no more waiting together than there
  ///     is room left: however many they are, they leave some to other groups. nil: the caller is of no group.
  ///   - mustWait: it is the end of what was begun, and no bound refuses it. It counts against its caller's later
  ///     work, and against nobody else's.
  package mutating func add(
    _ element: Element, for caller: String, of group: String? = nil, _ lane: FairLane, mustWait: Bool = false
  ) throws(FairRefusal) -> UInt64 {
    if !mustWait { try checkBounds(of: caller, group) }
    lastNumber += 1
    let waiting = Waiting(number: lastNumber, group: group ?? caller, mustWait: mustWait, element: element)
    lanes[lane]?.append(waiting, for: caller)
    return lastNumber
  }

  private func checkBounds(of caller: String, _ group: String?) throws(FairRefusal) {
    let own = lanes.values.reduce(0) { $0 + ($1.lines[caller]?.count ?? 0) }
    guard own < limits.mostWaitingPerCaller else { throw .callerWaits(bound: limits.mostWaitingPerCaller) }
    let ofGroup = group.map { group in lanes.values.reduce(0) { $0 + $1.waitingInGroups[group, default: 0] } }
    guard FairShare.mayTake(1, own: ofGroup ?? 0, of: limits.mostWaiting, taken: waitingCount) else {
      throw .allWait(bound: limits.mostWaiting)
    }
  }

  /// Takes somebody out of the line who no longer waits; nil when its turn has come already.
  package mutating func remove(_ number: UInt64, of caller: String) -> Element? {
    for lane in FairLane.allCases {
      if let found = lanes[lane]?.remove(number, of: caller) { return found }
    }
    return nil
  }

  /// The next one that a free thread is for.
  package mutating func next() -> Turn? {
    for lane in FairLane.allCases {
      let most = lane == .light ? limits.lightThreads : limits.heavyThreads
      guard let state = lanes[lane], state.runningCount < most else { continue }
      // One caller's heavy work leaves some of its threads to others' where there are several.
      let share = lane == .light ? most : max(1, most / 2)
      if let (caller, first) = lanes[lane]?.start(most: share) {
        return Turn(caller: caller, lane: lane, number: first.number, element: first.element)
      }
    }
    return nil
  }

  /// A thread is free again.
  ///
  /// - Parameter wasHeavy: whether the work was more than light.
  package mutating func finish(_ caller: String, _ lane: FairLane, wasHeavy: Bool) {
    lanes[lane]?.finish(caller)
    if wasHeavy {
      if debts.updateValue(limits.lightToForgive, forKey: caller) == nil { debtors.append(caller) }
      // What this caller has waiting is likely to be as heavy.
      for waiting in lanes[.light]?.take(from: caller) ?? [] { lanes[.heavy]?.append(waiting, for: caller) }
    } else if let debt = debts[caller] {
      debts[caller] = debt > 1 ? debt - 1 : nil
    }
    // Forgetting an old debtor early costs one more light try.
    while debtors.count > limits.mostDebtors, let oldest = debtors.popFirst() { debts[oldest] = nil }
  }
}

extension FairLine.Turn: Sendable where Element: Sendable {}
