internal import Synchronization

/// Messages of one direction of a call, from the tasks that send them to the call's machine.
///
/// The machine is notified once that there are some, and then takes all that have come together, in their form on the
/// wire. The bytes that wait here and in the machine are bounded, which slows a fast writer down to the pace of a slow
/// reader.
package final class SendQueue: Sendable {
  private let state = Mutex(State())

  private struct State {
    var run = MessageRun()
    /// How much was taken the last time; about as much will come together again.
    var lastCount = 0
    /// Whether the machine has been notified of what is here.
    var isAnnounced = false
    /// Bytes that were added and not sent yet.
    var outstanding = 0
    var isClosed = false
    var waiters: [(id: UInt64, continuation: CheckedContinuation<Void, Never>)] = []
    var nextID: UInt64 = 0
  }

  package enum Outcome {
    case added
    /// It was added, and the machine must be notified.
    case addedFirst
    /// It was not added: wait before the next try.
    case full
    case closed
  }

  /// One chunk is sent while the next one fills.
  private static let limit = 2 * BusLimits.chunk

  package init() {}

  // MARK: - The senders' side

  /// Adds a message if there is any room; one message may exceed it.
  package func add(_ message: [UInt8]) -> Outcome {
    state.withLock { state in
      if state.isClosed { return .closed }
      guard state.outstanding < Self.limit else { return .full }
      let before = state.run.byteCount
      state.run.append(message, reserving: state.lastCount)
      state.outstanding += state.run.byteCount - before
      if state.isAnnounced { return .added }
      state.isAnnounced = true
      return .addedFirst
    }
  }

  package var isFull: Bool { state.withLock { !$0.isClosed && $0.outstanding >= Self.limit } }

  /// Waits until there is room, or the task is cancelled.
  package func wait() async {
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

  // MARK: - The machine's side

  /// All messages so far.
  package func take() -> MessageRun {
    var run = MessageRun()
    state.withLock { state in
      swap(&run, &state.run)
      state.lastCount = run.byteCount
      state.isAnnounced = false
    }
    return run
  }

  /// This many bytes have been sent.
  package func giveBack(_ count: Int) {
    release { $0.outstanding -= count }
  }

  /// Nothing is added any more, and waiting tasks continue.
  package func close() {
    release { $0.isClosed = true }
  }

  private func release(_ change: (inout State) -> Void) {
    let waiters = state.withLock { state in
      change(&state)
      guard !state.waiters.isEmpty, state.isClosed || state.outstanding < Self.limit else {
        return [CheckedContinuation<Void, Never>]()
      }
      defer { state.waiters = [] }
      return state.waiters.map(\.continuation)
    }
    for waiter in waiters { waiter.resume() }
  }
}
