import AccountContract
import AccountService
import Base
import ConsentContract
import RPC
import StorageTestKit
import TestSupport
import Testing
import Wire

/// Random people, devices, offline work, switches, revocations and lost answers, against a model of what must come of
/// it.
@Suite("Sync against a model") struct SyncModelTests {
  /// What a device holds of one person.
  private struct Copy {
    var cursor = ""
    var things: [String: [ChangeBody]] = [:]

    mutating func take(_ answer: PullChangesResponse) {
      if answer.resync { things = [:] }
      for change in answer.changes {
        let name = "\(change.kind)/\(change.id)"
        things[name] = change.removed ? nil : change.bodies
      }
      cursor = answer.cursor
    }
  }

  private struct Waiting {
    let item: QueueItem
    /// Distinguishes what it does, once.
    let mark: String
  }

  @Test(
    "all devices converge, every effect happens once, nobody gets another's", arguments: TestEngine.allCases,
    [UInt64(1), 2, 3])
  func converges(engine: TestEngine, seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let world = try await AccountWorld(engine)
    try await world.allowSelfRegistration { $0.uploadAtSwitch = true }
    let devices = ["tablet", "phone", "kiosk"]
    for device in devices { try await world.register(device) }
    // People on one device or several, each with a passcode there.
    var people: [String] = []
    var placed: [String: [String]] = [:]
    for number in 0..<4 {
      let home = devices[number % devices.count]
      let person = try await world.onboard("Person \(number)", device: home).person
      people.append(person)
      placed[person] = [home]
      world.clock.move(by: .milliseconds(1))
      for device in devices where device != home && Bool.random(using: &generator) {
        let code = try await world.person(person, at: home).people.createLinkCode(CreateLinkCodeRequest()).code
        let started = try await world.device(device).people.startOnboarding(StartOnboardingRequest(by: .linkCode(code)))
        _ = try await world.device(device).people.finishOnboarding(
          FinishOnboardingRequest(
            onboardingID: started.onboarding?.onboardingID ?? "", passcode: AccountWorld.passcode))
        placed[person, default: []].append(device)
      }
    }
    var queues: [String: [Waiting]] = [:]
    var grants: [String: String] = [:]
    var copies: [String: Copy] = [:]
    var made = 0
    var isDown = false
    for _ in 0..<120 {
      let person = people.randomElement(using: &generator) ?? ""
      let device = placed[person]?.randomElement(using: &generator) ?? ""
      let place = "\(device)/\(person)"
      switch Int.random(in: 0..<10, using: &generator) {
      case 0...2:
        // Work without a connection.
        made += 1
        let mark = "\(place)#\(made)"
        queues[device, default: []].append(
          Waiting(
            item: QueueItem(
              itemID: "i\(made)", personID: person, method: "assent.consent.v1.RecordService/WithdrawConsent",
              request: Array(mark.utf8), seen: copies[place]?.cursor ?? ""), mark: mark))
      case 3: grants[place] = try await world.signIn(person, device: device).uploadGrant
      case 4:
        world.clock.move(by: .milliseconds(5))
        _ = try await world.person(person, at: device).signIn.endSessions(EndSessionsRequest())
        world.clock.move(by: .milliseconds(5))
      case 5:
        isDown.toggle()
        let isOut = isDown
        world.peers.fail { _ in isOut ? Status(.unavailable, "database_unavailable: not now") : nil }
      case 6:
        world.peers.store(
          ConsentRecord(
            recordID: "r\(Int.random(in: 0..<30, using: &generator))-\(person)", studyID: "s\(made)", subjectID: person)
        )
      case 7, 8:
        // The answer may be lost on its way, and then everything is sent again.
        let isLost = Bool.random(using: &generator)
        try await upload(device, &queues, grants.filter { $0.key.hasPrefix("\(device)/") }.map(\.value), isLost, world)
      default:
        // A pull may break after any message.
        var copy = copies[place] ?? Copy()
        let most = Int.random(in: 1...3, using: &generator)
        var count = 0
        for try await answer in try world.person(person, at: device).sync.pullChanges(
          PullChangesRequest(cursor: copy.cursor))
        {
          expectOwn(answer, person, people)
          copy.take(answer)
          count += 1
          if count == most { break }
        }
        copies[place] = copy
      }
    }
    // The end: everybody signs in everywhere, everything is up and down.
    world.peers.fail { _ in nil }
    for (person, homes) in placed {
      for device in homes { grants["\(device)/\(person)"] = try await world.signIn(person, device: device).uploadGrant }
    }
    for device in devices {
      try await upload(device, &queues, grants.filter { $0.key.hasPrefix("\(device)/") }.map(\.value), false, world)
      #expect(queues[device, default: []].isEmpty)
    }
    let marks = world.peers.effects.map { String(decoding: $0.request, as: UTF8.self) }
    #expect(marks.count == made && Set(marks).count == made)
    for effect in world.peers.effects {
      #expect(String(decoding: effect.request, as: UTF8.self).hasPrefix("\(effect.device)/\(effect.person)#"))
    }
    // In order, per person and device.
    for place in Set(marks.map { $0.prefix { $0 != "#" } }) {
      let numbers = marks.filter { $0.hasPrefix("\(place)#") }.compactMap { Int($0.drop { $0 != "#" }.dropFirst()) }
      #expect(numbers == numbers.sorted())
    }
    for (person, homes) in placed {
      var seen: [[String: [ChangeBody]]] = []
      for device in homes {
        var copy = copies["\(device)/\(person)"] ?? Copy()
        for try await answer in try world.person(person, at: device).sync.pullChanges(
          PullChangesRequest(cursor: copy.cursor))
        {
          expectOwn(answer, person, people)
          copy.take(answer)
        }
        seen.append(copy.things)
      }
      #expect(seen.allSatisfy { $0 == seen[0] })
    }
    await world.end()
  }

  private func upload(
    _ device: String, _ queues: inout [String: [Waiting]], _ grants: [String], _ isLost: Bool, _ world: AccountWorld
  ) async throws {
    let waiting = queues[device] ?? []
    guard !waiting.isEmpty else { return }
    let answer = try await world.push(waiting.map(\.item), grants, device: device)
    if isLost { return }
    let open = Set(answer.outcomes.filter { $0.state == .waiting }.map(\.itemID))
    #expect(answer.outcomes.allSatisfy { [.done, .waiting].contains($0.state) })
    queues[device] = waiting.filter { open.contains($0.item.itemID) }
  }

  private func expectOwn(_ answer: PullChangesResponse, _ person: String, _ people: [String]) {
    let bytes = String(decoding: (try? answer.encoded()) ?? [], as: UTF8.self)
    for other in people where other != person { #expect(!bytes.contains(other)) }
  }
}
