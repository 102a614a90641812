internal import Base
internal import Ink
internal import SignatureContract
internal import Storage
internal import Wire

/// The revision that a change saves: its identifier, and the time of signing by the device's clock.
struct NewRevision: Sendable {
  let id: String
  let time: SigningTime
}

/// Saves a drawing, a typed name or an image as a revision, which is kept for ever. The words below it follow from the
/// field's settings, and are stored and hashed with it.
extension FieldStore {
  /// - Parameter wasSeen: whether somebody has looked at this drawing since it turned out to take long to draw.
  static func save(
    _ change: FieldChange, as new: NewRevision, drawnWith device: String, wasSeen: Bool, in transaction: Transaction
  ) throws -> SignatureField {
    try self.change(change, event: .fieldSaved, in: transaction) { stored in
      let progress = stored.field.cell.drawing
      if progress.points > 0, progress.sight == .none { throw InkSight.nothing(in: "field_id") }
      try stored.field.cell.save()
      let ink = try Ink(
        validating: try stored.strokes(in: transaction), canvas: stored.field.settings.canvas.map { Canvas($0) },
        device: device, inscription: stored.field.inscription(at: transaction.now, new.time))
      if progress.sight == .unsure, !wasSeen { throw UnsureInk(ink: ink, field: stored.field) }
      var revision = try sealed(.strokes(ink), .drawn, as: new, change, stored, transaction)
      (revision.dropped, revision.drawnOn) = (progress.droppedPoints, stored.field.drawnOn)
      try keep(revision, in: &stored, transaction)
      return true
    }
  }

  /// - Parameter shapes: the shapes of the image, without words below them.
  static func saveUploaded(
    _ shapes: Shapes, _ change: FieldChange, as new: NewRevision, in transaction: Transaction
  ) throws -> SignatureField {
    try self.change(change, event: .fieldSaved, in: transaction) { stored in
      try stored.field.cell.saveOtherwise(.saveUploaded)
      let words = stored.field.inscription(at: transaction.now, new.time)
      let revision = try sealed(
        .shapes(try shapes.inscribed(words)), .uploaded, as: new, change, stored, transaction)
      try keep(revision, in: &stored, transaction)
      return true
    }
  }

  static func saveTyped(
    _ name: TypedName, _ change: FieldChange, as new: NewRevision, in transaction: Transaction
  ) throws -> SignatureField {
    try self.change(change, event: .fieldSaved, in: transaction) { stored in
      try stored.field.cell.saveOtherwise(.saveTyped)
      let revision = try sealed(name, as: new, change, stored, transaction)
      // The drawing is deleted here, too: points that fell outside the canvas may have been counted.
      try keep(revision, in: &stored, transaction)
      return true
    }
  }

  /// Saves again what the same person has saved in another field, as a new revision that names the other one.
  static func reuse(
    _ signatureID: String, _ change: FieldChange, as new: NewRevision, in transaction: Transaction
  ) throws -> SignatureField {
    try self.change(change, event: .fieldSaved, in: transaction) { stored in
      try stored.field.cell.saveOtherwise(.reuse)
      let found = try RevisionStore.own(signatureID, of: stored.subject, savedBy: change.signer.name, in: transaction)
      let source = SignatureSource(
        signatureID: found.revision.id, fieldID: found.revision.field,
        revision: Int32(clamping: found.revision.revision))
      guard found.revision.mark == stored.field.mark else { throw ReuseRules.otherMark(stored.field.mark) }
      let content = try RevisionStore.content(of: found, in: transaction)
      var isTyped = false
      if case .typed = content { isTyped = true }
      try ReuseRules.check(
        isTyped: isTyped, isUploaded: found.revision.kind == .uploaded, in: stored.field.cell.rules)
      var revision: StoredRevision
      switch content {
      case .typed(let name, _): revision = try sealed(name, as: new, change, stored, transaction, source)
      case .drawn(let bytes, _):
        let words = stored.field.inscription(at: transaction.now, new.time)
        let content = try ReuseRules.inscribed(try StoredSignature.read(bytes), words)
        // This field may have another pen.
        if case .strokes(let ink) = content, try InkSight(of: ink, in: stored.field) == .none {
          throw InkSight.nothing(in: "signature_id")
        }
        revision = try sealed(content, found.revision.kind, as: new, change, stored, transaction, source)
      }
      (revision.dropped, revision.drawnOn) = (found.revision.dropped, found.revision.drawnOn)
      try keep(revision, in: &stored, transaction)
      return true
    }
  }

  /// Puts strokes or shapes into the vault.
  private static func sealed(
    _ content: StoredSignature, _ kind: SignatureKind, as new: NewRevision, _ change: FieldChange,
    _ stored: StoredField, _ transaction: Transaction, _ source: SignatureSource? = nil
  ) throws -> StoredRevision {
    let bytes = content.bytes
    // A plain hash would tell a forger, who has drawings or strokes from elsewhere, whose they are.
    let commitment = try transaction.vault.commit(
      to: Digest(of: bytes).bytes, as: SignatureCommitment.drawn, of: stored.subject)
    var revision = StoredRevision(
      id: new.id, field: stored.field.id, revision: stored.field.cell.revisions, kind: kind,
      hash: commitment.digest.hex, commitment: commitment.id, savedAt: transaction.now, signingTime: new.time,
      signer: change.signer, mark: stored.field.mark, source: source)
    if case .strokes(let ink) = content { (revision.strokes, revision.points) = (ink.strokes.count, ink.pointCount) }
    try transaction.vault.put(bytes, as: revision.item, of: stored.subject)
    return revision
  }

  /// Puts a name into the vault.
  private static func sealed(
    _ name: TypedName, as new: NewRevision, _ change: FieldChange, _ stored: StoredField,
    _ transaction: Transaction, _ source: SignatureSource? = nil
  ) throws -> StoredRevision {
    var name = name
    name.inscription = InkInscription(stored.field.inscription(at: transaction.now, new.time))
    // A name can be guessed, so its plain hash would reveal it.
    let commitment = try transaction.vault.commit(
      to: name.committed, as: SignatureCommitment.typed, of: stored.subject)
    let revision = StoredRevision(
      id: new.id, field: stored.field.id, revision: stored.field.cell.revisions, kind: .typed,
      hash: commitment.digest.hex, commitment: commitment.id, savedAt: transaction.now, signingTime: new.time,
      signer: change.signer, mark: stored.field.mark, source: source)
    try transaction.vault.put(try name.encoded(), as: revision.item, of: stored.subject)
    return revision
  }

  private static func keep(
    _ revision: StoredRevision, in stored: inout StoredField, _ transaction: Transaction
  ) throws {
    try revision.insert(in: transaction)
    try stored.empty(in: transaction)
    stored.field.saved = SavedSignature(revision)
  }
}

/// The error for a drawing that has to be looked at before it can be saved, which takes long.
struct UnsureInk: Error {
  let ink: Ink
  let field: SignatureField
}
