package import Wire

/// A session as a subject's own export shows it: what the person said and did.
package enum SubjectExport {
  package static func session(_ id: String, _ studyID: String, _ state: SessionState) -> JSON {
    .members([
      ("session_id", .string(id)), ("study_id", .string(studyID)),
      ("started_at", .string(TimeText.rfc3339(state.startedAtMs))), ("outcome", .string("\(state.outcome)")),
      ("birth_date", state.birthDate?.checked.map { .string($0.description) }),
      ("answers", .array(state.answers.flatMap { step in step.answers.map { answer($0, step.stepID) } })),
      ("names", .array(state.pendingNames.compactMap(name))),
      (
        "forms",
        .array(
          state.forms.map { form in
            .object([("purpose", .string(form.purpose)), ("allowed", .bool(form.allowed))])
          })
      ),
    ])
  }

  private static func answer(_ answer: QuestionAnswer, _ stepID: String) -> JSON {
    .members([
      ("step_id", .string(stepID)), ("question_id", .string(answer.questionID)),
      ("choices", answer.choiceIDs.isEmpty ? nil : .array(answer.choiceIDs.map(JSON.string))),
      ("text", .some(answer.text)), ("date", answer.date?.checked.map { .string($0.description) }),
    ])
  }

  private static func name(_ given: GivenSignature) -> JSON? {
    guard let name = given.name else { return nil }
    return .object([
      ("signature_id", .string(given.signatureID)), ("given", .string(name.given)), ("family", .string(name.family)),
    ])
  }
}
