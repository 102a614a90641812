public import Base

/// Identifies a mutation, so that it is safe to repeat: the caller's key for it, and the request.
public struct Idempotency: Sendable {
  /// The owner of the key, since two callers may choose the same key.
  public let caller: String
  public let key: String
  public let request: Digest
  /// The subject of the answer: erasing the subject erases the stored answer too. nil for the subject about whom the
  /// mutation stores data.
  public let subject: Subject?
  /// A secret that is in the request but not in the database. The stored answer is also sealed with it, so that nobody
  /// can open the answer without it. nil if the database's keys are enough.
  public let credential: [UInt8]?
  /// How long a repeat gets the first answer. After that the same key makes a new mutation.
  public let keep: Duration

  public init(
    caller: String, key: String, request: [UInt8], subject: Subject? = nil, credential: [UInt8]? = nil,
    keep: Duration = .seconds(7 * 86_400)
  ) {
    self.caller = caller
    self.key = key
    self.request = Digest(of: request)
    self.subject = subject
    self.credential = credential
    self.keep = keep
  }
}

/// The answer to a mutation, and the bytes that are stored for repeats.
public struct FirstAnswer<Answer: Sendable>: Sendable {
  public let given: Answer
  public let kept: [UInt8]

  public init(_ given: Answer, kept: [UInt8]) {
    self.given = given
    self.kept = kept
  }
}

/// The answer to a mutation.
public enum IdempotentAnswer<Answer: Sendable>: Sendable {
  case first(Answer)
  /// The mutation was made before, and these bytes were stored.
  case kept([UInt8])
}

enum IdempotencyStatements {
  static let find = Statement(
    own: "storage.idempotency.find",
    "SELECT subject, version, sealed FROM storage_idempotency "
      + "WHERE tenant = {tenant} AND caller = ? AND key = ? AND expires_ms > ?")
  /// Stores an answer, also over an expired one. Changes nothing if another transaction has stored one first.
  static let keep = Statement(
    own: "storage.idempotency.keep",
    """
    INSERT INTO storage_idempotency (tenant, caller, key, subject, version, sealed, created_ms, expires_ms)
    VALUES ({tenant}, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (tenant, caller, key) DO UPDATE SET subject = excluded.subject, version = excluded.version,
      sealed = excluded.sealed, created_ms = excluded.created_ms, expires_ms = excluded.expires_ms
    WHERE storage_idempotency.expires_ms <= excluded.created_ms
    """)
  static let expire = Statement(
    acrossTenants: "storage.idempotency.expire", "DELETE FROM storage_idempotency WHERE expires_ms <= ?")
}

extension Scope {
  /// Runs a mutation once per key. A repeat gets the first answer and changes nothing; a different request under the
  /// same key is refused (`.keyReused`). Key, request and answer are stored with the change itself, sealed.
  ///
  /// `body` returns the answer. If it throws, nothing is stored, and the caller may retry under the same key.
  ///
  /// - Parameter admission: throws unless the caller may make the change. Its result is passed to `body`. It also runs
  ///   before a stored answer is repeated: a caller who may no longer make the change does not get its answer either.
  public func write<Admission, Answer>(
    once idempotency: Idempotency, _ isolation: Isolation = .standard, within time: Duration = .seconds(10),
    admitting admission: @escaping @Sendable (Transaction) throws -> Admission,
    _ body: @escaping @Sendable (Transaction, Admission) throws -> FirstAnswer<Answer>
  ) async throws -> IdempotentAnswer<Answer> {
    let answer: IdempotentAnswer<Answer> = try await write(isolation, within: time) { transaction in
      let admitted = try admission(transaction)
      if let answer = try transaction.firstAnswer(to: idempotency) {
        // The first call may have ended before a head that covers its change was signed.
        transaction.signsHead()
        return .kept(answer)
      }
      let answer: FirstAnswer<Answer>
      do {
        answer = try body(transaction, admitted)
      } catch {
        // Another process may have committed the same mutation after the query above, so that its changes made this one
        // fail. Then this transaction is rolled back and run again, to get the first answer.
        let isThere =
          (try? transaction.first(IdempotencyStatements.find, idempotency.caller, idempotency.key, transaction.now))
          ?? nil
        guard isThere == nil else {
          throw DatabaseError(.serializationFailure, "the same mutation ran at the same time")
        }
        throw error
      }
      try transaction.keep(answer.kept, for: idempotency)
      return .first(answer.given)
    }
    if case .kept = answer { try await database.writeDownAgain(in: tenant) }
    return answer
  }
}

extension Snapshot {
  /// Opens a stored answer: the request's hash, followed by the answer.
  func openAnswer(_ row: Row, caller: String, key name: String) throws(DatabaseError) -> [UInt8] {
    let key: SecretKey?
    if let name: String = try row.get("subject") {
      key = try Subject(name).flatMap { subject throws(DatabaseError) in try subjectKey(subject) }
    } else {
      key = try tenantKey(try row.get("version")).key
    }
    let sealed: [UInt8] = try row.get("sealed")
    guard let kept = key?.open(sealed, at: .answer(tenant, caller: caller, key: name)) else {
      throw DatabaseError(.corrupt, "the answer kept for an idempotency key does not open: its row was altered")
    }
    return kept
  }
}

extension Transaction {
  /// Names the subject of a change that need not store personal data itself. A stored answer is then sealed with that
  /// subject's key, and is erased with the subject.
  public func concern(_ subject: Subject) { storedAbout = subject }

  fileprivate func firstAnswer(to idempotency: Idempotency) throws(DatabaseError) -> [UInt8]? {
    let opening = try rereading { () throws(DatabaseError) -> [UInt8]? in
      guard let row = try first(IdempotencyStatements.find, idempotency.caller, idempotency.key, now) else {
        return nil
      }
      return try openAnswer(row, caller: idempotency.caller, key: idempotency.key)
    }
    guard let kept = opening else { return nil }
    let answer = Array(kept.dropFirst(Digest.byteCount))
    guard kept.starts(with: idempotency.request.bytes), let opened = idempotency.opened(answer, in: tenant) else {
      throw DatabaseError(.keyReused, "the idempotency key was used before, for another request")
    }
    return opened
  }

  fileprivate func keep(_ answer: [UInt8], for idempotency: Idempotency) throws(DatabaseError) {
    // Request and answer may be personal, so even the request's hash is sealed.
    let kept = idempotency.request.bytes + idempotency.closed(answer, in: tenant)
    let place = SealPlace.answer(tenant, caller: idempotency.caller, key: idempotency.key)
    let sealed: [UInt8]
    var version: Int64?
    let subject = idempotency.subject ?? storedAbout
    if let subject {
      sealed = try subjectKeyForWriting(subject).seal(kept, at: place)
    } else {
      let tenantKey = try currentTenantKey()
      version = tenantKey.version
      sealed = tenantKey.key.seal(kept, at: place)
    }
    let changes = try run(
      IdempotencyStatements.keep, idempotency.caller, idempotency.key, subject?.id, version, sealed, now,
      now + idempotency.keep)
    // A mutation with the same key has committed first. This transaction is rolled back and run again, to get that
    // mutation's answer.
    if changes == 0 { throw DatabaseError(.serializationFailure, "the same mutation ran at the same time") }
  }
}

extension Idempotency {
  fileprivate func closed(_ answer: [UInt8], in tenant: Tenant) -> [UInt8] {
    credential.map { key(from: $0).seal(answer, at: place(in: tenant)) } ?? answer
  }

  /// Opens an answer that was sealed with the credential; nil if this is another credential.
  fileprivate func opened(_ answer: [UInt8], in tenant: Tenant) -> [UInt8]? {
    guard let credential else { return answer }
    return key(from: credential).open(answer, at: place(in: tenant))
  }

  private func key(from credential: [UInt8]) -> SecretKey {
    guard let key = SecretKey(Digest(of: Array("assent-answer-1\n".utf8) + credential).bytes) else {
      preconditionFailure("a digest is as long as a key")
    }
    return key
  }

  private func place(in tenant: Tenant) -> SealPlace { .answerByCredential(tenant, caller: caller, key: key) }
}

extension Database {
  /// Deletes expired answers; returns how many.
  @discardableResult
  public func expireIdempotencyKeys() async throws -> Int {
    let now = context.clock.now
    return try await writeAcrossTenants { try $0.run(IdempotencyStatements.expire.query, [now.storedValue]) }
  }
}
