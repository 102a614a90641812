internal import Base
internal import ConsentContract
internal import Storage

/// Bytes of the vault whose commitment stands on a record, and the salt with which anybody can check it.
struct CommittedBytes: Sendable {
  let bytes: [UInt8]
  /// The vault's identifier of the commitment.
  let commitment: String
  let salt: [UInt8]
}

extension Snapshot {
  /// An item of the vault, verified against the commitment that a record names it by; nil when there is no such item.
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
  /// Stores an item of the vault, and commits to its SHA-256: to that, so that the bytes are kept once.
  func commit(
    _ bytes: [UInt8], as label: String, _ item: String, of subject: Subject
  ) throws -> Commitment {
    try vault.put(bytes, as: item, of: subject)
    return try vault.commit(to: Digest(of: bytes).bytes, as: label, of: subject)
  }
}

extension RecordSecrets {
  /// Changes what is kept for a signature, which may be nothing yet.
  mutating func change(_ signatureID: String, _ body: (inout SignatureSecret) -> Void) {
    if !signatures.contains(where: { $0.signatureID == signatureID }) {
      signatures.append(SignatureSecret(signatureID: signatureID))
    }
    for index in signatures.indices where signatures[index].signatureID == signatureID { body(&signatures[index]) }
  }
}
