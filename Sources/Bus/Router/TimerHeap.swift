package import Base

/// The times at which keys are due: earliest first, and any key can be moved or removed at once.
///
/// The heap stores the place of each key, because calls end long before their deadlines: entries that stayed until they
/// are due would pile up by the million.
package struct TimerHeap: Sendable {
  private var heap: [Entry] = []
  private var places = NumberMap<Int>()

  private struct Entry: HeapEntry {
    var time: MonotonicTime
    var key: UInt64
  }

  package init() {}

  package var count: Int { heap.count }
  package var earliest: MonotonicTime? { heap.first?.time }

  package var first: UInt64? { heap.first?.key }
  package func contains(_ key: UInt64) -> Bool { places.contains(key) }

  /// About how many keys are due by `time`: exact for a few hundred keys, and for more an estimate from a sample of
  /// evenly spaced places, so that the router can ask for every arriving call.
  package func estimatedCount(notAfter time: MonotonicTime) -> Int {
    let step = max(1, heap.count / Self.sample)
    var seen = 0
    var due = 0
    for place in stride(from: 0, to: heap.count, by: step) {
      seen += 1
      if heap[place].time <= time { due += 1 }
    }
    return seen == 0 ? 0 : due * heap.count / seen
  }

  private static let sample = 256

  package mutating func set(_ key: UInt64, at time: MonotonicTime) {
    let entry = Entry(time: time, key: key)
    if let place = places[key] {
      settle(entry, at: place)
    } else {
      heap.append(entry)
      settle(entry, at: heap.count - 1)
    }
    assert(heap.count == places.count, "each key has one entry")
  }

  package mutating func remove(_ key: UInt64) {
    guard let place = places.remove(key) else { return }
    let last = heap.removeLast()
    if place < heap.count { settle(last, at: place) }
    assert(heap.count == places.count, "each key has one entry")
  }

  /// Removes and returns the earliest key that is due by `now`.
  package mutating func popDue(at now: MonotonicTime) -> UInt64? {
    guard let first = heap.first, first.time <= now else { return nil }
    remove(first.key)
    return first.key
  }

  /// Puts the entry at its place, starting from the free place `start`.
  private mutating func settle(_ entry: Entry, at start: Int) {
    var place = start
    while place > 0, entry.time < heap[(place - 1) / 2].time {
      put(heap[(place - 1) / 2], at: place)
      place = (place - 1) / 2
    }
    while true {
      var child = 2 * place + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, heap[child + 1].time < heap[child].time { child += 1 }
      guard heap[child].time < entry.time else { break }
      put(heap[child], at: place)
      place = child
    }
    put(entry, at: place)
    assert(heap.isOrdered(around: place), "an entry stands behind earlier ones")
  }

  private mutating func put(_ entry: Entry, at place: Int) {
    heap[place] = entry
    places.set(entry.key, place)
  }
}
