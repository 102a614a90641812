import AccountContract
import AccountService
import Base
import ConsentContract
import RPC
import ServicePolicy
import StorageTestKit
import TestSupport
import Testing

/// Attempts that were counted, and whose passcode or code was never checked.
@Suite("Attempts that nobody checked", .serialized, .timeLimit(.minutes(5))) struct AttemptTakenBackTests {
  /// A pool with one thread on which a check takes long, and devices whose people keep it busy until the end.
  private struct BusyWorld {
    let world: AccountWorld
    let anna: String
    private let others: [Task<Void, Never>]

    init(mostWaiting: Int) async throws {
      let pool = PasscodePool(
        threads: 1, cost: Argon2Cost(passes: 4, memory: 64 << 20), mostWaiting: mostWaiting)
      let world = try await AccountWorld(passcodes: pool)
      try await world.allowSelfRegistration()
      var places: [(person: String, device: String)] = []
      for device in ["tablet", "phone", "kiosk", "desk"] {
        try await world.register(device)
        places.append((try await world.onboard("Person at \(device)", device: device).person, device))
      }
      self.world = world
      anna = places[0].person
      others = places.dropFirst().map { place in
        Task {
          while !Task.isCancelled {
            do {
              _ = try await world.signIn(place.person, device: place.device)
            } catch {
              // The pool was full: it leaves time to others.
              try? await Task.sleep(for: .milliseconds(5))
            }
          }
        }
      }
    }

    func end() async {
      for task in others { task.cancel() }
      for task in others { await task.value }
      await world.end()
    }
  }

  private func rule(_ call: () async throws -> some Any) async -> String {
    do {
      _ = try await call()
      return "in"
    } catch let status as Status {
      return status.code == .deadlineExceeded ? "deadline" : String(status.message.prefix { $0 != ":" })
    } catch {
      return "\(error)"
    }
  }

  @Test("a storm that fills the pool locks nobody out who typed correctly")
  func storm() async throws {
    let busy = try await BusyWorld(mostWaiting: 1)
    var rules: [String] = []
    while rules.count < 100, rules.filter({ $0 == "passcodes_wait" }).count < 12, rules.last != "too_many_attempts" {
      rules.append(await rule { try await busy.world.signIn(busy.anna) })
    }
    // On a busy machine somebody's turn may come too late, which is no lockout either.
    #expect(Set(rules).isSubset(of: ["passcodes_wait", "in", "deadline"]), "\(rules)")
    #expect(rules.filter { $0 == "passcodes_wait" }.count == 12)
    await busy.end()
  }

  @Test("calls that waited no longer for their turn locked nobody out")
  func deadlines() async throws {
    let busy = try await BusyWorld(mostWaiting: 512)
    for _ in 0..<8 {
      let request = SignInRequest(personID: busy.anna, passcode: AccountWorld.passcode)
      let options = CallOptions(deadline: .milliseconds(40))
      _ = await rule { try await busy.world.device("tablet").signIn.signIn(request, options: options) }
    }
    // What such a call takes back is taken back shortly after it has ended. The clock of delays stands still.
    try await eventually("anna is let in", await rule { try await busy.world.signIn(busy.anna) }) { $0 == "in" }
    await busy.end()
  }

  @Test("what was checked counts, however often something else was not", arguments: TestEngine.allCases)
  func checked(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.open("Anna")[0]
    for _ in 0..<5 {
      await expectRefusal(.unauthenticated, "wrong_passcode") { try await world.signIn(anna, passcode: "a guess") }
    }
    await expectRefusal(.resourceExhausted, "too_many_attempts") { try await world.signIn(anna) }
    await world.end()
  }

  @Test("repeating a call that succeeded counts no attempt", arguments: TestEngine.allCases)
  func repeats(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    try await world.allowSelfRegistration()
    for device in ["tablet", "phone"] { try await world.register(device) }
    let (anna, recovery) = try await world.onboard("Anna")
    let tablet = world.device("tablet")
    let recover = RecoverPasscodeRequest(
      personID: anna, recoveryCode: recovery, newPasscode: "another horse 9")
    for _ in 0..<30 {
      _ = try await tablet.signIn.recoverPasscode(recover, options: CallOptions(idempotencyKey: .given("recover")))
    }
    #expect(try await world.signIn(anna, passcode: "another horse 9").session?.personID == anna)
    let code = try await world.person(anna).people.createLinkCode(CreateLinkCodeRequest()).code
    let link = StartOnboardingRequest(by: .linkCode(code))
    let phone = world.device("phone").people
    for _ in 0..<30 { _ = try await phone.startOnboarding(link, options: CallOptions(idempotencyKey: .given("link"))) }
    // Wrong codes still wait.
    let wrong = StartOnboardingRequest(by: .linkCode("AAAAA-AAAAA"))
    for _ in 0..<20 { await expectRefusal(.notFound, "unknown_code") { try await phone.startOnboarding(wrong) } }
    await expectRefusal(.resourceExhausted, "too_many_attempts") { try await phone.startOnboarding(wrong) }
    await world.end()
  }

  @Test("taking back restores what was counted before, and never less than what others have counted")
  func rules() {
    let now = AccountWorld.start
    for rules in GuessRules.allCases {
      var before = Guesses()
      for _ in 0..<40 {
        let counted = rules.attempted(before, at: now)
        #expect(rules.takenBack(counted, counted: before, at: now) == before)
        let twice = rules.attempted(counted, at: now)
        let left = rules.takenBack(twice, counted: before, at: now)
        #expect(left.failures == counted.failures && rules.wait(left, at: now) == rules.wait(counted, at: now))
        before = counted
      }
      #expect(rules.takenBack(Guesses(), counted: Guesses(failures: 3), at: now).failures == 0)
    }
  }

  @Test("attempts are forgotten long after their delay, of made-up names too", arguments: TestEngine.allCases)
  func forgotten(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.open("Anna")[0]
    func guess(_ times: Int) async {
      for _ in 0..<times {
        await expectRefusal(.unauthenticated, "wrong_passcode") { try await world.signIn(anna, passcode: "a guess") }
      }
    }
    await guess(5)
    world.clock.move(by: .seconds(29 * 86_400))
    await world.tidy()
    // Not yet: each wrong one waits.
    await guess(1)
    await expectRefusal(.resourceExhausted, "too_many_attempts") { try await world.signIn(anna, passcode: "a guess") }
    world.clock.move(by: .seconds(31 * 86_400))
    await world.tidy()
    await guess(5)
    await expectRefusal(.resourceExhausted, "too_many_attempts") { try await world.signIn(anna, passcode: "a guess") }
    await world.end()
  }
}
