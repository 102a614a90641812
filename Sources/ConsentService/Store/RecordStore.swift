internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage
internal import Wire

/// Stores records: of each a head that changes replace, a history that only grows, and secrets in the vault.
enum RecordStore {
  private static let put = Statement(
    "record.put",
    """
    INSERT INTO records (tenant, id, study_id, site_id, subject_id, session_id, document_id, document_version, version_hash,
      state, decided_ms, test, body)
    VALUES ({tenant}, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (tenant, id) DO UPDATE SET state = excluded.state, body = excluded.body
    """)
  private static let addEntry = Statement(
    "record.entry.add",
    "INSERT INTO record_entries (tenant, record_id, sequence, body) VALUES ({tenant}, ?, ?, ?)")
  private static let find = Statement(
    "record.find", "SELECT id, subject_id, body FROM records WHERE tenant = {tenant} AND id = ?")
  private static let entries = Statement(
    "record.entries",
    "SELECT sequence, body FROM record_entries WHERE tenant = {tenant} AND record_id = ? ORDER BY sequence")
  private static let ofSubject = Statement(
    "record.subject",
    "SELECT id, subject_id, body FROM records WHERE tenant = {tenant} AND subject_id = ? ORDER BY decided_ms, id")
  private static let ofSession = Statement(
    "record.session", "SELECT id FROM records WHERE tenant = {tenant} AND session_id = ? ORDER BY decided_ms, id")
  private static let lock = Statement(
    "record.lock", "SELECT body FROM records WHERE tenant = {tenant} AND id = ? FOR UPDATE")
  private static let putShown = Statement(
    "shown.put",
    "INSERT INTO shown (tenant, hash, content) VALUES ({tenant}, ?, ?) "
      + "ON CONFLICT (tenant, hash) DO NOTHING")
  private static let findShown = Statement(
    "shown.find", "SELECT content FROM shown WHERE tenant = {tenant} AND hash = ?")
  private static let putTask = Statement(
    "task.put",
    "INSERT INTO signing_tasks (tenant, record_id, signature_id, study_id, since_ms, body) "
      + "VALUES ({tenant}, ?, ?, ?, ?, ?) ON CONFLICT (tenant, record_id, signature_id) DO NOTHING")
  private static let removeTasks = Statement(
    "task.remove", "DELETE FROM signing_tasks WHERE tenant = {tenant} AND record_id = ?")
  private static let tasks = Statement(
    "task.list",
    "SELECT since_ms, record_id, signature_id, body FROM signing_tasks WHERE tenant = {tenant} AND study_id = ? "
      + "AND {after since_ms, record_id, signature_id} ORDER BY since_ms, record_id, signature_id LIMIT {limit}")
  private static let allTasks = Statement(
    "task.list-all",
    "SELECT since_ms, record_id, signature_id, body FROM signing_tasks WHERE tenant = {tenant} "
      + "AND {after since_ms, record_id, signature_id} ORDER BY since_ms, record_id, signature_id LIMIT {limit}")
  private static let tasksOfRecord = Statement(
    "task.of-record",
    "SELECT body FROM signing_tasks WHERE tenant = {tenant} AND record_id = ? "
      + "ORDER BY signature_id")

  static let statements = [
    put, addEntry, find, lock, entries, ofSubject, ofSession, putShown, findShown, putTask, removeTasks, tasks,
    allTasks,
    tasksOfRecord,
  ]

  static func secretsItem(_ id: String) -> String { "record/\(id)" }

  /// Stores a record's head and the entries after the first `known` ones. Personal data go to the vault.
  static func save(_ record: ConsentRecord, known: Int = 0, _ transaction: Transaction) throws {
    let head = record.withoutPersonalData
    try transaction.run(
      put, record.recordID, record.studyID, record.siteID, record.subjectID, record.sessionID, record.documentID,
      Int64(record.documentVersion), record.versionHash, Int64(record.state.number), record.decidedAt.orEpoch,
      record.test, try head.encoded())
    let earlier = record.after(known)
    if record.state != earlier.state {
      try remind(of: record, transaction)
      try count(record, since: earlier.state, transaction)
    }
    try ConcernStore.follow(record, since: earlier, transaction)
    var reasons: [EntryReason] = []
    for entry in record.history.dropFirst(known) {
      var plain = entry
      if !entry.reason.isEmpty { reasons.append(EntryReason(sequence: entry.sequence, reason: entry.reason)) }
      plain.reason = ""
      let body = try plain.encoded()
      let number = try transaction.add(body, toList: historyList(record.recordID))
      guard number == entry.sequence else {
        throw DatabaseError(
          .corrupt, "entry \(entry.sequence) of record '\(record.recordID)' would be number \(number) of its history")
      }
      try transaction.run(addEntry, record.recordID, number, body)
    }
    guard !reasons.isEmpty || !record.attestedBy.isEmpty || !record.majorityMonth.isEmpty else { return }
    var secrets = try self.secrets(record.recordID, of: record.subjectID, transaction)
    secrets.reasons += reasons
    if !record.attestedBy.isEmpty { secrets.attestedBy = record.attestedBy }
    if !record.majorityMonth.isEmpty { secrets.majorityMonth = record.majorityMonth }
    try saveSecrets(secrets, of: record, transaction)
  }

  /// Sets the deadlines for changes that time alone brings to a record, if it can be withdrawn. A deadline in the past
  /// is due at once: a session may end, or staff may confirm, after a date that ended other consents.
  private static func remind(of record: ConsentRecord, _ transaction: Transaction) throws {
    guard record.isWithdrawable else { return }
    if let end = try DocumentStore.standing(record, transaction).end {
      try DeadlineStore.set(.expiry, record.recordID, at: end, transaction)
    }
    try EndingReminder.set(for: record, transaction)
    if !record.majorityMonth.isEmpty { try remindOfMajority(in: record.studyID, transaction) }
  }

  /// Stores another month of majority, by a birth date that was not stated with the record. `majorityStated` is
  /// false, so that those who may read only the record do not learn the month.
  static func renewMajority(_ month: String, of record: ConsentRecord, _ transaction: Transaction) throws {
    var secrets = try secrets(record.recordID, of: record.subjectID, transaction)
    guard secrets.majorityMonth != month else { return }
    (secrets.majorityMonth, secrets.majorityStated) = (month, false)
    try saveSecrets(secrets, of: record, transaction)
    if !month.isEmpty { try remindOfMajority(in: record.studyID, transaction) }
  }

  /// Sets a deadline at the beginning of the next month: one at a month of majority would reveal a month of birth.
  static func remindOfMajority(in studyID: String, _ transaction: Transaction) throws {
    let today = CalendarDay(of: transaction.now)
    let next = today.month == 12 ? (today.year + 1, 1) : (today.year, today.month + 1)
    guard let day = CalendarDay(year: next.0, month: next.1, day: 1) else { return }
    try DeadlineStore.set(.comingOfAge, studyID, at: day.start, transaction)
  }

  /// Removes the signing tasks, the concerns and the expiry deadlines of an erased subject's records.
  static func removeTasksAndDeadlines(of subjectID: String, _ transaction: Transaction) throws {
    for record in try heads(of: subjectID, transaction) {
      try ConcernStore.forget(record, transaction)
      try transaction.run(removeTasks, record.recordID)
      try DeadlineStore.remove(Deadline(kind: .expiry, id: record.recordID), transaction)
      try EndingReminder.remove(for: record, transaction)
    }
  }

  /// Moves the record from the count of its earlier state to that of its present one.
  private static func count(
    _ record: ConsentRecord, since earlier: RecordState, _ transaction: Transaction
  ) throws {
    let isErased = try transaction.vault.isErased(try Subject.stored(record.subjectID))
    func counted(_ state: RecordState) -> RecordState { isErased && state == .inForce ? .erased : state }
    try move(record, from: counted(earlier), to: counted(record.state), transaction)
  }

  /// Moves an erased subject's records out of the counts of what is in force.
  static func countErased(_ subjectID: String, _ transaction: Transaction) throws {
    for record in try heads(of: subjectID, transaction) where record.state == .inForce {
      try move(record, from: .inForce, to: .erased, transaction)
    }
  }

  private static func move(
    _ record: ConsentRecord, from earlier: RecordState, to later: RecordState, _ transaction: Transaction
  ) throws {
    let place: CountStore.Place
    if record.kind == .form {
      place = .form(record.stepID, of: record.flowID, version: record.flowVersion, isTest: record.test)
    } else {
      place = CountStore.Place(
        documentID: record.documentID, version: record.documentVersion, isTest: record.test)
    }
    for (amount, state) in [(Int64(-1), earlier), (1, later)] where state != .unspecified {
      try CountStore.add(amount, .records(state), place, of: record.recordID, transaction)
      if state == .inForce, record.kind != .form {
        try CountStore.add(amount, .inForce(site: record.siteID), place, of: record.recordID, transaction)
      }
    }
  }

  static func saveSecrets(_ secrets: RecordSecrets, of record: ConsentRecord, _ transaction: Transaction) throws {
    let subject = try Subject.stored(record.subjectID)
    try transaction.vault.put(try secrets.encoded(), as: secretsItem(record.recordID), of: subject)
  }

  /// A record's secrets in the vault; empty once the subject is erased.
  static func secrets(_ id: String, of subjectID: String, _ snapshot: Snapshot) throws -> RecordSecrets {
    do {
      return try RecordSecrets(decoding: try snapshot.personal(secretsItem(id), of: subjectID) ?? [])
    } catch let refusal as Refusal where refusal.rule == "subject_erased" {
      return RecordSecrets()
    }
  }

  /// Names the list of the entries of a record's history.
  static func historyList(_ id: String) -> String { "record_entries/\(id)" }

  /// A record with its whole history, without personal data.
  static func record(_ id: String, _ snapshot: Snapshot) throws -> ConsentRecord {
    var record = try head(id, snapshot)
    let rows = try snapshot.all(entries, id)
    try snapshot.verify(rows.map { try $0.get("body") }, areList: historyList(id))
    record.history = try rows.map { row in
      let entry: RecordEntry = try row.message("body")
      guard Int64(entry.sequence) == (try row.get("sequence", as: Int64.self)) else {
        throw DatabaseError(.corrupt, "an entry of record '\(id)' stands in the place of another one: it was altered")
      }
      return entry
    }
    return record
  }

  /// A record's head from its row. Where a record is proof, its row is verified by the key that its body names, so a
  /// body that names another record or subject than the row is refused.
  static func head(_ row: Row) throws -> ConsentRecord {
    let record: ConsentRecord = try row.message("body")
    let (id, subject): (String, String) = (try row.get("id"), try row.get("subject_id"))
    guard record.recordID == id, record.subjectID == subject else {
      throw DatabaseError(.corrupt, "record '\(id)' names another record or subject: it was altered")
    }
    return record
  }

  /// A record that is about to be changed, locked until the transaction ends: other changes wait, and add their entries
  /// after this one's.
  static func locked(_ id: String, _ transaction: Transaction) throws -> ConsentRecord {
    guard try transaction.first(lock, id) != nil else { throw Refusal.notFound("record", id) }
    return try record(id, transaction)
  }

  /// Locks those records of a subject that stand, and with them their secrets, against other transactions. Reads no
  /// histories.
  static func lockStanding(of subjectID: String, _ transaction: Transaction) throws {
    for head in try heads(of: subjectID, transaction) where head.stands {
      _ = try transaction.first(lock, head.recordID)
    }
  }

  static func exists(_ id: String, _ snapshot: Snapshot) throws -> Bool { try snapshot.first(find, id) != nil }

  static func head(_ id: String, _ snapshot: Snapshot) throws -> ConsentRecord {
    guard let row = try snapshot.first(find, id) else { throw Refusal.notFound("record", id) }
    return try head(row)
  }

  static func heads(of subjectID: String, _ snapshot: Snapshot) throws -> [ConsentRecord] {
    try snapshot.all(ofSubject, subjectID).map { try head($0) }
  }

  /// The records of a person under all identifiers, in the order in which they were decided.
  static func heads(ofPerson id: String, _ snapshot: Snapshot) throws -> [ConsentRecord] {
    let names = try MergedAccounts.names(of: id, snapshot)
    let records = try names.flatMap { try heads(of: $0, snapshot) }
    guard names.count > 1 else { return records }
    return records.sorted { ($0.decidedAt.orEpoch, $0.recordID) < ($1.decidedAt.orEpoch, $1.recordID) }
  }

  static func ids(ofSession sessionID: String, _ snapshot: Snapshot) throws -> [String] {
    try snapshot.all(ofSession, sessionID).map { try $0.get("id") }
  }

  static func keepShown(_ hash: String, _ bytes: [UInt8], _ transaction: Transaction) throws {
    try transaction.run(putShown, hash, bytes)
  }

  /// The scan of a consent on paper, as it was registered; nil once the subject is erased.
  static func scan(of record: ConsentRecord, _ snapshot: Snapshot) throws -> CommittedBytes? {
    let secrets = try secrets(record.recordID, of: record.subjectID, snapshot)
    return try snapshot.committed(
      PaperRules.item(record.recordID), of: record.subjectID, secrets.scanCommitment, hash: record.scanHash)
  }

  /// The page with this hash that this service composed; nil if there is none.
  static func composed(_ hash: String, _ snapshot: Snapshot) throws -> [UInt8]? {
    guard let bytes: [UInt8] = try snapshot.first(findShown, hash)?.get("content") else { return nil }
    guard Digest(of: bytes).hex == hash else {
      throw DatabaseError(.corrupt, "what was shown under '\(hash)' is something else: it was altered")
    }
    return bytes
  }

  /// Puts the signatures that are next on the task list, replacing the record's earlier tasks.
  ///
  /// - Parameter words: the statements that the signers make with their signatures; nil if nobody signs.
  static func replaceTasks(
    _ record: ConsentRecord, _ due: [SignatureDefinition], in words: SignerWords? = nil, _ transaction: Transaction
  ) throws {
    try transaction.run(removeTasks, record.recordID)
    for signature in due {
      let task = SigningTask(
        recordID: record.recordID, signatureID: signature.id, role: signature.role, studyID: record.studyID,
        siteID: record.siteID, subjectID: record.subjectID, since: Timestamp(transaction.now),
        challenge: signature.requiresReauthentication ? record.challenge(to: signature.id).bytes : [],
        meaning: words?.meaning(of: signature) ?? "", authority: words?.authority(of: signature) ?? "")
      try transaction.run(putTask, record.recordID, signature.id, record.studyID, transaction.now, try task.encoded())
    }
  }

  /// The tasks of a study, oldest first; of all studies if none is named.
  static func tasks(
    of studyID: String, _ page: PageRequest, _ snapshot: Snapshot
  ) throws -> ([SigningTask], String) {
    let page =
      studyID.isEmpty ? try snapshot.page(allTasks, at: page) : try snapshot.page(tasks, studyID, at: page)
    return (try page.rows.map { try $0.message("body") }, page.nextToken)
  }

  static func tasks(ofRecord id: String, _ snapshot: Snapshot) throws -> [SigningTask] {
    try snapshot.all(tasksOfRecord, id).map { try $0.message("body") }
  }
}

extension ConsentRecord {
  /// The record after the first `known` entries of its history; for a new one, without a state.
  fileprivate func after(_ known: Int) -> ConsentRecord {
    var earlier = self
    earlier.history = Array(history.prefix(known))
    return earlier.refolded()
  }

  /// The head as it is stored in its table: without personal data, history and copies.
  fileprivate var withoutPersonalData: ConsentRecord {
    var head = self
    (head.history, head.attempts, head.attestedBy, head.majorityMonth) = ([], [], "", "")
    (head.signedCopy, head.participantCopy) = (nil, nil)
    for index in head.signatures.indices { head.signatures[index].open(RecordSecrets()) }
    return head
  }
}

extension RecordSignature {
  /// Takes the names from the vault.
  mutating func open(_ secrets: RecordSecrets) {
    let secret = secrets.signatures.first { $0.signatureID == signatureID } ?? SignatureSecret()
    printedName = secret.printedName
    for index in corrections.indices {
      corrections[index].printedName =
        secret.corrections.indices.contains(index) ? secret.corrections[index].printedName : ""
    }
  }
}
