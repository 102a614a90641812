import AccountContract
import AccountService
import Base
import RPC
import StorageTestKit
import TestSupport
import Testing
import Wire

@Suite("Tenants") struct TenantTests {
  private func operators(_ world: AccountWorld) -> TenantServiceClient {
    world.clients(CallerIdentity(kind: .operator, subject: "ops")).tenants
  }

  @Test("an operator creates, lists and disables tenants, on record in each", arguments: TestEngine.allCases)
  func life(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let tenants = operators(world)
    _ = try await world.open("Anna")
    let made = try await tenants.createTenant(CreateTenantRequest(tenantID: "harbour", title: "Harbour")).tenant
    #expect(made?.title == "Harbour" && made?.createdAt != nil && made?.disabled == false)
    // A repeat changes nothing, and a tenant that was used before is put on record.
    world.clock.move(by: .seconds(60))
    #expect(try await tenants.createTenant(CreateTenantRequest(tenantID: "harbour", title: "Harbour")).tenant == made)
    _ = try await tenants.createTenant(CreateTenantRequest(tenantID: "t1", title: "First"))
    await expectRefusal(.alreadyExists, "tenant_exists") {
      try await tenants.createTenant(CreateTenantRequest(tenantID: "t1", title: "Second"))
    }
    for (id, title, rule) in [("", "x", "bad_name"), ("a b", "x", "bad_name"), ("a", " ", "missing")] {
      await expectRefusal(.invalidArgument, rule) {
        try await tenants.createTenant(CreateTenantRequest(tenantID: id, title: title))
      }
    }
    await expectRefusal(.notFound, "unknown_tenant") {
      try await tenants.setTenantDisabled(
        SetTenantDisabledRequest(tenantID: "nowhere", disabled: true, reason: "a mistake"))
    }
    await expectRefusal(.invalidArgument, "missing") {
      try await tenants.setTenantDisabled(SetTenantDisabledRequest(tenantID: "t1", disabled: true))
    }
    for _ in 0..<2 {
      let disabled = try await tenants.setTenantDisabled(
        SetTenantDisabledRequest(tenantID: "t1", disabled: true, reason: "not paid"))
      #expect(disabled.tenant?.disabled == true && disabled.tenant?.reason == "not paid")
    }
    _ = try await tenants.setTenantDisabled(SetTenantDisabledRequest(tenantID: "t1"))
    var listed: [String] = []
    var token = ""
    repeat {
      let page = try await tenants.listTenants(ListTenantsRequest(pageSize: 1, pageToken: token))
      listed += page.tenants.map { "\($0.tenantID) \($0.title) \($0.disabled)" }
      token = page.nextPageToken
    } while !token.isEmpty
    #expect(listed == ["harbour Harbour false", "t1 First false"])
    await expectRefusal(.invalidArgument, "bad_page_token") {
      try await tenants.listTenants(ListTenantsRequest(pageToken: "a b"))
    }
    let events = try await world.events().filter { [.tenantCreated, .tenantChanged].contains($0.kind) }
    #expect(events.map(\.note) == ["t1", "disabled: not paid", "enabled"] && events.allSatisfy { $0.actor == "ops" })
    await world.end()
  }

  @Test("gateways hear of disabled tenants, and of every device that was ever wiped", arguments: TestEngine.allCases)
  func told(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    _ = try await world.open("Anna")
    _ = try await world.admin.admin.wipeDevice(WipeDeviceRequest(deviceID: "tablet"))
    // Long after its tokens have expired.
    world.clock.move(by: .seconds(90 * 86_400))
    await world.tidy()
    let gateway = world.clients(CallerIdentity(kind: .service, subject: "gateway"))
    func first() async throws -> (wiped: [String], disabled: [String]) {
      var (wiped, disabled) = ([String](), [String]())
      for try await answer in gateway.admin.watchRevocations(deadline: .seconds(60)).responses {
        for case .deviceID(let id)? in answer.revocations.map(\.revoked) { wiped.append(id) }
        disabled += answer.tenantStates.filter(\.disabled).map(\.tenant)
        if answer.complete { break }
      }
      return (wiped, disabled)
    }
    let before = try await first()
    #expect(before.wiped == ["tablet"] && before.disabled.isEmpty)
    func disable(_ isDisabled: Bool) async throws {
      _ = try await operators(world).setTenantDisabled(
        SetTenantDisabledRequest(tenantID: "t1", disabled: isDisabled, reason: "not paid"))
    }
    var stream = gateway.admin.watchRevocations(deadline: .seconds(60)).responses
      .makeAsyncIterator()
    func next() async throws -> TenantState? {
      for _ in 0..<1000 {
        if let state = try #require(try await stream.next()).tenantStates.first { return state }
      }
      return nil
    }
    try await disable(true)
    #expect(try await next() == TenantState(tenant: "t1", disabled: true))
    let during = try await first()
    #expect(during.wiped == ["tablet"] && during.disabled == ["t1"])
    try await disable(false)
    #expect(try await next() == TenantState(tenant: "t1", disabled: false))
    await world.end()
  }

  @Test("an administrator of a tenant is no operator, and an operator sees nothing inside of a tenant")
  func apart() async throws {
    let world = try await AccountWorld()
    _ = try await world.open("Anna")
    for client in [world.admin, world.device("tablet"), world.service] {
      await expectRefusal(.permissionDenied, "not_admitted") {
        try await client.tenants.listTenants(ListTenantsRequest())
      }
    }
    let ops = world.clients(CallerIdentity(kind: .operator, subject: "ops"))
    await #expect(throws: Status.self) { try await ops.admin.listAccounts(ListAccountsRequest()) }
    await world.end()
  }
}
