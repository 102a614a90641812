internal import AccountContract
internal import Base
internal import RPC
internal import ServicePolicy
internal import Storage
internal import TextFolding
internal import Wire

/// The handlers of PeopleService: the list of a device's people, and their profiles.
struct PeopleHandlers: PeopleServiceProtocol {
  let parts: AccountParts

  // MARK: The list

  /// The size at which a page is full. The last person on it may exceed it.
  private static let mostBytes = 4 << 20

  func listPeople(_ request: ListPeopleRequest, context: CallContext) async throws -> ListPeopleResponse {
    try await page(request, pictures: nil, context).answer
  }

  /// A page of the list, and the room for pictures that it leaves.
  ///
  /// - Parameter pictures: the room for pictures; nil: all have their pictures.
  func page(
    _ request: ListPeopleRequest, pictures: PictureRoom?, _ context: CallContext
  ) async throws -> (answer: ListPeopleResponse, pictures: PictureRoom?) {
    try await parts.data.disclose(context, of: AccountData.own) { snapshot, _, disclosure in
      let device = try DeviceStore.inUse(disclosure.caller.device, snapshot)
      disclosure.noteLook(at: "device/\(device.id)", of: .tenant, for: "list of a device's people")
      let page = try PageRequest(size: request.pageSize, token: request.pageToken)
      guard request.query.utf8.count <= 200 else {
        let message = "query is \(request.query.utf8.count) bytes long; at most 200 are allowed"
        throw Refusal(.invalid, "too_long", field: "query", message)
      }
      let visible = try SettingsStore.settings(snapshot).visibleFields
      let wanted = SearchText.folded(request.query)
      let (placements, next) = try PlacementStore.list(on: device.id, page, snapshot)
      var answer = ListPeopleResponse(nextPageToken: next)
      var (room, bytes) = (pictures, 0)
      for (place, placement) in placements.enumerated() where placement.personID != device.current {
        if bytes >= Self.mostBytes {
          let shorter = try PageRequest(size: Int32(place), token: request.pageToken)
          answer.nextPageToken = try PlacementStore.list(on: device.id, shorter, snapshot).1
          break
        }
        var person = try placement.listed(visible, snapshot)
        guard wanted.isEmpty || person.matches(wanted) else { continue }
        if let fitted = room?.fitted(person) { person = fitted }
        bytes += try person.encoded().count
        answer.others.append(person)
      }
      if request.pageToken.isEmpty {
        answer.current = try PlacementStore.placement(of: device.current, on: device.id, snapshot)?
          .listed(visible, snapshot)
      }
      return (answer, room)
    }
  }

  func selectPerson(_ request: SelectPersonRequest, context: CallContext) async throws -> SelectPersonResponse {
    let answer: SelectPersonResponse = try await parts.data.once(request, context, of: AccountData.own) {
      transaction, caller, _ in
      let device = try DeviceStore.inUse(caller.device, transaction)
      var person: ListedPerson?
      if !request.personID.isEmpty {
        guard let placement = try PlacementStore.placement(of: request.personID, on: device.id, transaction) else {
          throw Refusal.notFound("person", request.personID)
        }
        person = try placement.listed(try SettingsStore.settings(transaction).visibleFields, transaction)
        // The stored response has the profile, so it is erased with the person.
        transaction.concern(try Subject.named(request.personID, field: "person_id"))
      }
      for session in try SessionStore.running(on: device.id, transaction) where session.personID != request.personID {
        try transaction.endSession(session, by: caller.actor)
      }
      if device.current != request.personID { try DeviceStore.select(request.personID, on: device.id, transaction) }
      return SelectPersonResponse(current: person)
    }
    guard let selected = answer.current else { return answer }
    // The selection is no event, and a repeat of the call discloses the profile again, so each disclosure is noted
    // here.
    try await parts.data.disclose(context, of: AccountData.own) { _, _, disclosure in
      let touched = AccessTarget(study: .none, subject: selected.personID)
      disclosure.noteLook(at: "profile", of: touched, for: "selection of a person")
    }
    return answer
  }

  func removePerson(_ request: RemovePersonRequest, context: CallContext) async throws -> RemovePersonResponse {
    let account = AccountData.account(of: request.personID)
    return try await parts.data.once(request, context, of: account) { transaction, caller, _ in
      let device = request.deviceID.isEmpty ? caller.device : request.deviceID
      // Nobody can sign the person in until this ends; otherwise the new session would go on.
      try PersonStore.hold(request.personID, transaction)
      guard try PlacementStore.placement(of: request.personID, on: device, transaction) != nil else {
        throw Refusal.notFound("person", request.personID)
      }
      for session in try SessionStore.running(on: device, transaction) where session.personID == request.personID {
        try transaction.endSession(session, by: caller.actor)
      }
      try PlacementStore.remove(request.personID, from: device, transaction)
      try transaction.note(.personRemoved, by: caller.actor, person: request.personID, device: device)
      return RemovePersonResponse()
    }
  }

  // MARK: Profiles

  func getProfile(_ request: GetProfileRequest, context: CallContext) async throws -> GetProfileResponse {
    try await parts.data.read(context, of: AccountData.own) { snapshot, caller, _ in
      let person = try PersonStore.found(try caller.person(), snapshot)
      return GetProfileResponse(profile: try PersonStore.profile(of: try person.subject(), snapshot))
    }
  }

  func updateProfile(_ request: UpdateProfileRequest, context: CallContext) async throws -> UpdateProfileResponse {
    let wanted = try ProfileRules.checked(request.profile)
    return try await parts.data.once(request, context, of: AccountData.own) { transaction, caller, _ in
      // Nobody else changes the profile between the reading of its revision and the change.
      try PersonStore.hold(try caller.person(), transaction)
      let person = try PersonStore.found(try caller.person(), transaction)
      let known = try PersonStore.profile(of: try person.subject(), transaction)
      guard wanted.revision == known.revision else {
        let message = "profile.revision is \(wanted.revision); the profile is at revision \(known.revision)"
        throw Refusal(.aborted, "stale_revision", field: "profile.revision", message)
      }
      var profile = wanted
      profile.revision += 1
      try PersonStore.save(profile, of: try person.subject(), transaction)
      try ChangeStore.note(.profile, person.id, of: person.id, transaction)
      try transaction.note(.profileChanged, by: caller.actor, person: person.id)
      return UpdateProfileResponse(profile: profile)
    }
  }
}

extension ListedPerson {
  /// Whether the visible part of the profile matches a search.
  fileprivate func matches(_ wanted: [Unicode.Scalar]) -> Bool {
    let words = ProfileRules.searchable(profile ?? PersonProfile())
    return SearchText.matches(wanted, in: SearchText.folded(words))
  }
}

extension Placement {
  /// The person with the parts of the profile that the tenant shows before sign-in.
  func listed(_ fields: [ProfileField], _ snapshot: Snapshot) throws -> ListedPerson {
    let profile = try PersonStore.profile(of: try Subject.stored(personID), snapshot)
    return ListedPerson(
      personID: personID, profile: ProfileRules.visible(profile, fields), lastSignInAt: lastSignIn.map { .init($0) })
  }
}
