import AccountContract
import Base
import RPC
import Storage
import StorageTestKit
import TestSupport
import Testing

@testable import AccountService

/// Calls at the same time: one after the other, whatever the engine lets happen side by side.
@Suite("What is asked for at the same time", .timeLimit(.minutes(3))) struct AtOnceTests {
  /// How often calls at the same time were done, or refused by which rule.
  private func outcomes(
    of count: Int, _ call: @escaping @Sendable (Int) async throws -> Void
  ) async -> [String: Int] {
    await withTaskGroup(of: String.self) { group in
      for number in 0..<count {
        group.addTask {
          do {
            try await call(number)
            return "done"
          } catch {
            return ((error as? Status)?.message.prefix { $0 != ":" }).map(String.init) ?? "\(error)"
          }
        }
      }
      return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
  }

  @Test("of changes to a profile that were based on the same one, one is made", arguments: TestEngine.allCases)
  func profile(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.open("Anna")[0]
    let outcomes = await outcomes(of: 8) { number in
      let profile = PersonProfile(title: "Anna \(number)", revision: 1)
      _ = try await world.person(anna).people.updateProfile(UpdateProfileRequest(profile: profile))
    }
    #expect(outcomes == ["done": 1, "stale_revision": 7])
    #expect(try await world.events().count { $0.kind == .profileChanged } == 1)
    await world.end()
  }

  @Test("of settings that were based on the same ones, one replaces them", arguments: TestEngine.allCases)
  func settings(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    @Sendable func set(_ settings: AccountSettings) async throws -> AccountSettings? {
      try await world.admin.admin.setAccountSettings(SetAccountSettingsRequest(settings: settings)).settings
    }
    let outcomes = await outcomes(of: 8) { number in
      _ = try await set(AccountSettings(onboardingFlowID: "flow-\(number)"))
    }
    #expect(outcomes == ["done": 1, "stale_revision": 7])
    let stored = try await world.admin.admin.getAccountSettings(GetAccountSettingsRequest()).settings
    var settings = try #require(stored)
    #expect(settings.revision == 1)
    // What is so already is no change, whatever it was based on.
    settings.revision = 0
    #expect(try await set(settings) == stored)
    (settings.revision, settings.selfRegistration) = (1, true)
    #expect(try await set(settings)?.revision == 2)
    #expect(try await world.events().count { $0.kind == .settingsChanged } == 2)
    await world.end()
  }

  @Test("whoever is removed from a device while signing in there has no session there", arguments: TestEngine.allCases)
  func removal(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.open("Anna")[0]
    for round in 0..<12 {
      let signingIn = Task { try await world.signIn(anna) }
      // The sign-in is under way at another place each time.
      try await Task.sleep(for: .milliseconds(2 * round))
      _ = try await world.admin.people.removePerson(RemovePersonRequest(personID: anna, deviceID: "tablet"))
      if case .failure(let error) = await signingIn.result {
        #expect((error as? Status)?.message.hasPrefix("wrong_passcode") == true, "\(error)")
      }
      let running = try await world.person(anna).signIn.listSessions(ListSessionsRequest()).sessions
      #expect(running.isEmpty, "round \(round)")
      // Whoever was removed first has given a wrong passcode: the delay is over by then.
      world.clock.move(by: .seconds(86_400))
      let code = try await world.admin.admin.createAccountInvitation(CreateAccountInvitationRequest(personID: anna))
      let started = try await world.device("tablet").people.startOnboarding(
        StartOnboardingRequest(by: .linkCode(code.code)))
      _ = try await world.device("tablet").people.finishOnboarding(
        FinishOnboardingRequest(
          onboardingID: started.onboarding?.onboardingID ?? "", passcode: AccountWorld.passcode))
    }
    await world.end()
  }

  @Test("of those who come as one new person at the same time, one is onboarded", arguments: TestEngine.allCases)
  func invitations(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    try await world.register("tablet")
    var made: [String] = []
    for _ in 0..<6 {
      let invitation = CreateAccountInvitationRequest(newPersonID: "bea")
      made.append(try await world.admin.admin.createAccountInvitation(invitation).code)
    }
    let codes = made
    let outcomes = await outcomes(of: codes.count) { number in
      _ = try await world.device("tablet").people.startOnboarding(
        StartOnboardingRequest(by: .invitationCode(codes[number]), profile: PersonProfile(title: "Bea")))
    }
    #expect(outcomes == ["done": 1, "onboarding_open": 5])
    await world.end()
  }

  @Test("of API keys of one name that are made at the same time, one is", arguments: TestEngine.allCases)
  func keyNames(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let outcomes = await outcomes(of: 8) { _ in
      let wanted = ApiKey(name: "backend", kind: .program)
      _ = try await world.admin.keys.createApiKey(CreateApiKeyRequest(apiKey: wanted))
    }
    #expect(outcomes == ["done": 1, "name_in_use": 7])
    await world.end()
  }

  @Test("of two rotations of a key at the same time both answers are good", arguments: TestEngine.allCases)
  func rotations(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let wanted = ApiKey(name: "backend", kind: .program)
    let made = try await world.admin.keys.createApiKey(CreateApiKeyRequest(apiKey: wanted))
    let id = try #require(made.apiKey?.apiKeyID)
    let keys = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<2 {
        group.addTask { try await world.admin.keys.rotateApiKey(RotateApiKeyRequest(apiKeyID: id)).key }
      }
      return try await group.reduce(into: Set<String>()) { $0.formUnion([$1]) }
    }
    let stored = try await world.test.database.scope(.named("t1")).read { try APIKeyStore.inUse($0) }
    #expect(
      Set(stored.flatMap { [$0.hash, $0.previousHash] }) == Set(keys.map { APIKeyText.hash(of: $0).bytes }))
    await world.end()
  }

  @Test("a key that is revoked while it is rotated is revoked", arguments: TestEngine.allCases)
  func revocation(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    for round in 0..<6 {
      let wanted = ApiKey(name: "backend-\(round)", kind: .program)
      let made = try await world.admin.keys.createApiKey(CreateApiKeyRequest(apiKey: wanted))
      let id = try #require(made.apiKey?.apiKeyID)
      let outcomes = await outcomes(of: 4) { number in
        if number == 2 {
          _ = try await world.admin.keys.revokeApiKey(RevokeApiKeyRequest(apiKeyID: id))
        } else {
          _ = try await world.admin.keys.rotateApiKey(RotateApiKeyRequest(apiKeyID: id))
        }
      }
      #expect(Set(outcomes.keys).isSubset(of: ["done", "unknown_api_key"]), "\(outcomes)")
    }
    let keys = try await world.admin.keys.listApiKeys(ListApiKeysRequest()).apiKeys
    #expect(keys.count == 6 && keys.allSatisfy { $0.revokedAt != nil })
    await world.end()
  }

  @Test(
    "what is noted of an account, while a service is said to have heard that it was merged, is the staying person's",
    arguments: TestEngine.allCases)
  func merge(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let people = try await world.open("Old", "New")
    let (old, new) = (people[0], people[1])
    _ = try await world.admin.admin.mergePeople(MergePeopleRequest(personID: old, intoPersonID: new))
    let scope = world.test.database.scope(.named("t1"))
    #expect(try await scope.write { try ChangeStore.advance(.signature, from: "", to: "1", $0) })
    let other = try await world.test.reopen(clock: world.clock.clock)
    let (hasAsked, rest) = (Signal(), BlockingQueue<Void>())
    let noting = Task {
      try await other.scope(.named("t1")).write { transaction in
        #expect(try ChangeStore.advance(.signature, from: "1", to: "2", transaction))
        let names = try EventFollower.holders(of: old, by: .signature, transaction)
        #expect(names == [old])
        hasAsked.set()
        _ = rest.pop()
        for name in names { try ChangeStore.note(.field, "field", of: name, transaction) }
      }
    }
    await hasAsked.wait()
    await #expect(throws: DatabaseError.self, "it waits until the event is noted") {
      try await scope.write(within: .milliseconds(300)) {
        try ChangeStore.adopt(heardBy: .signature, from: old, $0)
      }
    }
    rest.close()
    try await noting.value
    try await scope.write { try ChangeStore.adopt(heardBy: .signature, from: old, $0) }
    #expect(try await scope.read { try ChangeStore.ids(.field, of: new, $0) } == ["field"])
    await other.close()
    await world.end()
  }

  @Test("a session of somebody whom its device lists no longer gets no new tokens", arguments: TestEngine.allCases)
  func unlisted(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.open("Anna")[0]
    let refresh = try await world.signIn(anna).tokens?.refreshToken ?? ""
    try await world.test.database.scope(.named("t1")).write { transaction in
      try PlacementStore.remove(anna, from: "tablet", transaction)
    }
    await expectRefusal(.unauthenticated, "bad_refresh_token") {
      try await world.device("tablet").signIn.refreshTokens(RefreshTokensRequest(refreshToken: refresh))
    }
    await world.end()
  }
}
