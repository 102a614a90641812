import AccountContract
import Base
import ConsentContract
import RPC
import SignatureContract
import TestSupport
import Testing
import Wire

/// What devices were told, compared with what they and the services have.
extension SyncGame {
  /// A device has all that its person may see, and compares it with what it was told. What went up and was not answered
  /// may be there or not.
  func compare(_ place: Place) {
    let accounts = accounts(of: place.person)
    guard let copy = copies[place] else { return }
    let unanswered = queues.values.joined().filter { accounts.contains($0.item.personID) }
    let names = copy.fieldNames
    let known = accounts.flatMap { fields[$0] ?? [] } + unanswered.compactMap(\.field) + doubtful.values
    #expect(Set(names).count == names.count, "\(place): each field was made once")
    #expect(Set(names).isSuperset(of: fields[place.person] ?? []) && Set(known).isSuperset(of: names), "\(place)")
    let undone = Set(copy.things.keys.filter { $0.hasPrefix("item/") }.map { String($0.dropFirst(5)) })
    let told = accounts.reduce(into: Set<String>()) { $0.formUnion(kept[$1] ?? []) }
    let rest = queues.flatMap { device, items in items.map { "\(device)/\($0.item.itemID)" } }
    #expect(undone.isSuperset(of: told) && undone.subtracting(told).isSubset(of: rest), "\(place)")
    let changes = Int64(revisions[place.person, default: []].count) + 1
    let mayBe = Int64(unanswered.count { $0.item.personID == place.person && $0.isOfProfile })
    #expect((changes...changes + mayBe).contains(copy.profile?.revision ?? 0), "\(place)")
    // ConsentService may not have heard yet that accounts are one.
    guard accounts.count == 1 else { return }
    for id in records[place.person] ?? [] {
      #expect(copy.states[id] == .withdrawn || copy.states[id] == .inForce && withdrawn[id] == nil, "\(place), \(id)")
    }
    for id in visits[place.person] ?? [] {
      #expect([.inForce, .superseded].contains(copy.states[id]), "\(place), \(id)")
    }
  }

  /// Everybody signs in everywhere, everything goes up and down, and is compared with what the devices were told.
  mutating func compareAll() async throws {
    try await fleet.whole()
    for device in devices {
      grants[Place(person: investigator, device: device)] = try await people.signIn(investigator, device: device)
    }
    for (person, devices) in homes {
      for device in devices {
        grants[Place(person: person, device: device)] = try await people.signIn(person, device: device)
      }
    }
    for device in devices {
      let person = try #require(names.first { homes[$0]?.contains(device) == true })
      try await eventually("everything of \(device) goes up", await isUp(at: Place(person: person, device: device)))
    }
    for person in names { try await check(person) }
    try await decide(about: [investigator], as: Place(person: investigator, device: devices[0]))
  }

  private mutating func isUp(at place: Place) async throws -> Bool {
    try await sync(at: place, nil)
    return queues[place.device, default: []].isEmpty
  }

  /// What a service does on its own, such as a try to seal a copy, may come between two pulls.
  ///
  /// - Returns: what they have differently.
  private mutating func differences(_ place: Place, _ home: Place) async throws -> [String] {
    for each in [place, home] { try await pullAll(at: each) }
    return copies[place]?.differences(to: copies[home] ?? SyncCopy()) ?? []
  }

  private mutating func check(_ person: String) async throws {
    let places = homes[person, default: []].map { Place(person: person, device: $0) }
    let home = try #require(places.first)
    let accounts = accounts(of: person)
    try await hearOfMerges(at: home)
    try await decide(about: accounts, as: home)
    for place in places {
      try await eventually("\(place) and \(home) agree", await differences(place, home)) { $0.isEmpty }
    }
    let copy = try #require(copies[home])
    #expect(copy.fieldNames.sorted() == accounts.flatMap { fields[$0] ?? [] }.sorted(), "each field was made once")
    let changes = revisions[person, default: []].sorted()
    // Each change was made from another revision, and none is missing in between.
    #expect(changes == changes.indices.map { Int64($0) + 1 })
    #expect(copy.profile?.revision == Int64(changes.count) + 1)
    #expect(copy.things.keys.filter { $0.hasPrefix("item/") }.isEmpty)
    try await checkVisits(of: accounts, as: home, copy)
    for document in study.documents.indices {
      try await checkPaper(accounts.compactMap { records[$0]?[document] }, as: home, copy)
    }
  }

  /// Everything that was not done is in the list of a person, who decides about it: whoever does not know whether a
  /// field was made looks, and makes it if it is not there.
  private mutating func decide(about accounts: [String], as place: Place) async throws {
    let failed = try await people.failedItems(of: place.person, at: place.device)
    let names = failed.map { "\($0.deviceID)/\($0.itemID)" }
    #expect(names.sorted() == accounts.flatMap { kept[$0] ?? [] }.sorted())
    if names.contains(where: { doubtful[$0] != nil }) {
      try await pullAll(at: place)
    }
    let there = copies[place]?.fieldNames ?? []
    for (name, item) in zip(names, failed) {
      if let field = doubtful[name] { fields[item.personID, default: []].append(field) }
      if let field = doubtful[name], !there.contains(field) {
        #expect(item.retryable, "\(item)")
        try await people.retry(item, of: place.person, at: place.device)
      } else {
        try await people.discard(item, of: place.person, at: place.device)
      }
    }
    for account in accounts { kept[account] = nil }
  }

  private func checkVisits(of accounts: [String], as home: Place, _ copy: SyncCopy) async throws {
    let whole = accounts.flatMap { visits[$0] ?? [] }
    let begun = visitors.filter { accounts.contains($0.value) }.map(\.key)
    #expect(Set(whole).count == whole.count && Set(begun) == Set(whole).union(broken.filter(begun.contains)))
    for id in whole {
      let record = try await people.record(id, of: home.person, at: home.device)
      let signers = record.signatures.map(\.personID)
      #expect(signers.count == 2 && accounts.contains(signers[0]) && signers[1] == investigator)
      #expect([.inForce, .superseded].contains(record.state) && copy.states[id] == record.state)
      // Under one account, visits follow each other.
      if accounts.count == 1 { #expect((record.state == .inForce) == (id == whole.last)) }
    }
    let standing = begun.count { copy.states[$0] == .inForce }
    #expect(standing == 1 || whole.isEmpty && standing == 0)
  }

  /// - Parameter ids: a person's consents to one document, by their accounts, the oldest first.
  private func checkPaper(_ ids: [String], as home: Place, _ copy: SyncCopy) async throws {
    let isUntouched = ids.allSatisfy { withdrawn[$0, default: 0] == 0 }
    for id in ids {
      let record = try await people.record(id, of: home.person, at: home.device)
      #expect(copy.states[id] == record.state)
      let entries = record.history.filter { $0.kind == .withdrawn }.count
      #expect(entries <= 1, "\(id): saying it again adds nothing")
      if withdrawn[id, default: 0] > 0 { #expect(record.state == .withdrawn || id != ids.last) }
      let isInForce = record.state == .inForce
      // A withdrawal of an earlier consent may have come before or after the newest one.
      if withdrawn[id, default: 0] > 0 || id != ids.last { #expect(!isInForce) }
      if isUntouched, id == ids.last { #expect(isInForce) }
      if ids.count == 1 { #expect(entries == (isInForce ? 0 : 1)) }
    }
  }
}
