internal import AccountContract
internal import Base
internal import RPC
internal import ServiceKit
internal import Wire

/// The settings of `assent tenants`.
struct TenantsCommandSettings: SettingGroup {
  let title = Setting("title", default: "", shown: "TITLE", "for create: what the tenant is called")
  let reason = Setting("reason", default: "", shown: "TEXT", "for disable and enable: why, as it goes on record")
  let name = Setting("as", default: "operator", shown: "NAME", "the name that goes on record for this change")
  let door = DoorSettings()
}

extension Command {
  /// The tenants of an installation, for operators at a shell.
  static let tenants = Command(
    "tenants", "lists and creates tenants, and disables them",
    settings: TenantsCommandSettings(), operands: "ACTION", actions: actions, count: 1...2
  ) { settings in
    let door = try await ConsentDoor.open(settings.settings(of: \.door), as: "assent tenants")
    let client = TenantServiceClient(door.channel(settings[\.name], tenant: "", kind: .operator))
    let operands = settings.operands
    switch (operands[0], operands.count) {
    case ("list", 1): try await list(client)
    case ("create", 2):
      let title = settings[\.title].isEmpty ? operands[1] : settings[\.title]
      _ = try await client.createTenant(CreateTenantRequest(tenantID: operands[1], title: title))
      say("✓ tenant \(operands[1]) is there: \(title)")
    case ("disable", 2): try await set(true, operands[1], settings[\.reason], client)
    case ("enable", 2): try await set(false, operands[1], settings[\.reason], client)
    case ("create", 1), ("disable", 1), ("enable", 1):
      throw ConsentComplaint("a word is missing after '\(operands[0])': the tenant")
    default:
      throw ConsentComplaint(
        "'\(operands.joined(separator: " "))' is none of list, create, disable and enable")
    }
    try await door.close()
  }

  private static let actions = [
    CommandAction("list", does: "lists the tenants"),
    CommandAction("create", "TENANT", does: "puts a tenant on record", settings: ["title"]),
    CommandAction(
      "disable", "TENANT", does: "lets nobody call for a tenant, from within a second on", settings: ["reason"]),
    CommandAction("enable", "TENANT", does: "lets them call again", settings: ["reason"]),
  ]

  private static func list(_ client: TenantServiceClient) async throws {
    var rows: [[String]] = []
    var token = ""
    repeat {
      let page = try await client.listTenants(ListTenantsRequest(pageSize: 1000, pageToken: token))
      rows += page.tenants.map { tenant in
        let created = tenant.createdAt.map { TimeText.rfc3339($0.clamped) } ?? ""
        return [tenant.tenantID, tenant.title, created, tenant.disabled ? "disabled" : "", tenant.reason]
      }
      token = page.nextPageToken
    } while !token.isEmpty
    say(TextTable(heading: ["tenant", "title", "created", "state", "reason"], rows: rows).text)
  }

  private static func set(
    _ isDisabled: Bool, _ tenant: String, _ reason: String, _ client: TenantServiceClient
  ) async throws {
    guard !isDisabled || !reason.isEmpty else { throw ConsentComplaint("--reason is missing: it goes on record") }
    _ = try await client.setTenantDisabled(
      SetTenantDisabledRequest(tenantID: tenant, disabled: isDisabled, reason: reason))
    say("✓ \(tenant) is \(isDisabled ? "disabled: nobody calls for it any more" : "enabled again")")
  }
}
