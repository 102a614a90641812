internal import Base

/// The types of events that record erasures, holds, retention and key rotations.
enum VaultRecord: String {
  case erased = "storage.vault.erased"
  case holdPlaced = "storage.vault.hold-placed"
  case holdLifted = "storage.vault.hold-lifted"
  case policySet = "storage.vault.policy-set"
  case retained = "storage.vault.retained"
  case keyRotated = "storage.vault.key-rotated"

  static let stream = "storage.vault"

  /// Encodes fields as a flat JSON object, so that a reader of the event needs no schema.
  static func encode(_ fields: [(String, String)]) -> [UInt8] {
    let members = fields.map { "\(JSONText.quoted($0.0)):\(JSONText.quoted($0.1))" }
    return Array("{\(members.joined(separator: ","))}".utf8)
  }
}

extension Transaction {
  func record(_ kind: VaultRecord, of subject: Subject, _ fields: [(String, String)]) {
    append(kind.rawValue, VaultRecord.encode([("subject", subject.id)] + fields), to: VaultRecord.stream)
  }
}
