import AccountContract
import AccountService
import Base
import Bus
import CommonContract
import ConsentContract
import OpenID
import Outgoing
import RPC
import Storage
import StorageTestKit
import Synchronization
import TestSupport
import Testing
import Tokens
import Wire

/// An AccountService on a real database, called over the in-process bus with any identity.
struct AccountWorld {
  let test: TestDatabase
  let bus = InProcessBus()
  let clock: MovableClock
  let flows = KnownFlows()
  let peers: KnownPeers
  let services: AccountServices
  /// Signs heads in a world that was given a key for it.
  let signer: EvidenceSigner?

  static let start = Instant(millisecondsSince1970: 1_772_353_800_000)
  static let passcode = "correct horse 9"

  /// - Parameter known: the database; a new one unless given.
  init(
    _ engine: TestEngine = .sqlite, on known: TestDatabase? = nil, evidence key: EvidenceKey? = nil,
    passcodes: PasscodePool? = nil, issuers: IssuerSource? = nil
  ) async throws {
    (clock, peers) = (MovableClock(at: Self.start), KnownPeers())
    let made = known == nil ? try await engine.makeDatabase(AccountSchema.all, clock: clock.clock) : nil
    let test = try #require(known ?? made)
    self.test = test
    signer = key.map { EvidenceSigner(test.database, key: $0, installation: "test") }
    services = Self.services(test.database, flows, peers, clock, passcodes, issuers)
    bus.serve(services.handlers, slots: 16)
  }

  /// What a backup of another world brings back, among the same services.
  ///
  /// - Parameter list: the list of erasures beside the database; nil: there is none.
  init(restoring archive: String, of world: AccountWorld, erasures list: String? = nil) async throws {
    (clock, peers, signer) = (world.clock, world.peers, nil)
    test = try await world.test.restored(
      from: archive, erasures: try list.map { try ErasureList($0) }, clock: world.clock.clock,
      alongside: { try AccountServices.eraseAgain($1, $0) })
    services = Self.services(test.database, flows, peers, clock)
    bus.serve(services.handlers, slots: 16)
  }

  static func services(
    _ database: Database, _ flows: KnownFlows, _ peers: KnownPeers, _ clock: MovableClock,
    _ passcodes: PasscodePool? = nil, _ issuers: IssuerSource? = nil
  ) -> AccountServices {
    AccountServices(
      database: database, consent: flows, peers: peers,
      passcodes: passcodes
        ?? PasscodePool(threads: 2, cost: Argon2Cost(passes: 1, memory: Argon2Cost.leastMemory)),
      issuers: issuers ?? IssuerSource(OutgoingPolicy(.publicAddresses()), clock: .system),
      secret: [UInt8](repeating: 7, count: 32), clock: clock.clock)
  }

  func end() async {
    bus.stop()
    await test.database.close()
  }

  /// What the service does from time to time.
  func tidy() async {
    let tasks = services.periodicTasks(every: .seconds(60))
    let runner = PeriodicTaskRunner(services.database, tasks) { task, error in Issue.record("\(task): \(error)") }
    await runner.runDue()
  }

  // MARK: Callers

  func clients(_ identity: CallerIdentity) -> AccountClients { AccountClients(bus.channel(for: identity)) }

  var admin: AccountClients {
    clients(CallerIdentity(kind: .person, tenant: "t1", subject: "ops", grants: ["admin@*"]))
  }

  /// Another service, acting in the tenant.
  var service: AccountClients {
    let channel = bus.channel(for: CallerIdentity(kind: .service, subject: "consent"))
    return AccountClients(channel.acting(for: CallerIdentity(kind: .service, tenant: "t1", subject: "consent")))
  }

  func device(_ id: String, tenant: String = "t1") -> AccountClients {
    clients(CallerIdentity(kind: .device, tenant: tenant, subject: id, device: id))
  }

  func person(_ id: String, at device: String = "tablet") -> AccountClients {
    clients(CallerIdentity(kind: .person, tenant: "t1", subject: id, device: device))
  }

  /// The caller that a door takes a token's bearer for, now.
  func bearer(_ token: String) throws -> AccountClients { clients(try identity(of: token)) }

  func identity(of token: String) throws -> CallerIdentity {
    let keys = TokenKeys(secret: [UInt8](repeating: 7, count: 32)).published(at: clock.clock.now)
    let claims = try TokenVerifier(keys).claims(of: token, at: clock.clock.now)
    return try #require(claims.identity)
  }

  // MARK: Steps

  func allowSelfRegistration(flow: String = "", change: (inout AccountSettings) -> Void = { _ in }) async throws {
    var settings = AccountSettings(selfRegistration: true, onboardingFlowID: flow)
    change(&settings)
    let known = try await admin.admin.getAccountSettings(GetAccountSettingsRequest()).settings
    settings.revision = known?.revision ?? 0
    _ = try await admin.admin.setAccountSettings(SetAccountSettingsRequest(settings: settings))
  }

  func register(_ id: String, name: String = "Ward 3", singleUser: Bool = false) async throws {
    let wanted = AccountDevice(deviceID: id, name: name, singleUser: singleUser)
    _ = try await admin.devices.registerDevice(RegisterDeviceRequest(device: wanted))
  }

  /// A device with people on it, who registered themselves; gives their identifiers.
  @discardableResult
  func open(_ titles: String..., device: String = "tablet") async throws -> [String] {
    try await allowSelfRegistration()
    try await register(device)
    var people: [String] = []
    for title in titles {
      people.append(try await onboard(title, device: device).person)
      clock.move(by: .milliseconds(1))
    }
    return people
  }

  func onboard(
    _ title: String, device id: String = "tablet", passcode: String = AccountWorld.passcode
  ) async throws -> (person: String, recovery: String) {
    let started = try await device(id).people.startOnboarding(
      StartOnboardingRequest(
        by: .selfRegistration(SelfRegistration()), profile: PersonProfile(title: title), locale: "en"))
    let onboarding = try #require(started.onboarding)
    let done = try await device(id).people.finishOnboarding(
      FinishOnboardingRequest(onboardingID: onboarding.onboardingID, passcode: passcode))
    #expect(done.onboarding?.state == .done)
    return (onboarding.personID, done.recoveryCode)
  }

  func signIn(
    _ person: String, passcode: String = AccountWorld.passcode, device id: String = "tablet"
  ) async throws -> SignInResponse {
    try await device(id).signIn.signIn(SignInRequest(personID: person, passcode: passcode))
  }

  func list(_ query: String = "", device id: String = "tablet") async throws -> ListPeopleResponse {
    try await device(id).people.listPeople(ListPeopleRequest(query: query))
  }

  func events() async throws -> [AccountEvent] {
    try await admin.admin.listAccountEvents(ListAccountEventsRequest(pageSize: 1000)).events
  }
}

struct AccountClients {
  let devices: DeviceServiceClient
  let people: PeopleServiceClient
  let signIn: SignInServiceClient
  let admin: AccountAdminServiceClient
  let sync: SyncServiceClient
  let views: ViewServiceClient
  let keys: ApiKeyServiceClient
  let tenants: TenantServiceClient

  init(_ channel: any Channel) {
    devices = DeviceServiceClient(channel)
    people = PeopleServiceClient(channel)
    signIn = SignInServiceClient(channel)
    admin = AccountAdminServiceClient(channel)
    sync = SyncServiceClient(channel)
    views = ViewServiceClient(channel)
    keys = ApiKeyServiceClient(channel)
    tenants = TenantServiceClient(channel)
  }
}

/// Replaces ConsentService: a test states how sessions end.
final class KnownFlows: ConsentFlows {
  private let sessions = Mutex<[String: SessionOutcome]>([:])
  private let failure = Mutex<Status?>(nil)

  /// Has no session start or end, for this reason; nil: they do again.
  func failChanges(with status: Status?) { failure.withLock { $0 = status } }

  func start(flow: String, subject: String, device: String, locale: String) async throws -> String {
    if let status = failure.withLock({ $0 }) { throw status }
    return sessions.withLock { sessions in
      let id = "session-\(sessions.count + 1)"
      sessions[id] = .unspecified
      return id
    }
  }

  func abandon(_ session: String) async throws {
    if let status = failure.withLock({ $0 }) { throw status }
    sessions.withLock { if $0[session] == .unspecified { $0[session] = .abandoned } }
  }

  func outcome(of session: String) async throws -> SessionOutcome {
    try sessions.withLock { sessions in
      guard let outcome = sessions[session] else { throw Status(.notFound, "there is no such session") }
      return outcome
    }
  }

  func end(_ session: String, as outcome: SessionOutcome) { sessions.withLock { $0[session] = outcome } }
}

extension Status {
  /// The refusal's detail for programs: field, rule and explanation.
  var info: ErrorInfo? {
    details.first { $0.typeName == ErrorInfo.messageName }.flatMap { try? ErrorInfo(decoding: $0.value) }
  }
}

/// Expects that a call is refused by a rule; gives the status.
@discardableResult
func expectRefusal(
  _ code: StatusCode, _ rule: String, sourceLocation: SourceLocation = #_sourceLocation,
  _ call: () async throws -> some Any
) async -> Status? {
  do {
    _ = try await call()
    Issue.record("not refused; expected \(rule)", sourceLocation: sourceLocation)
  } catch let status as Status {
    let isExpected = status.code == code && status.message.hasPrefix("\(rule): ")
    #expect(isExpected, "\(status)", sourceLocation: sourceLocation)
    if let info = status.info { #expect(info.rule == rule, sourceLocation: sourceLocation) }
    return status
  } catch {
    Issue.record("\(error)", sourceLocation: sourceLocation)
  }
  return nil
}
