internal import AccountContract
internal import Base
internal import Bus
internal import RPC
internal import ServiceKit
internal import Wire

/// The settings of `assent accounts`.
struct AccountsCommandSettings: SettingGroup {
  let tenant = Setting("tenant", default: "main", shown: "TENANT", "the tenant of the accounts")
  let name = Setting("as", default: "admin", shown: "NAME", "the name that goes on record for this change")
  let device = Setting("device", default: "", shown: "DEVICE", "the device where a passcode is reset")
  let address = Setting(
    "address", default: "http://127.0.0.1:8080", shown: "URL", "where browsers reach the gateway, for links")
  let key = AccountKeySettings()
  let door = DoorSettings()
}

extension Command {
  /// A tenant's accounts, for administrators at a shell.
  static let accounts = Command(
    "accounts", "lists accounts, adds people and browsers, resets passcodes, locks and unlocks, and keeps API keys",
    settings: AccountsCommandSettings(),
    operands: "ACTION", actions: actions, count: 1...2
  ) { settings in
    let door = try await ConsentDoor.open(settings.settings(of: \.door), as: "assent accounts")
    let channel = door.channel(settings[\.name], tenant: settings[\.tenant], kind: .person, grants: ["admin@*"])
    let client = AccountAdminServiceClient(channel)
    let keys = AccountKeysCommand(
      client: ApiKeyServiceClient(channel), settings: settings.settings(of: \.key),
      tenant: settings[\.tenant])
    let operands = settings.operands
    switch (operands[0], operands.count) {
    case ("list", 1): try await listAccounts(client)
    case ("add", 1...2): try await add(operands.count == 2 ? operands[1] : "", client)
    case ("add-staff", 2):
      let roles = settings.settings(of: \.key)[\.roles]
      let made = try await StaffAccount.make(
        operands[1], roles: roles.isEmpty ? ["admin@*"] : roles, tenant: settings[\.tenant], by: channel,
        over: door.connection.channel)
      say("✓ \(operands[1]) may sign in in a browser; none of this is shown again:")
      made.lines(of: operands[1], at: settings[\.address]).forEach { say($0) }
    case ("add-device", 2):
      let wanted = CreateDeviceCodeRequest(device: AccountDevice(name: operands[1]))
      let made = try await DeviceServiceClient(channel).createDeviceCode(wanted)
      say("✓ \(operands[1]) waits for the browser that opens this link first, within 15 minutes:")
      say("  \(settings[\.address])\(made.link)")
    case ("reset", 2): try await reset(operands[1], settings[\.device], client)
    case ("lock", 2): try await setLock(true, operands[1], client)
    case ("unlock", 2): try await setLock(false, operands[1], client)
    case ("keys", 1): try await keys.list()
    case ("add-key", 2): try await keys.add(operands[1])
    case ("rotate-key", 2): try await keys.rotate(operands[1])
    case ("revoke-key", 2): try await keys.revoke(operands[1])
    case ("add-staff", 1), ("add-device", 1), ("reset", 1), ("lock", 1), ("unlock", 1), ("add-key", 1),
      ("rotate-key", 1), ("revoke-key", 1):
      throw ConsentComplaint("a word is missing after '\(operands[0])': whom or what it is about")
    default:
      throw ConsentComplaint(
        "'\(operands.joined(separator: " "))' is none of list, add, add-staff, add-device, reset, lock, unlock, keys, add-key, rotate-key "
          + "and revoke-key")
    }
    try await door.close()
  }

  private static let actions = [
    CommandAction("list", does: "lists the accounts of the tenant"),
    CommandAction("add", "[PERSON]", does: "makes an invitation for a new person, who may be given an identifier"),
    CommandAction(
      "add-staff", "NAME", does: "makes an account, and the link by which its person signs in in a browser",
      settings: ["grants", "address"]),
    CommandAction(
      "add-device", "NAME", does: "makes the link by which a browser becomes a shared device", settings: ["address"]),
    CommandAction("reset", "PERSON", does: "gives a passcode that has to be changed at once", settings: ["device"]),
    CommandAction("lock", "PERSON", does: "locks somebody out everywhere"),
    CommandAction("unlock", "PERSON", does: "lets somebody in again"),
    CommandAction("keys", does: "lists the tenant's API keys"),
    CommandAction(
      "add-key", "NAME", does: "makes an API key and shows it for the only time",
      settings: ["device-key", "grants", "scopes", "expires"]),
    CommandAction(
      "rotate-key", "NAME", does: "gives an API key another secret and shows it for the only time",
      settings: ["overlap"]),
    CommandAction("revoke-key", "NAME", does: "revokes an API key: gateways refuse it within a second"),
  ]

  private static func listAccounts(_ client: AccountAdminServiceClient) async throws {
    var rows: [[String]] = []
    var token = ""
    repeat {
      let page = try await client.listAccounts(ListAccountsRequest(pageSize: 1000, pageToken: token))
      rows += page.accounts.map { account in
        let state =
          account.erased
          ? "erased"
          : account.locked
            ? "locked"
            : account.mergedInto.isEmpty
              ? "" : "merged into \(account.mergedInto)"
        return [
          account.personID, account.title, account.deviceIDs.joined(separator: ","),
          account.roles.joined(separator: ","), state,
        ]
      }
      token = page.nextPageToken
    } while !token.isEmpty
    say(TextTable(heading: ["person", "title", "devices", "roles", "state"], rows: rows).text)
  }

  private static func add(_ person: String, _ client: AccountAdminServiceClient) async throws {
    let made = try await client.createAccountInvitation(CreateAccountInvitationRequest(newPersonID: person))
    say(
      "✓ invitation \(made.code)  good once, until \(TimeText.rfc3339(made.expiresAt.map(\.clamped) ?? Clock.system.now))"
    )
  }

  private static func reset(_ person: String, _ device: String, _ client: AccountAdminServiceClient) async throws {
    guard !device.isEmpty else { throw ConsentComplaint("--device is missing: a passcode belongs to one device") }
    let given = try await client.resetPasscode(ResetPasscodeRequest(personID: person, deviceID: device))
    say("✓ passcode \(given.passcode)  has to be changed at the next sign-in on \(device)")
  }

  private static func setLock(_ isLocked: Bool, _ person: String, _ client: AccountAdminServiceClient) async throws {
    _ = try await client.setPersonLock(SetPersonLockRequest(personID: person, locked: isLocked))
    say("✓ \(person) is \(isLocked ? "locked out everywhere" : "let in again")")
  }
}
