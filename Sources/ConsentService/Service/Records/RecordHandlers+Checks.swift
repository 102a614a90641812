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
    let answers = try await answers(request.questions, in: request.studyID, context) { "questions[\($0)].purpose" }
    return BatchCheckConsentsResponse(answers: answers)
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
    try await answers([question], in: studyID, isProof: isProof, context) { _ in "purpose" }[0]
  }

  /// - Parameter field: names the field in which the purpose of a question stands.
  private func answers(
    _ questions: [ConsentQuestion], in studyID: String, isProof: Bool = false, _ context: CallContext,
    field: @escaping @Sendable (Int) -> String
  ) async throws -> [ConsentAnswer] {
    let find: ServiceDatabase.Lookup<Found<[ConsentBasis]>> = { snapshot, gate in
      let found = try ConsentBasis.of(questions.map(\.subjectID), in: studyID, isProof: isProof, snapshot)
      let touched = zip(questions, found).map { question, basis in
        let records = basis.records.map(\.record).accessTargets
        return records.isEmpty ? [AccessTarget.person(question.subjectID, in: studyID)] : records
      }
      // Who is refused one of many answers is refused all; the refusal is about the person in question.
      let refused = touched.count == 1 ? nil : try touched.first { try !gate.isOpen(to: $0, snapshot) }
      return Found(found, targets: refused ?? touched.flatMap(\.self))
    }
    var found = try await data.read(context, of: find) { snapshot, caller, found in
      try KnownNames.require(questions, found.value, in: studyID, snapshot, caller, field: field)
      return found.value
    }
    // Nothing was disclosed about an unknown subject, and noting it would let callers fill the log with invented names.
    let told = found.compactMap { $0.records.first?.record.accessTargets.first }
    if try await data.noteQuestions(context, about: told, for: "check of consent") {
      found = try await data.read(context, of: find) { _, _, found in found.value }
    }
    return zip(questions, found).map { question, basis in
      guard !basis.isErased else {
        return ConsentAnswer(
          subjectID: question.subjectID, purpose: question.purpose, permitted: false,
          reason: RecordState.erased.word)
      }
      return ConsentCheck.answer(
        subject: question.subjectID, purpose: question.purpose, records: basis.counting, at: clock.now)
    }
  }
}
