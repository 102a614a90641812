internal import Bus
internal import ConsentContract
internal import SignatureContract

/// Draws a signature in a field of SignatureService, as a pad would: tap, strokes as they are drawn, save.
struct DemoPad {
  let channel: BusChannel

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
      AppendStrokesRequest(fieldID: fieldID, expectedVersion: tapped.view?.version ?? 0, pieces: Self.pieces()))
    let drawn = try await strokes.finish().message
    let saved = try await client.saveField(
      SaveFieldRequest(fieldID: fieldID, expectedVersion: drawn.view?.version ?? 0))
    let revision = saved.view?.saved?.revision ?? 0
    return SignatureInput(image: .drawn(DrawnSignature(fieldID: fieldID, revision: revision)))
  }

  /// A loop, some waves and a line below, like many signatures.
  private static func pieces() -> [StrokePiece] {
    let loop = [(90, 120), (70, 80), (95, 45), (120, 60), (112, 105), (90, 130), (75, 118)]
    let waves = (0...24).map { (130 + $0 * 14, $0.isMultiple(of: 2) ? 118 : 92 - $0) }
    let line = (0...12).map { (80 + $0 * 34, 152 - $0) }
    return [loop, waves, line].enumerated().map { number, points in
      StrokePiece(
        beginsStroke: true, x: points.map { Double($0.0) }, y: points.map { Double($0.1) },
        timeMs: points.indices.map { Double(number * 900 + $0 * 16) })
    }
  }
}
