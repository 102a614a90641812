package import Base

/// The times at which keys are due, earliest first; most keys are removed long before.
///
/// A key that is removed, or gets another time, stays in the heap, since finding it would cost more than everything
/// else. Such an entry is stale, and the user of the heap knows which entries are valid. Stale entries are removed
/// together once they are most of the heap.
package struct DueTimes: Sendable {
  package struct Entry: Sendable, HeapEntry {
    package let time: MonotonicTime
    package let key: UInt64
  }

  private var heap: [Entry] = []

  package init() {}

  /// When the first entry is due, which may be stale.
  package var earliest: MonotonicTime? { heap.first?.time }

  package func contains(_ key: UInt64, at time: MonotonicTime) -> Bool {
    heap.contains { $0.key == key && $0.time == time }
  }

  package mutating func add(_ key: UInt64, at time: MonotonicTime) {
    let entry = Entry(time: time, key: key)
    heap.append(entry)
    var place = heap.count - 1
    while place > 0, time < heap[(place - 1) / 2].time {
      heap[place] = heap[(place - 1) / 2]
      place = (place - 1) / 2
    }
    heap[place] = entry
    assert(heap.isOrdered(around: place), "an entry stands behind earlier ones")
  }

  /// Removes and returns the earliest entry that is due by `now`, which may be stale.
  package mutating func popDue(at now: MonotonicTime) -> Entry? {
    guard let first = heap.first, first.time <= now, let last = heap.popLast() else { return nil }
    if !heap.isEmpty { sink(last, from: 0) }
    return first
  }

  /// Removes the stale entries, if they are most of the heap.
  ///
  /// - Parameter count: how many keys there are.
  package mutating func sweep(keeping count: Int, _ isTrue: (Entry) -> Bool) {
    guard heap.count > 2 * count + Self.slack else { return }
    heap.removeAll { !isTrue($0) }
    for place in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(heap[place], from: place) }
  }

  /// Small enough not to matter, and large enough to make sweeps rare.
  private static var slack: Int { 64 }

  /// Puts the entry at its place, at or below the free place `start`.
  private mutating func sink(_ entry: Entry, from start: Int) {
    var place = start
    while true {
      var child = 2 * place + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, heap[child + 1].time < heap[child].time { child += 1 }
      guard heap[child].time < entry.time else { break }
      heap[place] = heap[child]
      place = child
    }
    heap[place] = entry
    assert(start > 0 || heap.isOrdered(around: place), "an entry stands behind earlier ones")
  }
}
