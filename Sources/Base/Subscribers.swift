internal import Synchronization

/// Streams for those who follow something that changes. Each stream keeps only its newest element.
///
/// Elements are yielded outside the lock. When a subscriber is cancelled, the runtime holds the task's lock while the
/// subscriber is removed here under this lock; yielding takes the task's lock. Yielding under this lock could therefore
/// deadlock.
public final class Subscribers<Element: Sendable>: Sendable {
  private let state = Mutex(State())

  private struct State {
    var subscribers: [Int: Subscriber] = [:]
    var nextNumber = 0
    var hasEnded = false
  }

  private struct Subscriber {
    let continuation: AsyncStream<Element>.Continuation
    var hasReceived = false
  }

  public init() {}

  public var isEmpty: Bool { state.withLock { $0.subscribers.isEmpty } }

  public func subscribe() -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: .bufferingNewest(1))
    subscribe(continuation)
    return stream
  }

  /// Yields the elements also to a stream that others yield to.
  public func subscribe(_ continuation: AsyncStream<Element>.Continuation) {
    let number = state.withLock { state -> Int? in
      guard !state.hasEnded else { return nil }
      state.nextNumber += 1
      state.subscribers[state.nextNumber] = Subscriber(continuation: continuation)
      return state.nextNumber
    }
    guard let number else { return continuation.finish() }
    continuation.onTermination = { [weak self] _ in
      // Released outside the lock, like everything that may have a lock of its own.
      let gone = self?.state.withLock { $0.subscribers.removeValue(forKey: number) }
      _ = consume gone
    }
  }

  /// Yields an element to all subscribers. Where the order of elements matters, calls must not overlap.
  public func tell(_ element: Element) { tell(element) { _ in true } }

  /// Yields an element to subscribers that have not had any.
  public func tellNewcomers(_ element: Element) { tell(element) { !$0.hasReceived } }

  private func tell(_ element: Element, where isMeant: (Subscriber) -> Bool) {
    let meant = state.withLock { state in
      var meant: [AsyncStream<Element>.Continuation] = []
      for (number, subscriber) in state.subscribers where isMeant(subscriber) {
        state.subscribers[number]?.hasReceived = true
        meant.append(subscriber.continuation)
      }
      return meant
    }
    for continuation in meant { continuation.yield(element) }
  }

  /// Ends all streams; streams that are subscribed later end at once.
  public func end() {
    let all = state.withLock { state in
      state.hasEnded = true
      return state.subscribers.values.map(\.continuation)
    }
    for continuation in all { continuation.finish() }
  }
}
