internal import ConsentContract
internal import ConsentDomain
internal import RPC
internal import ServicePolicy
internal import Storage

/// Checks agreements that were made without a connection against the withdrawals and denials that came after them.
///
/// A withdrawal or denial defeats an agreement unless the person had seen it when agreeing, or began this session after
/// it. It must be about what the session asks for: a record of the same document, or of a form with the same purpose.
/// It is looked for in the transaction that records the agreement, so that none is committed in between. Denials in
/// this session itself do not count: there, the order of the session's actions decides.
enum LaterWithdrawals {
  private static let pageSize = 500

  /// Throws if a queued call conflicts with such a withdrawal or denial. A call that was made with a connection passes:
  /// it is what the person wants now.
  static func check(
    _ session: StoredSession, _ script: FlowScript, _ context: CallContext, _ caller: Caller, _ transaction: Transaction
  ) throws {
    guard let seen = try seen(of: session.subjectID, context, caller, transaction) else { return }
    let concerned = try RecordStore.heads(ofPerson: session.subjectID, transaction).filter { record in
      concerns(record, session, script)
    }
    // Locked, so that a withdrawal which is under way is waited for.
    let answered = try concerned.map { try RecordStore.locked($0.recordID, transaction) }
      .filter { record in record.history.contains { isNo($0, on: record, session) } }
    guard !answered.isEmpty else { return }
    if try isLater(than: seen, of: Set(answered.map(\.recordID)), session, transaction) {
      let message = "consent was withdrawn or denied after this was done on the device; decide again"
      throw Refusal(.aborted, "withdrawn_meanwhile", field: "session_id", message)
    }
  }

  /// The device from whose queue a call comes; empty for a call that was made with a connection.
  static func queue(of context: CallContext) -> String {
    context.metadata[QueuedCall.seenWithdrawal] == nil ? "" : context.identity.device
  }

  /// Throws if a queued call widens the sharing of data although sharing was changed meanwhile without the person
  /// having seen that. A call that narrows sharing passes, whenever it comes. Earlier choices of the same person in the
  /// same queue do not count as changes: a queue is sent in the order in which its calls were made.
  ///
  /// - Parameter record: the record as the call leaves it.
  static func checkSharing(
    of record: ConsentRecord, _ context: CallContext, _ caller: Caller, _ transaction: Transaction
  ) throws {
    guard record.sharing == .wide, let seen = try seen(of: record.subjectID, context, caller, transaction) else {
      return
    }
    var changes = 0
    try forEachEvent(of: record.subjectID, after: seen, transaction) { _, event in
      guard event.kind == .recordEntry, event.recordID == record.recordID else { return }
      if event.entry == .sharingChanged { changes += 1 }
    }
    let queue = queue(of: context)
    // The last entry is this call's own, and has no event yet.
    let unseen = record.history.dropLast().filter { $0.kind == .sharingChanged }.suffix(changes)
    let isChanged = unseen.contains { entry in
      queue.isEmpty || entry.queuedBy != queue || !caller.stands(for: entry.actor)
    }
    guard isChanged else { return }
    let message = "sharing was changed after this was done on the device; choose again"
    throw Refusal(.aborted, "sharing_changed_meanwhile", field: "sharing", message)
  }

  /// The number of the last event that the subject had seen when a queued call was made, 0 if the caller is not the
  /// subject; nil for a call that was not queued, which is what the caller wants now.
  static func seen(
    of subjectID: String, _ context: CallContext, _ caller: Caller, _ transaction: Transaction
  ) throws -> Int64? {
    guard let stated = context.metadata[QueuedCall.seenWithdrawal] else { return nil }
    // A caller who is not the subject has seen what they said no to themselves, and not what the subject did.
    let isOwn = try caller.stands(for: subjectID) && isPresent(context, transaction)
    return isOwn ? max(0, Int64(stated) ?? 0) : 0
  }

  private static func isNo(_ entry: RecordEntry, on record: ConsentRecord, _ session: StoredSession) -> Bool {
    switch entry.kind {
    case .withdrawn: !entry.merged
    case .declined: record.sessionID != session.id
    default: false
    }
  }

  /// Whether the person had seen events of this very log: a log that was restored from a backup since gives the same
  /// numbers to other events.
  private static func isPresent(_ context: CallContext, _ snapshot: Snapshot) throws -> Bool {
    guard let known = context.metadata[QueuedCall.knownPosition] else { return true }
    return try (try? EventPosition(token: known))?.isKnown(in: snapshot) ?? false
  }

  private static func concerns(_ record: ConsentRecord, _ session: StoredSession, _ script: FlowScript) -> Bool {
    guard record.studyID == session.studyID, record.test == session.isTest else { return false }
    guard record.kind == .form else { return session.documents.contains { $0.documentID == record.documentID } }
    return script.definition.steps.contains { step in
      guard case .form(let form) = step.step else { return false }
      return record.purposes.contains(form.purpose(in: step.id))
    }
  }

  /// Whether one of the records was withdrawn or declined after event `seen`, and after the session began.
  private static func isLater(
    than seen: Int64, of records: Set<String>, _ session: StoredSession, _ snapshot: Snapshot
  ) throws -> Bool {
    var (begun, answered) = (seen, Int64(0))
    for name in try MergedAccounts.names(of: session.subjectID, snapshot) {
      try forEachEvent(of: name, after: seen, snapshot) { number, event in
        if event.kind == .sessionStarted, event.sessionID == session.id { begun = max(begun, number) }
        guard event.kind == .recordEntry, records.contains(event.recordID) else { return }
        if [.withdrawn, .declined].contains(event.entry) { answered = max(answered, number) }
      }
    }
    return answered > begun
  }

  private static func forEachEvent(
    of subjectID: String, after start: Int64, _ snapshot: Snapshot, _ body: (Int64, ConsentEvent) -> Void
  ) throws {
    var last = start
    while true {
      let events = try snapshot.events(after: last, stream: EventStream.subject(subjectID), limit: pageSize)
      for event in events {
        if let known = try event.decode(.consent) { body(event.sequence, known) }
      }
      guard events.count == pageSize, let end = events.last else { return }
      last = end.sequence
    }
  }
}
