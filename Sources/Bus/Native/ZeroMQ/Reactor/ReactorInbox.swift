internal import Synchronization

/// Work that other threads submit to a reactor, in order.
package final class ReactorInbox<Work: Sendable>: Sendable {
  private struct State {
    var work: [Work] = []
    var isClosed = false
    /// Whether the reactor's thread sleeps, or is about to, so that it has to be woken.
    var isAwaited = false
  }

  private let state = Mutex(State())
  private let watch: SocketWatch

  init(waking watch: SocketWatch) {
    self.watch = watch
  }

  /// Submits `work`; false when the reactor has stopped and will never see it.
  @discardableResult
  package func submit(_ work: consuming Work) -> Bool {
    // Moved, not copied, which a closure can do with an optional only.
    var moving: Work? = work
    let (isAccepted, wakes) = state.withLock { state in
      guard !state.isClosed, let work = moving.take() else { return (false, false) }
      state.work.append(work)
      return (true, exchange(&state.isAwaited, with: false))
    }
    if wakes { watch.wake() }
    return isAccepted
  }

  /// Accepts nothing more.
  func close() {
    let wakes = state.withLock { state in
      state.isClosed = true
      return exchange(&state.isAwaited, with: false)
    }
    if wakes { watch.wake() }
  }

  /// Exchanges the waiting work for the empty `buffer`; returns whether more may come.
  func take(into buffer: inout [Work]) -> Bool {
    state.withLock { state in
      swap(&state.work, &buffer)
      return !state.isClosed
    }
  }

  /// Called by the reactor's thread after it has slept: nobody needs to wake it. Otherwise the first work that it
  /// submits to itself, as a guest does who has read a request, would have it take one turn more.
  func rise() { state.withLock { $0.isAwaited = false } }

  /// Called by the reactor's thread before it sleeps: from now on it is woken. False when there is something to do.
  func rest() -> Bool {
    state.withLock { state in
      state.isAwaited = state.work.isEmpty && !state.isClosed
      return state.isAwaited
    }
  }
}
