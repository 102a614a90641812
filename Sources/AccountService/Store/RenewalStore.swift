internal import Base
internal import ServicePolicy
internal import Storage

/// What an OpenID provider gave for another ID token later: of a person's session at a device, sealed in the person's
/// vault.
struct IdentityRenewal: Hashable, Sendable {
  let session: String
  let issuer: String
  /// Of the session's first ID token, which later ones may repeat.
  let nonce: String
  let token: String

  init(session: String, issuer: String, nonce: String, token: String) {
    (self.session, self.issuer, self.nonce, self.token) = (session, issuer, nonce, token)
  }

  fileprivate init?(_ stored: [UInt8]) {
    let fields = String(decoding: stored, as: UTF8.self)
      .split(separator: "\n", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
    guard fields.count == 4 else { return nil }
    self.init(session: fields[0], issuer: fields[1], nonce: fields[2], token: fields[3])
  }

  fileprivate var stored: [UInt8] { Array([session, issuer, nonce, token].joined(separator: "\n").utf8) }
}

enum RenewalStore {
  private static func item(_ device: String) -> String { "renewal/\(device)" }

  static func put(
    _ renewal: IdentityRenewal, of person: Subject, on device: String, _ transaction: Transaction
  ) throws {
    try transaction.vault.put(renewal.stored, as: item(device), of: person)
  }

  /// nil for a session that no provider renews.
  static func renewal(of session: StoredSession, _ snapshot: Snapshot) throws -> IdentityRenewal? {
    let person = try Subject.stored(session.personID)
    guard try !snapshot.vault.isErased(person),
      let renewal = try snapshot.vault.get(item(session.deviceID), of: person).flatMap({ IdentityRenewal($0) }),
      renewal.session == session.id
    else { return nil }
    return renewal
  }

  static func remove(of session: StoredSession, _ transaction: Transaction) throws {
    guard try renewal(of: session, transaction) != nil else { return }
    try transaction.vault.remove(item(session.deviceID), of: try Subject.stored(session.personID))
  }
}
