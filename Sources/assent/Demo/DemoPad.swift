internal import Bus
internal import ConsentContract
internal import RPC
internal import SignatureContract

/// Draws a signature in a field of SignatureService, as a pad would: tap, strokes as they are drawn, save.
struct DemoPad {
  let channel: BusChannel
  let hand: DemoHand

  /// Draws and saves a signature for a place where somebody signs; returns what to sign with.
  func draw(for place: SignaturePlace) async throws -> SignatureInput {
    let client = SignatureServiceClient(channel)
    let reference = FieldReference(
      subjectID: place.subjectID, studyID: place.studyID, siteID: place.siteID, sessionID: place.sessionID,
      signatureID: place.signatureID, documentID: place.documentID, documentVersion: place.documentVersion,
      recordID: place.recordID)
    let created = try await client.createField(
      CreateFieldRequest(reference: reference, settings: FieldSettings(header: "Signature", required: true)))
    let fieldID = created.view?.fieldID ?? ""
    let tapped = try await client.tapField(
      TapFieldRequest(fieldID: fieldID, expectedVersion: created.view?.version ?? 0))
    let strokes = client.appendStrokes()
    try await strokes.requests.send(
      AppendStrokesRequest(fieldID: fieldID, expectedVersion: tapped.view?.version ?? 0, pieces: hand.pieces))
    let drawn = try await strokes.finish().message
    let saved = try await client.saveField(
      SaveFieldRequest(fieldID: fieldID, expectedVersion: drawn.view?.version ?? 0))
    let revision = saved.view?.saved?.revision ?? 0
    return SignatureInput(image: .drawn(DrawnSignature(fieldID: fieldID, revision: revision)))
  }
}
