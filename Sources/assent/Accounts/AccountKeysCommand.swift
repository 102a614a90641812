internal import AccountContract
internal import Base
internal import RPC
internal import ServiceKit
internal import Wire

/// The settings of `assent accounts` for its actions on API keys.
struct AccountKeySettings: SettingGroup {
  let device = Setting(
    "device-key", default: false,
    "for add-key: the key is for a device or an app that runs sessions of several people, and not for a program")
  let roles = Setting(
    "grants", default: [String](), shown: "ROLE@STUDY",
    "for add-key and add-staff: the roles, each role@study, role@study/site or role@*; a device's is 'device', and those "
      + "of staff without any are admin@*")
  let scopes = Setting(
    "scopes", default: [String](), shown: "SERVICE/METHOD",
    "for add-key: the only methods that the key is good for, each package.Service/Method or package.Service/*; none: all"
  )
  let expires = Setting<String?>(
    "expires", default: nil, shown: "TIME", "for add-key: when it ends, such as 2027-01-01T00:00:00Z")
  let overlap = Setting(
    "overlap", default: Duration.seconds(86_400), in: .zero ... .seconds(30 * 86_400),
    "for rotate-key: how long the former secret is good as well")
}

/// The actions of `assent accounts` on a tenant's API keys.
struct AccountKeysCommand {
  let client: ApiKeyServiceClient
  let settings: Settings<AccountKeySettings>
  let tenant: String

  func list() async throws {
    let keys = try await all()
    let rows = keys.map { key in
      [
        key.name, key.apiKeyID, key.kind == .device ? "device" : "program", key.roles.joined(separator: ","),
        key.scopes.joined(separator: ","), Self.text(key.expiresAt), Self.text(key.usedAt),
        Self.state(of: key),
      ]
    }
    let heading = ["name", "key", "kind", "grants", "scopes", "expires", "last used", "state"]
    say(TextTable(heading: heading, rows: rows).text)
  }

  func add(_ name: String) async throws {
    try MethodNames.check(scopes: settings[\.scopes])
    let expires = try settings[\.expires].map { text in
      guard let time = TimeText.timestamp(Array(text.utf8)) else {
        throw ConsentComplaint("--expires is '\(text)', which is no time with a zone such as 2027-01-01T00:00:00Z")
      }
      return Timestamp(seconds: time.seconds)
    }
    let made = try await client.createApiKey(
      CreateApiKeyRequest(
        apiKey: ApiKey(
          name: name, kind: settings[\.device] ? .device : .program, roles: settings[\.roles],
          scopes: settings[\.scopes], expiresAt: expires)))
    say("✓ \(name) may call over HTTP and gRPC; keep the key, it is not shown again:")
    say(made.key)
  }

  func rotate(_ name: String) async throws {
    let given = try await client.rotateApiKey(
      RotateApiKeyRequest(apiKeyID: try await id(of: name), overlap: ProtobufDuration(settings[\.overlap])))
    let end = given.apiKey?.overlapEndsAt.map { "the former one is good until \(Self.text($0))" }
    say("✓ \(name) has another key, and \(end ?? "the former one is good no more"); it is not shown again:")
    say(given.key)
  }

  func revoke(_ name: String) async throws {
    _ = try await client.revokeApiKey(RevokeApiKeyRequest(apiKeyID: try await id(of: name)))
    say("✓ \(name) is accepted no more")
  }

  private func all() async throws -> [ApiKey] {
    var keys: [ApiKey] = []
    var token = ""
    repeat {
      let page = try await client.listApiKeys(ListApiKeysRequest(pageSize: 1000, pageToken: token))
      keys += page.apiKeys
      token = page.nextPageToken
    } while !token.isEmpty
    return keys
  }

  /// The identifier of the key in use with this name. An identifier is returned as it is.
  private func id(of name: String) async throws -> String {
    guard !name.hasPrefix("ak_") else { return name }
    guard let key = try await all().first(where: { $0.name == name && $0.revokedAt == nil }) else {
      throw ConsentComplaint(
        "tenant '\(tenant)' has no key in use named '\(name)'; assent accounts keys --tenant \(tenant) lists them")
    }
    return key.apiKeyID
  }

  private static func state(of key: ApiKey) -> String {
    let now = Clock.system.now
    if let revoked = key.revokedAt { return "revoked \(text(revoked))" }
    if let end = key.expiresAt, end.clamped <= now { return "expired" }
    if let end = key.overlapEndsAt, end.clamped > now { return "former secret good until \(text(end))" }
    return ""
  }

  private static func text(_ time: Timestamp?) -> String { time.map { TimeText.rfc3339($0.clamped) } ?? "" }
}
