import Base
import ConsentContract
import Wire

/// What people decided, in its order, and what that means, in a few lines.
struct DecisionModel {
  struct Decision {
    let subject: String
    let purpose: String
    let isYes: Bool
    let record: String
    /// In which step it came on record.
    let at: Int
    /// In which step its person began to decide; for what is on paper, a place between two steps.
    let begun: Int
    /// What it is dated.
    let time: Instant
  }

  /// So many places are between two steps, for what is on paper.
  private static let gap = 1000

  var decisions: [Decision] = []
  var complete: Set<String> = []
  var isMerged = false
  var isErased: Set<String> = []
  /// The answers to versions of the document, yes and no.
  var answers: [(subject: String, record: String, version: Int32)] = []
  /// Counts whatever happens.
  private(set) var step = 0

  mutating func goOn() { step += Self.gap }

  mutating func add(
    _ record: ConsentRecord, _ purposes: [String], isYes: Bool, begun: Int? = nil, at now: Instant
  ) {
    decisions += purposes.map { purpose in
      Decision(
        subject: record.subjectID, purpose: purpose, isYes: isYes, record: record.recordID, at: step,
        begun: begun ?? step, time: record.decidedAt?.clamped ?? now)
    }
    if [.inForce, .superseded].contains(record.state) { complete.insert(record.recordID) }
  }

  /// Where somebody stood who signed a paper: before the first decision on record that has a later time.
  func place(of signed: Instant, by subject: String) -> Int {
    let later = decisions.first { (isMerged || $0.subject == subject) && $0.time > signed }
    return later.map { ($0.isYes ? $0.begun : $0.at) - 1 } ?? step
  }

  /// A record was voided: its decisions were never made, nor is it an answer.
  mutating func void(_ record: String) {
    decisions.removeAll { $0.record == record }
    answers.removeAll { $0.record == record }
  }

  /// The record by which a purpose is permitted; nil if it is not.
  func answer(_ subject: String, _ purpose: String) -> String? {
    guard !isErased.contains(subject) else { return nil }
    let own = decisions.filter { $0.purpose == purpose && (isMerged || $0.subject == subject) }
    let standing = own.filter { yes in yes.isYes && !own.contains { !$0.isYes && $0.at >= yes.begun } }
    let counting = standing.filter { complete.contains($0.record) }
    return counting.enumerated().max { ($0.element.begun, $0.offset) < ($1.element.begun, $1.offset) }?.element.record
  }

  /// The consents to the document that are in force although a later version asks for notice, and whose person has not
  /// answered any later one.
  ///
  /// - Parameter notices: the versions that ask for notice.
  func due(_ subjects: [String], _ purposes: [String], notices: Set<Int32>) -> Set<String> {
    let inForce = Set(subjects.flatMap { subject in purposes.compactMap { answer(subject, $0) } })
    let open = answers.filter { given in
      inForce.contains(given.record) && notices.contains { $0 > given.version }
        && !answers.contains { (isMerged || $0.subject == given.subject) && $0.version > given.version }
    }
    return Set(open.map(\.record))
  }
}
