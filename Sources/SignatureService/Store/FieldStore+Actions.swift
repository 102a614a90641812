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

  static func complete(_ change: FieldChange, in transaction: Transaction) throws -> SignatureField {
    try self.change(change, event: .fieldCompleted, in: transaction) { try $0.field.cell.complete() }
  }

  /// Adds to the drawing; the caller continues with the version of the answer.
  static func append(
    _ pieces: [CapturedPiece], _ change: FieldChange, in transaction: Transaction
  ) throws -> SignatureField {
    try self.change(change, event: nil, in: transaction) { stored in
      try stored.field.cell.check(.append)
      var progress = stored.field.cell.drawing
      let kept = try progress.take(pieces, on: stored.field.surface)
      try stored.field.cell.append(progress)
      try stored.add(kept, in: transaction)
      return true
    }
  }
}
