internal import AccountContract
internal import Base
internal import ServicePolicy
internal import Storage

/// The secrets by which a tenant's clients prove themselves to OpenID providers, sealed in the vault.
enum ClientSecretStore {
  private static var owner: Subject {
    guard let subject = Subject(ReservedPrefix.provider.rawValue + "clients") else {
      preconditionFailure("this names a subject")
    }
    return subject
  }

  /// A secret belongs to one client at one issuer: no other issuer is ever sent it.
  private static func item(_ client: IdentityClient, _ issuer: String) -> String {
    "secret/\(Digest(of: Array("\(issuer)\n\(client.clientID)".utf8)).hex)"
  }

  static func secret(of client: IdentityClient, at issuer: String, _ snapshot: Snapshot) throws -> String? {
    try snapshot.vault.get(item(client, issuer), of: owner).map { String(decoding: $0, as: UTF8.self) }
  }

  static func put(_ secret: String, of client: IdentityClient, at issuer: String, _ transaction: Transaction) throws {
    try transaction.vault.put(Array(secret.utf8), as: item(client, issuer), of: owner)
  }

  /// Removes the secrets of clients that settings no longer have, or that no longer need one.
  static func tidy(from before: AccountSettings, to after: AccountSettings, _ transaction: Transaction) throws {
    let kept = items(after)
    for item in items(before) where !kept.contains(item) {
      if try transaction.vault.get(item, of: owner) != nil { try transaction.vault.remove(item, of: owner) }
    }
  }

  private static func items(_ settings: AccountSettings) -> Set<String> {
    Set(
      settings.identityIssuers.compactMap { issuer in
        issuer.client.flatMap { $0.proof == .none ? nil : item($0, issuer.issuer) }
      })
  }
}
