/// Decides whose work is next where callers share a few threads: a plain value, without threads or time.
///
/// There are two lanes. Work begins in the light one; work that proves heavy there continues in the heavy one, which
/// has few threads of its own. Within a lane callers take turns, however much work each of them has. Callers may belong
/// to a group, such as the devices of a tenant: then groups take turns, and within a group its callers. Once a caller's
/// work has proved heavy, the caller's new and waiting work goes to the heavy lane, until the caller has brought light
/// work a few times. So its heavy work costs others one try in the light lane, and not one for each piece.
package struct FairLine<Element> {
  package struct Turn {
    package let caller: String
    package let lane: FairLane
    package let number: UInt64
    package let element: Element
  }

  private let limits: FairLimits
  private var lanes: [FairLane: LaneState] = [:]
  /// How many times each caller that brought heavy work has still to bring light work. Bounded; the oldest are dropped.
  private var debts: [String: Int] = [:]
  private var debtors = WaitingLine<String>()

  fileprivate struct LaneState {
    var lines: [String: Line] = [:]
    /// The waiting work, by its number.
    var waiting: [UInt64: Waiting] = [:]
    /// Groups with waiting work, in the order of their turns.
    var turns = WaitingLine<String>()
    /// The callers with waiting work in each group, in the order of their turns.
    var turnsInGroups: [String: WaitingLine<String>] = [:]
    var running: [String: Int] = [:]
    var runningCount = 0
    /// Without the work that must wait: otherwise one caller's could make all others be refused.
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

    /// Removes one piece of waiting work without going through all of it, since many may be given up at once. A caller
    /// without any is left in its place and passed over.
    mutating func remove(_ number: UInt64, of caller: String) -> Element? {
      guard let found = waiting.removeValue(forKey: number) else { return nil }
      count(-1, of: found)
      lines[caller]?.left { [waiting] in waiting[$0] != nil }
      return found.element
    }

    /// Removes all waiting work of a caller.
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

    /// Starts the first work of the caller whose turn it is. Callers that occupy as many threads as they may are passed
    /// over.
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

    /// Does the same among the callers of one group.
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

  /// The numbers of one caller's waiting work, in order. Some of them may have been removed already.
  fileprivate struct Line {
    var numbers = WaitingLine<UInt64>()
    /// How many of them still wait.
    var count = 0

    mutating func append(_ number: UInt64) {
      numbers.append(number)
      count += 1
    }

    /// Notes that one was removed. From time to time the numbers of removed work are dropped, so that they never far
    /// outnumber the others.
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

  /// How much work waits, without the work that must wait.
  package var waitingCount: Int { lanes.values.reduce(0) { $0 + $1.waitingCount } }
  package var runningCount: Int { lanes.values.reduce(0) { $0 + $1.runningCount } }
  /// How many callers are remembered: those with work, and those that brought heavy work.
  package var knownCallers: Int {
    lanes.values.reduce(into: Set(debts.keys)) { $0.formUnion($1.lines.keys.map { $0 }) }.count
  }

  /// The lane in which work of this caller begins.
  package func lane(of caller: String) -> FairLane { debts[caller] == nil ? .light : .heavy }

  /// Adds `element` to the line; returns a number by which it can be removed again.
  ///
  /// - Parameters:
  ///   - group: the group that the caller belongs to, always the same. Callers of a group may have no more work waiting
  ///     together than there is room left: however many they are, they leave some to other groups. nil for no group.
  ///   - mustWait: whether the work completes something already begun, so that no bound refuses it. It counts when the
  ///     caller's later work is checked, and not for others.
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

  /// Removes work that its caller has given up; nil when its turn has come already.
  package mutating func remove(_ number: UInt64, of caller: String) -> Element? {
    for lane in FairLane.allCases {
      if let found = lanes[lane]?.remove(number, of: caller) { return found }
    }
    return nil
  }

  /// The next work for a free thread; nil when there is none, or no thread is free.
  package mutating func next() -> Turn? {
    for lane in FairLane.allCases {
      let most = lane == .light ? limits.lightThreads : limits.heavyThreads
      guard let state = lanes[lane], state.runningCount < most else { continue }
      // Where a lane has several threads, one caller's heavy work leaves some of them to others.
      let share = lane == .light ? most : max(1, most / 2)
      if let (caller, first) = lanes[lane]?.start(most: share) {
        return Turn(caller: caller, lane: lane, number: first.number, element: first.element)
      }
    }
    return nil
  }

  /// Notes that a piece of work is done and its thread free.
  ///
  /// - Parameter wasHeavy: whether the work took more than light work may.
  package mutating func finish(_ caller: String, _ lane: FairLane, wasHeavy: Bool) {
    lanes[lane]?.finish(caller)
    if wasHeavy {
      if debts.updateValue(limits.lightToForgive, forKey: caller) == nil { debtors.append(caller) }
      // The caller's waiting work is probably as heavy.
      for waiting in lanes[.light]?.take(from: caller) ?? [] { lanes[.heavy]?.append(waiting, for: caller) }
    } else if let debt = debts[caller] {
      debts[caller] = debt > 1 ? debt - 1 : nil
    }
    // Dropping an old entry early costs one more try in the light lane.
    while debtors.count > limits.mostDebtors, let oldest = debtors.popFirst() { debts[oldest] = nil }
  }
}

extension FairLine.Turn: Sendable where Element: Sendable {}
