internal import Synchronization

/// How much one side of a call may hand over before it has to wait until that is on its way: what makes a fast writer
/// go at the pace of a slow reader.
final class SendBudget: Sendable {
  private let state = Mutex(State())

  private struct State {
    var outstanding = 0
    var isClosed = false
    var waiters: [(id: UInt64, continuation: CheckedContinuation<Void, Never>)] = []
    var nextID: UInt64 = 0
  }

  /// One chunk is on its way while the next one comes together.
  private static let limit = 2 * BusLimits.chunk

  /// Takes `count` bytes off the budget if there is any left; one message may overdraw it.
  func takeAtOnce(_ count: Int) -> Bool {
    state.withLock { state in
      guard state.isClosed || state.outstanding < Self.limit else { return false }
      state.outstanding += count
      return true
    }
  }

  /// Waits until something came back, or the task was cancelled.
  func wait() async {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          if state.isClosed || state.outstanding < Self.limit || Task.isCancelled { return true }
          state.waiters.append((id, continuation))
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
        guard let place = state.waiters.firstIndex(where: { $0.id == id }) else { return nil }
        return state.waiters.remove(at: place).continuation
      }
      waiter?.resume()
    }
  }

  /// So many bytes are on their way.
  func giveBack(_ count: Int) {
    release { $0.outstanding -= count }
  }

  /// Nothing needs to wait any longer.
  func close() {
    release { $0.isClosed = true }
  }

  private func release(_ change: (inout State) -> Void) {
    let waiters = state.withLock { state in
      change(&state)
      guard state.isClosed || state.outstanding < Self.limit else { return [CheckedContinuation<Void, Never>]() }
      defer { state.waiters = [] }
      return state.waiters.map(\.continuation)
    }
    for waiter in waiters { waiter.resume() }
  }
}
