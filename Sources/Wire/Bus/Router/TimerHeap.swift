package import Base

/// When something is due, for each of many keys: earliest first, and any key can be moved or removed at once.
///
/// A heap that remembers where each key stands, because calls end long before their deadlines: entries that only
/// went away when due would pile up by the million.
package struct TimerHeap: Sendable {
  private var heap: [Entry] = []
  private var places: [UInt64: Int] = [:]

  private struct Entry {
    var time: MonotonicTime
    var key: UInt64
  }

  package init() {}

  package var count: Int { heap.count }
  package var earliest: MonotonicTime? { heap.first?.time }

  package var first: UInt64? { heap.first?.key }
  package func contains(_ key: UInt64) -> Bool { places[key] != nil }

  /// About how many keys are due by `time`: exact for a few hundred, a sample of evenly spaced places for more, so that
  /// it may be asked for every call that comes in.
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
    if let place = places[key] {
      heap[place].time = time
      settle(place)
    } else {
      heap.append(Entry(time: time, key: key))
      places[key] = heap.count - 1
      settle(heap.count - 1)
    }
  }

  package mutating func remove(_ key: UInt64) {
    guard let place = places.removeValue(forKey: key) else { return }
    let last = heap.removeLast()
    guard place < heap.count else { return }
    heap[place] = last
    places[last.key] = place
    settle(place)
  }

  /// Takes out the earliest key that is due by `now`.
  package mutating func popDue(at now: MonotonicTime) -> UInt64? {
    guard let first = heap.first, first.time <= now else { return nil }
    remove(first.key)
    return first.key
  }

  private mutating func settle(_ start: Int) {
    var place = start
    while place > 0, heap[place].time < heap[(place - 1) / 2].time {
      exchange(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
    while true {
      var smallest = place
      for child in 2 * place + 1...2 * place + 2 where child < heap.count && heap[child].time < heap[smallest].time {
        smallest = child
      }
      guard smallest != place else { return }
      exchange(place, smallest)
      place = smallest
    }
  }

  private mutating func exchange(_ one: Int, _ other: Int) {
    heap.swapAt(one, other)
    places[heap[one].key] = one
    places[heap[other].key] = other
  }
}
