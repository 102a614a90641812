public import Base

/// A commitment to a value that does not reveal it: SHA-256 over a random salt, a label and the value.
///
/// Events and records contain the digest; salt and value are in the vault. With salt and value, anybody can verify the
/// digest. After the subject's erasure the digest stays on record and reveals nothing.
public struct Commitment: Hashable, Sendable {
  public let id: String
  public let digest: Digest

  /// The label, salt and value that open a commitment.
  public struct Opening: Hashable, Sendable {
    public let label: String
    public let salt: [UInt8]
    public let value: [UInt8]

    public var digest: Digest {
      var bytes: [UInt8] = []
      for part: Value in [.text("assent commitment 1"), .bytes(salt), .text(label), .bytes(value)] {
        ValueCoding.append(part, to: &bytes)
      }
      return Digest(of: bytes)
    }

    public init(label: String, salt: [UInt8], value: [UInt8]) {
      self.label = label
      self.salt = salt
      self.value = value
    }

    static let saltByteCount = 16

    /// Reads the bytes in the vault: the salt, then the value.
    init?(label: String, stored: [UInt8]) {
      guard stored.count >= Self.saltByteCount else { return nil }
      let salt = Array(stored.prefix(Self.saltByteCount))
      self.init(label: label, salt: salt, value: Array(stored.dropFirst(Self.saltByteCount)))
    }

    var stored: [UInt8] { salt + value }
  }
}

extension Vault {
  /// The opening of a commitment, verified against its digest. Throws `.erased` after the subject's erasure.
  public func opening(of id: String) throws(DatabaseError) -> Commitment.Opening {
    guard let row = try access.first(VaultStatements.commitment, id) else {
      throw DatabaseError(.unexpectedRow, "there is no commitment '\(id)'")
    }
    let name: String = try row.get("subject")
    guard let subject = Subject(name) else { throw DatabaseError(.corrupt, "commitment '\(id)' names no subject") }
    guard let sealed: [UInt8] = try row.get("sealed"), let key = try access.subjectKey(subject) else {
      throw DatabaseError(.erased, "the data of subject '\(subject)' has been erased")
    }
    let label: String = try row.get("label")
    let opening = key.open(sealed, at: .commitment(access.tenant, subject, id))
      .flatMap { Commitment.Opening(label: label, stored: $0) }
    guard let opening, opening.digest == (try row.get("digest", as: Digest.self)) else {
      throw DatabaseError(.corrupt, "commitment '\(id)' does not open to its digest: its row was altered")
    }
    return opening
  }
}

extension Vault where Access == Transaction {
  /// Commits to a value of a subject's, under a label that says what it is.
  public func commit(to value: [UInt8], as label: String, of subject: Subject) throws(DatabaseError) -> Commitment {
    let key = try access.subjectKeyForWriting(subject)
    let salt = access.context.randomness.bytes(Commitment.Opening.saltByteCount)
    let opening = Commitment.Opening(label: label, salt: salt, value: value)
    let commitment = Commitment(id: access.context.identifiers.next(), digest: opening.digest)
    let sealed = key.seal(opening.stored, at: .commitment(access.tenant, subject, commitment.id))
    try access.run(
      VaultStatements.addCommitment, commitment.id, subject.id, label, commitment.digest, sealed, access.now)
    return commitment
  }
}
