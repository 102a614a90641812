/// One of the two people who approve a change in a study that asks for a second person. A person with several
/// identifiers counts once.
package struct Approver: Sendable {
  package let name: String
  private let names: Set<String>

  /// - Parameter names: all identifiers of the person.
  package init(name: String, alsoKnownAs names: Set<String>) {
    (self.name, self.names) = (name, names)
  }

  /// Whether this person made the request, under any identifier.
  package func asked(as asker: String) -> Bool { names.contains(asker) }
}
