/// Values by numbers, for tables that are asked several times in every call: open addressing and one multiplication in
/// place of a dictionary's hashing.
package struct NumberMap<Value: Sendable>: Sendable {
  private var entries: ContiguousArray<Entry> = []
  /// Odd. Where others choose the numbers, it must be one that they cannot know.
  private let multiplier: UInt64
  private var shift: UInt64 = 64
  package private(set) var count = 0

  private struct Entry {
    var number: UInt64
    var value: Value?
  }

  /// - Parameter seed: drawn at random where peers choose the numbers, so that they cannot make them collide.
  package init(seed: UInt64 = 0x9E37_79B9_7F4A_7C15) {
    multiplier = seed | 1
  }

  package var isEmpty: Bool { count == 0 }

  /// The value under `number`. Setting it through optional chaining changes it in place; it is put in and taken out with
  /// `set` and `remove`.
  package subscript(number: UInt64) -> Value? {
    @inline(__always) _read {
      if let place = place(of: number) {
        yield entries[place].value
      } else {
        yield nil
      }
    }
    @inline(__always) _modify {
      if let place = place(of: number) {
        yield &entries[place].value
        assert(entries[place].value != nil, "taking out is for remove(_:)")
      } else {
        var nothing: Value?
        yield &nothing
        assert(nothing == nil, "putting in is for set(_:_:)")
      }
    }
  }

  package func contains(_ number: UInt64) -> Bool { place(of: number) != nil }

  package mutating func set(_ number: UInt64, _ value: Value) {
    if 2 * (count + 1) > entries.count { grow() }
    var place = home(of: number)
    while entries[place].value != nil {
      if entries[place].number == number {
        entries[place].value = value
        return
      }
      place = next(place)
    }
    entries[place] = Entry(number: number, value: value)
    count += 1
  }

  @discardableResult
  package mutating func remove(_ number: UInt64) -> Value? {
    guard var gap = place(of: number) else { return nil }
    var removed: Value?
    swap(&removed, &entries[gap].value)
    count -= 1
    // What had to stand behind it moves up, so that looking up can stop at the first free place.
    var place = next(gap)
    while entries[place].value != nil {
      let home = home(of: entries[place].number)
      if distance(from: home, to: place) >= distance(from: gap, to: place) {
        entries.swapAt(gap, place)
        gap = place
      }
      place = next(place)
    }
    if entries.count > Self.largestKept, count == 0 { entries = [] }
    return removed
  }

  /// All numbers, in no order that means anything.
  package var numbers: [UInt64] { entries.compactMap { $0.value == nil ? nil : $0.number } }
  package var values: [Value] { entries.compactMap(\.value) }

  /// An empty map gives room back only beyond this.
  private static var largestKept: Int { 1024 }

  @inline(__always)
  private func place(of number: UInt64) -> Int? {
    guard count > 0 else { return nil }
    var place = home(of: number)
    while entries[place].value != nil {
      if entries[place].number == number { return place }
      place = next(place)
    }
    return nil
  }

  private func home(of number: UInt64) -> Int { Int(truncatingIfNeeded: (number &* multiplier) >> shift) }
  private func next(_ place: Int) -> Int { (place + 1) & (entries.count - 1) }
  private func distance(from one: Int, to other: Int) -> Int { (other - one) & (entries.count - 1) }

  private mutating func grow() {
    let former = entries
    let capacity = max(16, 2 * former.count)
    entries = ContiguousArray(repeating: Entry(number: 0, value: nil), count: capacity)
    shift = UInt64(64 - capacity.trailingZeroBitCount)
    count = 0
    for entry in former { if let value = entry.value { set(entry.number, value) } }
  }
}
