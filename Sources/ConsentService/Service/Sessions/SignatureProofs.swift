internal import Base
internal import Bus
internal import ConsentContract
internal import ServicePolicy
internal import Storage
internal import Wire

/// Verifies a signature before it counts: the strokes, by SignatureService, and a fresh authentication, by the
/// assertion of one of the study's verifiers.
struct SignatureProofs: Sendable {
  let data: ServiceDatabase
  let signatures: any SignatureFields

  /// The hash of the strokes that a signature names; fetched before the transaction, because that waits for another
  /// service.
  func strokes(of input: SignatureInput?, session sessionID: String, _ context: CallContext) async throws -> String {
    guard let input, case .drawn = input.image else { return "" }
    let subjectID = try await data.read(context) { snapshot, caller in
      try StoredSession.found(sessionID, snapshot, caller).subjectID
    }
    return try await strokes(of: input, subject: subjectID)
  }

  func strokes(of input: SignatureInput, subject subjectID: String) async throws -> String {
    guard case .drawn(let drawn) = input.image, !drawn.fieldID.isEmpty else { return "" }
    return try await signatures.savedStrokes(inField: drawn.fieldID, of: subjectID) ?? ""
  }

  /// The proof for an action in a state of a session. In a session walked without a connection, an authentication must
  /// be fresh by the device's time.
  func proof(
    _ strokes: String, _ action: FlowAction, _ session: StoredSession, _ engine: FlowEngine, _ state: SessionState,
    isOffline: Bool = false, _ snapshot: Snapshot
  ) throws -> SignatureProof {
    var proof = SignatureProof(strokesHash: strokes)
    guard action.kind == .sign, let pending = engine.pendingSignature(in: state),
      pending.signature.requiresReauthentication
    else { return proof }
    let time = isOffline ? action.deviceTime?.at?.clamped ?? snapshot.now : snapshot.now
    let isSubject = pending.signature.role == .participant
    proof.authentication = try AuthenticationRules(try StudyStore.study(session.studyID, snapshot)).verified(
      action.signature?.reauthentication, for: session.challenge(to: pending.signature.id, on: pending.document),
      by: isSubject ? .person(session.subjectID) : .other(than: session.subjectID), at: time)
    return proof
  }
}

extension StoredSession {
  func challenge(to signatureID: String, on document: ScriptDocument) -> SigningChallenge {
    SigningChallenge(
      place: id, documentID: document.id, versionHash: document.versionHash, localeHash: document.localeHash,
      signatureID: signatureID)
  }
}

extension ConsentRecord {
  func challenge(to signatureID: String) -> SigningChallenge {
    SigningChallenge(
      place: recordID, documentID: documentID, versionHash: versionHash, localeHash: localeHash,
      signatureID: signatureID)
  }
}

extension ConsentScreen {
  /// Puts the challenge on a screen for signing, if the signature needs a fresh authentication.
  mutating func challenge(in session: StoredSession, _ script: FlowScript) {
    guard let form = signatureForm, form.requiresReauthentication else { return }
    guard let step = script.steps.first(where: { $0.id == stepID }), let document = script.documents[step.documentID]
    else { return }
    signatureForm?.challenge = session.challenge(to: form.signatureID, on: document).bytes
  }
}
