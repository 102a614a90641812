internal import RPC
internal import Synchronization

/// Received messages of one direction of a call, for the one task that reads them.
final class MessageQueue: Sendable {
  private let state = Mutex(State())

  /// The result of a read.
  struct Reading {
    let result: Result<ArraySlice<UInt8>?, Status>
    /// What the reader reports to the call's machine now.
    var report: ReadCount?
  }

  private struct State {
    var messages: [ArraySlice<UInt8>] = []
    var firstUnread = 0
    var tally = ReadTally()
    var end: Result<ArraySlice<UInt8>?, Status>?
    var reader: CheckedContinuation<Reading, Never>?
    var isReaderCancelled = false

    mutating func next() -> Reading? {
      if let message = nextMessage() {
        return Reading(result: .success(message), report: tally.take(messageOf: message.count))
      }
      if isReaderCancelled { return Reading(result: .failure(MessageQueue.cancelled)) }
      return end.map { Reading(result: $0) }
    }

    private mutating func nextMessage() -> ArraySlice<UInt8>? {
      guard firstUnread < messages.count else { return nil }
      var message: ArraySlice<UInt8> = []
      swap(&message, &messages[firstUnread])
      firstUnread += 1
      if firstUnread == messages.count {
        messages.removeAll(keepingCapacity: true)
        firstUnread = 0
      } else if firstUnread >= 64, 2 * firstUnread >= messages.count {
        // Without this, a reader that always has something left would never free what it has read.
        messages.removeFirst(firstUnread)
        firstUnread = 0
      }
      return message
    }
  }

  /// Adds messages, at least one.
  func push(_ messages: [ArraySlice<UInt8>]) {
    wakeReader { state in
      if state.messages.isEmpty { state.messages = messages } else { state.messages.append(contentsOf: messages) }
    }
  }

  /// Marks the end: after the messages that are here, the reader gets nil or the error.
  func end(throwing status: Status? = nil) {
    wakeReader { state in
      if state.end == nil { state.end = status.map { .failure($0) } ?? .success(nil) }
    }
  }

  private func wakeReader(after change: (inout State) -> Void) {
    let (reader, reading) = state.withLock { state -> (CheckedContinuation<Reading, Never>?, Reading?) in
      change(&state)
      guard let reader = state.reader else { return (nil, nil) }
      state.reader = nil
      return (reader, state.next())
    }
    if let reader, let reading { reader.resume(returning: reading) }
  }

  /// The next message if one is here; nil when the reader has to wait.
  func takeAtOnce() -> Reading? { state.withLock { $0.next() } }

  /// What the reader has taken and the bus's machine was not told yet. It is told before the reader waits.
  func rest() -> ReadCount? { state.withLock { $0.tally.rest() } }

  func next() async -> Reading {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let reading = state.withLock { state -> Reading? in
          if let reading = state.next() { return reading }
          state.reader = continuation
          return nil
        }
        if let reading { continuation.resume(returning: reading) }
      }
    } onCancel: {
      wakeReader { $0.isReaderCancelled = true }
    }
  }

  private static var cancelled: Status { Status(.cancelled, "the reading task was cancelled") }
}
