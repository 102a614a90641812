internal import RPC
internal import Synchronization

/// Holds the outcome of a call with one answer, and the task that waits for it.
struct PendingAnswer: ~Copyable, Sendable {
  private let state = Mutex(State())

  struct State: ~Copyable {
    var caller: WaitingTask?
    var hasEnded = false
    var initialMetadata = Metadata()
    var message: [UInt8]?
    /// Set when the outcome is more than a message.
    var status: Status?
  }

  // MARK: - The caller's side

  /// Keeps the suspended caller until the outcome is there; lets it continue at once if it already is.
  func register(_ caller: consuming WaitingTask) {
    var caller: WaitingTask? = caller
    state.withLock { state in
      if !state.hasEnded { state.caller = caller.take() }
    }
  }

  /// Returns or throws the outcome, and forgets it: to be called once.
  func take() throws(Status) -> Answer<[UInt8]> {
    let (status, message, initialMetadata) = state.withLock { state in
      (state.status.take(), state.message.take(), state.initialMetadata)
    }
    if let status, !status.isOK { throw status }
    guard let message else { throw Status(.internal, "the call ended well and without an answer") }
    return Answer(message: message, initialMetadata: initialMetadata, trailingMetadata: status?.metadata ?? Metadata())
  }

  // MARK: - The host's side

  func initialMetadata(_ metadata: Metadata) {
    guard !metadata.isEmpty else { return }
    state.withLock { $0.initialMetadata = metadata }
  }

  func messages(_ messages: [ArraySlice<UInt8>]) {
    state.withLock { $0.message = messages.last.map { Array($0) } }
  }

  /// The call ended OK, with its one message and nothing else.
  func answered(_ message: [UInt8]) {
    let caller = state.withLock { state in
      state.hasEnded = true
      state.message = message
      return state.caller.take()
    }
    caller?.resume()
  }

  func ended(_ status: Status, last: [UInt8]?) {
    let caller = state.withLock { state in
      state.hasEnded = true
      state.status = status
      if let last { state.message = last }
      return state.caller.take()
    }
    caller?.resume()
  }
}
