import AccountContract
import AccountService
import AuthorityKit
internal import Bus
import RPC
import StorageTestKit
import TestSupport
import Testing
import Wire

/// Everybody calls everything: what the account services do is compared with the test's own reading of the contract.
@Suite("Everybody calls everything about accounts", .timeLimit(.minutes(10))) struct AccountWalkTests {
  private static let services = [
    "AccountAdminService", "ApiKeyService", "DeviceService", "PeopleService", "SignInService", "SyncService",
    "TenantService", "ViewService",
  ]

  private enum Outcome {
    case denied
    case admitted(answer: String)
    /// Admitted, and not done for another reason.
    case failed(Status)
  }

  private func outcome(of row: AccountRow, by clients: AccountClients, on target: AccountTarget) async -> Outcome {
    do {
      return .admitted(answer: "\(try await row.call(clients, target))")
    } catch let status as Status {
      // A wrong passcode is UNAUTHENTICATED as well: whoever hears of it was let in to try.
      let isStranger = status.code == .unauthenticated && status.message.hasPrefix("not_admitted: ")
      // A registered device may call RegisterDevice, for itself alone: the walk's targets are registered.
      let isOwnOnly = status.message.hasPrefix("registered_device: ")
      return status.code == .permissionDenied && !isOwnOnly || isStranger ? .denied : .failed(status)
    } catch {
      return .admitted(answer: "\(error)")
    }
  }

  private func clients(of actor: Actor, _ world: AccountWorld) -> AccountClients {
    guard actor.kind == .service else { return world.clients(actor.identity) }
    let channel = world.bus.channel(for: CallerIdentity(kind: .service, subject: actor.name))
    return AccountClients(channel.acting(for: actor.identity))
  }

  /// The account of each target, on the target's device.
  private func fill(_ world: AccountWorld) async throws {
    for target in AccountTarget.all {
      let admin = Actor(name: "ops", tenant: target.tenant, grants: ["admin@*"])
      let device = Actor(name: target.device, kind: .device, tenant: target.tenant)
      let (office, pad) = (clients(of: admin, world), clients(of: device, world))
      _ = try await office.admin.setAccountSettings(
        SetAccountSettingsRequest(settings: AccountSettings(selfRegistration: true)))
      _ = try await office.devices.registerDevice(
        RegisterDeviceRequest(device: AccountDevice(deviceID: target.device, name: "Ward")))
      let invitation = try await office.admin.createAccountInvitation(
        CreateAccountInvitationRequest(newPersonID: target.person))
      let started = try await pad.people.startOnboarding(
        StartOnboardingRequest(
          by: .invitationCode(invitation.code), profile: PersonProfile(title: target.title), locale: "en"))
      _ = try await pad.people.finishOnboarding(
        FinishOnboardingRequest(
          onboardingID: started.onboarding?.onboardingID ?? "", passcode: AccountWorld.passcode))
    }
  }

  @Test("every method of the account services has a row")
  func complete() throws {
    let methods = try PermissionTable().rules.keys.filter { name in
      Self.services.contains { name.hasPrefix("\($0)/") }
    }
    #expect(Set(AccountRow.all.map(\.method)) == Set(methods))
  }

  @Test("every method, by everybody, on one's own and others' accounts, devices and tenants, as the contract says")
  func walk() async throws {
    let world = try await AccountWorld()
    try await fill(world)
    let model = Model(rules: try PermissionTable().rules, facts: Facts())
    let errors = try StatedErrors()
    var (calls, admitted, unstated) = (0, 0, Set<String>())
    for (number, actor) in Actor.everybody.enumerated() {
      let clients = clients(of: actor, world)
      for (place, target) in AccountTarget.all.enumerated() {
        // Each person meets each method, on half of all targets; a long test leaves nothing out.
        for (index, row) in AccountRow.all.enumerated()
        where LongTests.areWanted || (number + place + index).isMultiple(of: 2) {
          let outcome = await outcome(of: row, by: clients, on: target)
          calls += 1
          if case .admitted(let answer) = outcome, !maySeeTitle(actor, target) {
            #expect(!answer.contains(target.title), "\(actor.description) \(row.method): \(answer)")
          }
          if !actor.tenant.isEmpty, actor.tenant != target.tenant { continue }
          let expected = model.may(actor, row.method, row.thing(actor, target))
          switch outcome {
          case .denied:
            if expected { Issue.record("\(actor.description) was refused \(row.method) on \(target.person)") }
          case .admitted(let answer):
            admitted += 1
            if !expected { Issue.record("\(actor.description) got \(row.method) on \(target.person): \(answer)") }
          case .failed(let status):
            admitted += 1
            if let misfit = errors.misfit(status, of: row.method) { unstated.insert(misfit) }
            if !expected {
              Issue.record("\(actor.description) was let to \(row.method) on \(target.person): \(status)")
            }
          }
        }
      }
    }
    #expect(calls > 2500 && admitted > 250, "\(calls) calls, \(admitted) admitted")
    #expect(unstated.sorted() == [], "the contract names the code, or no method answers with it")
    await world.end()
  }

  @Test("a list shows somebody what is theirs to see: all of it, row by row, and nothing else")
  func lists() async throws {
    let world = try await AccountWorld()
    try await fill(world)
    var sessions: [String: String] = [:]
    for target in AccountTarget.all {
      let pad = clients(of: Actor(name: target.device, kind: .device, tenant: target.tenant), world)
      let signedIn = try await pad.signIn.signIn(
        SignInRequest(personID: target.person, passcode: AccountWorld.passcode))
      sessions["\(target.tenant)/\(target.person)"] = try #require(signedIn.session).sessionID
    }
    var rows = 0
    for actor in Actor.everybody where !actor.tenant.isEmpty {
      let clients = clients(of: actor, world)
      let own = AccountTarget.all.filter { $0.tenant == actor.tenant }
      let isAdmin = actor.kind == .person && actor.grants.contains("admin@*")
      func check(_ list: String, _ wanted: [String]?, _ call: () async throws -> [String]) async {
        let found = try? await call()
        #expect(found?.sorted() == wanted?.sorted(), "\(actor.description) \(list)")
        rows += found?.count ?? 0
      }
      await check("ListAccounts", isAdmin ? own.map(\.person) : nil) {
        try await clients.admin.listAccounts(ListAccountsRequest()).accounts.map(\.personID)
      }
      await check("ListDevices", isAdmin ? own.map(\.device) : nil) {
        try await clients.admin.listDevices(ListDevicesRequest()).devices.map(\.deviceID)
      }
      let here = own.filter { $0.device == actor.name }
      let isPad = actor.kind == .device && !here.isEmpty
      if isPad || actor.kind == .service {
        await check("ListPeople", isPad ? here.map(\.person) : nil) {
          let answer = try await clients.people.listPeople(ListPeopleRequest())
          return ([answer.current].compactMap { $0 } + answer.others).map(\.personID)
        }
      }
      let isPerson = actor.kind == .person
      let session = sessions["\(actor.tenant)/\(actor.name)"].map { [$0] } ?? []
      await check("ListSessions", isPerson ? session : nil) {
        try await clients.signIn.listSessions(ListSessionsRequest()).sessions.map(\.sessionID)
      }
      await check("ListFailedItems", isPerson ? [] : nil) {
        try await clients.sync.listFailedItems(ListFailedItemsRequest()).items.map(\.itemID)
      }
    }
    #expect(rows > 10, "\(rows) rows")
    await world.end()
  }

  /// A title is for the person, for the device that lists it, and for the tenant's administrators.
  private func maySeeTitle(_ actor: Actor, _ target: AccountTarget) -> Bool {
    guard actor.tenant == target.tenant else { return false }
    switch actor.kind {
    case .device: return actor.name == target.device
    case .person: return actor.name == target.person || actor.grants.contains("admin@*")
    case .service, .operator, .stranger: return false
    }
  }
}
