/// Values by numbers, for tables that every call uses several times: open addressing and one multiplication instead of
/// a dictionary's hashing.
package struct NumberMap<Value> {
  /// The places of the table, followed by one that stays empty, where an unsuccessful search ends.
  private var entries: ContiguousArray<Entry> = [Entry(number: 0, value: nil)]
  /// Odd. If peers choose the numbers, it must be one that they cannot know.
  private let multiplier: UInt64
  private var shift: UInt64 = 64
  package private(set) var count = 0

  fileprivate struct Entry {
    var number: UInt64
    var value: Value?
  }

  /// - Parameter seed: random if peers choose the numbers, so that they cannot make them collide.
  package init(seed: UInt64 = 0x9E37_79B9_7F4A_7C15) {
    multiplier = seed | 1
  }

  package var isEmpty: Bool { count == 0 }

  /// The value under `number`. Setting it through optional chaining changes it in place; `set` and `remove` add and
  /// remove it.
  ///
  /// Each accessor yields once, since one that yields at two places is never inlined and allocates at each use.
  package subscript(number: UInt64) -> Value? {
    @inline(__always) _read { yield entries[place(of: number)].value }
    @inline(__always) _modify {
      let place = place(of: number)
      yield &entries[place].value
      assert((entries[place].value == nil) == (place == vain), "values come and go by set(_:_:) and remove(_:)")
    }
  }

  /// Calls `read` with the value under `number`, if there is one: without the frame that some uses of the subscript
  /// allocate, and without a copy of the value.
  @inline(__always)
  func reading<Result>(_ number: UInt64, _ read: (borrowing Value) -> Result) -> Result? {
    switch entries[place(of: number)].value {
    case .some(let value): read(value)
    case nil: nil
    }
  }

  package func contains(_ number: UInt64) -> Bool { place(of: number) != vain }

  package mutating func set(_ number: UInt64, _ value: Value) {
    if 2 * (count + 1) > vain { grow() }
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
    var gap = place(of: number)
    guard gap != vain else { return nil }
    var removed: Value?
    swap(&removed, &entries[gap].value)
    count -= 1
    // Entries behind the gap move up, so that a search can stop at the first free place.
    var place = next(gap)
    while entries[place].value != nil {
      let home = home(of: entries[place].number)
      if distance(from: home, to: place) >= distance(from: gap, to: place) {
        entries.swapAt(gap, place)
        gap = place
      }
      place = next(place)
    }
    if vain > Self.largestKept, count == 0 { entries = [Entry(number: 0, value: nil)] }
    return removed
  }

  /// All numbers, in no particular order.
  package var numbers: [UInt64] { entries.compactMap { $0.value == nil ? nil : $0.number } }
  package var values: [Value] { entries.compactMap(\.value) }

  /// An empty map frees memory only beyond this size.
  private static var largestKept: Int { 1024 }

  /// The place that is never filled.
  private var vain: Int { entries.count - 1 }

  /// The place of the value, or `vain`.
  @inline(__always)
  private func place(of number: UInt64) -> Int {
    guard count > 0 else { return vain }
    var place = home(of: number)
    while entries[place].value != nil {
      if entries[place].number == number { return place }
      place = next(place)
    }
    return vain
  }

  private func home(of number: UInt64) -> Int { Int(truncatingIfNeeded: (number &* multiplier) >> shift) }
  private func next(_ place: Int) -> Int { (place + 1) & (vain - 1) }
  private func distance(from one: Int, to other: Int) -> Int { (other - one) & (vain - 1) }

  private mutating func grow() {
    let former = entries
    let capacity = max(16, 2 * vain)
    entries = ContiguousArray(repeating: Entry(number: 0, value: nil), count: capacity + 1)
    shift = UInt64(64 - capacity.trailingZeroBitCount)
    count = 0
    for entry in former { if let value = entry.value { set(entry.number, value) } }
  }
}

extension NumberMap: Sendable where Value: Sendable {}
extension NumberMap.Entry: Sendable where Value: Sendable {}
