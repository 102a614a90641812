internal import Base
internal import ConsentContract
internal import ServicePolicy
internal import Storage
internal import Wire

/// Stored sessions in calls: finding one for a caller, checking its device, ending it from outside, showing it.
extension StoredSession {
  static func found(_ id: String, _ snapshot: Snapshot, _ caller: Caller) throws -> StoredSession {
    let session = try SessionStore.session(id, snapshot)
    try caller.requireParticipation(of: session.subjectID, study: session.studyID, site: session.siteID)
    return session
  }

  /// Only the device that took the session over last may act.
  func requireDevice(_ device: String) throws(Refusal) {
    guard !device.isEmpty, !deviceID.isEmpty, device != deviceID else { return }
    let message = "session '\(id)' goes on at device '\(deviceID)'; take it over with ResumeSession first"
    throw Refusal(.precondition, "other_device", field: "session_id", message)
  }

  /// Why the session ends without an action: it was idle too long, or a version that it shows was stopped.
  func endFromOutside(_ snapshot: Snapshot) throws -> SessionOutcome? {
    guard state.outcome == .unspecified else { return nil }
    if try stoppedDocument(snapshot) != nil { return .stopped }
    return snapshot.now >= expiresAt ? .expired : nil
  }

  /// The first of the session's documents whose version was stopped.
  func stoppedDocument(_ snapshot: Snapshot) throws -> FlowDocument? {
    try documents.first { try DocumentStore.state($0.documentID, $0.version, snapshot) == .stopped }
  }

  /// The session as its client sees it.
  func view(_ engine: FlowEngine, schema: Int32, _ snapshot: Snapshot) throws -> SessionView {
    var full = engine.screen(of: state)
    full.challenge(in: self, engine.script)
    let stopped = state.outcome == .stopped ? try stoppedDocument(snapshot) : nil
    return SessionView(
      sessionID: id, version: version,
      screen: ScreenSchema.screen(full, for: schema, texts: engine.script.texts), outcome: state.outcome,
      allowedPurposes: state.forms.filter(\.allowed).map(\.purpose), expiresAt: Timestamp(expiresAt),
      recordIDs: try RecordStore.ids(ofSession: id, snapshot),
      successor: try stopped.map { try Self.successor(of: $0, snapshot) }, test: isTest)
  }

  /// The version that replaces a stopped one; version 0 while there is none.
  private static func successor(of stopped: FlowDocument, _ snapshot: Snapshot) throws -> FlowDocument {
    let newest = try DocumentStore.document(stopped.documentID, snapshot).publishedVersion
    return FlowDocument(documentID: stopped.documentID, version: newest)
  }
}
