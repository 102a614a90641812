package import Base
package import Bus

/// A key with which a program calls over HTTP and gRPC: what the list says about it. The key itself is known to its
/// holder only; the list has its hash.
package struct APIKey: Hashable, Sendable {
  /// The public part of the key, by which it is found: `ak_1f0c93aa`.
  package var id: String
  /// SHA-256 of the whole key. Keys are random and long, so that guessing one from its hash is out of reach.
  package var hash: Digest
  package var name: String
  package var tenant: String
  package var kind: CallerKind
  /// Roles at studies or sites, each `role@study`, `role@study/site` or `role@*`.
  package var roles: [String]
  /// The only methods it is good for, each `package.Service/Method` or `package.Service/*`; empty: all.
  package var scopes: [String]
  /// When it ends; nil: never.
  package var expires: Instant?

  package init(
    id: String, hash: Digest, name: String, tenant: String, kind: CallerKind, roles: [String] = [],
    scopes: [String] = [], expires: Instant? = nil
  ) {
    self.id = id
    self.hash = hash
    self.name = name
    self.tenant = tenant
    self.kind = kind
    self.roles = roles
    self.scopes = scopes
    self.expires = expires
  }

  package static let prefix = "ak_"
  private static let idBytes = 4
  private static let secretBytes = 24

  /// A new key, for its holder: its text is shown once and kept nowhere.
  package static func generate(randomness: Randomness = .system) -> String {
    prefix + Hex.encode(randomness.bytes(idBytes)) + "_" + Hex.encode(randomness.bytes(secretBytes))
  }

  /// The public part of a key; nil when the text has not the form of one.
  package static func id(of key: String) -> String? {
    let bytes = key.utf8
    let idEnd = prefix.utf8.count + 2 * idBytes
    guard key.hasPrefix(prefix), bytes.count == idEnd + 1 + 2 * secretBytes else { return nil }
    let end = bytes.index(bytes.startIndex, offsetBy: idEnd)
    let underscore = UInt8(ascii: "_")
    guard bytes[end] == underscore, bytes.count(where: { $0 == underscore }) == 2 else { return nil }
    return String(key[..<end])
  }

  package static func hash(of key: String) -> Digest { Digest(of: Array(key.utf8)) }

  package var caller: VerifiedCaller {
    let identity = CallerIdentity(
      kind: kind, tenant: tenant, subject: name, device: kind == .device ? name : "", grants: roles)
    return VerifiedCaller(identity: identity, scopes: scopes, account: id)
  }
}
