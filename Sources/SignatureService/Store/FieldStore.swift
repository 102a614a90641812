package import Base
package import Bus
package import SignatureContract
package import Storage
internal import Wire

/// Fields and what was signed in them. Every change is one transaction: the field, what it causes, its event, the answer.
package struct FieldStore: Sendable {
  let database: Database
  let identifiers: IdentifierSource

  package init(database: Database, identifiers: IdentifierSource = IdentifierSource()) {
    self.database = database
    self.identifiers = identifiers
  }

  package func field(_ id: String, for context: CallContext) async throws -> FieldView {
    try FieldChecks.identifier(id, "field_id", isRequired: true)
    return try await read(context) { snapshot in
      guard let row = try snapshot.first(FieldStatements.find, id) else { throw Self.unknown(id) }
      return try StoredField(row: row, in: snapshot).field.view
    }
  }

  package func fields(
    of session: String, after token: String, limit: Int, for context: CallContext
  ) async throws -> (views: [FieldView], next: String) {
    try await read(context) { snapshot in
      let cursor = token.isEmpty ? nil : PageCursor(text: token)
      let page = try snapshot.page(FieldStatements.ofSession, session, after: cursor, limit: limit)
      let views = try page.rows.map { try StoredField(row: $0, in: snapshot).field.view }
      return (views, page.next?.text ?? "")
    }
  }

  package func create(
    _ reference: FieldReference, _ settings: FieldSettings, asked request: [UInt8], for context: CallContext
  ) async throws -> FieldView {
    guard let subject = Subject(reference.subjectID) else { throw Self.badSubject("reference.subject_id") }
    return try await answerOnce(request, about: subject, context) { transaction in
      let field = SignatureField(id: identifiers.next(), reference: reference, settings: settings)
      let stored = StoredField(field: field, subject: subject)
      try stored.insert(in: transaction)
      try transaction.append(.fieldCreated, FieldEvent(field, context.identity), to: field.id)
      return field.view
    }
  }

  /// What a change wants: the field, the version that was looked at (0: any), and the request to know a repeat by; none
  /// for drawing, where each part of a stream is a change of its own and the versions tell a repeat.
  package struct Wanted: Sendable {
    package let fieldID: String
    package let version: Int64
    package let action: CellAction
    package let request: [UInt8]?

    package init(_ action: CellAction, _ fieldID: String, version: Int64, request: [UInt8]?) {
      self.action = action
      self.fieldID = fieldID
      self.version = version
      self.request = request
    }
  }

  /// Changes a field: checks the version, lets `body` change cell and vault, raises the version, records it.
  ///
  /// - Parameter event: what to put on record; nil for drawing, which would fill it with thousands of entries.
  func change(
    _ wanted: Wanted, event: EventType<FieldEvent>?, for context: CallContext,
    _ body: @escaping @Sendable (inout StoredField, Transaction) throws -> Bool
  ) async throws -> FieldView {
    let subject = try await subject(ofField: wanted.fieldID, context)
    return try await answerOnce(wanted.request, about: subject, context) { transaction in
      var stored = try Self.lock(wanted, in: transaction)
      let before = stored.field
      stored.field.version += 1
      do {
        guard try body(&stored, transaction) else { return before.view }
      } catch let refusal as CellRefusal {
        throw Self.refused(refusal, before)
      }
      try stored.update(in: transaction)
      if let event {
        let saved = stored.field.saved ?? before.saved
        try transaction.append(event, FieldEvent(stored.field, context.identity, saved), to: stored.field.id)
      } else {
        transaction.wakeWatchers()
      }
      return stored.field.view
    }
  }

  private static func lock(_ wanted: Wanted, in transaction: Transaction) throws -> StoredField {
    guard let row = try transaction.first(FieldStatements.lock, wanted.fieldID) else { throw unknown(wanted.fieldID) }
    let stored = try StoredField(row: row, in: transaction)
    guard wanted.version == 0 || wanted.version == stored.field.version else {
      throw conflict(expected: wanted.version, stored.field.view)
    }
    return stored
  }

  func subject(ofField id: String, _ context: CallContext) async throws -> Subject {
    try FieldChecks.identifier(id, "field_id", isRequired: true)
    let name: String? = try await read(context) { try $0.first(FieldStatements.subject, id)?.get("subject") }
    guard let name else { throw Self.unknown(id) }
    guard let subject = Subject(name) else { throw Self.badSubject("field_id") }
    return subject
  }

  /// Answers a repeat under the same key with the first answer.
  private func answerOnce(
    _ request: [UInt8]?, about subject: Subject, _ context: CallContext,
    _ body: @escaping @Sendable (Transaction) throws -> FieldView
  ) async throws -> FieldView {
    guard let request, !context.idempotencyKey.isEmpty else { return try await write(context, body) }
    let idempotency = Idempotency(
      caller: context.identity.subject, key: "\(context.method.name):\(context.idempotencyKey)", request: request,
      subject: subject)
    let scope = try scope(of: context)
    return try await Failure.explained {
      let answer = try await scope.write(once: idempotency, within: context.patience) { try body($0).encoded() }
      return try FieldView(decoding: answer.bytes)
    }
  }

  func read<Value: Sendable>(
    _ context: CallContext, _ body: @escaping @Sendable (Snapshot) throws -> Value
  ) async throws -> Value {
    let scope = try scope(of: context)
    return try await Failure.explained { try await scope.read(within: context.patience, body) }
  }

  func write<Value: Sendable>(
    _ context: CallContext, _ body: @escaping @Sendable (Transaction) throws -> Value
  ) async throws -> Value {
    let scope = try scope(of: context)
    return try await Failure.explained { try await scope.write(within: context.patience, body) }
  }

  func scope(of context: CallContext) throws(Status) -> Scope {
    guard let tenant = Tenant(context.identity.tenant) else {
      throw Status(.permissionDenied, "the caller belongs to no tenant, and signatures belong to one")
    }
    return database.scope(tenant)
  }
}

extension CallContext {
  /// How long the database may take: the caller has gone after that.
  var patience: Duration { min(remaining, .seconds(30)) }
}
