package import Base
internal import Synchronization

/// What doors, verifiers and the follower of AccountService's stream tell each other: that credentials are used, and
/// that news of what was revoked has come.
package final class RevocationNews: Sendable {
  private struct State {
    var inquiry = RevocationInquiry()
    /// Closures that are called once, as soon as news has arrived or the wait for it is given up.
    var waiting: [@Sendable () -> Void] = []
    /// Wakes the follower.
    var waker: AsyncStream<Void>.Continuation?
  }

  private let state = Mutex(State())
  private let clock: Clock

  package init(clock: Clock = .system) {
    self.clock = clock
  }

  // MARK: Verifiers and doors

  /// Notes that a credential is used that AccountService may revoke; returns whether it is known, recently enough,
  /// what was revoked.
  @discardableResult
  func noteUse() -> Bool {
    let now = clock.elapsed
    let (isKnown, waker) = state.withLock { state in
      (state.inquiry.isKnown(at: now), state.inquiry.use(at: now) ? state.waker : nil)
    }
    waker?.yield()
    return isKnown
  }

  /// Whether a use would wait: what is known is too old to admit anybody by, and more can be asked for.
  var wouldWait: Bool {
    let now = clock.elapsed
    return state.withLock { $0.inquiry.wouldWait(at: now) }
  }

  /// For how long news is waited for.
  package static let longestWait = RevocationInquiry.longestWait

  /// Whether news that a use needs is under way. It is for `longestWait` at most.
  package var isUnderWay: Bool {
    let now = clock.elapsed
    return state.withLock { $0.inquiry.isUnderWay(at: now) }
  }

  /// Calls `action` once, from any thread, when the news that is under way has come or will not come.
  package func whenHeard(_ action: @escaping @Sendable () -> Void) {
    let now = clock.elapsed
    let isUnderWay = state.withLock { state in
      let isUnderWay = state.inquiry.isUnderWay(at: now)
      if isUnderWay { state.waiting.append(action) }
      return isUnderWay
    }
    if !isUnderWay { action() }
  }

  // MARK: The follower

  /// Begins to follow a stream. The result yields whenever `step` may be another one, the first time at once.
  func open() -> AsyncStream<Void> {
    let (wakeUps, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    waker.yield()
    state.withLock { state in
      state.inquiry.begin()
      state.waker = waker
    }
    return wakeUps
  }

  func step() -> RevocationInquiry.Step {
    let now = clock.elapsed
    return state.withLock { $0.inquiry.step(at: now) }
  }

  /// Wakes the follower at a time that a step has named.
  func wake() { state.withLock(\.waker)?.yield() }

  /// A message came.
  func noteMessage() {
    let now = clock.elapsed
    state.withLock { $0.inquiry.noteMessage(at: now) }
  }

  /// All that a message told was learned.
  func noteLearned(answering answered: Int64) {
    let now = clock.elapsed
    let waiting = state.withLock { state in
      state.inquiry.noteAnswer(answered, at: now)
      return state.inquiry.isUnderWay(at: now) ? [] : exchange(&state.waiting, with: [])
    }
    wake()
    for action in waiting { action() }
  }

  /// The stream has ended.
  ///
  /// - Parameter isLast: no other one follows.
  func close(isLast: Bool) {
    let now = clock.elapsed
    let (waker, waiting) = state.withLock { state in
      state.inquiry.close(isLast: isLast, at: now)
      return (state.waker.take(), isLast ? exchange(&state.waiting, with: []) : [])
    }
    waker?.finish()
    for action in waiting { action() }
  }
}
