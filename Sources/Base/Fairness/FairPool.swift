internal import Synchronization

/// Threads for work whose cost its callers choose, such as parsing and drawing. `FairLine` decides whose work is next.
public final class FairPool: Sendable {
  /// Closures that are called when work begins to wait for its turn and when it stops waiting. Meanwhile its call's
  /// slot is free for other calls.
  public struct Waiting: Sendable {
    fileprivate let began: @Sendable () -> Void
    fileprivate let ended: @Sendable () -> Void

    public init(began: @escaping @Sendable () -> Void = {}, ended: @escaping @Sendable () -> Void = {}) {
      self.began = began
      self.ended = ended
    }
  }

  private typealias Line = FairLine<CheckedContinuation<FairLane, any Error>>

  /// The threads for light work. Tasks may run on them: they give up their thread while they wait for their turn.
  public let threads: BlockingPool
  /// The threads for heavy work, which are fewer.
  private let heavyThreads: BlockingPool
  private let line: Mutex<Line>

  public init(name: String, limits: FairLimits) {
    // One more than the work needs, for the tasks that run on these threads.
    threads = BlockingPool(name: name, threads: limits.lightThreads + 1)
    heavyThreads = BlockingPool(name: "\(name)-heavy", threads: limits.heavyThreads)
    line = Mutex(Line(limits))
  }

  /// How many callers are remembered.
  package var knownCallers: Int { line.withLock { $0.knownCallers } }

  /// Does `light` in the caller's turn; if the work proves heavy, does `full` in another turn.
  ///
  /// - Parameters:
  ///   - caller: who takes turns, such as a tenant's key or user.
  ///   - group: the group that takes turns as a whole, such as the caller's tenant; nil for no group.
  ///   - mustWait: whether the work completes something already begun, so that no bound refuses it.
  ///   - light: does the work if that is cheap, and otherwise returns nil.
  ///   - full: does the work at any cost.
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

  /// Waits for a turn and works in it; returns the work's value, or nil if the work proved too heavy for the lane.
  ///
  /// - Parameter work: gets the lane of its turn; returns the value, and whether the work was heavy.
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
            // If the task was cancelled before this, the handler below has found nothing in line to remove.
            try Task.checkCancellation()
            let own = try line.add(continuation, for: caller, of: group, lane, mustWait: mustWait)
            number.withLock { $0 = own }
            let started = line.startAll()
            if !started.contains(where: { $0.number == own }) { hasWaited.store(true, ordering: .relaxed) }
            return started
          }
          // Outside the lock: who is told may cancel this task at once, and the handler below takes the lock. (Even if
          // the turn has come meanwhile, the task continues only when this closure has returned.)
          if hasWaited.load(ordering: .relaxed) { waiting.began() }
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
  /// Starts all work for which there is a free thread.
  fileprivate mutating func startAll() -> [Turn] {
    var turns: [Turn] = []
    while let turn = next() { turns.append(turn) }
    return turns
  }
}
