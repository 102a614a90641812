internal import Base
internal import ServicePolicy
internal import Storage

/// A credential that was taken back for good: a wiped device, or a revoked API key.
///
/// Each is noted as a subject of which nothing is stored and that is erased. So it is in the service's list of
/// erasures, and is taken back again when a backup from before is restored.
enum TakenBack {
  /// By a digest of the device's identifier, since that may be too long for a subject's.
  case device(digest: String)
  case key(id: String)

  private static let devices = ReservedPrefix.device.rawValue + "wiped:"
  private static let keys = ReservedPrefix.key.rawValue + "revoked:"

  init(deviceID: String) { self = .device(digest: Digest(of: Array(deviceID.utf8)).hex) }

  /// nil for any other subject.
  init?(_ subject: Subject) {
    if subject.id.hasPrefix(Self.devices) {
      self = .device(digest: String(subject.id.dropFirst(Self.devices.count)))
    } else if subject.id.hasPrefix(Self.keys) {
      self = .key(id: String(subject.id.dropFirst(Self.keys.count)))
    } else {
      return nil
    }
  }

  private var subject: Subject {
    let name =
      switch self {
      case .device(let digest): Self.devices + digest
      case .key(let id): Self.keys + id
      }
    guard let subject = Subject(name) else { preconditionFailure("digests and identifiers of keys name subjects") }
    return subject
  }

  func note(by actor: String, _ transaction: Transaction) throws {
    try transaction.vault.eraseAhead(of: subject, by: actor, reason: "taken back")
  }

  func isNoted(_ snapshot: Snapshot) throws -> Bool { try snapshot.vault.isErased(subject) }
}
