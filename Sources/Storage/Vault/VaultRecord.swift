/// The kinds of events that record what happens to personal data.
enum VaultRecord: String {
  case disclosed = "storage.vault.disclosed"
  case erased = "storage.vault.erased"
  case holdPlaced = "storage.vault.hold-placed"
  case holdLifted = "storage.vault.hold-lifted"
  case policySet = "storage.vault.policy-set"
  case retained = "storage.vault.retained"
  case keyRotated = "storage.vault.key-rotated"

  static let stream = "storage.vault"

  /// A flat JSON object, so that a reader of the record needs no schema.
  static func encode(_ fields: [(String, String)]) -> [UInt8] {
    let members = fields.map { "\(quote($0.0)):\(quote($0.1))" }
    return Array("{\(members.joined(separator: ","))}".utf8)
  }

  private static func quote(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}

extension Transaction {
  func record(_ kind: VaultRecord, of subject: Subject, _ fields: [(String, String)]) {
    append(kind.rawValue, VaultRecord.encode([("subject", subject.id)] + fields), to: VaultRecord.stream)
  }
}
