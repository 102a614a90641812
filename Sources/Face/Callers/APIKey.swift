package import Base
package import RPC

/// What the list of keys says about a key with which a program calls over HTTP and gRPC. Only the key's holder knows
/// the key itself; the list has its hash.
package struct APIKey: Hashable, Sendable {
  /// The public part of the key, by which it is found: `ak_1f0c93aa`.
  package var id: String
  /// SHA-256 of the whole key. Keys are random and long, so that guessing one from its hash is out of reach.
  package var hash: Digest
  package var name: String
  /// Empty for an operator, who is above all tenants.
  package var tenant: String
  package var kind: CallerKind
  /// Roles at studies or sites, each `role@study`, `role@study/site` or `role@*`.
  package var roles: [String]
  /// The only methods it is good for, each `package.Service/Method` or `package.Service/*`; empty: all.
  package var scopes: [String]
  /// When it ends; nil: never.
  package var expires: Instant?
  /// What its holder is called by services; nil: the key's name.
  package var holder: String?

  package init(
    id: String, hash: Digest, name: String, tenant: String, kind: CallerKind, roles: [String] = [],
    scopes: [String] = [], expires: Instant? = nil, holder: String? = nil
  ) {
    self.id = id
    self.hash = hash
    self.name = name
    self.tenant = tenant
    self.kind = kind
    self.roles = roles
    self.scopes = scopes
    self.expires = expires
    self.holder = holder
  }

  package static let prefix = "ak_"
  private static let idBytes = 4
  /// Keys that AccountService keeps have longer identifiers.
  private static let accountIDBytes = 8
  private static let secretBytes = 24

  /// A new key, for its holder: its text is shown once and kept nowhere.
  package static func generate(randomness: Randomness = .system) -> String {
    prefix + Hex.encode(randomness.bytes(idBytes)) + "_" + Hex.encode(randomness.bytes(secretBytes))
  }

  /// The public part of a key; nil when the text does not have the form of a key.
  package static func id(of key: String) -> String? { id(of: key, bytes: idBytes) }

  /// Whether a key has the form of those that AccountService keeps.
  package static func isKeptByAccounts(_ key: String) -> Bool { id(of: key, bytes: accountIDBytes) != nil }

  private static func id(of key: String, bytes count: Int) -> String? {
    let bytes = key.utf8
    let idEnd = prefix.utf8.count + 2 * count
    guard key.hasPrefix(prefix), bytes.count == idEnd + 1 + 2 * secretBytes else { return nil }
    let end = bytes.index(bytes.startIndex, offsetBy: idEnd)
    let underscore = UInt8(ascii: "_")
    guard bytes[end] == underscore, bytes.count(where: { $0 == underscore }) == 2 else { return nil }
    return String(key[..<end])
  }

  package static func hash(of key: String) -> Digest { Digest(of: Array(key.utf8)) }

  package var caller: VerifiedCaller {
    let identity = CallerIdentity(
      kind: kind, tenant: tenant, subject: holder ?? name, device: kind == .device ? holder ?? name : "", grants: roles)
    return VerifiedCaller(identity: identity, scopes: scopes, account: id)
  }
}
