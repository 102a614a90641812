/// A first-in, first-out line. Taking an element moves nothing: taken elements are removed together once they are most
/// of what is stored, so a line that is never empty does not grow. They stay allocated until then, so do not use this
/// for elements that must be released at once.
///
/// Inlinable, because hot paths of other modules use it: without that, generic types are looked up at run time.
@frozen public struct WaitingLine<Element> {
  @usableFromInline var elements: [Element] = []
  @usableFromInline var first = 0

  @inlinable public init() {}

  @inlinable public var count: Int { elements.count - first }
  @inlinable public var isEmpty: Bool { first == elements.count }
  /// How many elements are stored: those that wait, and those that were taken but not removed yet.
  package var kept: Int { elements.count }

  @inlinable public mutating func append(_ element: consuming Element) { elements.append(element) }

  @inlinable public mutating func popFirst() -> Element? {
    guard first < elements.count else { return nil }
    let element = elements[first]
    first += 1
    sweep()
    return element
  }

  /// Takes up to `limit` elements, in their order.
  @inlinable public mutating func pop(_ limit: Int) -> [Element] {
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
