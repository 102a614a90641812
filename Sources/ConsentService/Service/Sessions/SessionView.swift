internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage
internal import Wire

/// Stored sessions in calls: finding one for a caller, checking its device, ending it from outside, showing it.
extension StoredSession {
  /// The session that a call is about; without an identifier, that of the browser that calls.
  static func meant(_ id: String, _ gate: Gate, _ snapshot: Snapshot) throws -> StoredSession {
    try SessionStore.session(id.isEmpty ? gate.session ?? "" : id, snapshot)
  }

  /// Finds the session that a call is about. A device or browser from which it was taken over is refused.
  static func named(_ id: String) -> ServiceDatabase.Lookup<StoredSession> {
    { snapshot, gate in
      let session = try meant(id, gate, snapshot)
      let isOver = gate.session == session.id && session.deviceID != gate.callerName
      if isOver || session.isFormerHolder(gate.callerName) { throw session.otherDevice }
      return session
    }
  }

  /// A session for whoever only reads it.
  struct Readable: AccessTargeted {
    let session: StoredSession
    /// Whether the reader acted in it, at a device from which it was taken over.
    let isElsewhere: Bool

    var accessTargets: [AccessTarget] {
      var touched = session.accessTargets
      // A device from which it was taken over is admitted to be told so.
      for index in touched.indices { touched[index].isBeginning = isElsewhere }
      return touched
    }
  }

  /// Whether the session was taken over from this device, by its name as a caller.
  fileprivate func isFormerHolder(_ name: String) -> Bool {
    state.outcome == .unspecified && holder != name && state.formerHolders.contains(name)
  }

  /// Finds a session that is only read. Whoever may act in it, but at another device, is told so.
  static func readable(_ id: String) -> ServiceDatabase.Lookup<Readable> {
    { snapshot, gate in
      let session = try meant(id, gate, snapshot)
      if session.isFormerHolder(gate.callerName) { return Readable(session: session, isElsewhere: true) }
      let isActor = try gate.isOpen(to: session, by: SessionServiceMethods.actOnSession, snapshot)
      let isHere = gate.callerDevice.isEmpty || session.deviceID.isEmpty || session.deviceID == gate.callerDevice
      // After its end a session is at no device, except for browsers, whose right to it ends with their turn.
      let isOver = session.state.outcome != .unspecified && gate.session == nil
      return Readable(session: session, isElsewhere: isActor && !isHere && !isOver)
    }
  }

  /// What a device sees whose session is elsewhere: nothing of the session itself.
  func elsewhere(_ texts: ScreenTexts) -> ConsentScreen {
    let isLeft = deviceID == Self.nowhere
    let title = texts.found(isLeft ? .leftTitle : .elsewhereTitle)
    let text = texts[isLeft ? .leftText : .elsewhereText]
    let way = invitation.isEmpty ? "" : "\n\n\(texts[.elsewhereLink])"
    return ConsentScreen(
      schemaVersion: 1, id: "elsewhere", kind: .plain, locale: title.locale,
      rightToLeft: LocaleTag.isRightToLeft(title.locale), transition: .none, navigationBar: NavigationBar(),
      title: title.text, text: text + way, requestedLocale: locale)
  }

  /// Puts on record who holds the session from here on: the device, if nobody is signed in there, and who assists. Who
  /// assisted before stays on record.
  mutating func hand(to caller: Caller, _ assistance: Assistance, at time: Instant) throws(Refusal) {
    let next = caller.isDevice ? caller.actor : ""
    if !holder.isEmpty, holder != next {
      state.formerHolders = Array((state.formerHolders.filter { $0 != holder } + [holder]).suffix(20))
    }
    holder = next
    self.assistance = assistance
    assistant = assistance == .unspecified ? "" : caller.actor
    guard assistance != .unspecified else { return }
    guard [.readsAloud, .operatesDevice, .interprets].contains(assistance) else {
      let message = "assistance is \(assistance.number), which is no kind of assistance"
      throw Refusal(.invalid, "unknown_assistance", field: "assistance", message)
    }
    try caller.requirePerson(field: "assistance", "only a person gives assistance")
    guard accessTargets.contains(where: caller.isStaff) else {
      let message =
        "assistance is given, and '\(caller.actor)' is no investigator or coordinator at this site who assists"
      throw Refusal(.invalid, "assistant_missing", field: "assistance", message)
    }
    let isKnown = state.assistants.contains { $0.assistedBy == assistant && $0.assistance == assistance }
    guard !isKnown else { return }
    state.assistants.append(AssistedPart(assistedBy: assistant, assistance: assistance, since: Timestamp(time)))
  }

  /// Throws if another device took the session over last. A session that has ended passes: actions after its end decide
  /// nothing.
  func requireDevice(_ device: String) throws(Refusal) {
    guard state.outcome == .unspecified, !device.isEmpty, !deviceID.isEmpty, device != deviceID else { return }
    throw otherDevice
  }

  private var otherDevice: Refusal {
    let message =
      "session '\(id)' goes on at device '\(deviceID)'; take it over first, by ResumeSession or its invitation"
    return Refusal(.precondition, "other_device", field: "session_id", message)
  }

  /// Why the session ends without an action: it was idle too long, or a version that it shows was stopped.
  func endFromOutside(_ snapshot: Snapshot) throws -> SessionOutcome? {
    guard state.outcome == .unspecified else { return nil }
    let isStopped = try FlowStore.state(of: flowID, flowVersion, snapshot) == .stopped
    if try isStopped || stoppedDocument(snapshot) != nil { return .stopped }
    return snapshot.now >= expiresAt ? .expired : nil
  }

  /// The first of the session's documents whose version was stopped.
  func stoppedDocument(_ snapshot: Snapshot) throws -> FlowDocument? {
    try documents.first { try DocumentStore.state(of: $0.documentID, $0.version, snapshot) == .stopped }
  }

  /// The session as its client sees it.
  func view(_ engine: FlowEngine, schema: Int32, _ snapshot: Snapshot) throws -> SessionView {
    let recordIDs = try RecordStore.ids(ofSession: id, snapshot)
    var full = engine.screen(of: state, try aftermath(recordIDs, engine, snapshot))
    full.bind(to: self, engine.script)
    var view = viewWithoutScreen(recordIDs)
    view.screen = ScreenSchema.screen(full, for: schema, texts: engine.script.texts)
    if let invitation = try invitation.isEmpty ? nil : InvitationStore.find(invitation, snapshot) {
      view.invitationState = invitation.state
    }
    let stopped = state.outcome == .stopped ? try stoppedDocument(snapshot) : nil
    view.successor = try stopped.map { try Self.successor(of: $0, snapshot) }
    return view
  }

  /// The view of the session without its screen, which alone needs the flow's script.
  func viewWithoutScreen(_ recordIDs: [String]) -> SessionView {
    SessionView(
      sessionID: id, version: version, outcome: state.outcome,
      allowedPurposes: state.forms.filter(\.allowed).map(\.purpose), expiresAt: Timestamp(expiresAt),
      recordIDs: recordIDs, test: isTest, assistedBy: assistant, assistance: assistance, assistants: state.assistants,
      flowID: flowID, studyID: studyID, siteID: siteID)
  }

  /// Whether the session was quit after something was signed in it, and has not expired since.
  func mayBeTakenUp(_ engine: FlowEngine, at now: Instant) -> Bool {
    state.outcome == .quit && engine.hasSigned(in: state) && now < expiresAt
  }

  private func aftermath(
    _ recordIDs: [String], _ engine: FlowEngine, _ snapshot: Snapshot
  ) throws -> Aftermath {
    var aftermath = Aftermath()
    switch state.outcome {
    case .completed:
      aftermath.isAwaitingOthers = try recordIDs.contains { try !RecordStore.tasks(ofRecord: $0, snapshot).isEmpty }
    case .quit: aftermath.mayGoOn = mayBeTakenUp(engine, at: snapshot.now)
    case .stopped: aftermath.hasSuccessor = try canBeginAnew(snapshot)
    case .needsAttention:
      aftermath.isAttentionResolved = try !recordIDs.contains {
        try RecordStore.head($0, snapshot).state == .needsAttention
      }
    default: break
    }
    return aftermath
  }

  /// Whether a new session on the same flow could begin now.
  private func canBeginAnew(_ snapshot: Snapshot) throws -> Bool {
    let request = StartSessionRequest(flowID: flowID, siteID: siteID, locale: locale, test: isTest)
    var start = SessionStart(request: request, sessionID: "", subjectID: subjectID)
    do {
      _ = try start.session(in: snapshot)
      return true
    } catch is Refusal {
      return false
    }
  }

  /// The version that replaces a stopped one; version 0 while there is none.
  private static func successor(of stopped: FlowDocument, _ snapshot: Snapshot) throws -> FlowDocument {
    let newest = try DocumentStore.named(stopped.documentID, snapshot).publishedVersion
    return FlowDocument(documentID: stopped.documentID, version: newest)
  }
}
