internal import Base

/// The planned events, by time; events of the same time in the order in which they were planned.
struct Timeline {
  typealias Step = () -> Void

  private var heap: [Entry] = []
  private var planned: UInt64 = 0

  private struct Entry {
    let time: MonotonicTime
    let number: UInt64
    let step: Step

    func isBefore(_ other: Entry) -> Bool {
      time < other.time || (time == other.time && number < other.number)
    }
  }

  var isEmpty: Bool { heap.isEmpty }

  mutating func plan(at time: MonotonicTime, _ step: @escaping Step) {
    planned += 1
    heap.append(Entry(time: time, number: planned, step: step))
    var place = heap.count - 1
    while place > 0, heap[place].isBefore(heap[(place - 1) / 2]) {
      heap.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// Removes and returns the next event, unless it is later than `end`.
  mutating func next(until end: MonotonicTime) -> (time: MonotonicTime, step: Step)? {
    guard let first = heap.first, first.time <= end else { return nil }
    let last = heap.removeLast()
    if !heap.isEmpty {
      heap[0] = last
      sink()
    }
    return (first.time, first.step)
  }

  mutating func clear() { heap = [] }

  private mutating func sink() {
    var place = 0
    while true {
      var smallest = place
      for child in [2 * place + 1, 2 * place + 2] where child < heap.count && heap[child].isBefore(heap[smallest]) {
        smallest = child
      }
      guard smallest != place else { return }
      heap.swapAt(place, smallest)
      place = smallest
    }
  }
}
