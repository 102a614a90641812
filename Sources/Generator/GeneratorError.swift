/// Why nothing could be generated, in one sentence for the person who edits proto/.
package struct GeneratorError: Error, Hashable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
