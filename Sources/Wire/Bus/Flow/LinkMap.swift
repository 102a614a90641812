/// Values by links: so few that looking through them is the quickest way to find one.
struct LinkMap<Value> {
  /// All links, in their order.
  private(set) var links: [LinkID] = []
  /// What stands at the same places. Never nil: an option is what a missing link's value can be given out as.
  private var values: [Value?] = []

  /// The value of `link`; setting it through optional chaining changes it in place.
  subscript(link: LinkID) -> Value? {
    @inline(__always) _read {
      if let place = place(of: link) {
        yield values[place]
      } else {
        yield nil
      }
    }
    @inline(__always) _modify {
      if let place = place(of: link) {
        yield &values[place]
      } else {
        var nothing: Value?
        yield &nothing
      }
    }
  }

  mutating func add(_ link: LinkID, _ value: @autoclosure () -> Value) {
    guard place(of: link) == nil else { return }
    let place = links.firstIndex { $0 > link } ?? links.count
    links.insert(link, at: place)
    values.insert(value(), at: place)
  }

  mutating func remove(_ link: LinkID) {
    guard let place = place(of: link) else { return }
    links.remove(at: place)
    values.remove(at: place)
  }

  @inline(__always)
  private func place(of link: LinkID) -> Int? {
    for place in links.indices where links[place] == link { return place }
    return nil
  }
}

extension LinkMap: Sendable where Value: Sendable {}
