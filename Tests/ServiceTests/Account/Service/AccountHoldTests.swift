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
  @Test("no service erases somebody who has roles, by whichever account; an administrator does")
  func staff() async throws {
    let world = try await AccountWorld()
    let people = try await world.open("Anna", "Anna E.", "Ben")
    _ = try await world.admin.admin.mergePeople(MergePeopleRequest(personID: people[1], intoPersonID: people[0]))
    _ = try await world.admin.admin.grantRole(GrantRoleRequest(personID: people[0], role: "coordinator@heart"))
    func erase(_ person: String, onlyChecks: Bool = false) async throws -> EraseAccountResponse {
      try await world.service.admin.eraseAccount(EraseAccountRequest(personID: person, checkRolesOnly: onlyChecks))
    }
    for person in people.prefix(2) {
      await expectRefusal(.failedPrecondition, "has_roles") { try await erase(person) }
      await expectRefusal(.failedPrecondition, "has_roles") { try await erase(person, onlyChecks: true) }
    }
    func erased() async throws -> Set<String> {
      let accounts = try await world.admin.admin.listAccounts(ListAccountsRequest()).accounts
      return Set(accounts.filter(\.erased).map(\.personID))
    }
    _ = try await erase(people[2], onlyChecks: true)
    #expect(try await erased().isEmpty)
    _ = try await erase(people[2])
    #expect(try await erased() == [people[2]])
    _ = try await world.admin.admin.eraseAccount(EraseAccountRequest(personID: people[0]))
    _ = try await erase(people[0])
    #expect(try await erased() == Set(people))
    await world.end()
  }

  @Test(
    "what a service holds of one account is held of both from their merge on, before the service has heard of it",
    arguments: TestEngine.allCases, [true, false])
  func merged(engine: TestEngine, endingIsHeld: Bool) async throws {
    let world = try await AccountWorld(engine)
    let people = try await world.open("Anna", "Anna E.", "A. E.")
    func merge(_ ending: String, into staying: String) async throws {
      _ = try await world.admin.admin.mergePeople(MergePeopleRequest(personID: ending, intoPersonID: staying))
    }
    func hold(_ person: String, _ isHeld: Bool) async throws {
      _ = try await world.service.admin.holdAccount(
        HoldAccountRequest(personID: person, held: isHeld, reason: "a legal hold"))
    }
    func erase(_ person: String) async throws -> EraseAccountResponse {
      try await world.admin.admin.eraseAccount(EraseAccountRequest(personID: person))
    }
    func erased() async throws -> Set<String> {
      let accounts = try await world.admin.admin.listAccounts(ListAccountsRequest()).accounts
      return Set(accounts.filter(\.erased).map(\.personID))
    }
    try await merge(people[2], into: people[1])
    try await hold(people[endingIsHeld ? 1 : 0], true)
    try await merge(people[1], into: people[0])
    for person in people {
      await expectRefusal(.failedPrecondition, "legal_hold") { try await erase(person) }
    }
    #expect(try await erased().isEmpty)
    for person in people { try await hold(person, false) }
    _ = try await erase(people[0])
    #expect(try await erased() == Set(people))
    await world.end()
  }
}
