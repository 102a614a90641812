import ConsentContract

/// What people decided, in its order, and what that means, in a few lines.
struct DecisionModel {
  struct Decision {
    let subject: String
    let purpose: String
    let isYes: Bool
    let record: String
    /// How many decisions its person knew of.
    let seen: Int
  }

  var decisions: [Decision] = []
  var complete: Set<String> = []
  var isMerged = false

  mutating func add(_ record: ConsentRecord, _ purposes: [String], isYes: Bool, seen: Int? = nil) {
    let known = seen ?? decisions.count
    decisions += purposes.map { purpose in
      Decision(subject: record.subjectID, purpose: purpose, isYes: isYes, record: record.recordID, seen: known)
    }
    if [.inForce, .superseded].contains(record.state) { complete.insert(record.recordID) }
  }

  /// The record by which a purpose is permitted; nil if it is not.
  func answer(_ subject: String, _ purpose: String) -> String? {
    let own = decisions.enumerated().filter { $0.element.purpose == purpose }
      .filter { isMerged || $0.element.subject == subject }
    let standing = own.filter { yes in
      yes.element.isYes && !own.contains { !$0.element.isYes && $0.offset >= yes.element.seen }
    }
    return standing.filter { complete.contains($0.element.record) }
      .max { ($0.element.seen, $0.offset) < ($1.element.seen, $1.offset) }?.element.record
  }
}
