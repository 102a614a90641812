internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage
internal import Wire

/// Stores what people decide: of each subject one list, to which decisions are only ever added.
enum DecisionStore {
  private static let add = Statement(
    "decision.add",
    "INSERT INTO decisions (tenant, subject_id, number, study_id, body) VALUES ({tenant}, ?, ?, ?, ?)")
  private static let list = Statement(
    "decision.list",
    "SELECT number, body FROM decisions WHERE tenant = {tenant} AND subject_id = ? ORDER BY number")

  static let statements = [add, list]

  /// Names the list of a subject's decisions.
  static func list(of subjectID: String) -> String { "decisions/\(subjectID)" }

  /// The decisions of a person under all identifiers that count, in the order in which they were recorded. A list that
  /// was altered keeps nobody from deciding: only what is proof verifies it.
  static func decisions(
    of personID: String, in studyID: String, isTest: Bool, _ snapshot: Snapshot
  ) throws -> [ConsentDecision] {
    let lists = try MergedAccounts.names(of: personID, snapshot).map { try decisions(of: $0, snapshot) }
    return Decisions.counting(Decisions.merged(lists).filter { $0.studyID == studyID && $0.test == isTest })
  }

  /// The decisions to which a record belongs: its person's in its study.
  static func decisions(around record: ConsentRecord, _ snapshot: Snapshot) throws -> [ConsentDecision] {
    try decisions(of: record.subjectID, in: record.studyID, isTest: record.test, snapshot)
  }

  /// The place in the log up to which somebody knew who decided at a moment: before the person's first decision that
  /// has a later time. What is on paper has no other place.
  static func place(
    of moment: Instant, by personID: String, in studyID: String, _ snapshot: Snapshot
  ) throws -> Int64 {
    let decisions = try decisions(of: personID, in: studyID, isTest: false, snapshot)
    let later = decisions.first { $0.decidedAt.orEpoch > moment }
    if let later { return (later.yes ? later.seenBefore : later.filedBefore) - 1 }
    return try snapshot.lastEvent() + 1
  }

  /// The decisions of a person under all identifiers, after the lists were verified: none is missing, and each is what
  /// was recorded.
  static func verified(of personID: String, _ snapshot: Snapshot) throws -> [ConsentDecision] {
    let lists = try MergedAccounts.names(of: personID, snapshot).map { name in
      let bodies: [[UInt8]] = try snapshot.all(list, name).map { try $0.get("body") }
      try snapshot.verify(bodies, areList: list(of: name))
      return try bodies.map { try ConsentDecision(decoding: $0) }
    }
    return Decisions.merged(lists)
  }

  private static func decisions(of subjectID: String, _ snapshot: Snapshot) throws -> [ConsentDecision] {
    try snapshot.all(list, subjectID).map { try $0.message("body") }
  }

  /// Adds that what a record documents counts no longer.
  static func void(_ record: ConsentRecord, by actor: String, _ transaction: Transaction) throws {
    let decision = ConsentDecision(
      studyID: record.studyID, decidedAt: Timestamp(transaction.now), actor: actor, recordID: record.recordID,
      test: record.test, voids: record.filedBefore)
    try add(decision, about: [""], of: record.subjectID, transaction)
  }

  /// Adds a decision about each of some purposes.
  ///
  /// - Parameters:
  ///   - decision: what was decided, without purpose and places.
  ///   - seenBefore: for a yes that was made before now: the place in the log up to which the person knew.
  /// - Returns: the place in the log at which it was recorded.
  @discardableResult
  static func add(
    _ decision: ConsentDecision, about purposes: [String], of subjectID: String, seenBefore: Int64? = nil,
    _ transaction: Transaction
  ) throws -> Int64 {
    // Whoever decides for the same subject now waits, and gets a later place.
    let known = Int32(clamping: try transaction.lockedCount(ofList: list(of: subjectID)))
    let place = try transaction.lastEvent() + 1
    let newest = try known == 0 ? nil : decisions(of: subjectID, transaction).map(\.decidedAt.orEpoch).max()
    var decision = decision
    decision.subjectID = subjectID
    // By the clock itself: what is on paper, or was agreed to in a session that was left open, has an earlier time.
    decision.clockBehind = newest.map { $0 > transaction.now } ?? false
    (decision.filedBefore, decision.seenBefore) = (place, decision.yes ? min(seenBefore ?? place, place) : 0)
    for (index, purpose) in purposes.enumerated() {
      (decision.purpose, decision.number) = (purpose, known + Int32(index) + 1)
      let body = try decision.encoded()
      try transaction.run(
        add, subjectID, try transaction.add(body, toList: list(of: subjectID)), decision.studyID, body)
    }
    return place
  }
}
