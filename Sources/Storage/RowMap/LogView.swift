internal import Base

/// The state with which a transaction compares rows: the end of the log, and the signed map of rows as of an event up
/// to there.
struct LogView: Hashable {
  /// nil while there are no events.
  let end: SeenEvents.Mark?
  /// How many events the map covers.
  let size: Int64
  /// The root of the map; nil before the first one was signed.
  let root: Digest?
}

extension Checkpoint {
  /// The name under which the map of a log's rows is signed. No tenant's name has a `#`, so that neither can be taken
  /// for the other.
  static func rowMapOrigin(_ origin: String) -> String { "\(origin)#rows" }
}

extension Snapshot {
  /// The head of a log's map of rows; nil if there is none that this key signed.
  func rowMapHead(of origin: String, by key: VerifyingKey) throws(DatabaseError) -> Checkpoint? {
    guard let row = try first(RowMapStatements.head) else { return nil }
    let note: String = try row.get("checkpoint")
    guard let head = try? SignedCheckpoint(note: note), head.isSigned(byOneOf: [key]),
      head.checkpoint.origin == Checkpoint.rowMapOrigin(origin)
    else { return nil }
    return head.checkpoint
  }

  /// The verified end of the log and the verified head of the map. Throws unless they continue what this process has
  /// seen.
  func logView() throws(DatabaseError) -> LogView {
    let view = try readLogView()
    viewedLog = view
    return view
  }

  private func readLogView() throws(DatabaseError) -> LogView {
    guard let row = try first(RowMapStatements.view) else {
      try verifySeen(seenBefore, head: nil)
      return LogView(end: nil, size: 0, root: nil)
    }
    let end = try logEnd(in: row).mark
    try verifySeen(seenBefore, head: end)
    guard let note = try row.get("checkpoint", as: String?.self) else { return LogView(end: end, size: 0, root: nil) }
    let suffix = Checkpoint.rowMapOrigin("/\(context.schema.name)/\(tenant)")
    let head = context.verifiedHeads.head(note, named: suffix, by: context.trusted)
    guard let head = head?.checkpoint, head.size == (try row.get("size")), head.size <= end.last else {
      throw DatabaseError(.corrupt, "tenant '\(tenant)': the head of the map of rows is not one that was signed")
    }
    return LogView(end: end, size: head.size, root: head.root)
  }

  /// The chain hash of the last event that the map covers, from which later events are verified.
  func chain(under view: LogView) throws(DatabaseError) -> Digest {
    let signed = try signedHead()?.checkpoint.size ?? 0
    guard view.size >= signed else {
      throw DatabaseError(
        .unavailable,
        "tenant '\(tenant)': the map of rows covers \(view.size) of \(signed) signed events: it is being made")
    }
    guard view.size > 0 else { return Event.beginning }
    guard view.size == signed, let event = try event(view.size) else {
      throw DatabaseError(.corrupt, "tenant '\(tenant)': the \(view.size) events that the map of rows covers are gone")
    }
    try verify(event)
    return event.chain
  }
}
