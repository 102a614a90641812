internal import ServicePolicy
internal import Storage

/// One of the two people whom a change takes where a study asks for a second person. A program's key is neither of
/// them, and somebody with several identifiers is one.
package struct Approver: Sendable {
  let name: String
  private let names: Set<String>

  init(_ caller: Caller, field: String, _ snapshot: Snapshot) throws {
    guard !caller.isProgram else {
      let message = "'\(caller.actor)' is a program; where a study asks for a second person, both are people"
      throw Refusal(.precondition, "person_needed", field: field, message)
    }
    name = caller.actor
    names = Set(try MergedAccounts.names(of: caller.actor, snapshot))
  }

  /// Whether it was this person who asked, by whichever account.
  func asked(as asker: String) -> Bool { names.contains(asker) }
}
