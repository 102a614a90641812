internal import Synchronization

/// Messages of one direction of a call on their way to the one task that reads them.
final class MessageQueue: Sendable {
  private let state = Mutex(State())

  private typealias Reading = Result<[UInt8]?, Status>

  private struct State {
    var messages: [[UInt8]] = []
    var firstUnread = 0
    var end: Reading?
    var reader: CheckedContinuation<Reading, Never>?
    var isReaderCancelled = false

    mutating func next() -> Reading? {
      if firstUnread < messages.count {
        let message = messages[firstUnread]
        messages[firstUnread] = []
        firstUnread += 1
        if firstUnread == messages.count {
          messages.removeAll(keepingCapacity: true)
          firstUnread = 0
        }
        return .success(message)
      }
      if isReaderCancelled { return .failure(Status(.cancelled, "the reading task was cancelled")) }
      return end
    }
  }

  func push(_ message: [UInt8]) {
    let reader = state.withLock { state -> CheckedContinuation<Reading, Never>? in
      guard let reader = state.reader else {
        state.messages.append(message)
        return nil
      }
      state.reader = nil
      return reader
    }
    reader?.resume(returning: .success(message))
  }

  /// Nothing follows: the reader gets nil, or the error, after what is already here.
  func end(throwing status: Status? = nil) {
    let end: Reading = status.map { .failure($0) } ?? .success(nil)
    let reader = state.withLock { state -> CheckedContinuation<Reading, Never>? in
      guard state.end == nil else { return nil }
      state.end = end
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume(returning: end)
  }

  /// Whether `next` would return at once.
  var isReady: Bool { state.withLock { $0.firstUnread < $0.messages.count || $0.end != nil } }

  func next() async throws(Status) -> [UInt8]? {
    if let reading = state.withLock({ $0.next() }) { return try reading.get() }
    let reading = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let reading = state.withLock { state -> Reading? in
          if let reading = state.next() { return reading }
          state.reader = continuation
          return nil
        }
        if let reading { continuation.resume(returning: reading) }
      }
    } onCancel: {
      let reader = state.withLock { state -> CheckedContinuation<Reading, Never>? in
        state.isReaderCancelled = true
        defer { state.reader = nil }
        return state.reader
      }
      reader?.resume(returning: .failure(Status(.cancelled, "the reading task was cancelled")))
    }
    return try reading.get()
  }
}
