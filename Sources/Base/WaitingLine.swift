/// First in, first out. Taking moves nothing: what was taken is swept away when it is most of what there is, so that a line that is
/// never empty does not grow. It is kept until then, so this is not for what should go at once.
///
/// Inlinable, because other modules' hot paths stand in line here: a generic type that is not is asked for its types at run time.
@frozen package struct WaitingLine<Element> {
  @usableFromInline var elements: [Element] = []
  @usableFromInline var first = 0

  @inlinable package init() {}

  @inlinable package var count: Int { elements.count - first }
  @inlinable package var isEmpty: Bool { first == elements.count }
  /// How much it keeps, in elements: what waits, and what was taken and not swept away.
  package var kept: Int { elements.count }

  @inlinable package mutating func append(_ element: consuming Element) { elements.append(element) }

  @inlinable package mutating func popFirst() -> Element? {
    guard first < elements.count else { return nil }
    let element = elements[first]
    first += 1
    sweep()
    return element
  }

  /// At most so many, in their order.
  @inlinable package mutating func pop(_ limit: Int) -> [Element] {
    let batch = Array(elements[first..<min(first + limit, elements.count)])
    first += batch.count
    sweep()
    return batch
  }

  @inlinable mutating func sweep() {
    if first == elements.count {
      elements.removeAll(keepingCapacity: true)
      first = 0
    } else if first >= Self.slack, 2 * first >= elements.count {
      elements.removeFirst(first)
      first = 0
    }
  }

  @inlinable static var slack: Int { 64 }
}
