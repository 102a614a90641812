import AccountContract
import Base
import Bus
import ConsentContract
import RPC
import SignatureContract
import Testing
import Wire

/// The people and devices of a tenant, calling over the bus as themselves. Calls are repeated under one key while
/// processes are away.
struct SyncPeople: Sendable {
  static let tenant = "t1"
  private static let passcode = "correct horse 9"

  let channel: BusChannel
  var tenant = Self.tenant

  private func channel(_ kind: CallerKind, _ subject: String, device: String, _ grants: [String] = []) -> BusChannel {
    channel.acting(
      for: CallerIdentity(kind: kind, tenant: tenant, subject: subject, device: device, grants: grants))
  }

  func device(_ id: String) -> BusChannel { channel(.device, id, device: id) }
  func person(_ id: String, at device: String) -> BusChannel { channel(.person, id, device: device) }
  private var admin: BusChannel { channel(.person, "admin", device: "", ["admin@*"]) }

  // MARK: Beginning

  func open(devices: [String]) async throws {
    let settings = AccountSettings(
      application: ApplicationDetails(titles: [AccountText(locale: "en", text: "Walking")]), selfRegistration: true,
      uploadAtSwitch: true)
    _ = try await Self.retrying { options in
      try await AccountAdminServiceClient(admin).setAccountSettings(
        SetAccountSettingsRequest(settings: settings), options: options)
    }
    for id in devices { try await register(id) }
  }

  func register(_ device: String) async throws {
    _ = try await Self.retrying { options in
      try await DeviceServiceClient(admin).registerDevice(
        RegisterDeviceRequest(device: AccountDevice(deviceID: device, name: "Ward 3")), options: options)
    }
  }

  /// Puts a new person on a device's list.
  func onboard(_ title: String, device id: String) async throws -> String {
    try await onboard(
      StartOnboardingRequest(
        by: .selfRegistration(SelfRegistration()), profile: PersonProfile(title: title), locale: "en"), device: id)
  }

  /// Puts somebody on the list of a second device.
  func link(_ person: String, of device: String, to other: String) async throws {
    var code = ""
    // A code whose answer was lost with its process is not told again: another one is made.
    while code.isEmpty {
      code = try await Self.retrying { options in
        try await PeopleServiceClient(self.person(person, at: device)).createLinkCode(
          CreateLinkCodeRequest(), options: options)
      }.code
    }
    let linked = try await onboard(StartOnboardingRequest(by: .linkCode(code), locale: "en"), device: other)
    #expect(linked == person)
  }

  private func onboard(_ request: StartOnboardingRequest, device id: String) async throws -> String {
    let people = PeopleServiceClient(device(id))
    let started = try await Self.retrying { try await people.startOnboarding(request, options: $0) }.onboarding
    let finish = FinishOnboardingRequest(onboardingID: started?.onboardingID ?? "", passcode: Self.passcode)
    let done = try await Self.retrying { try await people.finishOnboarding(finish, options: $0) }.onboarding
    return try #require(done?.state == .done ? done?.personID : nil)
  }

  // MARK: Days

  /// Signs in, which signs out whoever was at the device; gives the upload grant.
  func signIn(_ person: String, device id: String) async throws -> String {
    let request = SignInRequest(personID: person, passcode: Self.passcode)
    return try await Self.retrying { options in
      try await SignInServiceClient(device(id)).signIn(request, options: options)
    }.uploadGrant
  }

  func grant(_ role: String, to person: String) async throws {
    _ = try await Self.retrying { options in
      try await AccountAdminServiceClient(admin).grantRole(
        GrantRoleRequest(personID: person, role: role), options: options)
    }
  }

  func lock(_ person: String, _ isLocked: Bool) async throws {
    _ = try await Self.retrying { options in
      try await AccountAdminServiceClient(admin).setPersonLock(
        SetPersonLockRequest(personID: person, locked: isLocked), options: options)
    }
  }

  func remove(_ person: String, from device: String) async throws {
    _ = try await Self.retrying { options in
      try await PeopleServiceClient(admin).removePerson(
        RemovePersonRequest(personID: person, deviceID: device), options: options)
    }
  }

  /// Makes two accounts of one person one.
  func merge(_ ended: String, into staying: String) async throws {
    _ = try await Self.retrying { options in
      try await AccountAdminServiceClient(admin).mergePeople(
        MergePeopleRequest(personID: ended, intoPersonID: staying), options: options)
    }
  }

  func wipe(_ device: String) async throws {
    _ = try await Self.retrying { options in
      try await AccountAdminServiceClient(admin).wipeDevice(WipeDeviceRequest(deviceID: device), options: options)
    }
  }

  /// What a visit needs that begins without a connection.
  func bundle(_ begin: StartSessionRequest, of person: String, at device: String) async throws -> OfflineBundle {
    let answer = try await Self.retrying { options in
      try await SessionServiceClient(self.person(person, at: device)).getOfflineBundle(
        GetOfflineBundleRequest(begin: begin), options: options)
    }
    return try #require(answer.bundle)
  }

  func signOutEverywhere(_ person: String, device id: String) async throws {
    _ = try await Self.retrying { options in
      try await SignInServiceClient(self.person(person, at: id)).endSessions(EndSessionsRequest(), options: options)
    }
  }

  func makeField(_ request: CreateFieldRequest, of person: String, at device: String) async throws {
    _ = try await Self.retrying { options in
      try await SignatureServiceClient(self.person(person, at: device)).createField(request, options: options)
    }
  }

  func failedItems(of person: String, at device: String) async throws -> [ItemOutcome] {
    try await Self.retrying { options in
      try await SyncServiceClient(self.person(person, at: device)).listFailedItems(
        ListFailedItemsRequest(pageSize: 1000), options: options)
    }.items
  }

  func discard(_ item: ItemOutcome, of person: String, at device: String) async throws {
    _ = try await Self.retrying { options in
      try await SyncServiceClient(self.person(person, at: device)).discardItem(
        DiscardItemRequest(deviceID: item.deviceID, itemID: item.itemID), options: options)
    }
  }

  func retry(_ item: ItemOutcome, of person: String, at device: String) async throws {
    let answer = try await Self.retrying { options in
      try await SyncServiceClient(self.person(person, at: device)).retryItem(
        RetryItemRequest(deviceID: item.deviceID, itemID: item.itemID), options: options)
    }
    #expect(answer.outcome?.state == .done, "\(answer)")
  }

  func record(_ id: String, of person: String, at device: String) async throws -> ConsentRecord {
    let answer = try await Self.retrying { options in
      try await RecordServiceClient(self.person(person, at: device)).getRecord(
        GetRecordRequest(recordID: id), options: options)
    }
    return try #require(answer.record)
  }

  /// Repeats a call under one key while a process is away.
  static func retrying<Answer: Sendable>(_ call: (CallOptions) async throws -> Answer) async throws -> Answer {
    do {
      return try await SystemTests.retrying("test-\(Randomness.system.word())", call)
    } catch let status as Status where status.code == .alreadyExists && status.message.hasPrefix("secret_shown: ") {
      return try rest(of: status)
    }
  }

  /// The answer to a call that was made before: all of it but its secret.
  private static func rest<Answer>(of status: Status) throws -> Answer {
    guard let type = Answer.self as? any Message.Type,
      let detail = status.details.first(where: { $0.typeName == type.messageName }),
      let answer = try type.init(decoding: detail.value) as? Answer
    else { throw status }
    return answer
  }
}
