import AccountContract
import AccountService
import Base
import StorageTestKit
import Testing
import Wire

/// What is left of an account after an erasure, in everything that AccountService has stored.
@Suite("An erased account is forgotten", .timeLimit(.minutes(2))) struct ForgottenTests {
  @Test(
    "no table, event or file has a name, a passcode or a reason, in any form", arguments: TestEngine.allCases)
  func forgotten(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    try await world.allowSelfRegistration()
    try await world.register("tablet")
    let (anna, recovery) = try await world.onboard("Annegret Featherstonehaugh")
    var profile = try #require(try await world.person(anna).people.getProfile(GetProfileRequest()).profile)
    (profile.title, profile.subtitle) = ("Annegret F. Stonehaugh", "Ward sister on the third floor")
    _ = try await world.person(anna).people.updateProfile(UpdateProfileRequest(profile: profile))
    _ = try await world.signIn(anna)
    for (held, reason) in [(true, "a quarrel with her landlord"), (false, "the landlord gave in")] {
      _ = try await world.admin.admin.holdAccount(HoldAccountRequest(personID: anna, held: held, reason: reason))
    }
    _ = try await world.list("Annegret")
    let traces = Traces(of: [
      PlantedFact("first title", "Annegret Featherstonehaugh"), PlantedFact("title", "Annegret F. Stonehaugh"),
      PlantedFact("first name", "Annegret"), PlantedFact("subtitle", "Ward sister on the third floor"),
      PlantedFact("passcode", AccountWorld.passcode), PlantedFact("recovery code", recovery),
      PlantedFact("reason of a hold", "a quarrel with her landlord"),
      PlantedFact("reason for lifting it", "the landlord gave in"),
    ])
    // Names are nowhere in clear while the account stands, either.
    #expect(try await traces.found(in: world.test).isEmpty)
    _ = try await world.admin.admin.eraseAccount(EraseAccountRequest(personID: anna))
    let found = try await traces.found(in: world.test)
    #expect(found.isEmpty, "\(found.sorted())")
    let control = try await Traces(of: [PlantedFact("account", anna)]).found(in: world.test)
    #expect(!control.isEmpty, "the search finds what is there")
    // What was read of the account, and by whom, stays on record.
    let reads = try await world.events().filter { $0.kind == .personalDataRead }
    #expect(reads.contains { $0.actor == "tablet" && $0.note.hasPrefix("list of a device's people") })
    await world.end()
  }
}
