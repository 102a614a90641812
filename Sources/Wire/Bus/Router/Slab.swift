/// Values under numbers that are never used twice: a late answer to a number that has gone finds nothing.
///
/// A number holds the place of its value in the low bits and how often places were taken in the high ones, so that
/// looking up costs no hashing.
package struct Slab<Element: Sendable>: Sendable {
  private var entries: ContiguousArray<Entry> = []
  private var free: [Int] = []
  private var taken: UInt64
  package private(set) var count = 0

  private struct Entry {
    var number: UInt64
    var element: Element?
  }

  private static var placeBits: UInt64 { 24 }

  /// - Parameter seed: where counting starts, so that numbers of an earlier process match nothing either.
  package init(seed: UInt64 = 0) {
    taken = seed & 0xFF_FFFF_FFFF >> 1
  }

  package mutating func insert(_ element: consuming Element) -> UInt64 {
    taken += 1
    count += 1
    let place = free.popLast() ?? entries.count
    precondition(place < 1 << Self.placeBits, "a slab is bounded by whoever fills it")
    let number = taken << Self.placeBits | UInt64(place)
    if place == entries.count {
      entries.append(Entry(number: number, element: element))
    } else {
      entries[place] = Entry(number: number, element: element)
    }
    return number
  }

  /// Gives the value a fresh number under which alone it is found from now on.
  package mutating func renumber(_ number: UInt64) -> UInt64 {
    guard let place = place(of: number) else { return number }
    taken += 1
    let fresh = taken << Self.placeBits | UInt64(place)
    entries[place].number = fresh
    return fresh
  }

  /// The value under `number`; setting it through optional chaining changes it in place.
  package subscript(number: UInt64) -> Element? {
    @inline(__always) _read {
      if let place = place(of: number) {
        yield entries[place].element
      } else {
        yield nil
      }
    }
    @inline(__always) _modify {
      if let place = place(of: number) {
        yield &entries[place].element
      } else {
        var nothing: Element?
        yield &nothing
      }
    }
  }

  package func contains(_ number: UInt64) -> Bool { place(of: number) != nil }

  @discardableResult
  package mutating func remove(_ number: UInt64) -> Element? {
    guard let place = place(of: number) else { return nil }
    var element: Element?
    swap(&element, &entries[place].element)
    entries[place].number = 0
    free.append(place)
    count -= 1
    return element
  }

  /// All numbers in use, in the order of their places.
  package var numbers: [UInt64] {
    entries.lazy.map(\.number).filter { $0 != 0 }
  }

  @inline(__always)
  private func place(of number: UInt64) -> Int? {
    let place = Int(number & (1 << Self.placeBits - 1))
    guard number != 0, place < entries.count, entries[place].number == number else { return nil }
    return place
  }
}
