internal import Synchronization

/// Wakes one task, which does the work of a thread: set by any thread, also before the task waits.
package final class WakeUp: Sendable {
  private let state = Mutex<(isSet: Bool, waiting: CheckedContinuation<Void, Never>?)>((false, nil))

  package init() {}

  package func set() {
    let waiting = state.withLock { state in
      defer { state.waiting = nil }
      state.isSet = state.waiting == nil
      return state.waiting
    }
    waiting?.resume()
  }

  /// Returns when it was set since the last wait.
  package func wait() async {
    await withCheckedContinuation { continuation in
      let isSet = state.withLock { state in
        defer { state.isSet = false }
        if !state.isSet { state.waiting = continuation }
        return state.isSet
      }
      if isSet { continuation.resume() }
    }
  }
}
