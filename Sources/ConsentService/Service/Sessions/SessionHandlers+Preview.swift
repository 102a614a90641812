internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import RPC
internal import ServicePolicy
internal import Storage

/// Previews the signed copy of a session's document before anybody has signed it.
extension SessionHandlers {
  func previewSignedCopy(
    _ request: PreviewSignedCopyRequest, context: CallContext
  ) async throws -> PreviewSignedCopyResponse {
    let paper = try await data.disclose(context, of: StoredSession.named(request.sessionID)) {
      [scripts] snapshot, session, disclosure in
      disclosure.note(session, for: "preview")
      let script = try scripts.script(for: session, snapshot)
      let document = try Self.document(request.documentID, of: script)
      let signers = try Self.signers(of: document, in: session)
      var paper = try CopyReader.paper(
        document, script.texts, of: session.studyID, signers: signers, created: snapshot.now, snapshot)
      paper.watermark = script.texts[.previewMark]
      return paper
    }
    let content = try await copies.composed(paper, try context.tenant())
    return PreviewSignedCopyResponse(contentType: "application/pdf", content: content)
  }

  /// Who signs the document: without a guardian only if the person is known to be of age.
  private static func signers(
    of document: ScriptDocument, in session: StoredSession
  ) throws(Refusal) -> [SignatureDefinition] {
    let settings = document.settings
    guard let birthDate = session.state.birthDate?.checked else { return settings.signatures }
    let standing = AgeRule.standing(settings.age, birthDate: birthDate, on: session.state.startDay)
    return Signing.needed(
      settings, AgeRule.check(settings, documentID: document.id, birthDate: birthDate, standing))
  }

  private static func document(_ id: String, of script: FlowScript) throws(Refusal) -> ScriptDocument {
    if id.isEmpty, script.documents.count == 1, let only = script.documents.values.first { return only }
    if let document = script.documents[id] { return document }
    let known = script.documents.keys.sorted().joined(separator: ", ")
    throw Refusal(
      .notFound, "unknown_document", field: "document_id",
      "document_id is '\(id.shortened)'; the session's documents: \(known.isEmpty ? "none" : known)")
  }
}
