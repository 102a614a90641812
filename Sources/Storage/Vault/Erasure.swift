public import Base

/// A reason to keep data that would otherwise be erased: a dispute, an authority's order.
public struct LegalHold: Hashable, Sendable {
  /// The lifting of a hold: by whom, when and why.
  public struct Lifting: Hashable, Sendable {
    public let by: String
    public let at: Instant
    public let reason: String
  }

  public let id: String
  public let placedBy: String
  public let placedAt: Instant
  public let reason: String
  /// nil while the hold is in force.
  public let lifting: Lifting?
}

/// The reasons for a hold and for lifting it may name people: they are stored in the vault, under the subject's key,
/// and go when the subject is erased.
enum HoldReason {
  static let prefix = "hold:"
  static func placing(_ id: String) -> String { prefix + id }
  static func lifting(_ id: String) -> String { "\(prefix)\(id):lifted" }
}

extension Vault {
  /// The holds that are in force, the oldest first. What was said of those that are over is not read.
  public func holds(on subject: Subject) throws(DatabaseError) -> [LegalHold] {
    var holds: [LegalHold] = []
    for row in try access.all(VaultStatements.allHolds, subject.id) where try !isOver(row) {
      holds.append(try hold(row, reason: try text(HoldReason.placing(try row.get("id")), of: subject)))
    }
    return holds
  }

  /// The same for placing and lifting holds, which a damaged reason is to keep nobody from: it is empty.
  public func holdsAsFarAsKnown(on subject: Subject) throws(DatabaseError) -> [LegalHold] {
    var holds: [LegalHold] = []
    for row in try access.all(VaultStatements.allHolds, subject.id) where try !isOver(row) {
      let reason: String
      do {
        reason = try text(HoldReason.placing(try row.get("id")), of: subject)
      } catch let error where error.isDamage {
        reason = ""
      }
      holds.append(try hold(row, reason: reason))
    }
    return holds
  }

  /// Whether a hold is in force, by the rows alone: no reason is read, and one that was damaged changes nothing.
  public func isHeld(_ subject: Subject) throws(DatabaseError) -> Bool {
    try access.first(VaultStatements.holds, subject.id) != nil
  }

  /// All holds that there ever were, the oldest first, with their reasons. Throws `.erased` after an erasure, which
  /// takes the reasons.
  public func allHolds(on subject: Subject) throws(DatabaseError) -> [LegalHold] {
    var holds: [LegalHold] = []
    for row in try access.all(VaultStatements.allHolds, subject.id) {
      let id: String = try row.get("id")
      var lifting: LegalHold.Lifting?
      if let at: Instant = try row.get("lifted_ms") {
        lifting = LegalHold.Lifting(
          by: try row.get("lifted_by", as: String?.self) ?? "", at: at,
          reason: try text(HoldReason.lifting(id), of: subject))
      }
      let reason = try text(HoldReason.placing(id), of: subject)
      holds.append(try hold(row, reason: reason, lifting: lifting))
    }
    return holds
  }

  private func isOver(_ row: Row) throws(DatabaseError) -> Bool {
    try row.get("lifted_ms", as: Instant?.self) != nil
  }

  private func hold(
    _ row: Row, reason: String, lifting: LegalHold.Lifting? = nil
  ) throws(DatabaseError) -> LegalHold {
    LegalHold(
      id: try row.get("id"), placedBy: try row.get("placed_by"), placedAt: try row.get("placed_ms"), reason: reason,
      lifting: lifting)
  }

  private func text(_ item: String, of subject: Subject) throws(DatabaseError) -> String {
    String(decoding: try get(item, of: subject) ?? [], as: UTF8.self)
  }

  /// Subjects whose retention periods have all passed and whom no hold protects, in order.
  ///
  /// - Parameter place: the subject after which they come; empty for the first ones.
  func due(at time: Instant, after place: String = "", limit: Int) throws(DatabaseError) -> [Subject] {
    var subjects: [Subject] = []
    for row in try access.all(VaultStatements.due, place, time, limit) {
      if let subject = Subject(try row.get("subject", as: String.self)) { subjects.append(subject) }
    }
    return subjects
  }
}

extension Vault where Access == Transaction {
  /// Until the transaction ends nobody else stores anything of a subject, of whom there may be nothing yet, or erases
  /// what there is.
  public func lock(_ subject: Subject) throws(DatabaseError) {
    guard try access.first(VaultStatements.lockedSubject, subject.id) == nil else { return }
    try access.addKey(of: subject)
    // Another transaction may have been first, and may have erased them: there is a row all the same.
    _ = try access.one(VaultStatements.lockedSubject, subject.id)
  }

  /// Destroys the subject's key and everything sealed under it. Commitments stay true and reveal nothing.
  ///
  /// - Parameter reason: a word for the record (`request`, `retention`), no free text.
  public func erase(_ subject: Subject, by actor: String, reason: String) throws(DatabaseError) {
    guard let row = try access.first(VaultStatements.lockedSubject, subject.id) else {
      throw DatabaseError(.unexpectedRow, "nothing is stored of subject '\(subject)'")
    }
    if let erased: Instant = try row.get("erased_ms") {
      // A repeated call may mean that the list could not be written, that some process still answered from memory, or
      // that the process died before the files were scrubbed.
      access.recallAnswers()
      access.afterCommit.scrubsFiles = true
      access.afterCommit.facts.append(ErasureFact(.erased, access.tenant, subject, actor: actor, at: erased))
      return
    }
    let holds = try access.all(VaultStatements.holds, subject.id)
    guard holds.isEmpty else {
      throw DatabaseError(
        .held,
        "\(holds.count == 1 ? "a legal hold on subject '\(subject)' forbids" : "\(holds.count) legal holds on subject '\(subject)' forbid") erasing"
      )
    }
    try access.destroy(subject, at: access.now)
    access.afterCommit.facts.append(ErasureFact(.erased, access.tenant, subject, actor: actor, at: access.now))
    access.record(.erased, of: subject, [("actor", actor), ("reason", reason)])
  }

  /// The same for a subject of whom there may be nothing yet: nothing will be stored of them from now on.
  public func eraseAhead(of subject: Subject, by actor: String, reason: String) throws(DatabaseError) {
    guard try access.run(ErasureStatements.addErased, subject.id, access.now, access.now) == 1 else {
      return try erase(subject, by: actor, reason: reason)
    }
    access.recallAnswers()
    access.afterCommit.facts.append(ErasureFact(.erased, access.tenant, subject, actor: actor, at: access.now))
    access.record(.erased, of: subject, [("actor", actor), ("reason", reason)])
  }

  /// Forbids erasing until the hold is lifted; returns the hold's identifier.
  @discardableResult
  public func placeHold(on subject: Subject, by actor: String, reason: String) throws(DatabaseError) -> String {
    let id = access.context.identifiers.next()
    try put(Array(reason.utf8), as: HoldReason.placing(id), of: subject)
    try access.run(VaultStatements.placeHold, id, subject.id, actor, access.now)
    access.afterCommit.facts.append(
      ErasureFact(.held, access.tenant, subject, hold: id, actor: actor, at: access.now))
    access.record(.holdPlaced, of: subject, [("actor", actor), ("hold", id)])
    return id
  }

  public func liftHold(_ id: String, by actor: String, reason: String) throws(DatabaseError) {
    guard let row = try access.first(VaultStatements.liftHold, actor, access.now, id),
      let subject = Subject(try row.get("subject", as: String.self))
    else { throw DatabaseError(.unexpectedRow, "there is no hold '\(id)' in force") }
    try put(Array(reason.utf8), as: HoldReason.lifting(id), of: subject)
    access.afterCommit.facts.append(
      ErasureFact(.lifted, access.tenant, subject, hold: id, actor: actor, at: access.now))
    access.record(.holdLifted, of: subject, [("actor", actor), ("hold", id)])
  }

  /// Sets how long data under a policy (a study's, say) is kept. A change also applies to subjects that are under the
  /// policy already.
  public func setPolicy(_ policy: String, keep: Duration, by actor: String) throws(DatabaseError) {
    try access.run(VaultStatements.setPolicy, policy, keep.wholeMilliseconds)
    access.append(
      VaultRecord.policySet.rawValue,
      VaultRecord.encode([("policy", policy), ("keep_ms", String(keep.wholeMilliseconds)), ("actor", actor)]),
      to: VaultRecord.stream)
  }

  /// Puts a subject under a policy and starts its period now. With several policies, the last to end counts.
  public func retain(_ subject: Subject, under policy: String) throws(DatabaseError) {
    try retain(subject, under: policy, since: access.now)
  }

  /// Puts a subject under a policy without starting its period, or stops a period that has started, while the data are
  /// still in use. The subject is not erased until `retain` has started the period and it has ended.
  public func keep(_ subject: Subject, under policy: String) throws(DatabaseError) {
    try retain(subject, under: policy, since: nil)
  }

  private func retain(_ subject: Subject, under policy: String, since: Instant?) throws(DatabaseError) {
    _ = try access.subjectKeyForWriting(subject)
    let changed = try access.run(VaultStatements.retain, subject.id, policy, since ?? .never)
    guard changed > 0 else { return }
    access.record(.retained, of: subject, [("policy", policy), ("period", since == nil ? "not begun" : "begun")])
  }
}

extension Instant {
  /// Later than the end of any period, yet adding a period to it does not overflow.
  fileprivate static let never = Instant(millisecondsSince1970: .max / 2)
}
