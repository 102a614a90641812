/// An attribute of an element, with its value as a browser would read it.
package struct MarkupAttribute: Hashable, Sendable {
  package let name: String
  package let value: String

  package init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

/// A piece of markup, in the order of the text. A flat list of these represents a tree, so that depth needs no stack.
package enum MarkupEvent: Hashable, Sendable {
  case open(String, [MarkupAttribute])
  case close(String)
  case text(String)
  case comment
}

/// Why markup is refused before it is parsed.
package enum MarkupError: Error, Hashable, Sendable {
  case tooLong(bytes: Int, bound: Int)
  case tooManyTags(count: Int, bound: Int)
  case tooTangled(work: Int, bound: Int)

  package var message: String {
    switch self {
    case .tooLong(let bytes, let bound): "is \(bytes) bytes long; at most \(bound) are allowed"
    case .tooManyTags(let count, let bound): "has \(count) tags; at most \(bound) are allowed"
    case .tooTangled(let work, let bound):
      "leaves too many formatting elements open (\(work) copies; at most \(bound) are allowed); close each one"
    }
  }
}
