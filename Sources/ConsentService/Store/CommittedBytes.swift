internal import Base
internal import ConsentContract
internal import Storage

/// Bytes from the vault to which a record holds a salted commitment, and the salt with which anybody can check it.
struct CommittedBytes: Sendable {
  let bytes: [UInt8]
  /// The vault's identifier of the commitment.
  let commitment: String
  let salt: [UInt8]
}

extension Snapshot {
  /// An item of the vault, verified against the commitment on a record; nil when there is no such item.
  ///
  /// - Parameters:
  ///   - commitment: the vault's identifier of the commitment.
  ///   - hash: the commitment's digest, as the record has it.
  func committed(
    _ item: String, of subjectID: String, _ commitment: String, hash: String
  ) throws -> CommittedBytes? {
    guard let bytes = try personal(item, of: subjectID) else { return nil }
    let opening = try vault.opening(of: commitment)
    guard opening.digest.hex == hash, opening.value == Digest(of: bytes).bytes else {
      throw DatabaseError(.corrupt, "the vault's '\(item)' does not match the record's hash: it was altered")
    }
    return CommittedBytes(bytes: bytes, commitment: commitment, salt: opening.salt)
  }
}

extension Transaction {
  /// Stores an item in the vault and commits to the item's SHA-256. A commitment keeps a copy of its value, so
  /// committing to the bytes themselves would store them twice.
  func commit(
    _ bytes: [UInt8], as label: String, _ item: String, of subject: Subject
  ) throws -> Commitment {
    try vault.put(bytes, as: item, of: subject)
    return try vault.commit(to: Digest(of: bytes).bytes, as: label, of: subject)
  }
}

extension RecordSecrets {
  /// Changes the secrets of one signature. Adds an entry for the signature first if there is none.
  mutating func change(_ signatureID: String, _ body: (inout SignatureSecret) -> Void) {
    if !signatures.contains(where: { $0.signatureID == signatureID }) {
      signatures.append(SignatureSecret(signatureID: signatureID))
    }
    for index in signatures.indices where signatures[index].signatureID == signatureID { body(&signatures[index]) }
  }
}
