import TestSupport
import Testing

/// People of whom it turns out that they had two accounts.
extension SyncGame {
  /// The account that a person has by now.
  func owner(_ account: String) -> String {
    var account = account
    while let next = merged[account] { account = next }
    return account
  }

  /// All accounts that a person had, the oldest first.
  func accounts(of person: String) -> [String] { everybody.filter { owner($0) == person } }

  /// Who is at a device: somebody's device that has not heard of a merge goes on under the account that ended.
  mutating func account(at place: Place) -> Place {
    let accounts = accounts(of: place.person)
    return Place(person: accounts.randomElement(using: &generator) ?? place.person, device: place.device)
  }

  /// The records that a device knows of: those of the account itself, and what it was told of others.
  func knownRecords(at place: Place) -> [String] {
    let told = copies[place]?.states ?? [:]
    return accounts(of: owner(place.person)).flatMap { account in
      (records[account] ?? []).filter { account == place.person || told[$0] != nil }
    }
  }

  /// An administrator makes two accounts one, while devices have work of either. Somebody new comes in.
  mutating func merge() async throws {
    let both = names.shuffled(using: &generator).prefix(2)
    guard let ended = both.first, let staying = both.last, ended != staying else { return }
    for case .visit(let record, _) in queues.values.joined().map(\.work) {
      if let visitor = visitors[record].map(owner), both.contains(visitor) { disturbed.insert(record) }
    }
    // A service may be away then, hear of it later, and come back while a device syncs, whose work waits for that.
    let away =
      Int.random(in: 0..<4, using: &generator) == 0
      ? [SyncFleet.Role.consent, .signature].randomElement(using: &generator) : nil
    if let away { try await fleet.kill(away, awayFor: 1000) } else { try await perhapsKillSoon() }
    try await people.merge(ended, into: staying)
    merged[ended] = staying
    let places = homes.removeValue(forKey: ended) ?? []
    homes[staying] = homes[staying, default: []] + places.filter { homes[staying]?.contains($0) == false }
    if away != nil, let device = places.randomElement(using: &generator) {
      let place = Place(person: staying, device: device)
      grants[place] = try await people.signIn(staying, device: device)
      try await sync(at: place, nil)
    }
    try await begin(at: places.randomElement(using: &generator) ?? devices[0])
  }

  /// The consents and fields under all accounts come down to a device, once ConsentService and SignatureService have
  /// heard that they are one person's.
  mutating func hearOfMerges(at place: Place) async throws {
    let accounts = accounts(of: place.person)
    guard accounts.count > 1 else { return }
    let own = accounts.flatMap { (records[$0] ?? []) + (fields[$0] ?? []) }
    try await eventually("\(place) is told of all accounts", await told(place)) { $0.isSuperset(of: own) }
  }

  private mutating func told(_ place: Place) async throws -> Set<String> {
    try await pullAll(at: place)
    let copy = copies[place] ?? SyncCopy()
    return Set(copy.states.keys).union(copy.fieldNames)
  }
}
