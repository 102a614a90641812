/// Values under numbers that are never used twice: a late answer to an old number finds nothing.
///
/// The low bits of a number are the place of its value, the high bits count how often places were taken, so a look-up
/// needs no hashing.
package struct Slab<Element> {
  /// The first is never filled: an unsuccessful search ends there.
  private var entries: ContiguousArray<Entry> = [Entry(number: 0, element: nil)]
  private var free: [Int] = []
  private var taken: UInt64
  package private(set) var count = 0

  fileprivate struct Entry {
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

  /// Gives the value a new number; the old one finds nothing from now on.
  package mutating func renumber(_ number: UInt64) -> UInt64 {
    let place = place(of: number)
    guard place != Self.vain else { return number }
    taken += 1
    let fresh = taken << Self.placeBits | UInt64(place)
    entries[place].number = fresh
    return fresh
  }

  /// The value under `number`; setting it through optional chaining changes it in place.
  ///
  /// Each accessor yields once, since one that yields at two places is never inlined and allocates at each use.
  package subscript(number: UInt64) -> Element? {
    @inline(__always) _read { yield entries[place(of: number)].element }
    @inline(__always) _modify {
      let place = place(of: number)
      yield &entries[place].element
      assert(place != Self.vain || entries[place].element == nil, "putting in is for insert(_:)")
    }
  }

  /// Changes the value under `number` in place, if there is one, without the frame that some uses of the subscript
  /// allocate.
  @inline(__always) @discardableResult
  mutating func change<Result>(_ number: UInt64, _ change: (inout Element) -> Result) -> Result? {
    let place = place(of: number)
    // swift-format-ignore: NeverForceUnwrap
    return entries[place].element == nil ? nil : change(&entries[place].element!)
  }

  package func contains(_ number: UInt64) -> Bool { place(of: number) != Self.vain }

  @discardableResult
  package mutating func remove(_ number: UInt64) -> Element? {
    let place = place(of: number)
    guard place != Self.vain else { return nil }
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

  private static var vain: Int { 0 }

  /// The place of the value, or `vain`.
  @inline(__always)
  private func place(of number: UInt64) -> Int {
    let place = Int(number & (1 << Self.placeBits - 1))
    guard place < entries.count, entries[place].number == number else { return Self.vain }
    return place
  }
}

extension Slab: Sendable where Element: Sendable {}
extension Slab.Entry: Sendable where Element: Sendable {}

/// An object that stores its number in the slab.
protocol Numbered: AnyObject {
  var number: UInt64 { get set }
}

extension Slab where Element: Numbered {
  mutating func add(_ object: Element) {
    object.number = insert(object)
  }

  /// Gives an object a new number; the old one finds nothing from now on.
  mutating func rename(_ object: Element) {
    object.number = renumber(object.number)
  }

  /// All objects, in the order of their places.
  var all: [Element] { numbers.compactMap { self[$0] } }
}
