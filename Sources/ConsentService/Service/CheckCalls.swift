internal import Base
package import Bus
package import ConsentContract
internal import Storage
internal import Wire

/// "May I?", one at a time, in batches, and as a signed statement.
extension ConsentHandlers {
  package func checkConsent(_ request: CheckConsentRequest, context: CallContext) async throws -> CheckConsentResponse {
    let question = ConsentQuestion(subjectID: request.subjectID, purpose: request.purpose)
    return CheckConsentResponse(answer: try await answer(question, in: request.studyID, context))
  }

  package func checkConsentBatch(
    _ request: CheckConsentBatchRequest, context: CallContext
  ) async throws -> CheckConsentBatchResponse {
    guard (1...1000).contains(request.questions.count) else {
      let message = "questions has \(request.questions.count) entries; it must have 1 to 1000"
      throw Failure.status(Refusal(.invalid, "too_many", field: "questions", message))
    }
    var answers: [ConsentAnswer] = []
    answers.reserveCapacity(request.questions.count)
    for question in request.questions { answers.append(try await answer(question, in: request.studyID, context)) }
    return CheckConsentBatchResponse(answers: answers)
  }

  package func issueStatement(
    _ request: IssueStatementRequest, context: CallContext
  ) async throws -> IssueStatementResponse {
    guard (0...86_400).contains(request.lifetimeS) else {
      let message = "lifetime_s is \(request.lifetimeS); it must be 0 to 86400"
      throw Failure.status(Refusal(.invalid, "out_of_bounds", field: "lifetime_s", message))
    }
    let question = ConsentQuestion(subjectID: request.subjectID, purpose: request.purpose)
    let answer = try await answer(question, in: request.studyID, context)
    let now = clock.now.millisecondsSince1970
    let lifetime = request.lifetimeS == 0 ? 3600 : Int64(request.lifetimeS)
    let end = now + lifetime * 1000
    let statement = ConsentStatement(
      tenant: context.identity.tenant, studyID: request.studyID, answer: answer, issuedAtMs: now,
      expiresAtMs: answer.validUntilMs == 0 ? end : min(end, answer.validUntilMs))
    let bytes = try statement.encoded()
    return IssueStatementResponse(
      answer: answer, statement: bytes, signature: statementKey.sign(bytes), publicKey: statementKey.publicKey)
  }

  private func answer(
    _ question: ConsentQuestion, in studyID: String, _ context: CallContext
  ) async throws -> ConsentAnswer {
    do {
      let caller = try Caller(context.identity)
      try caller.requireEntry(to: studyID)
      let entry = try await heads.entry(of: question.subjectID, tenant: caller.tenant, within: context.remaining)
      return ConsentCheck.answer(
        subject: question.subjectID, purpose: question.purpose,
        records: entry.records.filter { $0.studyID == studyID }, demands: entry.demands.values.flatMap { $0 },
        at: clock.now)
    } catch {
      throw Failure.status(error)
    }
  }
}
