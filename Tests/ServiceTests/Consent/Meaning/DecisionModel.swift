import ConsentContract

/// What people decided, in its order, and what that means, in a few lines.
struct DecisionModel {
  struct Decision {
    let subject: String
    let purpose: String
    let isYes: Bool
    let record: String
    /// In which step it came on record.
    let at: Int
    /// In which step its person began to decide.
    let begun: Int
  }

  var decisions: [Decision] = []
  var complete: Set<String> = []
  var isMerged = false
  var isErased: Set<String> = []
  /// The answers to versions of the document, yes and no.
  var answers: [(subject: String, record: String, version: Int32)] = []
  /// The versions that ask for notice.
  var notices: Set<Int32> = []
  /// Counts whatever happens.
  var step = 0

  mutating func add(_ record: ConsentRecord, _ purposes: [String], isYes: Bool, begun: Int? = nil) {
    decisions += purposes.map { purpose in
      Decision(
        subject: record.subjectID, purpose: purpose, isYes: isYes, record: record.recordID, at: step,
        begun: begun ?? step)
    }
    if [.inForce, .superseded].contains(record.state) { complete.insert(record.recordID) }
  }

  /// A record was voided: its decisions were never made.
  mutating func void(_ record: String) { decisions.removeAll { $0.record == record } }

  /// The record by which a purpose is permitted; nil if it is not.
  func answer(_ subject: String, _ purpose: String) -> String? {
    guard !isErased.contains(subject) else { return nil }
    let own = decisions.filter { $0.purpose == purpose && (isMerged || $0.subject == subject) }
    let standing = own.filter { yes in yes.isYes && !own.contains { !$0.isYes && $0.at >= yes.begun } }
    return standing.filter { complete.contains($0.record) }.max { $0.begun < $1.begun }?.record
  }

  /// The consents to the document that are in force although a later version asks for notice, and whose person has not
  /// answered any later one.
  func due(_ subjects: [String], _ purposes: [String]) -> Set<String> {
    let inForce = Set(subjects.flatMap { subject in purposes.compactMap { answer(subject, $0) } })
    let open = answers.filter { given in
      inForce.contains(given.record) && notices.contains { $0 > given.version }
        && !answers.contains { (isMerged || $0.subject == given.subject) && $0.version > given.version }
    }
    return Set(open.map(\.record))
  }
}
