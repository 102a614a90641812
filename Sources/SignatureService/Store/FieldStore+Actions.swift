internal import Base
package import Bus
internal import Ink
package import SignatureContract
internal import Storage
internal import Wire

/// The actions on a field, each with what it does to the database.
extension FieldStore {
  package func tap(_ wanted: Wanted, for context: CallContext) async throws -> FieldView {
    try await change(wanted, event: .fieldWoken, for: context) { stored, _ in
      try stored.field.cell.tap()
      return true
    }
  }

  package func clear(_ wanted: Wanted, for context: CallContext) async throws -> FieldView {
    try await change(wanted, event: .fieldCleared, for: context) { stored, transaction in
      try stored.field.cell.clear()
      try stored.empty(in: transaction)
      return true
    }
  }

  package func cancel(_ wanted: Wanted, for context: CallContext) async throws -> FieldView {
    try await change(wanted, event: .fieldCancelled, for: context) { stored, transaction in
      try stored.field.cell.cancel()
      try stored.empty(in: transaction)
      return true
    }
  }

  package func reEnter(_ wanted: Wanted, for context: CallContext) async throws -> FieldView {
    try await change(wanted, event: .fieldReEntered, for: context) { stored, transaction in
      try stored.field.cell.reEnter()
      if let saved = stored.field.saved {
        try transaction.run(RevisionStatements.replace, transaction.now, saved.signatureID)
      }
      stored.field.saved = nil
      return true
    }
  }

  package func complete(_ wanted: Wanted, for context: CallContext) async throws -> FieldView {
    try await change(wanted, event: .fieldCompleted, for: context) { stored, _ in try stored.field.cell.complete() }
  }

  /// Adds to the drawing; the caller goes on with the version of the answer.
  package func append(
    _ pieces: [CapturedPiece], to wanted: Wanted, for context: CallContext
  ) async throws -> FieldView {
    try await change(wanted, event: nil, for: context) { stored, transaction in
      try stored.field.cell.check(.append)
      var progress = stored.field.cell.drawing
      let kept = try progress.take(pieces, on: stored.field.surface)
      try stored.field.cell.append(progress)
      try stored.add(kept, in: transaction)
      return true
    }
  }

  package func save(
    _ wanted: Wanted, _ time: SigningTime, drawnWith device: String, for context: CallContext
  ) async throws -> FieldView {
    try await change(wanted, event: .fieldSaved, for: context) { stored, transaction in
      let progress = stored.field.cell.drawing
      try stored.field.cell.save()
      let ink = try Self.ink(of: stored, drawnWith: device, in: transaction)
      let blob = StrokeBlob(ink)
      var revision = StoredRevision(
        id: identifiers.next(), field: stored.field.id, revision: stored.field.cell.revisions, kind: .drawn,
        hash: blob.hash.hex, commitment: nil, savedAt: transaction.now, signingTime: time, signer: context.identity)
      revision.strokes = ink.strokes.count
      revision.points = ink.pointCount
      revision.dropped = progress.droppedPoints
      try transaction.vault.put(blob.bytes, as: StoredField.Item.ink(revision.id), of: stored.subject)
      try revision.insert(in: transaction)
      try stored.empty(in: transaction)
      stored.field.saved = SavedSignature(revision)
      return true
    }
  }

  package func saveTyped(
    _ wanted: Wanted, _ name: TypedName, _ time: SigningTime, for context: CallContext
  ) async throws -> FieldView {
    try await change(wanted, event: .fieldSaved, for: context) { stored, transaction in
      try stored.field.cell.saveTyped()
      // A name can be guessed, so that its plain hash would tell it.
      let commitment = try transaction.vault.commit(
        to: Array(name.text.utf8), as: "typed signature", of: stored.subject)
      let revision = StoredRevision(
        id: identifiers.next(), field: stored.field.id, revision: stored.field.cell.revisions, kind: .typed,
        hash: commitment.digest.hex, commitment: commitment.id, savedAt: transaction.now, signingTime: time,
        signer: context.identity)
      try transaction.vault.put(try name.encoded(), as: StoredField.Item.typed(revision.id), of: stored.subject)
      try revision.insert(in: transaction)
      // Points that fell outside the canvas may have been counted before the person chose to type.
      try stored.empty(in: transaction)
      stored.field.saved = SavedSignature(revision)
      return true
    }
  }

  /// The strokes as they will be kept for ever.
  private static func ink(
    of stored: StoredField, drawnWith device: String, in transaction: Transaction
  ) throws -> Ink {
    var strokes: [Stroke] = []
    for (index, piece) in try stored.pieces(after: 0, in: transaction).enumerated() {
      let piece = try CapturedPiece(piece, at: "pieces[\(index)]")
      if piece.beginsStroke {
        strokes.append(Stroke(points: piece.points, pen: stored.field.pen))
      } else {
        strokes[strokes.count - 1].points += piece.points
      }
    }
    return try Ink(
      validating: strokes, canvas: stored.field.settings.canvas.map { Canvas($0) }, device: device)
  }
}
