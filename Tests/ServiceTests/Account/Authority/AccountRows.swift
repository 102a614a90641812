import AccountContract
import AuthorityKit
import RPC
import Wire

/// A person with an account, and the device that the account is listed on.
struct AccountTarget: Sendable {
  let tenant: String
  let person: String
  let title: String
  let device: String

  static let all = [
    AccountTarget(tenant: "t1", person: "bea", title: "Beatrix Quill", device: "pad-bea"),
    AccountTarget(tenant: "t1", person: "ben", title: "Benedikt Oar", device: "pad-ben"),
    AccountTarget(tenant: "t2", person: "tea", title: "Theodora Moss", device: "pad-bea"),
  ]
}

/// One way to call a method: what the call is about, and the call itself. Calls that would change something are made so
/// that they fail for another reason once they are admitted.
struct AccountRow: Sendable {
  let method: String
  let thing: @Sendable (Actor, AccountTarget) -> Thing
  let call: @Sendable (AccountClients, AccountTarget) async throws -> any Message

  private init(
    _ method: String, _ thing: @escaping @Sendable (Actor, AccountTarget) -> Thing = own,
    _ call: @escaping @Sendable (AccountClients, AccountTarget) async throws -> any Message
  ) {
    (self.method, self.thing, self.call) = (method, thing, call)
  }

  /// The caller's own account or, for administrators, everything of the tenant.
  @Sendable private static func own(_ actor: Actor, _ target: AccountTarget) -> Thing {
    Thing(study: .every, site: .every, subject: actor.name)
  }

  @Sendable private static func account(_ actor: Actor, _ target: AccountTarget) -> Thing {
    Thing(study: .every, site: .every, subject: target.person)
  }

  @Sendable private static func study(_ actor: Actor, _ target: AccountTarget) -> Thing { Thing(study: .one("heart")) }

  @Sendable private static func tenant(_ actor: Actor, _ target: AccountTarget) -> Thing { Thing() }

  /// What nothing but the request is about.
  @Sendable private static func request(_ actor: Actor, _ target: AccountTarget) -> Thing {
    var thing = Thing()
    thing.isRequest = true
    return thing
  }

  static let all = administration + keys + evidence + devices + people + signIn + sync

  @Sendable private static func wholeTenant(_ actor: Actor, _ target: AccountTarget) -> Thing {
    Thing(study: .every, site: .every)
  }

  private static let keys: [AccountRow] = [
    AccountRow("ApiKeyService/CreateApiKey", wholeTenant) { clients, _ in
      try await clients.keys.createApiKey(CreateApiKeyRequest())
    },
    AccountRow("ApiKeyService/ListApiKeys", wholeTenant) { clients, _ in
      try await clients.keys.listApiKeys(ListApiKeysRequest())
    },
    AccountRow("ApiKeyService/RotateApiKey", wholeTenant) { clients, _ in
      try await clients.keys.rotateApiKey(RotateApiKeyRequest(apiKeyID: "none"))
    },
    AccountRow("ApiKeyService/RevokeApiKey", wholeTenant) { clients, _ in
      try await clients.keys.revokeApiKey(RevokeApiKeyRequest(apiKeyID: "none"))
    },
    AccountRow("ApiKeyService/ReportApiKeyUses") { clients, _ in
      try await clients.keys.reportApiKeyUses(ReportApiKeyUsesRequest())
    },
  ]

  private static let administration: [AccountRow] = [
    AccountRow("AccountAdminService/GetAccountSettings") { clients, _ in
      try await clients.admin.getAccountSettings(GetAccountSettingsRequest())
    },
    AccountRow("AccountAdminService/SetAccountSettings") { clients, _ in
      let settings = AccountSettings(selfRegistration: true)
      return try await clients.admin.setAccountSettings(SetAccountSettingsRequest(settings: settings))
    },
    AccountRow("AccountAdminService/SetIdentitySecret") { clients, _ in
      try await clients.admin.setIdentitySecret(
        SetIdentitySecretRequest(issuer: "https://id.example", clientSecret: "secret"))
    },
    AccountRow("AccountAdminService/TryIdentityIssuer") { clients, _ in
      try await clients.admin.tryIdentityIssuer(TryIdentityIssuerRequest(issuer: "https://id.example"))
    },
    AccountRow("AccountAdminService/CreateAccountInvitation") { clients, _ in
      try await clients.admin.createAccountInvitation(CreateAccountInvitationRequest(personID: "unknown"))
    },
    AccountRow("AccountAdminService/ListAccounts") { clients, _ in
      try await clients.admin.listAccounts(ListAccountsRequest())
    },
    AccountRow("AccountAdminService/GrantRole", study) { clients, _ in
      try await clients.admin.grantRole(GrantRoleRequest(personID: "unknown", role: "witness@heart"))
    },
    AccountRow("AccountAdminService/GrantRole") { clients, _ in
      try await clients.admin.grantRole(GrantRoleRequest(personID: "unknown", role: "witness@*"))
    },
    AccountRow("AccountAdminService/RevokeRole", study) { clients, _ in
      try await clients.admin.revokeRole(RevokeRoleRequest(personID: "unknown", role: "witness@heart/north"))
    },
    AccountRow("AccountAdminService/RevokeRole") { clients, _ in
      try await clients.admin.revokeRole(RevokeRoleRequest(personID: "unknown", role: "witness@*"))
    },
    AccountRow("AccountAdminService/SetPersonLock") { clients, _ in
      try await clients.admin.setPersonLock(SetPersonLockRequest(personID: "unknown", locked: true))
    },
    AccountRow("AccountAdminService/ResetPasscode") { clients, target in
      try await clients.admin.resetPasscode(ResetPasscodeRequest(personID: target.person, deviceID: "unknown"))
    },
    AccountRow("AccountAdminService/MergePeople") { clients, target in
      try await clients.admin.mergePeople(MergePeopleRequest(personID: target.person, intoPersonID: "unknown"))
    },
    AccountRow("AccountAdminService/ListDevices") { clients, _ in
      try await clients.admin.listDevices(ListDevicesRequest())
    },
    AccountRow("AccountAdminService/WipeDevice") { clients, _ in
      try await clients.admin.wipeDevice(WipeDeviceRequest(deviceID: "unknown"))
    },
    AccountRow("AccountAdminService/EraseAccount") { clients, _ in
      try await clients.admin.eraseAccount(EraseAccountRequest(personID: "unknown"))
    },
    AccountRow("AccountAdminService/HoldAccount") { clients, target in
      try await clients.admin.holdAccount(HoldAccountRequest(personID: target.person, held: true, reason: " "))
    },
  ]

  private static let evidence: [AccountRow] = [
    AccountRow("AccountAdminService/ListAccountEvents") { clients, _ in
      try await clients.admin.listAccountEvents(ListAccountEventsRequest(pageSize: 5))
    },
    AccountRow("AccountAdminService/ListAccountHeads", tenant) { clients, _ in
      try await clients.admin.listAccountHeads(ListAccountHeadsRequest(pageSize: 1))
    },
    AccountRow("AccountAdminService/GetAccountFindings", tenant) { clients, _ in
      try await clients.admin.getAccountFindings(GetAccountFindingsRequest())
    },
    AccountRow("AccountAdminService/WatchRevocations") { clients, _ in
      let stream = clients.admin.watchRevocations(deadline: .seconds(20))
      defer { stream.cancel() }
      for try await answer in stream.responses { return answer }
      return WatchRevocationsResponse()
    },
  ]

  private static let devices: [AccountRow] = [
    AccountRow("DeviceService/RegisterDevice") { clients, _ in
      let device = AccountDevice(name: "Another")
      return try await clients.devices.registerDevice(RegisterDeviceRequest(device: device))
    },
    AccountRow("DeviceService/CreateDeviceCode") { clients, _ in
      try await clients.devices.createDeviceCode(
        CreateDeviceCodeRequest(device: AccountDevice(deviceID: "not a name")))
    },
    AccountRow("DeviceService/RegisterBrowser", request) { clients, target in
      try await clients.devices.registerBrowser(
        RegisterBrowserRequest(code: "\(target.tenant).AAAAAAAAAA", publicKey: [UInt8](repeating: 1, count: 32)))
    },
    AccountRow("DeviceService/AuthenticateDevice", request) { clients, target in
      try await clients.devices.authenticateDevice(
        AuthenticateDeviceRequest(deviceID: target.device, proof: .secret("AAAA"), tenant: target.tenant))
    },
    AccountRow("DeviceService/GetApplication") { clients, _ in
      try await clients.devices.getApplication(GetApplicationRequest(locale: "en"))
    },
    AccountRow("TenantService/CreateTenant") { clients, _ in
      try await clients.tenants.createTenant(CreateTenantRequest(tenantID: "not a name"))
    },
    AccountRow("TenantService/ListTenants") { clients, _ in
      try await clients.tenants.listTenants(ListTenantsRequest())
    },
    AccountRow("TenantService/SetTenantDisabled") { clients, _ in
      try await clients.tenants.setTenantDisabled(SetTenantDisabledRequest(tenantID: "not a name"))
    },
    AccountRow("ViewService/GetOfflineViews") { clients, _ in
      try await clients.views.getOfflineViews(GetOfflineViewsRequest(locale: "en"))
    },
    AccountRow("ViewService/GetAccountView") { clients, _ in
      try await clients.views.getAccountView(GetAccountViewRequest(kind: .switch, locale: "en"))
    },
    AccountRow("ViewService/GetAccountView") { clients, target in
      try await clients.views.getAccountView(
        GetAccountViewRequest(kind: .signIn, locale: "en", personID: target.person))
    },
  ]

  private static let people: [AccountRow] = [
    AccountRow("PeopleService/StartOnboarding") { clients, _ in
      try await clients.people.startOnboarding(
        StartOnboardingRequest(by: .linkCode("AAAAA-AAAAA"), profile: PersonProfile(title: "Eve"), locale: "en"))
    },
    AccountRow("PeopleService/FinishOnboarding") { clients, _ in
      try await clients.people.finishOnboarding(
        FinishOnboardingRequest(onboardingID: "unknown", passcode: AccountWorld.passcode))
    },
    AccountRow("PeopleService/CancelOnboarding") { clients, _ in
      try await clients.people.cancelOnboarding(CancelOnboardingRequest(onboardingID: "unknown"))
    },
    AccountRow("PeopleService/ListPeople") { clients, _ in
      try await clients.people.listPeople(ListPeopleRequest())
    },
    AccountRow("PeopleService/SelectPerson") { clients, _ in
      try await clients.people.selectPerson(SelectPersonRequest(personID: "unknown"))
    },
    AccountRow("PeopleService/RemovePerson", account) { clients, target in
      try await clients.people.removePerson(RemovePersonRequest(personID: target.person, deviceID: "unknown"))
    },
    AccountRow("PeopleService/GetProfile") { clients, _ in try await clients.people.getProfile(GetProfileRequest()) },
    AccountRow("PeopleService/UpdateProfile") { clients, _ in
      try await clients.people.updateProfile(
        UpdateProfileRequest(profile: PersonProfile(title: "Eve", revision: 99)))
    },
    AccountRow("PeopleService/CreateLinkCode") { clients, _ in
      try await clients.people.createLinkCode(CreateLinkCodeRequest())
    },
  ]

  private static let signIn: [AccountRow] = [
    AccountRow("SignInService/SignIn") { clients, target in
      try await clients.signIn.signIn(SignInRequest(personID: target.person, passcode: "wrong horse 9"))
    },
    AccountRow("SignInService/SignInWithIdentity") { clients, _ in
      try await clients.signIn.signInWithIdentity(SignInWithIdentityRequest(idToken: "none"))
    },
    AccountRow("SignInService/StartIdentitySignIn") { clients, _ in
      try await clients.signIn.startIdentitySignIn(
        StartIdentitySignInRequest(issuer: "https://id.example", page: "https://assent.example/app"))
    },
    AccountRow("SignInService/FinishIdentitySignIn") { clients, _ in
      try await clients.signIn.finishIdentitySignIn(FinishIdentitySignInRequest(attempt: "none", code: "none"))
    },
    AccountRow("SignInService/RefreshTokens") { clients, _ in
      try await clients.signIn.refreshTokens(RefreshTokensRequest(refreshToken: "none"))
    },
    AccountRow("SignInService/ListSessions") { clients, _ in
      try await clients.signIn.listSessions(ListSessionsRequest())
    },
    AccountRow("SignInService/EndSessions") { clients, _ in
      try await clients.signIn.endSessions(EndSessionsRequest(sessionID: "unknown"))
    },
    AccountRow("SignInService/ChangePasscode") { clients, target in
      try await clients.signIn.changePasscode(
        ChangePasscodeRequest(
          personID: target.person, passcode: "wrong horse 9", newPasscode: "another horse 10"))
    },
    AccountRow("SignInService/RecoverPasscode") { clients, target in
      try await clients.signIn.recoverPasscode(
        RecoverPasscodeRequest(
          personID: target.person, recoveryCode: "AAAAA-AAAAA-AAAAA-AAAAA", newPasscode: "another horse 10"))
    },
    AccountRow("SignInService/Reauthenticate") { clients, _ in
      try await clients.signIn.reauthenticate(
        ReauthenticateRequest(passcode: "wrong horse 9", challenge: [UInt8](repeating: 1, count: 32)))
    },
    AccountRow("SignInService/GetTokenKeys", request) { clients, _ in
      try await clients.signIn.getTokenKeys(GetTokenKeysRequest())
    },
  ]

  private static let sync: [AccountRow] = [
    AccountRow("SyncService/PushQueue") { clients, target in
      let item = QueueItem(itemID: "1", personID: target.person, method: "none", request: [1])
      return try await clients.sync.pushQueue(PushQueueRequest(items: [item]))
    },
    AccountRow("SyncService/PullChanges") { clients, _ in
      let stream = try clients.sync.pullChanges(PullChangesRequest(), deadline: .seconds(20))
      defer { stream.cancel() }
      for try await answer in stream { return answer }
      return PullChangesResponse()
    },
    AccountRow("SyncService/Sync") { clients, _ in
      let call = clients.sync.sync(deadline: .seconds(20))
      // A stream that was refused accepts nothing; its outcome says why.
      do { try await call.requests.send(SyncRequest(step: .pull(PullChangesRequest()))) } catch {}
      call.requests.finish()
      var last = SyncResponse()
      for try await answer in call.responses { last = answer }
      return last
    },
    AccountRow("SyncService/WatchDevice") { clients, _ in
      let stream = try clients.sync.watchDevice(WatchDeviceRequest(), deadline: .seconds(20))
      defer { stream.cancel() }
      for try await answer in stream { return answer }
      return WatchDeviceResponse()
    },
    AccountRow("SyncService/ListFailedItems") { clients, _ in
      try await clients.sync.listFailedItems(ListFailedItemsRequest())
    },
    AccountRow("SyncService/RetryItem") { clients, target in
      try await clients.sync.retryItem(RetryItemRequest(deviceID: target.device, itemID: "unknown"))
    },
    AccountRow("SyncService/DiscardItem", account) { clients, target in
      try await clients.sync.discardItem(
        DiscardItemRequest(deviceID: target.device, itemID: "unknown", personID: target.person, reason: "test"))
    },
  ]
}
