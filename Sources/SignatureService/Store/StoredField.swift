internal import Base
internal import SignatureContract
internal import Storage
internal import Wire

/// A field as stored in its row and the vault.
struct StoredField {
  var field: SignatureField
  let subject: Subject
  /// How many blocks the drawing has, and the version at which it was last empty.
  var blockCount: Int
  var emptiedVersion: Int64

  /// The names of a field's items in the vault.
  enum Item {
    static func settings(_ field: String) -> String { "field:\(field)" }
    static func block(_ field: String, _ number: Int) -> String { "drawing:\(field):\(number)" }
    static func ink(_ signature: String) -> String { "ink:\(signature)" }
    static func typed(_ signature: String) -> String { "typed:\(signature)" }
  }

  /// A new field.
  init(field: SignatureField, subject: Subject) {
    self.field = field
    self.subject = subject
    blockCount = 0
    emptiedVersion = field.version
  }

  init(row: Row, in snapshot: Snapshot) throws {
    let id: String = try row.get("id")
    let name: String = try row.get("subject")
    guard let subject = Subject(name) else { throw Self.corrupt(id, "names no subject") }
    self.subject = subject
    blockCount = try row.get("blocks")
    emptiedVersion = try row.get("emptied_version")
    guard let sealed = try snapshot.vault.get(Item.settings(id), of: subject) else {
      throw Self.corrupt(id, "has no settings")
    }
    let settings = try FieldSettings(decoding: sealed)
    var saved: SavedSignature?
    if let current: String = try row.get("current") {
      saved = SavedSignature(try StoredRevision(row: try snapshot.one(RevisionStatements.find, current)))
    }
    field = SignatureField(
      id: id, version: try row.get("version"), cell: try Self.cell(row, settings, id),
      reference: try FieldReference(row: row), settings: settings, saved: saved, holder: try row.get("holder"))
  }

  private static func cell(_ row: Row, _ settings: FieldSettings, _ id: String) throws -> Cell {
    guard let state = Cell.State(rawValue: try row.get("state")) else { throw corrupt(id, "is in no known state") }
    var drawing = DrawingProgress()
    drawing.begunStrokes = try row.get("begun_strokes")
    drawing.keptStrokes = try row.get("kept_strokes")
    drawing.points = try row.get("points")
    drawing.droppedPoints = try row.get("dropped")
    drawing.lastStrokePoints = try row.get("last_points")
    drawing.lastKeptPoints = try row.get("last_kept")
    drawing.isOutside = try row.get("outside")
    drawing.lastTime = try row.get("last_time")
    return Cell(
      rules: Cell.Rules(settings), state: state, isClosed: try row.get("closed"), pinned: try row.get("pinned"),
      wasWoken: try row.get("woken"), drawing: drawing, revisions: try row.get("revisions"))
  }

  private static func corrupt(_ id: String, _ finding: String) -> DatabaseError {
    DatabaseError(.corrupt, "field '\(id)' \(finding): its row was altered")
  }

  func insert(in transaction: Transaction) throws {
    let (cell, reference) = (field.cell, field.reference)
    let drawing = cell.drawing
    try transaction.vault.put(try field.settings.encoded(), as: Item.settings(field.id), of: subject)
    try transaction.run(
      FieldStatements.insert, field.id, subject.id, reference.studyID, reference.siteID, reference.sessionID,
      reference.recordID, reference.documentID, Int(reference.documentVersion), reference.signatureID, field.version,
      cell.state.rawValue, cell.isClosed, cell.pinned, cell.wasWoken, cell.revisions, field.saved?.signatureID,
      drawing.begunStrokes, drawing.keptStrokes, drawing.points, drawing.droppedPoints, drawing.lastStrokePoints,
      drawing.lastKeptPoints, drawing.isOutside, drawing.lastTime, blockCount, emptiedVersion, field.holder,
      transaction.now, transaction.now)
  }

  func update(in transaction: Transaction) throws {
    let (cell, drawing) = (field.cell, field.cell.drawing)
    try transaction.run(
      FieldStatements.update, field.version, cell.state.rawValue, cell.isClosed, cell.pinned, cell.wasWoken,
      cell.revisions, field.saved?.signatureID, drawing.begunStrokes, drawing.keptStrokes, drawing.points,
      drawing.droppedPoints,
      drawing.lastStrokePoints, drawing.lastKeptPoints, drawing.isOutside, drawing.lastTime, blockCount,
      emptiedVersion, transaction.now, field.id)
  }
}

extension FieldReference {
  /// What a field is made for: access is decided by this, before anything of the field leaves the vault.
  init(row: Row) throws {
    self.init(
      subjectID: try row.get("subject"), studyID: try row.get("study"), siteID: try row.get("site"),
      sessionID: try row.get("session"), signatureID: try row.get("signature"), documentID: try row.get("document"),
      documentVersion: Int32(clamping: try row.get("document_version", as: Int.self)),
      recordID: try row.get("record"))
  }
}
