/// An attribute of an element, with its value as a browser would see it.
package struct MarkupAttribute: Hashable, Sendable {
  package let name: String
  package let value: String

  package init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

/// A piece of markup, in the order of the text. A flat run of these stands for a tree, so that depth costs no stack.
package enum MarkupEvent: Hashable, Sendable {
  case open(String, [MarkupAttribute])
  case close(String)
  case text(String)
  case comment
}
