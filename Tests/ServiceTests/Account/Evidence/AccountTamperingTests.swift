import AccountContract
import AccountService
import Bus
import RPC
import Storage
import StorageTestKit
import TestSupport
import Testing

/// Changes AccountService's rows by hand, one way after the other, lets people go on with the same objects, and wants
/// each found by name.
@Suite struct AccountTamperingTests {
  @Test(
    "every tampering with rights, keys and ways in is found, whatever follows",
    arguments: LongTests.areWanted ? TestEngine.allCases : [.sqlite])
  func all(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine, evidence: .example())
    let people = try await world.open("Anna", "Bert")
    let (anna, bert) = (people[0], people[1])
    _ = try await world.signIn(anna)
    await expectRefusal(.unauthenticated, "wrong_passcode") { try await world.signIn(bert, passcode: "a guess") }
    let admin = world.admin.admin
    _ = try await admin.grantRole(GrantRoleRequest(personID: anna, role: "witness@heart"))
    _ = try await admin.setPersonLock(SetPersonLockRequest(personID: bert, locked: true))
    _ = try await admin.createAccountInvitation(CreateAccountInvitationRequest())
    let key = ApiKey(name: "import", kind: .program, roles: ["coordinator@heart"])
    let made = try await world.admin.keys.createApiKey(CreateApiKeyRequest(apiKey: key)).apiKey
    try await world.signer?.signAll()
    let heads = try await world.test.database.scope(.named("t1")).read { try $0.signedHeads(after: 0) }
    let forgery = try await world.test.forging(
      "INSERT INTO roles (tenant, person_id, role, granted_ms) VALUES ('t1', '\(bert)', 'admin@*', 1)", of: "roles",
      [.text(bert), .text("admin@*")], code: .copied, .named("t1"))
    let bench = try await TamperBench(
      world.test, heads: heads, trusting: [EvidenceKey.example().verifyingKey], clock: world.clock.clock)
    #expect(try await bench.problems() == [], "what was not touched is well")
    let tamperings = AccountTamperings(
      anna: anna, bert: bert, key: try #require(made?.apiKeyID), forgery: forgery, engine: engine)
    let faults = try await bench.faults(tamperings.list) { copy, body in
      let world = try await AccountWorld(engine, on: copy)
      try await body(world)
      world.bus.stop()
    }
    for fault in faults { Issue.record("\(fault)") }
    try await bench.end()
    await world.end()
  }
}

private struct AccountTamperings {
  typealias Case = Tampering<AccountWorld>

  let anna: String
  let bert: String
  let key: String
  /// SQL that grants a role, with an event that fits.
  let forgery: String
  let engine: TestEngine

  private var rows: TamperedRows<AccountWorld> { TamperedRows(engine, AccountSchema.all, of: .named("t1")) }

  var list: [Case] { roles + accounts + devices + entries + settings }

  private var roles: [Case] {
    let grant: Case.Change = { [anna, bert] world in
      let admin = world.admin.admin
      _ = try await admin.grantRole(GrantRoleRequest(personID: anna, role: "witness@heart"))
      _ = try await admin.revokeRole(RevokeRoleRequest(personID: bert, role: "admin@*"))
    }
    let (witness, forged) = ("\(anna), witness@heart", "\(bert), admin@*")
    let changes = ["person_id": "'\(bert)'", "role": "'admin@*'"]
    return [
      rows.add("role granted", "roles", forged, like: witness, but: changes, "person_id role granted_ms"),
      rows.remove("role taken away", "roles", witness),
      rows.set("role granted earlier", "roles", witness, "granted_ms = 1"),
    ].then(grant)
      + [
        Case("role granted, with an event that fits", forgery, "is not one that the service wrote")
      ].thenRefused(grant)
  }

  private var accounts: [Case] {
    let other = "(SELECT i.sealed FROM storage_vault_items i WHERE i.subject = '\(bert)' AND i.item LIKE 'passcode/%')"
    return [
      rows.remove("person deleted", "people", bert)
    ].then { world in _ = try await world.onboard("Bert") }
      + [
        rows.set("person unlocked", "people", bert, "locked = 0")
      ].then { [bert] world in
        _ = try await world.admin.admin.setPersonLock(SetPersonLockRequest(personID: bert, locked: false))
      }
      + [
        rows.set("recovery code replaced", "people", anna, "recovery = \(engine.literal([1]))"),
        rows.set("tokens of a person good again", "people", anna, "void_ms = void_ms - 1"),
        rows.set("person merged", "people", anna, "merged_into = '\(bert)'"),
        rows.set("passcode replaced", "storage_vault_items", "\(anna), passcode/tablet", "sealed = \(other)"),
      ].then { [anna] world in
        _ = try await world.admin.admin.resetPasscode(ResetPasscodeRequest(personID: anna, deviceID: "tablet"))
      }
  }

  private var devices: [Case] {
    let columns = "id public_key secret single_user current_person registered_ms proved_ms places"
    return [
      rows.add("device registered", "devices", "pad", like: "tablet", but: ["id": "'pad'"], columns),
      rows.set("device wiped", "devices", "tablet", "wiped_ms = 1"),
      rows.set("device of another secret", "devices", "tablet", "secret = public_key"),
      rows.set("device at other places", "devices", "tablet", "places = 'lung'"),
      rows.remove("person taken off a device", "placements", "tablet, \(anna)"),
      rows.add(
        "person placed on a device", "placements", "tablet, eve", like: "tablet, \(anna)", but: ["person_id": "'eve'"],
        "device_id person_id must_change onboarded_ms"),
    ].then { world in
      _ = try await world.admin.admin.wipeDevice(WipeDeviceRequest(deviceID: "tablet"))
    }
      + [
        rows.remove("device deleted", "devices", "tablet")
      ].then { world in try await world.register("tablet") }
  }

  private var entries: [Case] {
    [
      Case("session prolonged", "UPDATE sessions SET expires_ms = expires_ms + 1", "of table 'sessions'"),
      Case("session deleted", "DELETE FROM sessions", "of table 'sessions' is gone"),
      Case("revocation taken back", "DELETE FROM revocations", "of table 'revocations' is gone"),
      Case("guesses forgotten", "UPDATE guesses SET failures = 0, blocked_ms = -1", "of table 'guesses'"),
      Case("guesses deleted", "DELETE FROM guesses", "of table 'guesses'"),
    ].then { [anna] world in _ = try await world.signIn(anna) }
      + [
        Case("code used", "UPDATE codes SET used = 1", "of table 'codes'"),
        Case("code deleted", "DELETE FROM codes", "of table 'codes'"),
      ].then { world in
        _ = try await world.admin.admin.createAccountInvitation(CreateAccountInvitationRequest())
      }
  }

  private var settings: [Case] {
    [
      rows.set("settings renamed", "settings", "accounts", "id = 'other'"),
      rows.remove("settings deleted", "settings", "accounts"),
    ].then { world in try await world.allowSelfRegistration(flow: "flow") }
      + [
        rows.set("key of another hash", "api_keys", key, "hash = previous_hash"),
        rows.set("key of another name", "api_keys", key, "name = 'export'"),
      ].then { [key] world in
        _ = try await world.admin.keys.rotateApiKey(RotateApiKeyRequest(apiKeyID: key))
      }
      + [
        rows.remove("key deleted", "api_keys", key)
      ].then { world in
        let again = ApiKey(name: "import", kind: .program, roles: ["coordinator@heart"])
        _ = try await world.admin.keys.createApiKey(CreateApiKeyRequest(apiKey: again))
      }
  }
}
