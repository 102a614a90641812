internal import Synchronization

/// A queue to which any thread adds, and from which one thread at a time takes all items at once.
final class HandoverQueue<Item: Sendable>: Sendable {
  private struct State {
    var items: [Item] = []
    var isClosed = false
  }

  private let state = Mutex(State())

  /// Adds an item; false when the queue is closed.
  func add(_ item: consuming Item) -> Bool {
    // Moved, not copied, which a closure can do with an optional only.
    var moving: Item? = item
    return state.withLock { state in
      guard !state.isClosed, let item = moving.take() else { return false }
      state.items.append(item)
      return true
    }
  }

  func close() {
    state.withLock { $0.isClosed = true }
  }

  /// Exchanges the waiting items for the empty `buffer`; returns whether more may come.
  func take(into buffer: inout [Item]) -> Bool {
    state.withLock { state in
      swap(&state.items, &buffer)
      return !state.isClosed
    }
  }
}
