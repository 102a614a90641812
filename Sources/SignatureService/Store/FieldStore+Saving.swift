internal import Base
internal import Ink
internal import SignatureContract
internal import Storage
internal import Wire

/// Saving: the drawing or the typed name becomes a revision, which is kept for ever.
extension FieldStore {
  /// - Parameter id: the identifier of the revision.
  static func save(
    _ change: FieldChange, as id: String, _ time: SigningTime, drawnWith device: String, in transaction: Transaction
  ) throws -> SignatureField {
    try self.change(change, event: .fieldSaved, in: transaction) { stored in
      let progress = stored.field.cell.drawing
      try stored.field.cell.save()
      let ink = try ink(of: stored, drawnWith: device, in: transaction)
      let blob = StrokeBlob(ink)
      // Its plain hash would tell a forger with a list of drawings, or of strokes seen elsewhere, whose they are.
      let commitment = try transaction.vault.commit(
        to: blob.hash.bytes, as: SignatureCommitment.drawn, of: stored.subject)
      var revision = StoredRevision(
        id: id, field: stored.field.id, revision: stored.field.cell.revisions, kind: .drawn,
        hash: commitment.digest.hex, commitment: commitment.id, savedAt: transaction.now, signingTime: time,
        signer: change.signer)
      revision.strokes = ink.strokes.count
      revision.points = ink.pointCount
      revision.dropped = progress.droppedPoints
      try transaction.vault.put(blob.bytes, as: revision.item, of: stored.subject)
      try keep(revision, in: &stored, transaction)
      return true
    }
  }

  static func saveTyped(
    _ change: FieldChange, as id: String, _ name: TypedName, _ time: SigningTime, in transaction: Transaction
  ) throws -> SignatureField {
    try self.change(change, event: .fieldSaved, in: transaction) { stored in
      try stored.field.cell.saveTyped()
      // A name can be guessed, so its plain hash would reveal it.
      let commitment = try transaction.vault.commit(
        to: Array(name.text.utf8), as: SignatureCommitment.typed, of: stored.subject)
      let revision = StoredRevision(
        id: id, field: stored.field.id, revision: stored.field.cell.revisions, kind: .typed,
        hash: commitment.digest.hex, commitment: commitment.id, savedAt: transaction.now, signingTime: time,
        signer: change.signer)
      try transaction.vault.put(try name.encoded(), as: revision.item, of: stored.subject)
      // The drawing is deleted here, too: points that fell outside the canvas may have been counted.
      try keep(revision, in: &stored, transaction)
      return true
    }
  }

  private static func keep(
    _ revision: StoredRevision, in stored: inout StoredField, _ transaction: Transaction
  ) throws {
    try revision.insert(in: transaction)
    try stored.empty(in: transaction)
    stored.field.saved = SavedSignature(revision)
  }

  /// The strokes in the form that is kept for ever.
  private static func ink(
    of stored: StoredField, drawnWith device: String, in transaction: Transaction
  ) throws -> Ink {
    var strokes: [Stroke] = []
    for (index, piece) in try stored.pieces(after: 0, in: transaction).enumerated() {
      let piece = try CapturedPiece(piece, at: "pieces[\(index)]")
      if piece.beginsStroke {
        strokes.append(Stroke(points: piece.points, pen: piece.pen ?? stored.field.pen))
      } else {
        strokes[strokes.count - 1].points += piece.points
      }
    }
    return try Ink(
      validating: strokes, canvas: stored.field.settings.canvas.map { Canvas($0) }, device: device)
  }
}
