internal import Synchronization

/// Streams of those who follow something that changes. Each keeps the newest element only.
///
/// Elements are yielded outside the lock. A subscriber that is cancelled leaves while the runtime holds its task's
/// lock, and waits for this one; to yield to it takes its task's lock. With one inside the other, both would wait for
/// ever.
public final class Subscribers<Element: Sendable>: Sendable {
  private let state = Mutex(State())

  private struct State {
    var subscribers: [Int: Subscriber] = [:]
    var nextNumber = 0
    var hasEnded = false
  }

  private struct Subscriber {
    let continuation: AsyncStream<Element>.Continuation
    var wasTold = false
  }

  public init() {}

  public var isEmpty: Bool { state.withLock { $0.subscribers.isEmpty } }

  public func subscribe() -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: .bufferingNewest(1))
    subscribe(continuation)
    return stream
  }

  /// Yields to a stream that others yield to as well.
  public func subscribe(_ continuation: AsyncStream<Element>.Continuation) {
    let number = state.withLock { state -> Int? in
      guard !state.hasEnded else { return nil }
      state.nextNumber += 1
      state.subscribers[state.nextNumber] = Subscriber(continuation: continuation)
      return state.nextNumber
    }
    guard let number else { return continuation.finish() }
    continuation.onTermination = { [weak self] _ in
      // Released outside the lock, like all that may have a lock of its own.
      let gone = self?.state.withLock { $0.subscribers.removeValue(forKey: number) }
      _ = consume gone
    }
  }

  /// Yields an element to all. Calls must not overlap where the order of elements counts.
  public func tell(_ element: Element) { tell(element) { _ in true } }

  /// Yields an element to those to whom nothing was yielded yet.
  public func tellNewcomers(_ element: Element) { tell(element) { !$0.wasTold } }

  private func tell(_ element: Element, where isMeant: (Subscriber) -> Bool) {
    let meant = state.withLock { state in
      var meant: [AsyncStream<Element>.Continuation] = []
      for (number, subscriber) in state.subscribers where isMeant(subscriber) {
        state.subscribers[number]?.wasTold = true
        meant.append(subscriber.continuation)
      }
      return meant
    }
    for continuation in meant { continuation.yield(element) }
  }

  /// Ends all streams; later ones end at once.
  public func end() {
    let all = state.withLock { state in
      state.hasEnded = true
      return state.subscribers.values.map(\.continuation)
    }
    for continuation in all { continuation.finish() }
  }
}
