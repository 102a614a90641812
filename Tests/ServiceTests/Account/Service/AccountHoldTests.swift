import AccountContract
import AccountService
import RPC
import StorageTestKit
import Testing

/// Who holds accounts against erasure, and whose holds stand on which.
@Suite("Holds on accounts") struct AccountHoldTests {
  @Test("nobody holds or releases an account of their own, by whichever name; a program releases nobody's")
  func own() async throws {
    let world = try await AccountWorld()
    let people = try await world.open("Anna", "Anna E.", "Ben")
    _ = try await world.admin.admin.mergePeople(MergePeopleRequest(personID: people[1], intoPersonID: people[0]))
    func hold(_ isHeld: Bool, _ person: String, by actor: String) async throws -> HoldAccountResponse {
      let identity = CallerIdentity(kind: .person, tenant: "t1", subject: actor, grants: ["admin@*"])
      return try await world.clients(identity).admin.holdAccount(
        HoldAccountRequest(personID: person, held: isHeld, reason: "a lawsuit"))
    }
    for person in people.prefix(2) {
      for isHeld in [true, false] {
        await expectRefusal(.failedPrecondition, "staff_is_subject") { try await hold(isHeld, person, by: people[0]) }
      }
    }
    let program = "key:0123456789abcdef"
    _ = try await hold(true, people[0], by: program)
    await expectRefusal(.failedPrecondition, "person_needed") { try await hold(false, people[0], by: program) }
    _ = try await hold(false, people[0], by: people[2])
    await world.end()
  }
}
