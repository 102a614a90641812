internal import Base
internal import Synchronization

/// The right of this process to answer from a cache, for a short time after it last read all changes from the database.
///
/// A cache is filled from the database, and drops the entries that `follow` reports as changed by any process. Its
/// answers are valid only while `isHeld`. A change that takes earlier answers back (`Transaction.recallAnswers`)
/// returns when every holder of such a lease has dropped them, or the holder's lease has expired. See
/// docs/decisions/0040-check-consent.md.
public final class AnswerLease: Sendable {
  /// What may have made a cache stale.
  public enum News: Sendable {
    /// Anything may have changed: these are the first news.
    case all
    /// Anything of a tenant may have changed: its new events are too many, or cannot be read.
    case tenant(Tenant)
    /// Events of a tenant, in their order.
    case events(Tenant, [Event])
  }

  /// The longest lease. A change that takes answers back waits about this long if it cannot read who holds leases.
  public static let longest = Duration.seconds(5)

  /// The holder's name in the database. Every lease gets a new one, so that no holder takes over the row of a process
  /// that has died.
  let holder: String
  let duration: Duration
  let database: Database
  private let clock: Clock
  private let state = Mutex(LeaseState())
  /// The end of the lease in nanoseconds, which `isHeld` reads without the lock.
  private let end = Atomic<Int64>(0)
  /// Whether a renewal was requested since the last one began.
  private let isWanted = Atomic(false)
  private let wakeUps = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

  /// - Parameter duration: how long answers stay valid after changes were last read; `longest` at most.
  public init(_ database: Database, for duration: Duration) {
    precondition(duration > .zero && duration <= Self.longest, "a lease lasts up to \(Self.longest)")
    self.database = database
    self.duration = duration
    clock = database.context.clock
    holder = database.context.identifiers.next()
  }

  /// Whether answers from the cache are valid now. When half of the lease has passed, this requests its renewal.
  public var isHeld: Bool {
    let left = end.load(ordering: .acquiring) - clock.elapsed.nanoseconds
    if left < duration.wholeNanoseconds / 2, !isWanted.load(ordering: .relaxed) { renew() }
    return left > 0
  }

  /// Waits until the lease is held. Throws `.leaseExpired` if the database does not answer in time.
  public func hold(within time: Duration) async throws {
    if isHeld { return }
    let patience = state.withLock { $0.patience(from: clock.elapsed, lease: duration, atMost: time) }
    if await waits(for: .lease, patience) { return }
    try Task.checkCancellation()
    throw DatabaseError(
      .leaseExpired, "the database was not heard of for longer than \(duration), so nothing is answered from memory")
  }

  /// Follows the changes of all processes until the task is cancelled or the database is closed. To be called once.
  ///
  /// - Parameter take: drops from the cache the entries that the news makes stale.
  public func follow(_ take: @escaping @Sendable (News) -> Void) async {
    database.commits.subscribe(wakeUps.continuation)
    database.addLease(self)
    var follower = LeaseFollower(lease: self, take: take)
    renew()
    for await _ in wakeUps.stream {
      if Task.isCancelled { break }
      isWanted.store(false, ordering: .relaxed)
      do {
        try await follower.hear()
      } catch {
        // Until a retry succeeds the lease is not extended, and expires.
        try? await Task.sleep(for: .milliseconds(100))
        renew()
      }
    }
    end.store(0, ordering: .releasing)
    for resume in state.withLock({ $0.close() }) { resume(false) }
    database.removeLease(self)
    await follower.leave()
  }

  func ask(at now: MonotonicTime) { state.withLock { $0.ask(at: now) } }

  /// Extends the lease, after the cache has dropped what had changed by a time after `asked`.
  func extend(asked: MonotonicTime) {
    let met = state.withLock { state in
      let met = state.renew(asked: asked, for: duration)
      end.store(state.end.nanoseconds, ordering: .releasing)
      return met
    }
    for resume in met { resume(true) }
  }

  /// Waits until the cache reflects everything that was committed before a time. Returns false if that takes too long.
  func hears(since time: MonotonicTime, within patience: Duration) async -> Bool {
    await waits(for: .news(since: time), patience)
  }

  /// Requests that `follow` asks the database for changes and renews the lease.
  private func renew() {
    isWanted.store(true, ordering: .relaxed)
    wakeUps.continuation.yield()
  }

  private func waits(for need: LeaseState.Need, _ time: Duration) async -> Bool {
    let number = Mutex<Int?>(nil)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
        let answer: @Sendable (Bool) -> Void = { continuation.resume(returning: $0) }
        // If the task was cancelled before this, the handler below has run already and found nothing to give up.
        let (line, isMet) = state.withLock { state -> (Int?, isMet: Bool) in
          if Task.isCancelled || time <= .zero { return (nil, isMet: false) }
          let line = state.wait(for: need, at: clock.elapsed, answer)
          number.withLock { $0 = line }
          return (line, isMet: line == nil)
        }
        guard let line else { return answer(isMet) }
        renew()
        Task {
          try? await Task.sleep(for: time)
          self.giveUp(line)
        }
      }
    } onCancel: {
      if let line = number.withLock({ $0 }) { giveUp(line) }
    }
  }

  private func giveUp(_ line: Int) {
    state.withLock { $0.give(up: line) }?(false)
  }
}

extension Database {
  fileprivate func addLease(_ lease: AnswerLease) { leases.withLock { $0.append(lease) } }
  fileprivate func removeLease(_ lease: AnswerLease) { leases.withLock { $0.removeAll { $0 === lease } } }
}
