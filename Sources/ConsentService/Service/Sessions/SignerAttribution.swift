internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy

/// Attributes a session's signatures to persons, as far as these are known.
extension StoredSession {
  /// Puts on record who gave the signatures that an action of the caller has added.
  ///
  /// While a person is signed in with their own account, another person signs only after a fresh authentication. At a
  /// device, and with an assistant's help, people sign one after another: there, a participant's signature is
  /// attributed to the subject, and other signatures to nobody.
  mutating func attributeSignatures(
    since earlier: SessionState, _ script: FlowScript, to caller: Caller
  ) throws(Refusal) {
    for index in state.signatures.indices where !earlier.signatures.contains(state.signatures[index]) {
      let given = state.signatures[index]
      let role = script.documents[given.documentID]?.settings.signature(given.signatureID)?.role ?? .unspecified
      state.signatures[index].personID = try person(signing: given, as: role, caller)
    }
  }

  private func person(
    signing given: GivenSignature, as role: SignerRole, _ caller: Caller
  ) throws(Refusal) -> String {
    if let authentication = given.authentication { return authentication.signer }
    let isSubjects = role == .participant
    guard caller.isPerson, caller.actor != assistant else { return isSubjects ? subjectID : "" }
    let isCallers = caller.stands(for: subjectID) ? isSubjects : role == .guardian
    guard isCallers else {
      let message =
        "signature '\(given.signatureID)' is not the caller's own to give: its signer uses their own account or a device "
        + "without one, or has just authenticated"
      throw Refusal(.denied, "other_signer", field: "action", message)
    }
    return caller.actor
  }
}
