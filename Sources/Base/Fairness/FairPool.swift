internal import Synchronization

/// Threads for work whose cost its callers choose: parsing, drawing. See `FairLine` for who is next.
public final class FairPool: Sendable {
  /// Called when work begins and stops to wait for its turn: meanwhile the slot of its call is free for other calls.
  public struct Waiting: Sendable {
    fileprivate let began: @Sendable () -> Void
    fileprivate let ended: @Sendable () -> Void

    public init(began: @escaping @Sendable () -> Void = {}, ended: @escaping @Sendable () -> Void = {}) {
      self.began = began
      self.ended = ended
    }
  }

  private typealias Line = FairLine<CheckedContinuation<FairLane, any Error>>

  /// The threads for light work. Tasks may live here: they give up their thread while they wait for their turn.
  public let threads: BlockingPool
  /// The threads for heavy work, with a low priority: where cores are short, light work and all else come first.
  private let heavyThreads: BlockingPool
  private let line: Mutex<Line>

  /// - Parameter niceness: how much light work leaves to others where cores are short; see `NativeThread`.
  public init(name: String, limits: FairLimits, niceness: Int32 = 0) {
    // One more than works at a time, for the tasks that live here.
    threads = BlockingPool(name: name, threads: limits.lightThreads + 1, niceness: niceness)
    heavyThreads = BlockingPool(name: "\(name)-heavy", threads: limits.heavyThreads, niceness: 10)
    line = Mutex(Line(limits))
  }

  /// How many callers are remembered, for whatever reason.
  package var knownCallers: Int { line.withLock { $0.knownCallers } }

  /// Does `light` in the caller's turn, and `full` in another one if it proved heavy.
  ///
  /// - Parameters:
  ///   - caller: the name that takes turns: a tenant's key or user.
  ///   - group: what the caller is one of, and takes turns as a whole: a tenant. nil: it is of none.
  ///   - mustWait: the work is the end of what was begun, and no bound refuses it.
  ///   - light: does the work if that takes little, and gives nil otherwise.
  ///   - full: does the work whatever it takes.
  public func run<Value: Sendable>(
    for caller: String, of group: String? = nil, mustWait: Bool = false, waiting: Waiting = Waiting(),
    light: @escaping @Sendable () throws -> Value?, full: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let lane = line.withLock { $0.lane(of: caller) }
    let first: Value? = try await turn(of: caller, group, lane, mustWait: mustWait, waiting) {
      lane throws -> (value: Value?, wasHeavy: Bool) in
      if let value = try light() { return (value, false) }
      if lane == .light { return (nil, true) }
      let value = try full()
      return (value, true)
    }
    if let first { return first }
    let second: Value? = try await turn(of: caller, group, .heavy, mustWait: mustWait, waiting) {
      _ throws -> (value: Value?, wasHeavy: Bool) in
      let value = try full()
      return (value, true)
    }
    guard let value = second else { preconditionFailure("full work has a value") }
    return value
  }

  /// Waits for a turn and works in it: gives the work's value, nil if it proved too heavy for the lane.
  ///
  /// - Parameter work: is told the lane that its turn came in; gives the value, and whether it was heavy.
  private func turn<Value: Sendable>(
    of caller: String, _ group: String?, _ wanted: FairLane, mustWait: Bool, _ waiting: Waiting,
    _ work: @escaping @Sendable (FairLane) throws -> (value: Value?, wasHeavy: Bool)
  ) async throws -> Value? {
    let lane = try await enter(caller, group, wanted, mustWait: mustWait, waiting)
    do {
      let done = try await (lane == .heavy ? heavyThreads : threads).run { try work(lane) }
      leave(caller, lane, wasHeavy: done.wasHeavy)
      return done.value
    } catch {
      leave(caller, lane, wasHeavy: lane == .heavy)
      throw error
    }
  }

  private func enter(
    _ caller: String, _ group: String?, _ lane: FairLane, mustWait: Bool, _ waiting: Waiting
  ) async throws -> FairLane {
    let number = Mutex<UInt64?>(nil)
    let hasWaited = Atomic(false)
    defer { if hasWaited.load(ordering: .relaxed) { waiting.ended() } }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<FairLane, any Error>) in
        do {
          let started = try line.withLock { line in
            // The handler below finds nobody in line when the task was cancelled before.
            try Task.checkCancellation()
            let own = try line.add(continuation, for: caller, of: group, lane, mustWait: mustWait)
            number.withLock { $0 = own }
            let started = line.startAll()
            if !started.contains(where: { $0.number == own }) {
              hasWaited.store(true, ordering: .relaxed)
              waiting.began()
            }
            return started
          }
          for turn in started { turn.element.resume(returning: turn.lane) }
        } catch {
          continuation.resume(throwing: error)
        }
      }
    } onCancel: {
      let given = line.withLock { line in
        number.withLock { $0 }.flatMap { line.remove($0, of: caller) }
      }
      given?.resume(throwing: CancellationError())
    }
  }

  private func leave(_ caller: String, _ lane: FairLane, wasHeavy: Bool) {
    let started = line.withLock { line in
      line.finish(caller, lane, wasHeavy: wasHeavy)
      return line.startAll()
    }
    for turn in started { turn.element.resume(returning: turn.lane) }
  }
}

extension FairLine {
  /// All whose turn has come.
  fileprivate mutating func startAll() -> [Turn] {
    var turns: [Turn] = []
    while let turn = next() { turns.append(turn) }
    return turns
  }
}
