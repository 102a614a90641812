internal import Synchronization

/// Notifies those that wait for new events or jobs. Several commits may be announced as one.
final class CommitSignal: Sendable {
  private let listeners = Mutex(Listeners())

  private struct Listeners {
    var continuations: [Int: AsyncStream<Void>.Continuation] = [:]
    var nextID = 0
    var hasEnded = false
  }

  func fire() {
    let continuations = listeners.withLock { Array($0.continuations.values) }
    for continuation in continuations { continuation.yield() }
  }

  /// An element for each time that something may have been committed since the last one was taken.
  func subscribe() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    subscribe(continuation)
    return stream
  }

  /// Yields to a stream that others yield to as well.
  func subscribe(_ continuation: AsyncStream<Void>.Continuation) {
    let id = listeners.withLock { listeners -> Int? in
      guard !listeners.hasEnded else { return nil }
      listeners.nextID += 1
      listeners.continuations[listeners.nextID] = continuation
      return listeners.nextID
    }
    guard let id else {
      return continuation.finish()
    }
    continuation.onTermination = { [weak self] _ in
      self?.listeners.withLock { _ = $0.continuations.removeValue(forKey: id) }
    }
  }

  /// Ends all subscriptions; later ones end at once.
  func end() {
    let continuations = listeners.withLock { listeners in
      listeners.hasEnded = true
      return Array(listeners.continuations.values)
    }
    for continuation in continuations { continuation.finish() }
  }
}

extension Database {
  /// Wakes waiting tasks of this process directly, and those of other processes through the engine.
  func announceCommit() {
    commits.fire()
    engine.announce()
  }
}
