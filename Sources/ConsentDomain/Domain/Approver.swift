/// One of the two people whom a change takes where a study asks for a second person. Somebody with several identifiers
/// is one.
package struct Approver: Sendable {
  package let name: String
  private let names: Set<String>

  /// - Parameter names: all identifiers of the person.
  package init(name: String, alsoKnownAs names: Set<String>) {
    (self.name, self.names) = (name, names)
  }

  /// Whether it was this person who asked, by whichever account.
  package func asked(as asker: String) -> Bool { names.contains(asker) }
}
