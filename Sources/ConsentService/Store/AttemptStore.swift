internal import Base
internal import ConsentContract
internal import ServicePolicy
internal import Storage
internal import Wire

/// A subject's attempts at the questions of a version, in the vault.
enum AttemptStore {
  private static func item(_ documentID: String, _ version: Int32) -> String { "attempts/\(documentID)/\(version)" }

  static func history(
    of subjectID: String, _ documentID: String, _ version: Int32, _ snapshot: Snapshot
  ) throws -> AttemptHistory {
    try AttemptHistory(decoding: try snapshot.verifiedPersonal(item(documentID, version), of: subjectID) ?? [])
  }

  static func save(
    _ history: AttemptHistory, of subjectID: String, _ documentID: String, _ version: Int32,
    _ transaction: Transaction
  ) throws {
    try transaction.vault.put(
      try history.encoded(), as: item(documentID, version), of: try Subject.stored(subjectID))
  }
}
