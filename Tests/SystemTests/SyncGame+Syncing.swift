import AccountContract
import Base
import ConsentContract
import RPC
import SignatureContract
import TestSupport
import Testing
import Wire

/// Syncs, what comes between, and what devices are told.
extension SyncGame {
  private mutating func anyRole() -> SyncFleet.Role { fleet.roles.randomElement(using: &generator) ?? .account(0) }

  /// A lost connection costs nothing, and a kill about a second.
  mutating func disturbance() -> Disturbance? {
    let messages = Int.random(in: 0...2, using: &generator)
    return switch Int.random(in: 0..<20, using: &generator) {
    case 0..<3: .connectionIsLost(after: messages + 1)
    case 3..<6: .answerIsLost
    case 6: .processIsKilled(anyRole(), after: messages)
    case 7: .processIsKilledMeanwhile(anyRole(), milliseconds: Int.random(in: 0...60, using: &generator))
    default: nil
    }
  }

  mutating func perhapsKillSoon() async throws {
    guard Int.random(in: 0..<4, using: &generator) == 0 else { return }
    try await fleet.replaceLater(anyRole(), after: Int.random(in: 0...20, using: &generator))
  }

  // MARK: Sync

  /// One sync of a device for the person at it, in one call or in two.
  mutating func sync(at place: Place, _ disturbance: Disturbance?) async throws {
    if case .processIsKilledMeanwhile(let role, let milliseconds) = disturbance {
      try await fleet.replaceLater(role, after: milliseconds)
    }
    _ = try await isGoingOn(after: 0, disturbance)
    do {
      let isWhole: Bool
      if Bool.random(using: &generator) {
        isWhole = try await syncInOneCall(at: place, disturbance)
      } else {
        guard try await push(at: place, disturbance) else { return }
        isWhole = try await pull(at: place, disturbance)
      }
      if isWhole { compare(place) }
    } catch let status as Status where isPassing(status) {
      // The device tries again another time.
    }
  }

  private func uploadGrants(at device: String) -> [String] { grants.filter { $0.key.device == device }.map(\.value) }

  /// - Returns: false when the device loses the connection here.
  private func isGoingOn(after count: Int, _ disturbance: Disturbance?) async throws -> Bool {
    switch disturbance {
    case .connectionIsLost(let number) where number == count: return false
    case .processIsKilled(let role, let number) where number == count:
      // The process is gone before the next message is asked for.
      try await fleet.kill(role, awayFor: 0)
      return true
    default: return true
    }
  }

  /// - Returns: whether everything that the person may see has come.
  private mutating func syncInOneCall(at place: Place, _ disturbance: Disturbance?) async throws -> Bool {
    let queue = queues[place.device] ?? []
    let grants = uploadGrants(at: place.device)
    let call = SyncServiceClient(people.person(place.person, at: place.device)).sync(deadline: .seconds(20))
    var rest = queue[...]
    while !rest.isEmpty {
      let part = rest.prefix(Int.random(in: 1...4, using: &generator))
      rest = rest.dropFirst(part.count)
      try await call.requests.send(
        SyncRequest(
          step: .push(PushQueueRequest(items: part.map(\.item), grants: grants)), queueLength: Int64(queue.count)))
    }
    try await call.requests.send(SyncRequest(step: .pull(PullChangesRequest(cursor: copies[place]?.cursor ?? ""))))
    call.requests.finish()
    var count = 0
    var fraction = 0.0
    var isWhole = false
    for try await answer in call.responses {
      if case .answerIsLost = disturbance {
        lost += 1
        call.cancel()
        return false
      }
      let progress = answer.progress?.fraction ?? -1
      #expect(progress >= fraction && progress <= 1)
      fraction = progress
      switch answer.step {
      case .pushed(let pushed): settle(pushed, at: place, seenBy: place.person)
      case .pulled(let pulled):
        take(pulled, at: place)
        isWhole = pulled.omitted.isEmpty
      case nil: break
      }
      count += 1
      guard try await isGoingOn(after: count, disturbance) else {
        call.cancel()
        return false
      }
    }
    return isWhole
  }

  /// - Returns: false when the device does not hear the answer.
  private mutating func push(at place: Place, _ disturbance: Disturbance?) async throws -> Bool {
    let request = PushQueueRequest(
      items: (queues[place.device] ?? []).map(\.item), grants: uploadGrants(at: place.device))
    let answer = try await SyncServiceClient(people.device(place.device)).pushQueue(request, deadline: .seconds(20))
    if case .answerIsLost = disturbance {
      lost += 1
      return false
    }
    settle(answer, at: place, seenBy: nil)
    return true
  }

  /// Brings down what there is, again while a process is away.
  mutating func pullAll(at place: Place) async throws {
    _ = try await SyncPeople.retrying { _ in try await pull(at: place, nil) }
  }

  /// - Returns: whether everything that the person may see has come.
  private mutating func pull(at place: Place, _ disturbance: Disturbance?) async throws -> Bool {
    var count = 0
    var isWhole = false
    let answers = try SyncServiceClient(people.person(place.person, at: place.device)).pullChanges(
      PullChangesRequest(cursor: copies[place]?.cursor ?? ""), deadline: .seconds(20))
    for try await answer in answers {
      take(answer, at: place)
      isWhole = answer.omitted.isEmpty
      count += 1
      guard try await isGoingOn(after: count, disturbance) else {
        answers.cancel()
        return false
      }
    }
    return isWhole
  }

  private mutating func take(_ answer: PullChangesResponse, at place: Place) {
    let bytes = String(decoding: (try? answer.encoded()) ?? [], as: UTF8.self)
    for other in names where other != place.person {
      #expect(!bytes.contains(other), "\(place.person) is sent something of \(other)")
    }
    copies[place, default: SyncCopy()].take(answer)
  }

  /// What the device has been told of its queue.
  private mutating func settle(_ answer: PushQueueResponse, at place: Place, seenBy person: String?) {
    // Whatever waits for somebody names who, and what helps.
    let helped = answer.blockedBy.filter { $0.step != .unspecified }.compactMap(\.person?.personID)
    for outcome in answer.outcomes where outcome.state == .waiting && Self.needsSomebody(outcome.rule) {
      let whose = accounts(of: owner(outcome.personID)) + [outcome.personID]
      #expect(whose.contains(where: helped.contains), "nobody can act about \(outcome)")
    }
    for outcome in answer.outcomes {
      // Items of two people may have the same name.
      let isMeant = { (item: QueueItem) in item.itemID == outcome.itemID && item.personID == outcome.personID }
      guard let index = queues[place.device]?.firstIndex(where: { isMeant($0.item) }),
        let waiting = queues[place.device]?[index]
      else {
        Issue.record("an answer to an item that was not sent: \(outcome)")
        continue
      }
      if let person, person != owner(outcome.personID) {
        #expect(outcome.response.isEmpty && outcome.message.isEmpty, "\(person) is shown \(outcome)")
      }
      guard outcome.state != .waiting else { continue }
      queues[place.device]?.remove(at: index)
      note(outcome, waiting.work, seenBy: person)
    }
  }

  private static func needsSomebody(_ rule: String) -> Bool {
    rule.hasPrefix("grant_") || ["person_locked", "not_on_device", "waits_for_person"].contains(rule)
  }

  private mutating func note(_ outcome: ItemOutcome, _ work: Work, seenBy viewer: String?) {
    let person = outcome.personID
    let name = "\(outcome.deviceID)/\(outcome.itemID)"
    // Other people are not told the rule.
    let isOthers = ![nil, owner(person)].contains(viewer)
    let isUnknown = outcome.rule == "outcome_unknown" || isOthers && outcome.rule.isEmpty
    switch (outcome.state, work) {
    case (.done, .field(let name)): fields[person, default: []].append(name)
    case (.done, .withdrawal(let record)): withdrawn[record, default: 0] += 1
    case (.done, .visit(let record, let isLast)):
      if isLast { visits[visitors[record] ?? "", default: []].append(record) }
    case (.done, .profile(let revision)): revisions[person, default: []].append(revision)
    // Somebody has changed the profile since, or it is another account's by now.
    case (.conflict, .profile): kept[person, default: []].insert(name)
    case (.conflict, .field(let field)) where merged[person] != nil && isUnknown:
      kept[person, default: []].insert(name)
      doubtful[name] = field
    case (.conflict, .visit(let record, _)) where disturbed.contains(record),
      (.failed, .visit(let record, _)) where disturbed.contains(record):
      kept[person, default: []].insert(name)
      broken.insert(record)
    default: Issue.record("\(work) has come to \(outcome)")
    }
  }
}
