internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Wire

/// Verifies a signature before it counts: the field or the typed name, by SignatureService, and a fresh authentication,
/// by the assertion of one of the study's verifiers.
struct SignatureProofs: Sendable {
  let signatures: any SignatureFields

  /// What SignatureService says of a signature: its saved field, or why its typed name cannot be drawn.
  struct Image: Sendable {
    var field: SavedField?
    var problem: Refusal?
  }

  /// Asks SignatureService about a signature. Called before the transaction, since it waits for another service. The
  /// answer is judged within the transaction, so that a repeated call gets its first answer even when the field is
  /// closed by now.
  func image(of input: SignatureInput?, _ context: CallContext) async throws -> Image {
    let tenant = try context.tenant()
    switch input?.image {
    case .drawn(let drawn) where !drawn.fieldID.isEmpty:
      return Image(field: try await signatures.savedField(drawn.fieldID, tenant: tenant))
    case .typed(let typed) where SigningRules.isWellFormed(typed):
      return Image(problem: try await signatures.problem(ofTyped: typed, tenant: tenant))
    default: return Image()
    }
  }

  /// Why no font draws a name that is to be printed, and signed with when it is typed. RenderService is asked when the
  /// name is given, since a person who hears of it when signing has no way back. Nobody is kept from giving a name
  /// because it cannot be asked now.
  func problem(ofName given: PersonName, _ context: CallContext) async throws -> Refusal? {
    guard let name = try? SigningRules.name(given) else { return nil }
    let typed = TypedSignature(text: PrintedName.of(name, locale: .english), font: "plain")
    do {
      let problem = try await signatures.problem(ofTyped: typed, tenant: try context.tenant())
      guard let problem, problem.kind == .invalid else { return nil }
      return Refusal(
        .invalid, problem.rule, field: "name", problem.message.replacing("signature.typed.text", with: "name"))
    } catch let status as Status
      where [StatusCode.unavailable, .unimplemented, .resourceExhausted].contains(status.code)
    {
      return nil
    }
  }

  /// More signatures than any real flow asks for: each costs a question to SignatureService before anything is decided.
  private static let mostSignatures = 200

  static func checkCount(_ count: Int, _ what: String, field: String) throws(Refusal) {
    guard count > mostSignatures else { return }
    let message = "\(field) give more than \(mostSignatures) different \(what), which no call may"
    throw Refusal(.invalid, "too_many", field: field, message)
  }

  /// The same for all signatures of one call, in their order; an empty image stands for an action that gives no
  /// signature. SignatureService is asked about each signature once, however often the call gives it.
  func images(of inputs: [SignatureInput?], field: String, _ context: CallContext) async throws -> [Image] {
    var known: [MessageKey<SignatureInput>: Image] = [:]
    var images: [Image] = []
    for input in inputs {
      guard var input, input.image != nil else {
        images.append(Image())
        continue
      }
      input.reauthentication = nil
      let key = MessageKey(input)
      if let image = known[key] {
        images.append(image)
        continue
      }
      try Self.checkCount(known.count + 1, "signatures", field: field)
      let found = try await image(of: input, context)
      known[key] = found
      images.append(found)
    }
    return images
  }

  /// The proof for an action in a state of a session. Uses up the field that the action signs with. In a session walked
  /// without a connection, an authentication must be fresh by the device's time, which is clamped to the time since the
  /// session began; one that is not fresh by our own time as well is marked.
  func proof(
    _ image: Image, _ action: FlowAction, _ session: StoredSession, _ engine: FlowEngine, _ state: SessionState,
    isOffline: Bool = false, _ transaction: Transaction
  ) throws -> SignatureProof {
    guard action.kind == .sign, let pending = engine.pendingSignature(in: state) else { return SignatureProof() }
    var proof = try self.proof(
      image, action.signature, at: session.place(of: pending.signature.id, on: pending.document), transaction)
    guard pending.signature.requiresReauthentication else { return proof }
    let claimed = isOffline ? action.deviceTime?.at?.clamped ?? transaction.now : transaction.now
    let time = min(max(claimed, state.startedAt?.clamped ?? claimed), transaction.now)
    proof.authentication = try AuthenticationRules(try StudyStore.study(session.studyID, transaction)).verified(
      action.signature?.reauthentication, for: session.challenge(to: pending.signature.id, on: pending.document),
      by: try Self.signer(pending.signature.role, in: session, transaction),
      alsoKnownAs: try MergedAccounts.names(of: session.subjectID, transaction), at: time, arrival: transaction.now)
    return proof
  }

  /// Who signs in a session: the subject, or one of the subject's guardians on record. If no guardian is on record,
  /// anybody but the subject may sign as guardian.
  private static func signer(
    _ role: SignerRole, in session: StoredSession, _ snapshot: Snapshot
  ) throws -> ExpectedSigner {
    guard role != .participant else { return .person(session.subjectID) }
    let guardians = try ConsentRelations(snapshot: snapshot).guardians(of: session.subjectID, in: session.studyID)
    let known = try Set(guardians.flatMap { try MergedAccounts.names(of: $0, snapshot) })
    return known.isEmpty ? .other(than: session.subjectID) : .oneOf(known)
  }

  /// The proof of a signature at a place, from what SignatureService said of it. Uses up the signature's field.
  func proof(
    _ image: Image, _ input: SignatureInput?, at place: SignaturePlace, _ transaction: Transaction
  ) throws -> SignatureProof {
    if let problem = image.problem { throw problem }
    guard case .drawn(let drawn) = input?.image else { return SignatureProof() }
    guard let field = image.field else { throw SavedField.missing(drawn.fieldID) }
    try field.check(for: place, seen: drawn.revision)
    try PinStore.pin(field, at: place, transaction)
    return SignatureProof(field: field)
  }
}

extension StoredSession {
  func challenge(to signatureID: String, on document: ScriptDocument) -> SigningChallenge {
    SigningChallenge(
      place: .session(id), documentID: document.id, versionHash: document.versionHash, localeHash: document.localeHash,
      signatureID: signatureID)
  }
}

extension StoredSession {
  /// The place that a field must have been made for, to be signed with in this session.
  func place(of signatureID: String, on document: ScriptDocument) -> SignaturePlace {
    SignaturePlace(
      subjectID: subjectID, studyID: studyID, siteID: siteID, sessionID: id, signatureID: signatureID,
      documentID: document.id, documentVersion: document.version)
  }
}

extension ConsentRecord {
  /// The place that a field must have been made for, to be signed with by this person after the session's end.
  func place(of signatureID: String, by signer: String) -> SignaturePlace {
    SignaturePlace(
      subjectID: signer, studyID: studyID, siteID: siteID, sessionID: sessionID, signatureID: signatureID,
      documentID: documentID, documentVersion: documentVersion, recordID: recordID)
  }

  func challenge(to signatureID: String) -> SigningChallenge {
    SigningChallenge(
      place: .record(recordID), documentID: documentID, versionHash: versionHash, localeHash: localeHash,
      signatureID: signatureID)
  }
}

extension ConsentScreen {
  /// Adds to a screen for signing the place that a field must be made for and, if the signature needs a fresh
  /// authentication, the challenge that an assertion must repeat.
  mutating func bind(to session: StoredSession, _ script: FlowScript) {
    guard let form = signatureForm, let step = script.steps.first(where: { $0.id == stepID }),
      let document = script.documents[step.documentID]
    else { return }
    signatureForm?.place = session.place(of: form.signatureID, on: document)
    if form.requiresReauthentication, !session.id.isEmpty {
      signatureForm?.challenge = session.challenge(to: form.signatureID, on: document).bytes
    }
  }
}
