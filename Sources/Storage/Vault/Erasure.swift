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

/// Names the vault's items with the reasons for placing and lifting a hold. Reasons may name people, so they are sealed
/// with the subject's key and erased with the subject.
enum HoldReason {
  static let prefix = "hold:"
  static func placing(_ id: String) -> String { prefix + id }
  static func lifting(_ id: String) -> String { "\(prefix)\(id):lifted" }
}

extension Vault {
  /// The holds that are in force, the oldest first. The reasons of lifted holds are not read.
  public func holds(on subject: Subject) throws(DatabaseError) -> [LegalHold] {
    var holds: [LegalHold] = []
    for row in try access.all(VaultStatements.allHolds, subject.id) where try !isOver(row) {
      holds.append(try hold(row, reason: try text(HoldReason.placing(try row.get("id")), of: subject)))
    }
    return holds
  }

  /// The holds that are in force, with an empty reason where the stored one is damaged. For placing and lifting holds,
  /// which damage must not prevent.
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

  /// Whether a hold is in force. No reason is read, so a damaged one does not matter.
  public func isHeld(_ subject: Subject) throws(DatabaseError) -> Bool {
    try access.first(VaultStatements.holds, subject.id) != nil
  }

  /// All holds that were ever placed, the oldest first, with their reasons. Throws `.erased` after an erasure, which
  /// also erases the reasons.
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

  /// The subjects whose retention periods have all ended and on whom there is no hold, in the order of their
  /// identifiers.
  ///
  /// - Parameter place: the identifier after which to begin; empty for the first page.
  func due(at time: Instant, after place: String = "", limit: Int) throws(DatabaseError) -> [Subject] {
    var subjects: [Subject] = []
    for row in try access.all(VaultStatements.due, place, time, limit) {
      if let subject = Subject(try row.get("subject", as: String.self)) { subjects.append(subject) }
    }
    return subjects
  }
}

extension Vault where Access == Transaction {
  /// Locks a subject, so that until the transaction ends no other transaction stores or erases data of the subject. If
  /// nothing is stored of the subject yet, this makes the subject's row and key.
  public func lock(_ subject: Subject) throws(DatabaseError) {
    guard try access.first(VaultStatements.lockedSubject, subject.id) == nil else { return }
    try access.addKey(of: subject)
    // If another transaction has made the row first, or has even erased the subject, there is a row to lock as well.
    _ = try access.one(VaultStatements.lockedSubject, subject.id)
  }

  /// Destroys the subject's key and everything sealed with it. Commitments stay on record and reveal nothing. An erased
  /// subject may be erased again: then only the steps after the commit are repeated.
  ///
  /// - Parameter reason: a word for the event, such as `request` or `retention`; no free text.
  public func erase(_ subject: Subject, by actor: String, reason: String) throws(DatabaseError) {
    guard let row = try access.first(VaultStatements.lockedSubject, subject.id) else {
      throw DatabaseError(.unexpectedRow, "nothing is stored of subject '\(subject)'")
    }
    if let erased: Instant = try row.get("erased_ms") {
      // After the first call the list may not have been written, some process may still have answered from memory, or
      // this process may have died before the files were scrubbed. So all these steps are repeated.
      access.signsHead()
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

  /// Erases a subject of whom nothing may be stored yet, so that nothing can be stored of them from now on.
  public func eraseAhead(of subject: Subject, by actor: String, reason: String) throws(DatabaseError) {
    guard try access.run(ErasureStatements.addErased, subject.id, access.now, access.now) == 1 else {
      return try erase(subject, by: actor, reason: reason)
    }
    access.signsHead()
    access.afterCommit.facts.append(ErasureFact(.erased, access.tenant, subject, actor: actor, at: access.now))
    access.record(.erased, of: subject, [("actor", actor), ("reason", reason)])
  }

  /// Places a hold, which forbids erasing the subject until it is lifted. Returns the hold's identifier.
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

  /// Sets how long data under a policy (a study's, say) are kept. A change also applies to subjects that are under the
  /// policy already.
  public func setPolicy(_ policy: String, keep: Duration, by actor: String) throws(DatabaseError) {
    try access.run(VaultStatements.setPolicy, policy, keep.wholeMilliseconds)
    access.append(
      VaultRecord.policySet.rawValue,
      VaultRecord.encode([("policy", policy), ("keep_ms", String(keep.wholeMilliseconds)), ("actor", actor)]),
      to: VaultRecord.stream)
  }

  /// Puts a subject under a policy and starts its period now. A subject under several policies is due when all periods
  /// have ended.
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
  /// A time after the end of any period, to which a period can be added without overflow.
  fileprivate static let never = Instant(millisecondsSince1970: .max / 2)
}
