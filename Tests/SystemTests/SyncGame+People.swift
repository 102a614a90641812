import AccountContract
import ConsentContract
import Wire

/// What happens to people and devices between two syncs, and visits that begin without a connection.
extension SyncGame {
  /// The study of the visits, and who countersigns them on every device.
  mutating func openVisits() async throws {
    try await visited.open()
    investigator = try await people.onboard("Ines", device: devices[0])
    for device in devices.dropFirst() { try await people.link(investigator, of: devices[0], to: device) }
    try await people.grant("investigator@\(VisitedStudy.study)", to: investigator)
  }

  /// Somebody agrees and signs, and the investigator countersigns, at one device without a connection. One visit of a
  /// person waits at a time, since the next one's screens say what came of it.
  mutating func visit(at place: Place) async throws {
    let isPending = queues.values.joined().contains { waiting in
      guard case .visit(let record, _) = waiting.work else { return false }
      return visitors[record].map(owner) == place.person
    }
    guard !isPending else { return }
    try await hearOfMerges(at: place)
    let bundle = try await people.bundle(VisitedStudy.begin, of: place.person, at: place.device)
    let own = Place(person: investigator, device: place.device)
    grants[own] = try await people.signIn(investigator, device: place.device)
    grants[place] = try await people.signIn(place.person, device: place.device)
    let visit = OfflineVisit(bundle: bundle, participant: place.person, investigator: investigator)
    visitors[visit.recordID] = place.person
    made += 1
    let items = try visit.items
    for (index, item) in items.enumerated() {
      var renamed = item
      renamed.itemID = "\(item.itemID)-\(made)"
      if let name = item.after?.itemID { renamed.after?.itemID = "\(name)-\(made)" }
      queues[place.device, default: []].append(
        Waiting(item: renamed, work: .visit(record: visit.recordID, isLast: index == items.count - 1)))
    }
  }

  /// An administrator locks somebody, and unlocks them again after a sync at the device.
  mutating func lockMeanwhile(_ person: String, at place: Place) async throws {
    try await people.lock(person, true)
    if let other = homes.keys.sorted().first(where: { $0 != person && homes[$0]?.contains(place.device) == true }) {
      try await sync(at: Place(person: other, device: place.device), nil)
    }
    try await people.lock(person, false)
  }

  /// Somebody is removed from a device, whose queue still has work of theirs, and comes back after a sync.
  mutating func removeMeanwhile(at place: Place) async throws {
    guard let other = homes[place.person]?.first(where: { $0 != place.device }) else { return }
    try await people.remove(place.person, from: place.device)
    if let next = homes.keys.sorted().first(where: { $0 != place.person && homes[$0]?.contains(place.device) == true })
    {
      try await sync(at: Place(person: next, device: place.device), nil)
    }
    try await people.link(place.person, of: other, to: place.device)
    // The device has deleted what it had of the person.
    copies[place] = nil
  }

  /// A device without work is wiped, and another one comes in its place.
  mutating func wipe(_ device: String) async throws {
    let own = homes.filter { $0.value.contains(device) }
    guard queues[device, default: []].isEmpty, own.values.allSatisfy({ $0.count > 1 }) else { return }
    try await people.wipe(device)
    made += 1
    let next = "device-\(made)"
    try await people.register(next)
    let elsewhere = devices.first { $0 != device } ?? ""
    devices = devices.map { $0 == device ? next : $0 }
    try await people.link(investigator, of: elsewhere, to: next)
    for (person, places) in own {
      try await people.link(person, of: places.first { $0 != device } ?? "", to: next)
      homes[person] = places.map { $0 == device ? next : $0 }
      copies[Place(person: person, device: device)] = nil
    }
    grants = grants.filter { $0.key.device != device }
  }
}
