/// Values by links. There are so few links that a linear search is fastest.
struct LinkMap<Value> {
  /// All links, in their order.
  private(set) var links: [LinkID] = []
  /// The values at the same indexes, followed by one empty place, where an unsuccessful search ends.
  private var values: [Value?] = [nil]

  /// The value of `link`; setting it through optional chaining changes it in place.
  ///
  /// Each accessor yields once, since one that yields at two places is never inlined and allocates at each use.
  subscript(link: LinkID) -> Value? {
    @inline(__always) _read { yield values[place(of: link)] }
    @inline(__always) _modify {
      let place = place(of: link)
      yield &values[place]
      assert((values[place] == nil) == (place == links.count), "putting in and taking out is for add and remove")
    }
  }

  /// The value of `link`: faster than the subscript for values without references.
  @inline(__always)
  func value(of link: LinkID) -> Value? { values[place(of: link)] }

  /// Changes the value of `link` in place, if there is one, without the frame that some uses of the subscript allocate.
  @inline(__always) @discardableResult
  mutating func change<Result>(_ link: LinkID, _ change: (inout Value) -> Result) -> Result? {
    let place = place(of: link)
    // swift-format-ignore: NeverForceUnwrap
    return values[place] == nil ? nil : change(&values[place]!)
  }

  mutating func add(_ link: LinkID, _ value: @autoclosure () -> Value) {
    guard place(of: link) == links.count else { return }
    let place = links.firstIndex { $0 > link } ?? links.count
    links.insert(link, at: place)
    values.insert(value(), at: place)
  }

  mutating func remove(_ link: LinkID) {
    let place = place(of: link)
    guard place < links.count else { return }
    links.remove(at: place)
    values.remove(at: place)
  }

  /// The index of the value of `link`, or of the place behind all of them.
  @inline(__always)
  private func place(of link: LinkID) -> Int {
    for place in links.indices where links[place] == link { return place }
    return links.count
  }
}

extension LinkMap: Sendable where Value: Sendable {}
