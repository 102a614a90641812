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
    blockCount = try Self.count("blocks", row, id)
    emptiedVersion = try row.get("emptied_version")
    guard let sealed = try snapshot.vault.get(Item.settings(id), of: subject) else {
      throw Self.corrupt(id, "has no settings")
    }
    let settings = try FieldSettings(decoding: sealed)
    var saved: SavedSignature?
    if let current: String = try row.get("current") {
      guard let row = try snapshot.first(RevisionStatements.find, current) else {
        throw Self.corrupt(id, "names a signature that is gone")
      }
      saved = SavedSignature(try StoredRevision(row: row))
    }
    let version: Int64 = try row.get("version")
    // The next change adds 1 to the version.
    guard (1..<Int64.max).contains(version) else { throw Self.corrupt(id, "is at version \(version)") }
    field = SignatureField(
      id: id, version: version, cell: try Self.cell(row, settings, id), reference: try FieldReference(row: row),
      settings: settings, saved: saved, holder: try row.get("holder"))
    field.loan = FieldLoan(device: try row.get("lent_to"))
    field.drawnOn = try row.get("drawn_on")
    // Each block has at least one point.
    guard blockCount <= field.cell.drawing.points else { throw Self.corrupt(id, "has \(blockCount) blocks") }
  }

  private static func cell(_ row: Row, _ settings: FieldSettings, _ id: String) throws -> Cell {
    guard let state = Cell.State(rawValue: try row.get("state")) else { throw corrupt(id, "is in no known state") }
    var drawing = DrawingProgress()
    drawing.begunStrokes = try count("begun_strokes", row, id)
    drawing.keptStrokes = try count("kept_strokes", row, id)
    drawing.points = try count("points", row, id)
    drawing.droppedPoints = try count("dropped", row, id)
    drawing.droppedBefore = try count("dropped_before", row, id)
    guard let sight = InkSight(rawValue: try row.get("sight")) else { throw corrupt(id, "shows no known ink") }
    drawing.sight = sight
    drawing.lastStrokePoints = try count("last_points", row, id)
    drawing.lastKeptPoints = try count("last_kept", row, id)
    drawing.isOutside = try row.get("outside")
    drawing.lastTime = try row.get("last_time")
    return Cell(
      rules: Cell.Rules(settings), state: state, isClosed: try row.get("closed"),
      pinned: try count("pinned", row, id), wasWoken: try row.get("woken"), drawing: drawing,
      revisions: try count("revisions", row, id))
  }

  /// Reads a count within bounds. It is used in computations, which must not overflow.
  private static func count(_ column: String, _ row: Row, _ id: String) throws -> Int {
    let count: Int = try row.get(column)
    guard (0...Int(Int32.max)).contains(count) else { throw corrupt(id, "counts \(count) in column '\(column)'") }
    return count
  }

  static func corrupt(_ id: String, _ finding: String) -> DatabaseError {
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
      drawing.begunStrokes, drawing.keptStrokes, drawing.points, drawing.droppedPoints, drawing.droppedBefore,
      drawing.sight.rawValue, drawing.lastStrokePoints, drawing.lastKeptPoints, drawing.isOutside, drawing.lastTime,
      blockCount, emptiedVersion, field.holder, field.loan.device, field.drawnOn, transaction.now, transaction.now)
  }

  func update(in transaction: Transaction) throws {
    let (cell, drawing) = (field.cell, field.cell.drawing)
    try transaction.run(
      FieldStatements.update, field.version, cell.state.rawValue, cell.isClosed, cell.pinned, cell.wasWoken,
      cell.revisions, field.saved?.signatureID, drawing.begunStrokes, drawing.keptStrokes, drawing.points,
      drawing.droppedPoints, drawing.droppedBefore, drawing.sight.rawValue, drawing.lastStrokePoints,
      drawing.lastKeptPoints, drawing.isOutside, drawing.lastTime, blockCount, emptiedVersion, field.loan.device,
      field.drawnOn, transaction.now, field.id)
  }
}

extension FieldReference {
  /// What a field was created for. The caller's rights are checked by this, before anything of the field leaves the
  /// vault.
  init(row: Row) throws {
    self.init(
      subjectID: try row.get("subject"), studyID: try row.get("study"), siteID: try row.get("site"),
      sessionID: try row.get("session"), signatureID: try row.get("signature"), documentID: try row.get("document"),
      documentVersion: Int32(clamping: try row.get("document_version", as: Int.self)),
      recordID: try row.get("record"))
  }
}
