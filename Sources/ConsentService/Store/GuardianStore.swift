internal import Base
internal import ConsentContract
internal import ServicePolicy
internal import Storage
internal import Wire

/// A person who has a guardian in a study.
struct Ward {
  let studyID: String
  let subjectID: String
}

/// The guardians on record. Each is a subject's guardian in one study.
enum GuardianStore {
  private static let put = Statement(
    "guardian.put",
    "INSERT INTO guardians (tenant, study_id, subject_id, guardian_id, body) VALUES ({tenant}, ?, ?, ?, ?) "
      + "ON CONFLICT (tenant, study_id, subject_id, guardian_id) DO UPDATE SET body = excluded.body")
  private static let remove = Statement(
    "guardian.remove",
    "DELETE FROM guardians WHERE tenant = {tenant} AND study_id = ? AND subject_id = ? AND guardian_id = ?")
  private static let forget = Statement(
    "guardian.forget", "DELETE FROM guardians WHERE tenant = {tenant} AND subject_id = ?")
  private static let list = Statement(
    "guardian.list",
    "SELECT body FROM guardians WHERE tenant = {tenant} AND study_id = ? AND subject_id = ? ORDER BY guardian_id"
  )

  private static let ofGuardian = Statement(
    "guardian.wards",
    "SELECT study_id, subject_id FROM guardians WHERE tenant = {tenant} AND guardian_id = ? "
      + "ORDER BY study_id, subject_id")

  static let statements = [put, remove, forget, list, ofGuardian]

  /// How many guardians a subject may have in a study: more than anybody needs.
  static let most = 16

  static func save(_ guardian: Guardian, _ transaction: Transaction) throws {
    try transaction.run(
      put, guardian.studyID, guardian.subjectID, guardian.guardianID, try guardian.encoded())
  }

  static func remove(_ guardian: Guardian, _ transaction: Transaction) throws {
    try transaction.run(remove, guardian.studyID, guardian.subjectID, guardian.guardianID)
  }

  static func guardians(of subjectID: String, in studyID: String, _ snapshot: Snapshot) throws -> [Guardian] {
    try snapshot.all(list, studyID, subjectID).map { try $0.message("body") }
  }

  /// Those of whom somebody is on record as a guardian, also where a parent's authority has ended.
  static func wards(of guardianID: String, _ snapshot: Snapshot) throws -> [Ward] {
    try snapshot.all(ofGuardian, guardianID).map { row in
      Ward(studyID: try row.get("study_id"), subjectID: try row.get("subject_id"))
    }
  }

  /// Whether somebody is on record as anybody's guardian.
  static func isGuardian(_ id: String, _ snapshot: Snapshot) throws -> Bool { try !wards(of: id, snapshot).isEmpty }

  /// Removes the guardians of an erased subject.
  static func forget(wardsOf subjectID: String, _ transaction: Transaction) throws {
    try transaction.run(forget, subjectID)
  }
}
