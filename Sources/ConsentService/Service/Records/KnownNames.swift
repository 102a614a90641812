internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import ServiceKit
internal import ServicePolicy
internal import Storage

/// Refuses questions about a study that does not exist, and about purposes for which nothing in the study asks: to
/// answer them with no would hide a typing error.
enum KnownNames {
  /// What a record was given for needs no further look.
  ///
  /// - Parameter field: names the field in which the purpose of a question stands.
  static func require(
    _ questions: [ConsentQuestion], _ found: [ConsentBasis], in studyID: String, _ snapshot: Snapshot,
    _ caller: Caller, field: (Int) -> String
  ) throws {
    var known: [String]?
    for (index, (question, basis)) in zip(questions, found).enumerated() {
      guard !basis.records.contains(where: { $0.record.purposes.contains(question.purpose) }) else { continue }
      if known == nil {
        try requireStudy(studyID, for: caller, snapshot)
        known = try StudyPurposes(of: studyID, snapshot).askers.keys.sorted()
      }
      try requirePurpose(question.purpose, among: known ?? [], in: studyID, field: field(index))
    }
  }

  /// A person learns only of studies on which they work.
  private static func requireStudy(_ id: String, for caller: Caller, _ snapshot: Snapshot) throws {
    guard try !StudyStore.exists(id, snapshot) else { return }
    let open = try StudyStore.identifiers(snapshot).filter { !caller.isPerson || caller.seesDrafts(study: $0) }
    let message = "there is no study '\(id.shortened)'\(meant(by: id, among: open.sorted()))"
    throw Refusal(.notFound, "unknown_study", field: "study_id", message)
  }

  private static func requirePurpose(
    _ purpose: String, among known: [String], in studyID: String, field: String
  ) throws(Refusal) {
    guard !purpose.isEmpty else {
      throw Refusal(.invalid, "not_stated", field: field, "\(field) is empty; an answer is about one purpose")
    }
    guard !known.contains(purpose) else { return }
    let message = "\(field) is '\(purpose.shortened)', for which nothing in study '\(studyID.shortened)' asks"
    throw Refusal(.invalid, "unknown_purpose", field: field, message + meant(by: purpose, among: known))
  }

  private static func meant(by name: String, among names: [String]) -> String {
    nearestName(to: name, among: names).map { "; did you mean '\($0)'?" } ?? ""
  }
}
