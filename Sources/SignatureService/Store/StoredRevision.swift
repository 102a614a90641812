internal import Base
internal import SignatureContract
internal import Storage
internal import Wire

/// A saved signature as stored in its row; strokes and name are in the vault.
struct StoredRevision: Sendable {
  let id: String
  let field: String
  let revision: Int
  let kind: SignatureKind
  let hash: String
  /// The vault's identifier of the commitment whose digest is `hash`.
  let commitment: String
  var strokes = 0
  var points = 0
  var dropped = 0
  let savedAt: Instant
  let signingTime: SigningTime
  let device: String
  let savedBy: String
  var replacedAt: Instant?
  let mark: FieldMark
  /// The saved signature that this one repeats.
  var source: SignatureSource?
  /// The device that drew it, where the field was lent to one; empty: the one that saved it.
  var drawnOn = ""

  init(
    id: String, field: String, revision: Int, kind: SignatureKind, hash: String, commitment: String,
    savedAt: Instant, signingTime: SigningTime, signer: Signer, mark: FieldMark, source: SignatureSource? = nil
  ) {
    self.id = id
    self.field = field
    self.revision = revision
    self.kind = kind
    self.hash = hash
    self.commitment = commitment
    self.savedAt = savedAt
    self.signingTime = signingTime
    device = signer.device
    savedBy = signer.name
    self.mark = mark
    self.source = source
  }

  init(row: Row) throws {
    id = try row.get("id")
    field = try row.get("field")
    revision = try row.get("revision")
    kind = SignatureKind(number: Int32(clamping: try row.get("kind", as: Int.self)))
    hash = try row.get("hash")
    commitment = try row.get("commitment")
    strokes = try row.get("strokes")
    points = try row.get("points")
    dropped = try row.get("dropped")
    savedAt = try row.get("saved_ms")
    let deviceTime: Instant = try row.get("device_ms")
    signingTime = SigningTime(
      at: deviceTime.millisecondsSince1970 == 0 ? nil : Timestamp(deviceTime),
      utcOffsetMinutes: Int32(clamping: try row.get("utc_offset", as: Int.self)))
    device = try row.get("device")
    savedBy = try row.get("saved_by")
    replacedAt = try row.get("replaced_ms")
    mark = FieldMark(number: Int32(clamping: try row.get("mark", as: Int.self)))
    drawnOn = try row.get("drawn_on")
    let repeated: String = try row.get("source")
    guard !repeated.isEmpty else { return }
    source = SignatureSource(
      signatureID: repeated, fieldID: try row.get("source_field"),
      revision: Int32(clamping: try row.get("source_revision", as: Int.self)))
  }

  /// The vault's item for the signature itself.
  var item: String { kind == .typed ? StoredField.Item.typed(id) : StoredField.Item.ink(id) }

  func insert(in transaction: Transaction) throws {
    try transaction.run(
      RevisionStatements.insert, id, field, revision, Int(kind.number), hash, commitment, strokes, points, dropped,
      savedAt, signingTime.at?.clamped ?? Instant(millisecondsSince1970: 0), Int(signingTime.utcOffsetMinutes),
      device, savedBy, replacedAt, Int(mark.number), source?.signatureID ?? "", source?.fieldID ?? "",
      Int(source?.revision ?? 0), drawnOn)
  }
}

extension SavedSignature {
  init(_ stored: StoredRevision) {
    self.init(
      signatureID: stored.id, revision: Int32(clamping: stored.revision), kind: stored.kind, hash: stored.hash,
      strokeCount: Int32(clamping: stored.strokes), pointCount: Int32(clamping: stored.points),
      droppedPoints: Int32(clamping: stored.dropped), savedAt: Timestamp(stored.savedAt),
      signingTime: stored.signingTime, device: stored.device, savedBy: stored.savedBy,
      replacedAt: stored.replacedAt.map { Timestamp($0) },
      reusedFrom: stored.source, mark: stored.mark, drawnOn: stored.drawnOn)
  }
}
