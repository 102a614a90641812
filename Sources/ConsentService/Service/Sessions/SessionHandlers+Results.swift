internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Wire

/// Lists a subject's sessions, and returns the result of a session step by step.
extension SessionHandlers {
  func listConsentSessions(
    _ request: ListConsentSessionsRequest, context: CallContext
  ) async throws -> ListConsentSessionsResponse {
    let pages = PagesInTurn(size: request.pageSize, token: request.pageToken)
    let find: ServiceDatabase.Lookup<Found<ListConsentSessionsResponse>> = { snapshot, gate in
      let isOwn = request.subjectID.isEmpty && gate.isPerson
      let subject = isOwn ? try Subject.stored(gate.callerName) : try Subject.named(request.subjectID)
      let (sessions, next) = try pages.page(of: try MergedAccounts.names(of: subject.id, snapshot)) { name, page in
        try SessionStore.list(of: name, in: request.studyID, page, snapshot)
      }
      let open = try sessions.filter { try gate.isOpen(to: $0, snapshot) }
      let answer = ListConsentSessionsResponse(sessions: open, nextPageToken: next)
      guard open.isEmpty else { return Found(answer, targets: open) }
      // If no session is open to the caller, access to the subject is checked instead, so that the refusal says why.
      return Found(
        answer, targets: try ConsentRelations(snapshot: snapshot).accessTargets(subject.id, in: request.studyID))
    }
    return try await data.disclose(context, of: find) { _, found, disclosure in
      if let list = found.accessTargets.first {
        disclosure.note(found.value.sessions.count, "sessions", of: list, for: "list of sessions")
      }
      return found.value
    }
  }

  func getSessionResult(
    _ request: GetSessionResultRequest, context: CallContext
  ) async throws -> GetSessionResultResponse {
    try await data.disclose(context, of: StoredSession.named(request.sessionID)) { snapshot, found, disclosure in
      var session = found
      disclosure.note(session, for: "session result")
      let script = try scripts.script(for: session, snapshot)
      try SubjectFacts.load(into: &session, script, snapshot)
      return GetSessionResultResponse(result: session.result(script))
    }
  }
}

extension StoredSession {
  /// The session's result, step by step.
  fileprivate func result(_ script: FlowScript) -> SessionResult {
    let steps = state.steps.map { done in
      var result = SessionStepResult(
        stepID: done.stepID, startedAt: done.startedAt, endedAt: done.endedAt, finished: done.finished,
        answers: state.answers.first { $0.stepID == done.stepID }?.answers ?? [],
        attempts: state.attempts.filter { $0.stepID == done.stepID && $0.sessionID == id },
        forms: state.forms.filter { $0.stepID == done.stepID })
      if let step = script.steps.first(where: { $0.id == done.stepID }) { complete(&result, of: step, in: script) }
      return result
    }
    let end = state.outcome == .unspecified ? nil : steps.compactMap(\.endedAt).max { $0.orEpoch < $1.orEpoch }
    return SessionResult(
      sessionID: id, flowID: flowID, flowVersion: flowVersion, startedAt: state.startedAt,
      endedAt: end ?? (state.outcome == .unspecified ? nil : state.actedAt), outcome: state.outcome, steps: steps)
  }

  /// Adds a step's further results: the choice about sharing, the birth date, the document and its signatures.
  private func complete(_ result: inout SessionStepResult, of step: ScriptStep, in script: FlowScript) {
    for page in step.pages {
      switch page {
      case .sharing: result.sharing = state.sharing.first { $0.documentID == step.documentID }?.choice ?? .unspecified
      case .birthDate where FlowEngine(script).moves(of: state).applies(page, in: step):
        if let date = state.statedBirthDate {
          result.answers.append(QuestionAnswer(questionID: "birth-date", date: date))
        }
      default: break
      }
    }
    guard step.isReview else { return }
    result.document = state.documents.first { $0.stepID == step.id }
    result.document?.shownCommitment = ""
    result.signatures = state.signatures.filter { $0.documentID == step.documentID }
  }
}
