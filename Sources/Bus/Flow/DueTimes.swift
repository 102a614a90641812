package import Base

/// When something is due for each of many keys, nearly all of which go long before: earliest first.
///
/// A key that goes, or is due at another time, is not taken out, for finding it would cost more than all else that is done
/// with it. What is left of it is stale; whoever asks knows which times are true. So that it does not pile up, it is swept
/// away whenever it is most of what there is.
package struct DueTimes: Sendable {
  package struct Entry: Sendable {
    package let time: MonotonicTime
    package let key: UInt64
  }

  private var heap: [Entry] = []

  package init() {}

  /// When the first entry is due, a stale one perhaps.
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
  }

  /// Takes out the earliest entry that is due by `now`, a stale one perhaps.
  package mutating func popDue(at now: MonotonicTime) -> Entry? {
    guard let first = heap.first, first.time <= now, let last = heap.popLast() else { return nil }
    if !heap.isEmpty { sink(last, from: 0) }
    return first
  }

  /// Sweeps away what is stale, if that is most of what there is.
  ///
  /// - Parameter count: how many keys there are.
  package mutating func sweep(keeping count: Int, _ isTrue: (Entry) -> Bool) {
    guard heap.count > 2 * count + Self.slack else { return }
    heap.removeAll { !isTrue($0) }
    for place in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(heap[place], from: place) }
  }

  /// Few enough to be no burden, and enough for sweeping to be rare.
  private static var slack: Int { 64 }

  /// Puts the entry where it belongs, at a place that is free for it or below.
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
  }
}
