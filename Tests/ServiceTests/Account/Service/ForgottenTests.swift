import AccountContract
import AccountService
import Base
import RPC
import StorageTestKit
import Testing
import Wire

/// What is left of an account after an erasure, in everything that AccountService has stored.
@Suite("An erased account is forgotten", .timeLimit(.minutes(2))) struct ForgottenTests {
  private static let items = [
    ("E-mail", "annegret@featherstonehaugh.example"), ("Telephone", "+44 20 7946 0199"),
    ("Born", "1986-07-13"), ("Street", "14 Cholmondeley Crescent"), ("Insurance", "QQ 12 34 56 C"),
    ("Allergies", "penicillin and walnuts"), ("Next of kin", "Ottokar, her brother"), ("Her words", "call me Annie"),
  ]
  private static let picture: [UInt8] = {
    let text = Array("taken by her aunt Walpurga".utf8)
    return [0xFF, 0xD8, 0xFF, 0xE0, 0, UInt8(text.count + 2)] + text
      + [0xFF, 0xC0, 0, 11, 8, 0, 64, 0, 64, 1, 1, 0x11, 0, 0xFF, 0xD9]
  }()
  private static let chosen = "a passcode of her own 7"
  private static let recovered = "after she forgot it 31"

  /// What an account was told of a person, by the person, by staff, and by other services.
  private struct Planted {
    let person: String
    var facts: [PlantedFact] = []
    /// Secrets of which digests are kept for as long as the account stands.
    var secrets: [PlantedFact] = []
  }

  @Test(
    "no table, event or file has any of thirty facts, in any form: profile, passcodes, codes, work and reasons",
    arguments: TestEngine.allCases)
  func forgotten(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let planted = try await plant(world)
    #expect(planted.facts.count + planted.secrets.count >= 30)
    // What is personal is nowhere in clear while the account stands, either.
    let standing = try await Traces(of: planted.facts).found(in: world.test)
    #expect(standing.isEmpty, "\(standing.sorted())")
    _ = try await world.admin.admin.eraseAccount(EraseAccountRequest(personID: planted.person))
    let traces = Traces(of: planted.facts + planted.secrets + Self.guessed)
    let found = try await traces.found(in: world.test)
    #expect(found.isEmpty, "\(found.sorted())")
    let control = try await Traces(of: [PlantedFact("account", planted.person)]).found(in: world.test)
    #expect(!control.isEmpty, "the search finds what is there")
    // What was read of the account, and by whom, stays on record.
    let reads = try await world.events().filter { $0.kind == .personalDataRead }
    #expect(reads.contains { $0.actor == "tablet" && $0.note.hasPrefix("list of a device's people") })
    #expect(reads.contains { $0.actor == "ops" && $0.note.hasPrefix("list of devices") })
    await world.end()
  }

  /// What somebody would try who has a list: names as an index folds them, days of birth.
  private static let guessed: [PlantedFact] = {
    let names = ["annegret", "featherstonehaugh", "annegret featherstonehaugh", "ANNEGRET", "Featherstonehaugh"]
    return names.map { PlantedFact("guessed: \($0)", $0) }
      + (1...28).flatMap { PlantedFact.day("guessed day \($0)", 1986, 7, $0).prefix(1) }
  }()

  private func plant(_ world: AccountWorld) async throws -> Planted {
    try await world.allowSelfRegistration { $0.uploadAtSwitch = true }
    try await world.register("tablet", name: "Annegret's slate")
    try await world.register("phone", name: "Grandmother Walpurga's")
    let (anna, recovery) = try await world.onboard("Annegret Featherstonehaugh")
    var planted = Planted(person: anna)
    func plant(_ name: String, _ text: String) { planted.facts.append(PlantedFact(name, text)) }
    plant("first title", "Annegret Featherstonehaugh")
    plant("first name", "Annegret")
    plant("her device", "Annegret's slate")
    plant("a device that was wiped", "Grandmother Walpurga's")
    #expect(
      try await world.admin.admin.listDevices(ListDevicesRequest()).devices.map(\.name)
        == ["Grandmother Walpurga's", "Annegret's slate"])
    _ = try await world.admin.admin.wipeDevice(WipeDeviceRequest(deviceID: "phone"))
    // A name that was typed where the identifier belongs is counted as an attempt.
    await expectRefusal(.unauthenticated, "wrong_passcode") {
      try await world.signIn("Annegret Featherstonehaugh", passcode: "a guess")
    }
    try await profile(world, anna, plant)
    try await reasons(world, anna, plant)
    try await work(world, anna, plant)
    let person = world.person(anna)
    let signedIn = try await world.signIn(anna)
    let tokens = try #require(signedIn.tokens)
    planted.secrets += [
      PlantedFact("access token", tokens.accessToken), PlantedFact("upload grant", signedIn.uploadGrant),
      PlantedFact("offline salt", signedIn.offline?.salt ?? []), PlantedFact("recovery code", recovery),
    ]
    let proof = try await person.signIn.reauthenticate(
      ReauthenticateRequest(
        passcode: AccountWorld.passcode, challenge: Array("what she was asked to sign, 32 b.".utf8.prefix(32))))
    planted.facts.append(PlantedFact("challenge", Array("what she was asked to sign, 32 b.".utf8.prefix(32))))
    planted.facts.append(PlantedFact("signature of a proof", proof.signature))
    _ = try await world.device("tablet").signIn.changePasscode(
      ChangePasscodeRequest(personID: anna, passcode: AccountWorld.passcode, newPasscode: Self.chosen))
    let next = try await world.device("tablet").signIn.recoverPasscode(
      RecoverPasscodeRequest(personID: anna, recoveryCode: recovery, newPasscode: Self.recovered)
    ).recoveryCode
    let given = try await world.admin.admin.resetPasscode(
      ResetPasscodeRequest(personID: anna, deviceID: "tablet")
    ).passcode
    for (name, passcode) in [("first", AccountWorld.passcode), ("chosen", Self.chosen), ("recovered", Self.recovered)] {
      plant("\(name) passcode", passcode)
    }
    plant("passcode that was given", given)
    planted.secrets.append(PlantedFact("next recovery code", next))
    _ = try await world.list("Annegret")
    _ = try await world.device("tablet").people.selectPerson(SelectPersonRequest(personID: anna))
    return planted
  }

  private func profile(_ world: AccountWorld, _ anna: String, _ plant: (String, String) -> Void) async throws {
    var profile = try #require(try await world.person(anna).people.getProfile(GetProfileRequest()).profile)
    (profile.title, profile.subtitle) = ("Annegret F. Stonehaugh", "Ward sister on the third floor")
    profile.items = Self.items.map { ProfileItem(label: $0.0, value: $0.1) }
    profile.picture = Self.picture
    _ = try await world.person(anna).people.updateProfile(UpdateProfileRequest(profile: profile))
    plant("title", profile.title)
    plant("subtitle", profile.subtitle)
    plant("picture", "taken by her aunt Walpurga")
    for (label, value) in Self.items { plant(label, value) }
  }

  private func reasons(_ world: AccountWorld, _ anna: String, _ plant: (String, String) -> Void) async throws {
    for (held, reason) in [(true, "a quarrel with her landlord"), (false, "the landlord gave in")] {
      _ = try await world.admin.admin.holdAccount(HoldAccountRequest(personID: anna, held: held, reason: reason))
      plant(held ? "reason of a hold" : "reason for lifting it", reason)
    }
  }

  /// Work that waits, that failed with what another service said, and that was thrown away for a reason.
  private func work(_ world: AccountWorld, _ anna: String, _ plant: (String, String) -> Void) async throws {
    let saying = "her sister Kunigunde says no"
    world.peers.fail { effect in
      String(decoding: effect.request, as: UTF8.self).contains("Kunigunde")
        ? Status(.permissionDenied, "role_missing: \(saying)") : nil
    }
    let requests = [
      "she moves to Kunigunde in Leeds", "Kunigunde is to decide for her", "her diary of the third of May",
    ]
    let items = requests.enumerated().map { index, text in
      QueueItem(
        itemID: "item-\(index)", personID: anna, method: "assent.consent.v1.SessionService/SubmitOfflineWalk",
        request: Array(text.utf8))
    }
    let grants = try await world.grants(of: [anna])
    let states = try await world.push(items, grants).outcomes.map(\.state)
    #expect(states == [.failed, .failed, .done], "\(states)")
    let reason = "Kunigunde asked us to drop it"
    _ = try await world.admin.sync.discardItem(
      DiscardItemRequest(deviceID: "tablet", itemID: "item-1", personID: anna, reason: reason))
    for (index, text) in requests.enumerated() { plant("work \(index)", text) }
    plant("what another service said", saying)
    plant("reason for discarding", reason)
  }
}
