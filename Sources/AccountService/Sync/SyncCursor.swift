internal import Base
internal import ServicePolicy
internal import Storage
internal import Tokens

/// Cursors of changes: opaque to clients, and valid only for the person to whom they were given.
struct SyncCursor: Sendable {
  private let secret: [UInt8]

  init(secret: [UInt8]) {
    self.secret = secret
  }

  func text(_ sequence: Int64, person: String, tenant: Tenant) -> String {
    "c1.\(sequence).\(seal(sequence, person, tenant))"
  }

  /// 0 for an empty cursor.
  func sequence(_ text: String, person: String, tenant: Tenant, field: String = "cursor") throws(Refusal) -> Int64 {
    if text.isEmpty { return 0 }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard text.utf8.count <= 64, parts.count == 3, parts[0] == "c1", let sequence = Int64(parts[1]), sequence >= 0,
      isSame(Array(parts[2].utf8), Array(seal(sequence, person, tenant).utf8))
    else {
      throw Refusal(.invalid, "bad_cursor", field: field, "\(field) is no cursor that was given to this person")
    }
    return sequence
  }

  private func seal(_ sequence: Int64, _ person: String, _ tenant: Tenant) -> String {
    let bytes = Array("assent-cursor-1\n\(tenant.id)\n\(person)\n\(sequence)\n".utf8) + secret
    return Base64URL.encode(Array(Digest(of: bytes).bytes.prefix(16)))
  }
}
