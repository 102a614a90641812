internal import Base
internal import ServicePolicy
internal import Storage

/// The name that people give a device, such as "Anna's tablet". It is in the vault under a subject of its own, so that
/// it can be erased.
enum DeviceName {
  private static let item = "name"

  /// The subject of a device's name. It has a digest of the identifier, which has the same length for every device.
  private static func subject(_ id: String) -> Subject {
    guard let subject = Subject(ReservedPrefix.device.rawValue + Digest(of: Array(id.utf8)).hex) else {
      preconditionFailure("a digest names a subject")
    }
    return subject
  }

  static func put(_ name: String, of id: String, _ transaction: Transaction) throws {
    guard !name.isEmpty else { return }
    try transaction.vault.put(Array(name.utf8), as: item, of: subject(id))
  }

  /// The device's name; empty when it has none, or the name was erased.
  static func read(of id: String, _ snapshot: Snapshot) throws -> String {
    let subject = subject(id)
    if try snapshot.vault.isErased(subject) { return "" }
    return try snapshot.vault.get(item, of: subject).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  static func forget(of id: String, by actor: String, _ transaction: Transaction) throws {
    let subject = subject(id)
    guard try transaction.vault.knows(subject), try !transaction.vault.isErased(subject) else { return }
    try transaction.vault.erase(subject, by: actor, reason: "device")
  }
}
