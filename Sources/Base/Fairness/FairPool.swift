internal import Synchronization

/// Threads for work whose cost its callers choose: parsing, drawing. See `FairLine` for who is next.
public final class FairPool: Sendable {
  /// What is told when work waits for its turn: others may have the place that its call holds until then.
  public struct Waiting: Sendable {
    fileprivate let began: @Sendable () -> Void
    fileprivate let ended: @Sendable () -> Void

    public init(began: @escaping @Sendable () -> Void = {}, ended: @escaping @Sendable () -> Void = {}) {
      self.began = began
      self.ended = ended
    }
  }

  private typealias Line = FairLine<CheckedContinuation<FairLane, any Error>>

  /// What does the work. Tasks may live here: they give up their thread while they wait for their turn.
  public let threads: BlockingPool
  private let line: Mutex<Line>

  public init(name: String, limits: FairLimits) {
    threads = BlockingPool(name: name, threads: limits.threads)
    line = Mutex(Line(limits))
  }

  /// How many callers are remembered, for whatever reason.
  package var knownCallers: Int { line.withLock { $0.knownCallers } }

  /// Does `light` in the caller's turn, and `full` in another one if it proved heavy.
  ///
  /// - Parameters:
  ///   - caller: whoever shares its turns: a tenant's key or user.
  ///   - light: does the work if that takes little, and gives nil otherwise.
  ///   - full: does the work whatever it takes.
  public func run<Value: Sendable>(
    for caller: String, waiting: Waiting = Waiting(), light: @escaping @Sendable () throws -> Value?,
    full: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let lane = line.withLock { $0.lane(of: caller) }
    if lane == .light, let value = try await turn(of: caller, .light, waiting, { (try light(), false) }) {
      return value
    }
    let value = try await turn(of: caller, .heavy, waiting) {
      if lane == .heavy, let value = try light() { return (value, false) }
      return (try full(), true)
    }
    guard let value else { preconditionFailure("full work has a value") }
    return value
  }

  /// Waits for a turn and works in it: the work's value, nil if it proved heavy, and whether it did all the same.
  private func turn<Value: Sendable>(
    of caller: String, _ lane: FairLane, _ waiting: Waiting,
    _ work: @escaping @Sendable () throws -> (value: Value?, wasHeavy: Bool)
  ) async throws -> Value? {
    try await enter(caller, lane, waiting)
    do {
      let done = try await threads.run(work)
      leave(caller, lane, wasHeavy: done.wasHeavy || done.value == nil)
      return done.value
    } catch {
      leave(caller, lane, wasHeavy: lane == .heavy)
      throw error
    }
  }

  private func enter(_ caller: String, _ lane: FairLane, _ waiting: Waiting) async throws {
    let number = Mutex<UInt64?>(nil)
    let hasWaited = Atomic(false)
    defer { if hasWaited.load(ordering: .relaxed) { waiting.ended() } }
    _ = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<FairLane, any Error>) in
        let started = line.withLock { line -> [Line.Turn] in
          // The handler below finds nobody in line when the task was cancelled before.
          if Task.isCancelled {
            continuation.resume(throwing: CancellationError())
            return []
          }
          do {
            let own = try line.add(continuation, for: caller, lane)
            number.withLock { $0 = own }
          } catch {
            continuation.resume(throwing: error)
            return []
          }
          let started = line.startAll()
          if !started.contains(where: { $0.number == number.withLock(\.self) }) {
            hasWaited.store(true, ordering: .relaxed)
            waiting.began()
          }
          return started
        }
        for turn in started { turn.element.resume(returning: turn.lane) }
      }
    } onCancel: {
      let given = line.withLock { line in
        number.withLock(\.self).flatMap { line.remove($0, of: caller) }
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
