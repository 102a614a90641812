internal import AccountContract
internal import Base
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Wire

/// The handlers of AccountAdminService: settings, invitations, devices, events.
struct AdminHandlers: AccountAdminServiceProtocol {
  let parts: AccountParts
  private static let invitationLifetime = Duration.seconds(14 * 86_400)

  func getAccountSettings(
    _ request: GetAccountSettingsRequest, context: CallContext
  ) async throws -> GetAccountSettingsResponse {
    try await parts.data.read(context, of: AccountData.own) { snapshot, caller, _ in
      return GetAccountSettingsResponse(settings: try SettingsStore.settings(snapshot))
    }
  }

  func setAccountSettings(
    _ request: SetAccountSettingsRequest, context: CallContext
  ) async throws -> SetAccountSettingsResponse {
    let wanted = try SettingsRules.checked(request.settings)
    return try await parts.data.once(request, context, of: AccountData.own) { transaction, caller, _ in
      try SettingsStore.lock(.accounts, transaction)
      let known = try SettingsStore.settings(transaction)
      var settings = wanted
      settings.revision = known.revision
      // The settings are as wanted already, so a repeat of the call is no conflict.
      if settings == known { return SetAccountSettingsResponse(settings: known) }
      guard wanted.revision == known.revision else {
        let message = "settings.revision is \(wanted.revision); the settings are at revision \(known.revision)"
        throw Refusal(.aborted, "stale_revision", field: "settings.revision", message)
      }
      settings.revision += 1
      try SettingsStore.save(settings, transaction)
      try ClientSecretStore.tidy(from: known, to: settings, transaction)
      try transaction.note(.settingsChanged, by: caller.actor)
      return SetAccountSettingsResponse(settings: settings)
    }
  }

  func createAccountInvitation(
    _ request: CreateAccountInvitationRequest, context: CallContext
  ) async throws -> CreateAccountInvitationResponse {
    let code = Codes.make(10, from: parts.randomness.bytes(10))
    return try await parts.data.once(request, context, of: AccountData.own) { transaction, caller, _ in
      let isLink = !request.personID.isEmpty
      if isLink {
        _ = try PersonStore.found(request.personID, transaction)
        try Self.requireUnerased(request.personID, field: "person_id", transaction)
      }
      if !request.newPersonID.isEmpty {
        _ = try Subject.named(request.newPersonID, field: "new_person_id")
        // Identifiers with a colon are for people for whom an OpenID provider vouches.
        guard !request.newPersonID.contains(":") else {
          throw Refusal(.invalid, "bad_name", field: "new_person_id", "new_person_id must have no ':'")
        }
        guard !isLink else {
          let message = "new_person_id and person_id exclude each other"
          throw Refusal(.invalid, "one_of_two", field: "new_person_id", message)
        }
        try Self.requireUnerased(request.newPersonID, field: "new_person_id", transaction)
        guard try PersonStore.person(request.newPersonID, transaction) == nil else {
          let message = "new_person_id: '\(request.newPersonID)' has an account; invite them by person_id"
          throw Refusal(.alreadyExists, "person_exists", field: "new_person_id", message)
        }
      }
      let end = transaction.now + Self.invitationLifetime
      try CodeStore.insert(
        Codes.digest(isLink ? "link" : "invitation", code),
        StoredCode(personID: request.personID, newPersonID: request.newPersonID), maker: "admin/\(caller.actor)",
        until: end, transaction)
      try transaction.note(.codeCreated, by: caller.actor, person: request.personID)
      return CreateAccountInvitationResponse(code: code, expiresAt: Timestamp(end))
    }
  }

  // MARK: Devices

  func listDevices(_ request: ListDevicesRequest, context: CallContext) async throws -> ListDevicesResponse {
    try await parts.data.disclose(context, of: AccountData.own) { snapshot, _, disclosure in
      let page = try PageRequest(size: request.pageSize, token: request.pageToken)
      let (stored, next) =
        try request.waiting ? WaitingWorkStore.devices(page, snapshot) : DeviceStore.list(page, snapshot)
      let devices = try stored.map { device in
        var message = try device.message(snapshot)
        message.waiting = try WaitingWorkStore.work(on: device.id, snapshot)
        return message
      }
      // A device's name may name the person who has it.
      if devices.contains(where: { !$0.name.isEmpty }) {
        disclosure.noteLook(at: "names of devices", of: .tenant, for: "list of devices")
      }
      return ListDevicesResponse(devices: devices, nextPageToken: next)
    }
  }

  func wipeDevice(_ request: WipeDeviceRequest, context: CallContext) async throws -> WipeDeviceResponse {
    try await parts.data.once(request, context, of: AccountData.own) { transaction, caller, _ in
      guard let known = try DeviceStore.device(request.deviceID, transaction) else {
        throw Refusal.notFound("device", request.deviceID)
      }
      try Self.wipe(known.id, by: caller.actor, transaction)
      return WipeDeviceResponse(device: try DeviceStore.device(known.id, transaction)?.message(transaction))
    }
  }

  /// Wipes a device, unless that was done before.
  static func wipe(_ id: String, by actor: String, _ transaction: Transaction) throws {
    guard try DeviceStore.wipe(id, by: actor, transaction) else { return }
    try WaitingWorkStore.removeAll(on: id, transaction)
    for session in try SessionStore.running(on: id, transaction) { try transaction.endSession(session, by: actor) }
    for placement in try PlacementStore.all(on: id, transaction) {
      try PlacementStore.remove(placement.personID, from: id, transaction)
    }
    // Nobody could finish or cancel these any more, and other invitations of the same people would wait for their end.
    for var onboarding in try OnboardingStore.open(at: id, transaction) {
      try OnboardingStore.end(&onboarding, as: .ended, transaction)
      try transaction.note(
        .onboardingEnded, by: actor, person: onboarding.personID, device: id, note: "device wiped")
    }
    try OfflineVerifierStore.revoke(at: id, transaction)
    try RevocationStore.put(.deviceID(id), transaction)
    try TakenBack(deviceID: id).note(by: actor, transaction)
    try transaction.note(.deviceWiped, by: actor, device: id)
  }

  // MARK: Events

  func listAccountEvents(
    _ request: ListAccountEventsRequest, context: CallContext
  ) async throws -> ListAccountEventsResponse {
    try await parts.data.disclose(context, of: AccountData.own) { snapshot, _, disclosure in
      let page = try PageRequest(size: request.pageSize)
      let position = try EventPosition(token: request.pageToken)
      let (events, next) = try snapshot.events(after: position, limit: page.limit) { event in
        try AccountEvent(event).flatMap { request.changesOnly && !$0.isChange ? nil : $0 }
      }
      // Who follows the log of changes asks again and again, and must not add to it what it follows.
      if !events.isEmpty {
        disclosure.noteLook(at: "events", of: AccessTarget(study: .none), for: "list of events")
      }
      return ListAccountEventsResponse(events: events, nextPageToken: next.token)
    }
  }
}
