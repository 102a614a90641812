internal import ConsentContract
internal import ConsentDomain
internal import RPC
internal import ServicePolicy
internal import Storage

/// Calls that waited in a device's queue: what their person had seen when they were made.
enum QueuedCalls {
  private static let pageSize = 500

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
    try forEachEvent(of: record.subjectID, after: seen, transaction) { event in
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

  /// Whether the person had seen events of this very log: a log that was restored from a backup since gives the same
  /// numbers to other events.
  private static func isPresent(_ context: CallContext, _ snapshot: Snapshot) throws -> Bool {
    guard let known = context.metadata[QueuedCall.knownPosition] else { return true }
    return try (try? EventPosition(token: known))?.isKnown(in: snapshot) ?? false
  }

  private static func forEachEvent(
    of subjectID: String, after start: Int64, _ snapshot: Snapshot, _ body: (ConsentEvent) -> Void
  ) throws {
    var last = start
    while true {
      let events = try snapshot.events(after: last, stream: EventStream.subject(subjectID), limit: pageSize)
      for event in events {
        if let known = try event.decode(.consent) { body(known) }
      }
      guard events.count == pageSize, let end = events.last else { return }
      last = end.sequence
    }
  }
}
