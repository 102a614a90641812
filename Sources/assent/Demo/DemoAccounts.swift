internal import AccountContract
internal import Base
internal import Bus
internal import RPC
internal import ServiceKit
internal import Wire

/// Two people share a tablet: they are onboarded, work without a connection, are in each other's way, and sync.
struct DemoAccounts {
  let door: ConsentDoor
  let tenant: String
  let locale: String

  private static let tablet = "demo-tablet"
  private static let titles = [
    ("en", "Walking and Blood Pressure"), ("de", "Gehen und Blutdruck"), ("ar", "المشي وضغط الدم"),
    ("es", "Caminar y presión arterial"), ("fr", "Marche et tension artérielle"), ("ja", "ウォーキングと血圧"),
    ("zh", "步行与血压"),
  ]
  /// How long Ada's upload grant is good, so that nobody who watches waits for a month.
  private static let shortLifetime = Duration.seconds(3)
  private static let passcodes = ["Ada Lindqvist": "lighthouse 42", "Björn Åkesson": "winter coat 9"]

  private func channel(_ subject: String, _ kind: CallerKind, _ grants: [String] = []) -> BusChannel {
    door.connection.channel.acting(
      for: CallerIdentity(kind: kind, tenant: tenant, subject: subject, device: Self.tablet, grants: grants))
  }

  private var device: BusChannel { channel(Self.tablet, .device) }

  func share() async throws {
    try await set(uploadLifetime: Self.shortLifetime)
    _ = try await DeviceServiceClient(device).registerDevice(
      RegisterDeviceRequest(device: AccountDevice(deviceID: Self.tablet, name: "Demo tablet")))
    let ada = try await onboard("Ada Lindqvist", "Nurse")
    let adasGrant = try await signIn(ada, "Ada Lindqvist")
    let adasWork = queue(of: ada, "Ada Lindqvist", "Head nurse")
    say("✓ Ada works without a connection: one change waits on the tablet")
    let adasGrantEnds = Clock.system.monotonic + Self.shortLifetime
    try await set(uploadLifetime: nil)
    let bjorn = try await onboard("Björn Åkesson", "Physician")
    try await show(GetAccountViewRequest(kind: .switch))
    let bjornsGrant = try await signIn(bjorn, "Björn Åkesson")
    let bjornsWork = queue(of: bjorn, "Björn Åkesson", "Investigator")
    let all = adasWork + bjornsWork
    try await failToConnect(all, [adasGrant, bjornsGrant])
    // Ada's work waits for longer than her grant is good.
    try await Task.sleep(for: max(.zero, adasGrantEnds - Clock.system.monotonic) + .seconds(1))
    try await meetAnObstacle(all, [adasGrant, bjornsGrant])
    let renewed = try await signIn(ada, "Ada Lindqvist")
    _ = try await signIn(bjorn, "Björn Åkesson")
    try await sync(all, [renewed, bjornsGrant], as: bjorn)
  }

  // MARK: Steps

  /// - Parameter uploadLifetime: how long work may be uploaded after a sign-in; nil: as long as usual, a month.
  private func set(uploadLifetime: Duration?) async throws {
    let admin = AccountAdminServiceClient(channel("admin", .person, ["admin@*"]))
    let titles = Self.titles.map { AccountText(locale: $0, text: $1) }
    var settings = AccountSettings(
      application: ApplicationDetails(titles: titles), selfRegistration: true,
      visibleFields: [.picture, .title, .subtitle], uploadAtSwitch: true,
      uploadLifetime: uploadLifetime.map { ProtobufDuration($0) })
    let options = CallOptions(waitsForReady: true)
    // A change of the settings has to name the revision that it replaces.
    let known = try await admin.getAccountSettings(GetAccountSettingsRequest(), options: options).settings
    settings.revision = known?.revision ?? 0
    _ = try await admin.setAccountSettings(SetAccountSettingsRequest(settings: settings), options: options)
  }

  private func onboard(_ name: String, _ title: String) async throws -> String {
    let people = PeopleServiceClient(device)
    let started = try await people.startOnboarding(
      StartOnboardingRequest(
        by: .selfRegistration(SelfRegistration()), profile: PersonProfile(title: name, subtitle: title), locale: locale)
    )
    let done = try await people.finishOnboarding(
      FinishOnboardingRequest(
        onboardingID: started.onboarding?.onboardingID ?? "", passcode: Self.passcodes[name] ?? ""))
    say("✓ \(name) is onboarded on the tablet; recovery code \(done.recoveryCode)")
    return done.onboarding?.personID ?? ""
  }

  /// Signs in; returns the upload grant.
  private func signIn(_ person: String, _ name: String) async throws -> String {
    _ = try await PeopleServiceClient(device).selectPerson(SelectPersonRequest(personID: person))
    try await show(GetAccountViewRequest(kind: .signIn))
    let answer = try await SignInServiceClient(device).signIn(
      SignInRequest(personID: person, passcode: Self.passcodes[name] ?? ""))
    say("✓ \(name) signed in")
    return answer.uploadGrant
  }

  private func queue(of person: String, _ name: String, _ title: String) -> [QueueItem] {
    let change = UpdateProfileRequest(profile: PersonProfile(title: name, subtitle: title, revision: 1))
    return [
      QueueItem(
        itemID: "profile-\(person)", personID: person, method: "assent.account.v1.PeopleService/UpdateProfile",
        request: (try? change.encoded()) ?? [], deviceTime: Timestamp(Clock.system.now))
    ]
  }

  private func failToConnect(_ items: [QueueItem], _ grants: [String]) async throws {
    do {
      _ = try await SyncServiceClient(device).pushQueue(
        PushQueueRequest(items: items, grants: grants), deadline: .nanoseconds(1))
    } catch {
      try await show(GetAccountViewRequest(kind: .connectionError))
    }
  }

  private func meetAnObstacle(_ items: [QueueItem], _ grants: [String]) async throws {
    let answer = try await SyncServiceClient(device).pushQueue(PushQueueRequest(items: items, grants: grants))
    guard let affected = answer.blockedBy.first, affected.rule == "grant_expired" else {
      throw ConsentComplaint("nobody stands in the way of the sync, although a grant has expired")
    }
    try await show(GetAccountViewRequest(kind: .userError, blocked: affected))
  }

  private func sync(_ items: [QueueItem], _ grants: [String], as person: String) async throws {
    let call = SyncServiceClient(channel(person, .person)).sync()
    for item in items {
      let part = PushQueueRequest(items: [item], grants: grants)
      try await call.requests.send(SyncRequest(step: .push(part), queueLength: Int64(items.count)))
    }
    try await call.requests.send(SyncRequest(step: .pull(PullChangesRequest())))
    call.requests.finish()
    for try await answer in call.responses {
      let fraction = answer.progress?.fraction ?? 0
      let full = Int(fraction * 40)
      say(
        "  [\(String(repeating: "█", count: full))\(String(repeating: "·", count: 40 - full))] \(Int(fraction * 100)) %"
      )
      if case .pushed(let pushed) = answer.step, let failed = pushed.outcomes.first(where: { $0.state != .done }) {
        throw ConsentComplaint("item '\(failed.itemID)' is \(failed.state): \(failed.message)")
      }
    }
    try await show(GetAccountViewRequest(kind: .syncDone))
  }

  private func show(_ request: GetAccountViewRequest) async throws {
    var request = request
    request.locale = locale
    let view = try await ViewServiceClient(device).getAccountView(request).view ?? AccountView()
    AccountViewText.lines(of: view).forEach { say($0) }
  }
}
