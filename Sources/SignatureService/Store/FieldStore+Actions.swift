internal import Base
internal import SignatureContract
internal import Storage

/// The actions on a field that save nothing, with their effects on the database.
extension FieldStore {
  static func tap(_ change: FieldChange, in transaction: Transaction) throws -> SignatureField {
    try self.change(change, event: .fieldWoken, in: transaction) { stored in
      try stored.field.cell.tap()
      return true
    }
  }

  static func clear(_ change: FieldChange, in transaction: Transaction) throws -> SignatureField {
    try self.change(change, event: .fieldCleared, in: transaction) { stored in
      try stored.field.cell.clear()
      try stored.empty(in: transaction)
      return true
    }
  }

  static func undo(_ change: FieldChange, in transaction: Transaction) throws -> SignatureField {
    try self.change(change, event: nil, in: transaction) { stored in
      try stored.field.cell.check(.undo)
      try stored.undo(in: transaction)
      return true
    }
  }

  /// Gives a field another canvas. The one that it has is no change.
  static func resize(
    _ change: FieldChange, to canvas: InkCanvas, in transaction: Transaction
  ) throws -> SignatureField {
    try self.change(change, event: .fieldResized, in: transaction) { stored in
      try stored.field.cell.check(.resize)
      guard stored.field.settings.canvas != canvas else { return false }
      try stored.resize(to: canvas, in: transaction)
      return true
    }
  }

  static func cancel(_ change: FieldChange, in transaction: Transaction) throws -> SignatureField {
    try self.change(change, event: .fieldCancelled, in: transaction) { stored in
      try stored.field.cell.cancel()
      try stored.empty(in: transaction)
      return true
    }
  }

  static func reEnter(_ change: FieldChange, in transaction: Transaction) throws -> SignatureField {
    try self.change(change, event: .fieldReEntered, in: transaction) { stored in
      try stored.field.cell.reEnter()
      if let saved = stored.field.saved {
        try transaction.run(RevisionStatements.replace, transaction.now, saved.signatureID)
      }
      stored.field.saved = nil
      return true
    }
  }

  /// Closes a field, with the revision that was signed with or with none.
  static func complete(
    _ change: FieldChange, with pin: PinnedRevision?, in transaction: Transaction
  ) throws -> SignatureField {
    try self.change(change, event: .fieldCompleted, in: transaction) { stored in
      guard let pin else { return try stored.field.cell.complete() }
      try pin.check(stored.field)
      guard stored.field.cell.pin(pin.revision) else { return false }
      try stored.empty(in: transaction)
      guard let row = try transaction.first(RevisionStatements.numbered, stored.field.id, pin.revision) else {
        throw StoredField.corrupt(stored.field.id, "lacks revision \(pin.revision)")
      }
      let pinned = try StoredRevision(row: row)
      try RevisionStore.verify(pinned, in: transaction)
      if let saved = stored.field.saved, saved.signatureID != pinned.id {
        try transaction.run(RevisionStatements.replace, transaction.now, saved.signatureID)
      }
      try transaction.run(RevisionStatements.replace, Instant?.none, pinned.id)
      stored.field.saved = SavedSignature(
        try StoredRevision(row: try transaction.one(RevisionStatements.find, pinned.id)))
      return true
    }
  }

  /// Lends a field that can be drawn in, passes it on, or takes it back.
  static func lend(_ change: FieldChange, to loan: FieldLoan, in transaction: Transaction) throws -> SignatureField {
    try self.change(change, event: nil, in: transaction) { stored in
      if loan != .none { try stored.field.cell.check(.append) }
      stored.field.loan = loan
      return true
    }
  }

  /// Adds to the drawing. The caller continues with the version of the returned field.
  ///
  /// - Parameter fitting: whether the pieces are first put into the middle of the canvas, as large as there is room
  ///   for.
  static func append(
    _ pieces: [CapturedPiece], _ change: FieldChange, fitting: Bool = false, in transaction: Transaction
  ) throws -> SignatureField {
    try self.change(change, event: nil, in: transaction) { stored in
      try stored.field.cell.check(.append)
      var progress = stored.field.cell.drawing
      let kept = try progress.take(
        fitting ? stored.field.surface.fitted(pieces) : pieces, on: stored.field.surface)
      try stored.add(kept, in: transaction)
      progress.sight = try stored.sight(after: kept, in: transaction)
      try stored.field.cell.append(progress)
      if stored.field.loan != .none { stored.field.drawnOn = stored.field.loan.device }
      return true
    }
  }
}
