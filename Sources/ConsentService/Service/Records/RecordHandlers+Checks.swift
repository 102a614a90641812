internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Wire

/// Checks of consent: single, in batches, and as a signed statement.
extension RecordHandlers {
  func checkConsent(_ request: CheckConsentRequest, context: CallContext) async throws -> CheckConsentResponse {
    let question = ConsentQuestion(subjectID: request.subjectID, purpose: request.purpose)
    return CheckConsentResponse(answer: try await answer(question, in: request.studyID, context))
  }

  func batchCheckConsents(
    _ request: BatchCheckConsentsRequest, context: CallContext
  ) async throws -> BatchCheckConsentsResponse {
    guard (1...1000).contains(request.questions.count) else {
      let message = "questions has \(request.questions.count) entries; it must have 1 to 1000"
      throw Refusal(.invalid, "too_many", field: "questions", message)
    }
    return BatchCheckConsentsResponse(answers: try await answers(request.questions, in: request.studyID, context))
  }

  func issueStatement(_ request: IssueStatementRequest, context: CallContext) async throws -> IssueStatementResponse {
    let lifetime = request.lifetime ?? ProtobufDuration(.seconds(3600))
    try DurationRules.check(lifetime, within: .seconds(1)...(.days(1)), "lifetime")
    let question = ConsentQuestion(subjectID: request.subjectID, purpose: request.purpose)
    let answer = try await answer(question, in: request.studyID, isProof: true, context)
    let now = clock.now
    let end = now + (lifetime.duration ?? .zero)
    let statement = ConsentStatement(
      tenant: context.identity.tenant, studyID: request.studyID, answer: answer, issuedAt: Timestamp(now),
      expiresAt: Timestamp(min(end, answer.validUntil?.clamped ?? end)))
    let bytes = try statement.encoded()
    return IssueStatementResponse(
      answer: answer, statement: bytes, signature: statementKey.sign(bytes), publicKey: statementKey.verifyingKey.bytes)
  }

  private func answer(
    _ question: ConsentQuestion, in studyID: String, isProof: Bool = false, _ context: CallContext
  ) async throws -> ConsentAnswer {
    try await answers([question], in: studyID, isProof: isProof, context)[0]
  }

  private func answers(
    _ questions: [ConsentQuestion], in studyID: String, isProof: Bool = false, _ context: CallContext
  ) async throws -> [ConsentAnswer] {
    var entries = try await entries(for: questions, isProof: isProof, context)
    var told: [Touched] = []
    for (question, entry) in zip(questions, entries) {
      let records = entry.byStudy[studyID] ?? []
      let nobody = [Touched.person(question.subjectID, in: studyID)]
      _ = try await data.admitted(context, to: records.isEmpty ? nobody : records.touched)
      // Nothing was disclosed about an unknown subject, and noting it would let callers fill the log with invented
      // names.
      if let touched = records.touched.first { told.append(touched) }
    }
    if try await data.discloseFromMemory(context, about: told, for: "check of consent") {
      entries = try await self.entries(for: questions, isProof: isProof, context)
    }
    return zip(questions, entries).map { question, entry in
      guard !entry.isErased else {
        return ConsentAnswer(
          subjectID: question.subjectID, purpose: question.purpose, permitted: false, reason: "subject_erased")
      }
      let records = (entry.byStudy[studyID] ?? []).filter { !entry.erased.contains($0.subjectID) }
      return ConsentCheck.answer(
        subject: question.subjectID, purpose: question.purpose, records: records, demands: entry.demands,
        at: clock.now)
    }
  }

  private func entries(
    for questions: [ConsentQuestion], isProof: Bool, _ context: CallContext
  ) async throws -> [RecordHeads.Entry] {
    let tenant = try context.tenant()
    var entries: [RecordHeads.Entry] = []
    entries.reserveCapacity(questions.count)
    for question in questions {
      let (subject, patience) = (question.subjectID, context.patience)
      entries.append(
        isProof
          ? try await heads.provenEntry(of: subject, tenant: tenant, within: patience)
          : try await heads.entry(of: subject, tenant: tenant, within: patience))
    }
    return entries
  }
}
