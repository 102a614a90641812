internal import Base
internal import ConsentContract
internal import ServicePolicy
internal import Storage
internal import Wire

/// A subject's attempts at the comprehension questions of a document's version, in the vault. Attempts in test sessions
/// are stored apart and count only in test sessions.
enum AttemptStore {
  private static func item(_ documentID: String, _ version: Int32, isTest: Bool) -> String {
    SubjectFacts.item("attempts/\(documentID)/\(version)", isTest: isTest)
  }

  static func history(
    of subjectID: String, _ documentID: String, _ version: Int32, isTest: Bool, _ snapshot: Snapshot
  ) throws -> AttemptHistory {
    let item = item(documentID, version, isTest: isTest)
    return try AttemptHistory(decoding: try snapshot.personal(item, of: subjectID) ?? [])
  }

  static func save(
    _ history: AttemptHistory, of subjectID: String, _ documentID: String, _ version: Int32, isTest: Bool,
    _ transaction: Transaction
  ) throws {
    try transaction.vault.put(
      try history.encoded(), as: item(documentID, version, isTest: isTest), of: try Subject.stored(subjectID))
  }
}
