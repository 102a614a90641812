package import Base
internal import Synchronization

/// Connects doors, verifiers and the follower of AccountService's stream: doors and verifiers note here that
/// credentials are used, and the follower that news of what was revoked has arrived.
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

  /// Notes the use of a credential that AccountService may revoke; returns whether it is known, recently enough, what
  /// was revoked.
  @discardableResult
  func noteUse() -> Bool {
    let now = clock.elapsed
    let (isKnown, waker) = state.withLock { state in
      (state.inquiry.isKnown(at: now), state.inquiry.use(at: now) ? state.waker : nil)
    }
    waker?.yield()
    return isKnown
  }

  /// Whether a use would wait: what is known is too old to rely on, and a newer answer can be expected.
  var wouldWait: Bool {
    let now = clock.elapsed
    return state.withLock { $0.inquiry.wouldWait(at: now) }
  }

  /// How long doors wait for news.
  package static let longestWait = RevocationInquiry.longestWait

  /// Whether news that a use needs is on its way. That is so for `longestWait` at most.
  package var isUnderWay: Bool {
    let now = clock.elapsed
    return state.withLock { $0.inquiry.isUnderWay(at: now) }
  }

  /// Calls `action` once, from any thread, as soon as the news that is on its way has arrived or the wait for it is
  /// given up.
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

  /// Begins to follow a stream. The result yields whenever `step` may have changed, the first time at once.
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

  /// Wakes the follower, at the time until which a step told it to wait.
  func wake() { state.withLock(\.waker)?.yield() }

  /// A message of the stream has arrived.
  func noteMessage() {
    let now = clock.elapsed
    state.withLock { $0.inquiry.noteMessage(at: now) }
  }

  /// Everything in a message has been taken in.
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
  /// - Parameter isLast: no other stream follows.
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
