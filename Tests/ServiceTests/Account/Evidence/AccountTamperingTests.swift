import AccountContract
import AccountService
import RPC
import Storage
import StorageTestKit
import Testing

/// Changes AccountService's rows by hand, one way after the other, and wants each found by name.
@Suite struct AccountTamperingTests {
  @Test("every tampering with rights, keys and ways in is found and named", arguments: TestEngine.allCases)
  func all(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let people = try await world.open("Anna", "Bert")
    let (anna, bert) = (people[0], people[1])
    _ = try await world.signIn(anna)
    await expectRefusal(.unauthenticated, "wrong_passcode") { try await world.signIn(bert, passcode: "a guess") }
    _ = try await world.admin.admin.grantRole(GrantRoleRequest(personID: anna, role: "witness@heart"))
    _ = try await world.admin.admin.setPersonLock(SetPersonLockRequest(personID: bert, locked: true))
    _ = try await world.admin.admin.createAccountInvitation(CreateAccountInvitationRequest())
    let signer = EvidenceSigner(world.test.database, key: .example(), installation: "test")
    try await signer.signAll()
    let heads = try await world.test.database.scope(.named("t1")).read { try $0.signedHeads(after: 0) }
    let fitting = try await world.test.forging(
      "INSERT INTO roles (tenant, person_id, role, granted_ms) VALUES ('t1', '\(bert)', 'admin@*', 1)", of: "roles",
      [.text(bert), .text("admin@*")], code: .copied, .named("t1"))
    let bench = try await TamperBench(world.test, heads: heads, trusting: [signer.verifyingKey])
    #expect(try await bench.problems(after: "SELECT 1") == [], "what was not touched is well")
    let added = Tampering(
      "role granted, with an event that fits", fitting, "is not one that the service wrote: the code does not fit")
    for missed in try await bench.unnamed(Self.tamperings(anna, bert) + [added]) { Issue.record("\(missed)") }
    try await bench.end()
    await world.end()
  }

  private static func tamperings(_ anna: String, _ bert: String) -> [Tampering] {
    [
      Tampering(
        "role granted",
        "INSERT INTO roles (tenant, person_id, role, granted_ms) VALUES ('t1', '\(bert)', 'admin@*', 1)",
        Tampering.invented("roles", "\(bert), admin@*")),
      Tampering("role taken away", "DELETE FROM roles", Tampering.gone("roles", "\(anna), witness@heart")),
      Tampering("person unlocked", "UPDATE people SET locked = 0", Tampering.changed("people", bert)),
      Tampering(
        "recovery code replaced", "UPDATE people SET recovery = secret FROM devices", Tampering.changed("people", anna)),
      Tampering(
        "person merged", "UPDATE people SET merged_into = '\(bert)' WHERE id = '\(anna)'",
        Tampering.changed("people", anna)),
      Tampering(
        "device registered",
        "INSERT INTO devices (tenant, id, name, public_key, secret, single_user, current_person, registered_ms, "
          + "proved_ms, places) "
          + "SELECT tenant, 'pad', name, public_key, secret, single_user, '', registered_ms, 0, places FROM devices",
        Tampering.invented("devices", "pad")),
      Tampering("device wiped", "UPDATE devices SET wiped_ms = 1", Tampering.changed("devices", "tablet")),
      Tampering(
        "person placed on a device",
        "INSERT INTO placements (tenant, device_id, person_id, must_change, onboarded_ms) "
          + "VALUES ('t1', 'tablet', 'eve', 0, 1)", Tampering.invented("placements", "tablet, eve")),
      Tampering(
        "session prolonged", "UPDATE sessions SET expires_ms = expires_ms + 1", "of table 'sessions' is not what event"),
      Tampering("revocation taken back", "DELETE FROM revocations", "of table 'revocations' is gone"),
      Tampering(
        "attempts forgotten", "UPDATE attempts SET failures = 0, blocked_ms = -1", "of table 'attempts' is not what"),
      Tampering("code used", "UPDATE codes SET used = 1", "of table 'codes' is not what event"),
      Tampering(
        "passcode replaced",
        "UPDATE storage_vault_items SET sealed = (SELECT sealed FROM storage_vault_items WHERE subject = '\(bert)' "
          + "AND item LIKE 'passcode/%') WHERE subject = '\(anna)' AND item LIKE 'passcode/%'",
        Tampering.changed("storage_vault_items", "\(anna), passcode/tablet")),
      Tampering("settings changed", "UPDATE settings SET id = 'other'", Tampering.gone("settings", "accounts")),
    ]
  }
}
