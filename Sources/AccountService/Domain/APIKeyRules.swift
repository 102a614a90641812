package import AccountContract
package import Base
internal import Refusals
package import Wire

/// The text of an API key: `ak_`, 16 hexadecimal digits that name it, `_`, and 48 that are secret.
package enum APIKeyText {
  private static let nameBytes = 8
  private static let secretBytes = 24

  /// The identifier of a new key, with which the key's text begins.
  package static func makeID(_ randomness: Randomness) -> String { "ak_" + Hex.encode(randomness.bytes(nameBytes)) }

  /// The text of a key with this identifier and a new secret. Only the key's holder gets it.
  package static func make(_ id: String, _ randomness: Randomness) -> String {
    id + "_" + Hex.encode(randomness.bytes(secretBytes))
  }

  /// The hash that is stored instead of a key. Secrets are random and so long that nobody finds one by hashing guesses.
  package static func hash(of key: String) -> Digest { Digest(of: Array(key.utf8)) }
}

/// Checks what an administrator asks for when creating or rotating an API key.
package enum APIKeyRules {
  /// How many keys a tenant may have in use.
  package static let mostKeys = 200
  private static let mostRights = 64
  private static let longestOverlap = Duration.seconds(30 * 86_400)
  private static let usualOverlap = Duration.seconds(86_400)

  /// Checks a key that somebody wants created. Returns it with only the fields that callers may set.
  package static func checked(_ wanted: ApiKey?, at now: Instant) throws -> ApiKey {
    let wanted = wanted ?? ApiKey()
    guard isName(wanted.name) else {
      throw refuse("bad_name", "name", "must be 1 to 64 letters, digits, dots, dashes and underscores")
    }
    guard wanted.kind != .unspecified, ApiKeyKind.allCases.contains(wanted.kind) else {
      throw refuse("kind_missing", "kind", "must be API_KEY_KIND_PROGRAM or API_KEY_KIND_DEVICE")
    }
    guard wanted.roles.count <= mostRights, wanted.scopes.count <= mostRights else {
      throw refuse("too_many", "roles", "and api_key.scopes may have \(mostRights) entries each")
    }
    let holder: RoleText.Holder = wanted.kind == .device ? .device : .person
    for (index, role) in wanted.roles.enumerated() {
      _ = try RoleText(role, for: holder, field: "api_key.roles[\(index)]")
    }
    for (index, scope) in wanted.scopes.enumerated() where !isScope(scope) {
      throw refuse(
        "bad_scope", "scopes[\(index)]",
        "is '\(scope.shortened)'; it must be package.Service/Method or package.Service/*")
    }
    if let end = wanted.expiresAt?.clamped, end <= now {
      throw refuse("expired_already", "expires_at", "must be in the future")
    }
    return ApiKey(
      name: wanted.name, kind: wanted.kind, roles: wanted.roles, scopes: wanted.scopes, expiresAt: wanted.expiresAt)
  }

  /// How long the former secret is still accepted after a rotation.
  package static func overlap(_ wanted: ProtobufDuration?) throws -> Duration {
    guard let wanted else { return usualOverlap }
    let overlap = Duration.seconds(wanted.seconds) + .nanoseconds(Int64(wanted.nanos))
    guard overlap >= .zero, overlap <= longestOverlap else {
      throw Refusal(.invalid, "overlap_out_of_bounds", field: "overlap", "overlap must be 0 to 30 days")
    }
    return overlap
  }

  private static func refuse(_ rule: String, _ field: String, _ message: String) -> Refusal {
    Refusal(.invalid, rule, field: "api_key.\(field)", "api_key.\(field) \(message)")
  }

  /// The longest scope: two names of 64 bytes each, and the slash between them.
  private static let longestScope = 129

  private static func isScope(_ text: String) -> Bool {
    guard text.utf8.count <= longestScope else { return false }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 2 && isName(parts[0]) && (parts[1] == "*" || isName(parts[1]))
  }

  private static func isName(_ name: some StringProtocol) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
      }
  }
}
