internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage
internal import Wire

/// Facts that count for a subject in all of their sessions: the birth date, attempts at questions, and what the person
/// has consented to. Test sessions have such facts of their own, so that nothing tried out in a test counts for a
/// person's consent.
enum SubjectFacts {
  /// The name of the vault's item for such a fact.
  static func item(_ name: String, isTest: Bool) -> String { isTest ? "test-\(name)" : name }

  /// Updates a session's state with what the subject's other sessions and staff have stored meanwhile.
  ///
  /// - Parameter isNew: whether it is about to begin, so that it notes what a walk without a connection has to know.
  static func load(
    into session: inout StoredSession, _ script: FlowScript, _ snapshot: Snapshot, isNew: Bool = false
  ) throws {
    let statements = try BirthDateStore.history(of: session.subjectID, isTest: session.isTest, snapshot).statements
    if let stated = statements.last?.date { session.state.birthDate = stated }
    if statements.contains(where: { $0.sessionID == session.id }) { session.state.birthDateStated = true }
    var attempts: [QuestionAttempt] = []
    for pinned in session.documents {
      guard let test = script.documents[pinned.documentID]?.settings.comprehension else { continue }
      let history = try AttemptStore.history(
        of: session.subjectID, pinned.documentID, pinned.version, isTest: session.isTest, snapshot)
      // Questions that were passed in another session are asked again in this one.
      attempts += AttemptRules.marked(history, by: test, at: snapshot.now)
        .filter { !$0.passed || $0.sessionID == session.id }
    }
    session.state.attempts = attempts.sorted { $0.at.orEpoch < $1.at.orEpoch }
    if isNew || script.mayDecline(at: session.state.position) { try loadEarlierConsents(into: &session, snapshot) }
  }

  /// Notes what the person has consented to in other sessions, which a decline in this one is about. What the person is
  /// being asked stays as it is until they have answered.
  static func loadEarlierConsents(into session: inout StoredSession, _ snapshot: Snapshot) throws {
    guard session.state.position?.alert != .earlierConsent else { return }
    let (id, isTest) = (session.id, session.isTest)
    let known = try ConsentBasis.of([session.subjectID], in: session.studyID, snapshot)[0].counting
    session.state.earlierConsents = known.filter { standing in
      standing.record.isWithdrawable && standing.state(at: snapshot.now) == standing.record.state
        && standing.record.test == isTest && standing.record.sessionID != id
    }.map { EarlierConsent($0.record) }
  }

  /// Stores what an action has added since `before`, for all of the subject's sessions.
  static func store(
    _ session: inout StoredSession, since before: SessionState, by caller: Caller, _ transaction: Transaction
  ) throws {
    // Stating the known date counts as an attempt too: after too many wrong ones, no date is compared.
    let isStated = session.state.birthDateStated && !before.birthDateStated
    if let date = session.state.birthDate, isStated || date != before.birthDate {
      try BirthDateStore.state(date, in: session, field: "action.answers", by: caller, transaction)
    }
    let added = session.state.attempts.indices.dropFirst(before.attempts.count)
    for index in added { session.state.attempts[index].sessionID = session.id }
    let made = Dictionary(grouping: session.state.attempts[added], by: \.documentID)
    for pinned in session.documents {
      guard let made = made[pinned.documentID] else { continue }
      var history = try AttemptStore.history(
        of: session.subjectID, pinned.documentID, pinned.version, isTest: session.isTest, transaction)
      history.attempts = AttemptRules.kept(history.attempts + made)
      try AttemptStore.save(
        history, of: session.subjectID, pinned.documentID, pinned.version, isTest: session.isTest, transaction)
    }
  }

  /// Refuses to begin where no attempt at the questions is left.
  static func requireAttempts(_ session: StoredSession, _ script: FlowScript) throws(Refusal) {
    for pinned in session.documents {
      guard let test = script.documents[pinned.documentID]?.settings.comprehension,
        AttemptRules.isUsedUp(test, session.state.attempts, at: pinned.documentID)
      else { continue }
      let last = session.state.attempts.last { $0.documentID == pinned.documentID }?.at.orEpoch
      let time = test.renewedAfter?.duration.flatMap { pause in last.map { TimeText.rfc3339($0 + pause) } }
      let when = time.map { "; they are renewed at \($0)" } ?? ""
      let message =
        "subject_id '\(session.subjectID)' has used up the \(test.attempts) attempts at the questions about "
        + "'\(pinned.documentID)', version \(pinned.version)\(when)"
      throw Refusal(.precondition, "attempts_used_up", field: "subject_id", message)
    }
  }
}
