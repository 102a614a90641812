public import Base

/// A reason to keep data that would otherwise be erased: a dispute, an authority's order.
public struct LegalHold: Hashable, Sendable {
  public let id: String
  public let placedBy: String
  public let placedAt: Instant
  public let reason: String
}

/// The reason of a hold may name people: it is stored in the vault, under the subject's key.
enum HoldReason {
  static let prefix = "hold:"
}

extension Vault {
  /// The holds that are in force.
  public func holds(on subject: Subject) throws(DatabaseError) -> [LegalHold] {
    var holds: [LegalHold] = []
    for row in try access.all(VaultStatements.holds, subject.id) {
      let id: String = try row.get("id")
      let reason = try get(HoldReason.prefix + id, of: subject) ?? []
      holds.append(
        LegalHold(
          id: id, placedBy: try row.get("placed_by"), placedAt: try row.get("placed_ms"),
          reason: String(decoding: reason, as: UTF8.self)))
    }
    return holds
  }

  /// Subjects whose retention periods have all passed and whom no hold protects.
  func due(at time: Instant, limit: Int) throws(DatabaseError) -> [Subject] {
    var subjects: [Subject] = []
    for row in try access.all(VaultStatements.due, time, limit) {
      if let subject = Subject(try row.get("subject", as: String.self)) { subjects.append(subject) }
    }
    return subjects
  }
}

extension Vault where Access == Transaction {
  /// Destroys the subject's key and everything sealed under it. Commitments stay true and reveal nothing.
  ///
  /// - Parameter reason: a word for the record (`request`, `retention`), no free text.
  public func erase(_ subject: Subject, by actor: String, reason: String) throws(DatabaseError) {
    guard let row = try access.first(VaultStatements.lockedSubject, subject.id) else {
      throw DatabaseError(.unexpectedRow, "nothing is stored of subject '\(subject)'")
    }
    if try row.get("erased_ms", as: Instant?.self) != nil { return }
    let holds = try access.all(VaultStatements.holds, subject.id)
    guard holds.isEmpty else {
      throw DatabaseError(.held, "\(holds.count) legal hold(s) on subject '\(subject)' forbid erasing")
    }
    try access.run(VaultStatements.eraseItems, subject.id)
    try access.run(VaultStatements.eraseOpenings, subject.id)
    try access.run(VaultStatements.eraseAnswers, subject.id)
    try access.run(VaultStatements.eraseSubject, access.now, subject.id)
    if access.storedAbout == subject { access.storedAbout = nil }
    access.afterCommit.scrubsFiles = true
    access.record(.erased, of: subject, [("actor", actor), ("reason", reason)])
  }

  /// Forbids erasing until the hold is lifted; returns the hold's identifier.
  @discardableResult
  public func placeHold(on subject: Subject, by actor: String, reason: String) throws(DatabaseError) -> String {
    let id = access.context.identifiers.next()
    try put(Array(reason.utf8), as: HoldReason.prefix + id, of: subject)
    try access.run(VaultStatements.placeHold, id, subject.id, actor, access.now)
    access.record(.holdPlaced, of: subject, [("actor", actor), ("hold", id)])
    return id
  }

  public func liftHold(_ id: String, by actor: String) throws(DatabaseError) {
    guard let row = try access.first(VaultStatements.liftHold, actor, access.now, id),
      let subject = Subject(try row.get("subject", as: String.self))
    else { throw DatabaseError(.unexpectedRow, "there is no hold '\(id)' in force") }
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

extension Scope {
  /// Erases the subjects whose retention periods have ended; returns how many.
  ///
  /// - Parameter alongside: further changes for each erased subject, made in the same transaction.
  @discardableResult
  public func applyRetention(
    alongside: @escaping @Sendable (Transaction, Subject) throws -> Void = { _, _ in }
  ) async throws -> Int {
    var count = 0
    while true {
      let erased = try await write { transaction in
        let due = try transaction.vault.due(at: transaction.now, limit: 50)
        for subject in due {
          try transaction.vault.erase(subject, by: "storage", reason: "retention")
          try alongside(transaction, subject)
        }
        return due.count
      }
      if erased == 0 { return count }
      count += erased
    }
  }
}
