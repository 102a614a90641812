internal import AccountContract
internal import Base
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Wire

/// The handlers of PeopleService: the list of a device's people, and their profiles.
struct PeopleHandlers: PeopleServiceProtocol {
  let parts: AccountParts

  // MARK: The list

  func listPeople(_ request: ListPeopleRequest, context: CallContext) async throws -> ListPeopleResponse {
    try await parts.data.disclose(context, of: AccountData.own) { snapshot, _, disclosure in
      let device = try DeviceStore.inUse(disclosure.caller.device, snapshot)
      disclosure.noteLook(at: "device/\(device.id)", of: .tenant, for: "list of a device's people")
      let page = try PageRequest(size: request.pageSize, token: request.pageToken)
      guard request.query.utf8.count <= 200 else {
        let message = "query is \(request.query.utf8.count) bytes long; at most 200 are allowed"
        throw Refusal(.invalid, "too_long", field: "query", message)
      }
      let visible = try SettingsStore.settings(snapshot).visibleFields
      let wanted = SearchText.folded(request.query, decompose: Decomposition.of)
      let (placements, next) = try PlacementStore.list(on: device.id, page, snapshot)
      var answer = ListPeopleResponse(nextPageToken: next)
      for placement in placements where placement.personID != device.current {
        let person = try placement.listed(visible, snapshot)
        let words = ProfileRules.searchable(person.profile ?? PersonProfile())
        if SearchText.matches(wanted, in: SearchText.folded(words, decompose: Decomposition.of)) {
          answer.others.append(person)
        }
      }
      if request.pageToken.isEmpty {
        answer.current = try PlacementStore.placement(of: device.current, on: device.id, snapshot)?
          .listed(visible, snapshot)
      }
      return answer
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
        // The stored answer has the profile: it goes when the person is erased.
        transaction.concern(try Subject.named(request.personID, field: "person_id"))
      }
      for session in try SessionStore.running(on: device.id, transaction) where session.personID != request.personID {
        try transaction.endSession(session, by: caller.actor)
      }
      if device.current != request.personID { try DeviceStore.select(request.personID, on: device.id, transaction) }
      return SelectPersonResponse(current: person)
    }
    guard let selected = answer.current else { return answer }
    // The change itself is no event, and a repeat shows the profile again.
    try await parts.data.disclose(context, of: AccountData.own) { _, _, disclosure in
      let touched = Touched(study: .none, subject: selected.personID)
      disclosure.noteLook(at: "profile", of: touched, for: "selection of a person")
    }
    return answer
  }

  func removePerson(_ request: RemovePersonRequest, context: CallContext) async throws -> RemovePersonResponse {
    let account = AccountData.account(of: request.personID)
    return try await parts.data.once(request, context, of: account) { transaction, caller, _ in
      let device = request.deviceID.isEmpty ? caller.device : request.deviceID
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

extension Placement {
  /// The person as the tenant shows people before sign-in.
  func listed(_ fields: [ProfileField], _ snapshot: Snapshot) throws -> ListedPerson {
    let profile = try PersonStore.profile(of: try Subject.stored(personID), snapshot)
    return ListedPerson(
      personID: personID, profile: ProfileRules.visible(profile, fields), lastSignInAt: lastSignIn.map { .init($0) })
  }
}
