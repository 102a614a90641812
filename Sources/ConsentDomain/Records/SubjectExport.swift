internal import Base
package import ConsentContract
internal import Wire

/// The contents of a subject's own export besides the receipts: what the vault stores for a record, and what the person
/// said and did in a session.
package enum SubjectExport {
  /// A record's personal data, with the salts by which the person can prove the names behind the record's commitments.
  /// A scan, and a text that an app showed, is given by its hash: it may be larger than a response, and
  /// `GetShownContent` returns it.
  package static func personal(
    of record: ConsentRecord, _ secrets: RecordSecrets, images: [(signatureID: String, png: [UInt8], salt: [UInt8])]
  ) -> JSON {
    .members([
      ("record_id", .string(record.recordID)),
      ("signatures", .array(secrets.signatures.map(signature))),
      (
        "images",
        .array(
          images.map { image in
            .object([
              ("signature_id", .string(image.signatureID)), ("content_type", .string("image/png")),
              ("base64", .string(Base64.encode(image.png))), ("salt", .string(Base64.encode(image.salt))),
            ])
          })
      ),
      ("scan_commitment", .some(record.scanHash)),
      ("shown_text_commitment", secrets.shownCommitment.isEmpty ? nil : .string(record.shownHash)),
      ("attested_by", .some(secrets.attestedBy)), ("majority_month", .some(secrets.majorityMonth)),
    ])
  }

  private static func signature(_ secret: SignatureSecret) -> JSON {
    .members([
      ("signature_id", .string(secret.signatureID)), ("printed_name", .some(secret.printedName)),
      ("name_salt", secret.nameSalt.isEmpty ? nil : .string(Base64.encode(secret.nameSalt))),
      (
        "corrected_names",
        secret.corrections.isEmpty
          ? nil
          : .array(
            secret.corrections.map { name in
              .object([
                ("printed_name", .string(name.printedName)), ("name_salt", .string(Base64.encode(name.nameSalt))),
              ])
            })
      ),
      ("typed", secret.typed.map { .string($0.text) }),
      ("typed_salt", secret.typedSalt.isEmpty ? nil : .string(Base64.encode(secret.typedSalt))),
    ])
  }

  package static func session(_ id: String, _ studyID: String, _ state: SessionState) -> JSON {
    .members([
      ("session_id", .string(id)), ("study_id", .string(studyID)),
      ("started_at", .time(state.startedAt)), ("outcome", .string(state.outcome.word)),
      ("birth_date", state.birthDate?.checked.map { .string($0.description) }),
      ("answers", .array(state.answers.flatMap { step in step.answers.map { answer($0, step.stepID) } })),
      ("attempts", .array(state.attempts.map(attempt))),
      ("sharing", .array(state.sharing.map(sharing))), ("documents", .array(state.documents.map(document))),
      ("names", .array(state.pendingNames.compactMap(name))), ("signatures", .array(state.signatures.map(given))),
      (
        "forms",
        .array(
          state.forms.map { form in
            .object([("purpose", .string(form.purpose)), ("allowed", .bool(form.allowed))])
          })
      ),
    ])
  }

  package static func birthDate(_ statement: BirthDateStatement) -> JSON {
    .members([
      ("date", statement.date?.checked.map { .string($0.description) }), ("stated_at", .time(statement.at)),
      ("session_id", .some(statement.sessionID)), ("reason", .some(statement.reason)),
    ])
  }

  private static func answer(_ answer: QuestionAnswer, _ stepID: String) -> JSON {
    .members([
      ("step_id", .string(stepID)), ("question_id", .string(answer.questionID)),
      ("choices", answer.choiceIDs.isEmpty ? nil : .array(answer.choiceIDs.map(JSON.string))),
      ("text", .some(answer.text)), ("date", answer.date?.checked.map { .string($0.description) }),
      ("boolean", answer.boolean == .unspecified ? nil : .bool(answer.boolean == .yes)),
      ("number", answer.number.map { .string("\($0.value)") }),
      ("time_of_day", answer.timeOfDay.map { .string($0.text) }),
    ])
  }

  private static func attempt(_ attempt: QuestionAttempt) -> JSON {
    .object([
      ("document_id", .string(attempt.documentID)), ("score", .number(Int64(attempt.score))),
      ("passed", .bool(attempt.passed)), ("at", .time(attempt.at)),
    ])
  }

  private static func sharing(_ result: SharingResult) -> JSON {
    .object([("document_id", .string(result.documentID)), ("choice", .string(result.choice.code))])
  }

  private static func document(_ result: DocumentResult) -> JSON {
    .object([
      ("document_id", .string(result.documentID)), ("agreed", .bool(result.agreed)),
      ("decided_at", .time(result.decidedAt)), ("shown_hash", .string(result.shownHash)),
    ])
  }

  private static func name(_ given: GivenSignature) -> JSON? {
    guard let name = given.name else { return nil }
    let id: (String, JSON?) = ("signature_id", .string(given.signatureID))
    return .members([id] + parts(of: name))
  }

  private static func parts(of name: PersonName) -> [(String, JSON?)] {
    [("given", .some(name.given)), ("family", .some(name.family)), ("mononym", .some(name.mononym))]
  }

  /// A signature as it was given in a session that may have led to no record. Drawn strokes are in SignatureService, so
  /// only their field is named.
  private static func given(_ given: GivenSignature) -> JSON {
    let image: (String, JSON?) =
      switch given.input?.image {
      case .drawn(let drawn): ("field_id", .some(drawn.fieldID))
      case .typed(let typed): ("typed", .some(typed.text))
      case nil: ("typed", nil)
      }
    var members: [(String, JSON?)] = [
      ("document_id", .string(given.documentID)), ("signature_id", .string(given.signatureID)),
    ]
    members += parts(of: given.name ?? PersonName())
    members += [image, ("signed_at", .time(given.signedAt))]
    return .members(members)
  }

  /// A renewal of attempts at a version's questions, with its reason.
  package static func renewal(_ renewal: RenewedAttempts, _ documentID: String, _ version: Int32) -> JSON {
    .members([
      ("document_id", .string(documentID)), ("document_version", .number(Int64(version))),
      ("renewed_at", .time(renewal.at)), ("reason", .some(renewal.reason)),
    ])
  }

  package static func guardian(_ guardian: Guardian) -> JSON {
    .members([
      ("study_id", .string(guardian.studyID)), ("guardian_id", .string(guardian.guardianID)),
      ("authority", .string(guardian.authority.word)), ("registered_at", .time(guardian.registeredAt)),
    ])
  }
}
