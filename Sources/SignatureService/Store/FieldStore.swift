internal import Base
internal import ServicePolicy
internal import SignatureContract
internal import Storage

/// Reads and creates fields, and changes them in one way: the field, the effects of the change and its event are
/// written in the caller's transaction.
enum FieldStore {
  static func field(_ id: String, in snapshot: Snapshot) throws -> SignatureField {
    guard let row = try snapshot.first(FieldStatements.find, id) else { throw Refusal.notFound("field", id) }
    return try StoredField(row: row, in: snapshot).field
  }

  /// What a field was created for and by which device, without reading the vault: by this the caller's rights are
  /// checked.
  static func held(_ id: String, in snapshot: Snapshot) throws -> HeldField {
    try snapshot.requireIntact(id)
    let row = try reference(of: id, in: snapshot)
    return HeldField(reference: try FieldReference(row: row), holder: try row.get("holder"))
  }

  /// What a field was created for, and to whom it is lent.
  static func lent(_ id: String, in snapshot: Snapshot) throws -> (FieldReference, FieldLoan) {
    try snapshot.requireIntact(id)
    let row = try reference(of: id, in: snapshot)
    return (try FieldReference(row: row), FieldLoan(device: try row.get("lent_to")))
  }

  private static func reference(of id: String, in snapshot: Snapshot) throws -> Row {
    guard let row = try snapshot.first(FieldStatements.reference, id) else { throw Refusal.notFound("field", id) }
    return row
  }

  static func fields(
    of session: String, _ page: PageRequest, in snapshot: Snapshot
  ) throws -> (fields: [SignatureField], next: String) {
    let page = try snapshot.page(FieldStatements.ofSession, session, at: page)
    // The fields of an erased subject cannot be shown any more; others of the session are.
    let fields = try page.rows.compactMap { row in
      do {
        return try StoredField(row: row, in: snapshot).field
      } catch let error as DatabaseError where error.code == .erased {
        return nil
      }
    }
    return (fields, page.nextToken)
  }

  static func create(_ field: SignatureField, by signer: Signer, in transaction: Transaction) throws {
    let subject = try Subject.named(field.reference.subjectID, field: "reference.subject_id")
    guard try transaction.first(FieldStatements.reference, field.id) == nil else {
      throw Refusal(.alreadyExists, "field_exists", field: "field_id", "there is a field '\(field.id)' already")
    }
    try StoredField(field: field, subject: subject).insert(in: transaction)
    try transaction.append(.fieldCreated, FieldEvent(field, signer), to: field.id)
  }

  /// Changes a field: checks the version, lets `body` change cell and vault, raises the version, and records an event.
  /// A field that is lent is taken back by whoever else changes it.
  ///
  /// - Parameters:
  ///   - event: the event to record; nil for drawing, which would fill the record with thousands of entries.
  ///   - body: changes the cell and the vault; returns whether there was anything to change.
  static func change(
    _ change: FieldChange, event: EventType<FieldEvent>?, in transaction: Transaction,
    _ body: (inout StoredField) throws -> Bool
  ) throws -> SignatureField {
    var stored = try lock(change, in: transaction)
    // Not every action stores personal data, but every stored response shows the field, so it must be erased with the
    // subject.
    transaction.concern(stored.subject)
    let before = stored.field
    stored.field.version += 1
    if before.loan.includes(change.signer.name) {
      try before.checkBorrower(change)
    } else {
      stored.field.loan = .none
    }
    do {
      guard try body(&stored) else { return before }
    } catch let refusal as CellRefusal {
      throw ActionNotOffered(refusal: refusal, field: before)
    }
    try stored.update(in: transaction)
    if let event {
      let saved = stored.field.saved ?? before.saved
      try transaction.append(event, FieldEvent(stored.field, change.signer, saved), to: stored.field.id)
    } else {
      transaction.wakeWatchers()
    }
    if stored.field.loan != before.loan {
      let isLent = stored.field.loan != .none
      try transaction.append(
        isLent ? .fieldLent : .fieldReturned, FieldEvent(stored.field, change.signer), to: stored.field.id)
    }
    return stored.field
  }

  /// Refuses an action that the field does not offer, before something costly such as reading an image.
  static func checkOffered(_ action: CellAction, in id: String, _ snapshot: Snapshot) throws {
    let field = try field(id, in: snapshot)
    do throws(CellRefusal) {
      try field.cell.check(action)
    } catch {
      throw ActionNotOffered(refusal: error, field: field)
    }
  }

  /// Refuses a typed name that is too long for a field of initials.
  static func checkInitials(_ text: String, of id: String, in snapshot: Snapshot) throws {
    guard text.count > FieldChecks.longestInitials, try field(id, in: snapshot).mark == .initials else { return }
    throw FieldChecks.refusal(
      "name.text", "has \(text.count) characters", "initials have at most \(FieldChecks.longestInitials)")
  }

  private static func lock(_ change: FieldChange, in transaction: Transaction) throws -> StoredField {
    guard let row = try transaction.first(FieldStatements.lock, change.fieldID) else {
      throw Refusal.notFound("field", change.fieldID)
    }
    let stored = try StoredField(row: row, in: transaction)
    guard change.version == 0 || change.version == stored.field.version else {
      throw FieldOvertaken(expectedVersion: change.version, current: stored.field)
    }
    return stored
  }
}
