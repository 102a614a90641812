import AccountContract
import AccountService
import Base
import RPC
import Storage
import StorageTestKit
import Testing

/// Rows of AccountService that were changed by hand are not answered from, and give nobody a right.
@Suite(.serialized) struct ForgedAccountRowTests {
  private typealias Call = (name: String, make: @Sendable () async throws -> Void)

  private struct Forgery {
    let name: String
    let sql: String
    /// Puts back what was there.
    let undo: String
    let calls: [Call]
  }

  private func expectLoss(_ name: String, _ calls: [Call]) async {
    for call in calls {
      do {
        try await call.make()
        Issue.record("\(name): \(call.name) was answered")
      } catch {
        let status = error as? Status
        #expect(status?.code == .dataLoss, "\(name): \(call.name): \(error)")
        #expect(
          status?.message.hasPrefix("data_corrupt: stored data were altered or damaged") == true,
          "\(name): \(call.name): \(error)")
      }
    }
  }

  @Test(
    "a forged row is refused in lists, in what is read alone, and where it would grant something",
    arguments: TestEngine.allCases)
  func refused(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let (anna, bert) = try await fill(world)
    let invited = try await world.admin.admin.createAccountInvitation(CreateAccountInvitationRequest()).code
    func alter(_ sql: String) async throws {
      try await world.test.location.alter(sql, schema: world.test.schema.name)
    }
    let calls = Self.calls(world, anna, bert)
    for call in calls.values { try await call.make() }
    let onboarding: Call = (
      "StartOnboarding",
      {
        _ = try await world.device("tablet").people.startOnboarding(
          StartOnboardingRequest(by: .invitationCode(invited), profile: .init(title: "Eve"), locale: "en"))
      }
    )
    func these(_ names: String...) throws -> [Call] { try names.map { try #require(calls[$0]) } }
    let forgeries = [
      Forgery(
        name: "role invented",
        sql: "INSERT INTO roles (tenant, person_id, role, granted_ms) VALUES ('t1', '\(bert)', 'admin@*', 1)",
        undo: "DELETE FROM roles WHERE person_id = '\(bert)'", calls: try these("ListAccounts", "SignIn")),
      Forgery(
        name: "person locked", sql: "UPDATE people SET locked = 1 WHERE id = '\(bert)'",
        undo: "UPDATE people SET locked = 0 WHERE id = '\(bert)'", calls: try these("ListAccounts", "SignIn")),
      Forgery(
        name: "account given to somebody else", sql: "UPDATE people SET merged_into = '\(anna)' WHERE id = '\(bert)'",
        undo: "UPDATE people SET merged_into = '' WHERE id = '\(bert)'", calls: try these("ListFailedItems")),
      Forgery(
        name: "person added to a device",
        sql: "INSERT INTO placements (tenant, device_id, person_id, must_change, onboarded_ms) "
          + "VALUES ('t1', 'tablet', 'eve', 0, 1)",
        undo: "DELETE FROM placements WHERE person_id = 'eve'", calls: try these("ListPeople")),
      Forgery(
        name: "device's key replaced", sql: "UPDATE devices SET registered_ms = registered_ms + 1",
        undo: "UPDATE devices SET registered_ms = registered_ms - 1",
        calls: try these("ListDevices", "ListPeople", "SignIn")),
      Forgery(
        name: "session prolonged", sql: "UPDATE sessions SET expires_ms = expires_ms + 1",
        undo: "UPDATE sessions SET expires_ms = expires_ms - 1", calls: try these("ListSessions")),
      Forgery(
        name: "failed item settled anew", sql: "UPDATE queue_items SET arrived_ms = arrived_ms + 1",
        undo: "UPDATE queue_items SET arrived_ms = arrived_ms - 1", calls: try these("ListFailedItems")),
      Forgery(
        name: "settings replaced", sql: "UPDATE settings SET id = 'other'",
        undo: "UPDATE settings SET id = 'accounts'", calls: try these("GetAccountSettings")),
      Forgery(
        name: "invitation for somebody else", sql: "UPDATE codes SET new_person_id = 'eve'",
        undo: "UPDATE codes SET new_person_id = ''", calls: [onboarding]),
    ]
    for forgery in forgeries {
      try await alter(forgery.sql)
      await expectLoss(forgery.name, forgery.calls)
      try await alter(forgery.undo)
      for call in calls.values { try await call.make() }
    }
    try await onboarding.make()
    try await alter("\(engine.unguarding("storage_events")) UPDATE storage_events SET payload = \(engine.literal([]))")
    await expectLoss("events emptied", try these("ListAccountEvents"))
    await world.end()
  }

  @Test(
    "what was removed by hand is missed where it is looked up, and absent from lists", arguments: TestEngine.allCases)
  func removed(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let (anna, bert) = try await fill(world)
    let calls = Self.calls(world, anna, bert)
    try await world.test.location.alter(
      "DELETE FROM placements WHERE person_id = '\(bert)'; DELETE FROM people WHERE id = '\(anna)'",
      schema: world.test.schema.name)
    let listed = try await world.admin.admin.listAccounts(ListAccountsRequest()).accounts
    #expect(listed.map(\.personID) == [bert])
    await expectLoss("placement removed", [try #require(calls["SignIn"])])
    let profile: Call = ("GetProfile", { _ = try await world.person(anna).people.getProfile(GetProfileRequest()) })
    await expectLoss("person removed", [profile])
    await world.end()
  }

  /// Anna has a role, a session and a failed item; Bert signs in with his passcode.
  private func fill(_ world: AccountWorld) async throws -> (anna: String, bert: String) {
    let people = try await world.openForUpload("Anna", "Bert")
    _ = try await world.admin.admin.grantRole(GrantRoleRequest(personID: people[0], role: "witness@heart"))
    let grants = try await world.grants(of: people)
    world.peers.fail { _ in Status(.permissionDenied, "role_missing: not yours to do") }
    let item = QueueItem(
      itemID: "a", personID: people[0], method: "assent.consent.v1.SessionService/SubmitOfflineWalk", request: [7])
    _ = try await world.push([item], grants)
    return (people[0], people[1])
  }

  private static func calls(_ world: AccountWorld, _ anna: String, _ bert: String) -> [String: Call] {
    let calls: [Call] = [
      ("ListAccounts", { _ = try await world.admin.admin.listAccounts(ListAccountsRequest()) }),
      ("ListDevices", { _ = try await world.admin.admin.listDevices(ListDevicesRequest()) }),
      ("ListAccountEvents", { _ = try await world.admin.admin.listAccountEvents(ListAccountEventsRequest()) }),
      (
        "GetAccountSettings", { _ = try await world.admin.admin.getAccountSettings(GetAccountSettingsRequest()) }
      ),
      ("ListPeople", { _ = try await world.list() }),
      (
        "ListSessions",
        {
          let sessions = try await world.person(bert).signIn.listSessions(ListSessionsRequest()).sessions
          #expect(!sessions.isEmpty)
        }
      ),
      (
        "ListFailedItems",
        {
          let items = try await world.person(anna).sync.listFailedItems(ListFailedItemsRequest()).items
          #expect(items.map(\.itemID) == ["a"])
        }
      ),
      ("SignIn", { _ = try await world.signIn(bert) }),
    ]
    return Dictionary(uniqueKeysWithValues: calls.map { ($0.name, $0) })
  }
}
