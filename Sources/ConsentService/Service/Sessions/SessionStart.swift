internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage
internal import Wire

/// Gathers what a new session begins with, from the request, an invitation and the flow.
struct SessionStart {
  private let sessionID: String
  private(set) var subjectID: String
  private(set) var flowID: String
  private(set) var siteID: String
  private(set) var isTest: Bool
  /// Whether whoever begins the session may walk drafts: somebody who works on the study, or was invited by them to
  /// test.
  var seesDrafts = false
  /// The code of the invitation by which it begins; empty: none.
  private(set) var invitation = ""
  /// The running session that the invitation began, which is taken over instead; nil where there is none.
  private(set) var running: String?
  private let locale: String
  private let deviceID: String
  /// What a device was given for a visit that it began without a connection; nil if the session begins now.
  let prepared: PreparedVisit?
  /// Whether the call waited in a device's queue.
  var isQueued = false
  private var definition = FlowDefinition()

  static let usualLifetime = Duration.days(7)

  init(request: StartSessionRequest, sessionID: String, subjectID: String) {
    self.sessionID = sessionID
    self.subjectID = subjectID
    flowID = request.flowID
    siteID = request.siteID
    isTest = request.test
    locale = request.locale
    deviceID = request.deviceID
    prepared = request.prepared
  }

  mutating func take(_ invitation: StudyInvitation) {
    self.invitation = invitation.code
    running = invitation.sessionID.isEmpty ? nil : invitation.sessionID
    flowID = invitation.flowID
    siteID = invitation.siteID
    if !invitation.subjectID.isEmpty { subjectID = invitation.subjectID }
    isTest = isTest || invitation.test
    seesDrafts = seesDrafts || invitation.test
  }

  private var walksDrafts: Bool { isTest && seesDrafts }

  /// Finds the session that a request is to begin, and the data that this touches.
  static func found(
    _ request: StartSessionRequest, sessionID: String, newSubjectID: String, _ snapshot: Snapshot, _ gate: Gate
  ) throws -> Found<SessionStart> {
    let isAssisted = request.assistance != .unspecified
    let nobody = gate.isPerson && !isAssisted ? gate.callerName : newSubjectID
    var start = SessionStart(
      request: request, sessionID: sessionID, subjectID: request.subjectID.isEmpty ? nobody : request.subjectID)
    let relations = ConsentRelations(snapshot: snapshot)
    let code = request.invitationCode
    let invitation = try code.isEmpty ? nil : InvitationStore.invitation(code, snapshot)
    if let invitation { start.take(invitation) }
    if let running = start.running {
      var touched = try SessionStore.session(running, snapshot).accessTargets
      for index in touched.indices {
        // Whoever repeats a call after the session has ended is admitted by what is on record alone.
        touched[index].isBeginning = invitation?.state == .usable
        if isAssisted { touched[index].assistant = gate.callerName }
      }
      if let refusal = invitation?.stateRefusal("invitation_code"), try !gate.isOpen(to: touched, snapshot) {
        throw refusal
      }
      return Found(start, targets: touched)
    }
    let study = try FlowStore.named(start.flowID, snapshot).studyID
    var isInvited = false
    if let invitation, !invitation.subjectID.isEmpty { isInvited = invitation.state == .usable }
    var touched = AccessTarget.person(start.subjectID, in: study, site: start.siteID)
    let known = try relations.places(ofPerson: start.subjectID)
    // A device that has held a session of the person may begin another, under each of the person's identifiers.
    let isHere = try relations.isHeld(start.subjectID, in: study, at: gate.callerName)
    touched.isBeginning = isInvited || isHere || !known.contains { $0.study == study }
    touched.assistant = isAssisted ? gate.callerName : ""
    var all = [touched]
    // Staff of one site begins nothing for a participant of another, unless an invitation was shown, whose maker was
    // admitted to both.
    if isAssisted, !isInvited {
      all = try relations.joining(start.subjectID, study, at: start.siteID)
      for index in all.indices {
        (all[index].isBeginning, all[index].assistant) = (touched.isBeginning, touched.assistant)
      }
    }
    return Found(start, targets: all)
  }

  /// The session before its first screen, on the versions that it keeps until it ends.
  mutating func session(in snapshot: Snapshot) throws -> StoredSession {
    let flow = try FlowStore.named(flowID, snapshot)
    let newest = walksDrafts && flow.draftVersion != 0 ? flow.draftVersion : flow.publishedVersion
    let number = prepared?.flowVersion ?? newest
    guard number != 0 else {
      let message =
        "flow '\(flow.flowID)' has no published version; drafts are walked as a test, by those who work on the study and "
        + "by those whom they invite to test"
      throw Refusal(.precondition, "not_published", field: "flow_id", message)
    }
    let version = try FlowStore.version(number, of: flow, snapshot)
    definition = version.definition ?? FlowDefinition()
    if number != newest {
      try checkPrepared(
        "version \(number) of flow '\(flow.flowID)'", version.state, endedAt: version.endedAt, at: snapshot.now)
    }
    if walksDrafts { try requireSoundDrafts(of: flow, number, snapshot) }
    let wanted = locale.isEmpty ? definition.defaultLocale : locale
    let tag = try LocaleTag.checked(wanted, "locale")
    let documents = try pinned(flow.studyID, snapshot)
    return StoredSession(
      id: sessionID, studyID: flow.studyID, siteID: siteID, subjectID: subjectID, flowID: flow.flowID,
      flowVersion: number, documents: documents, locale: tag.text, deviceID: deviceID, isTest: isTest, version: 1,
      startedAt: prepared?.time(at: snapshot.now) ?? snapshot.now, expiresAt: snapshot.now,
      state: SessionState(texts: try prepared?.texts(of: documents, snapshot)), invitation: invitation)
  }

  /// Refuses a draft that has problems: drafts are not validated when they are saved.
  private func requireSoundDrafts(of flow: ConsentFlow, _ number: Int32, _ snapshot: Snapshot) throws {
    var settings: [String: DocumentSettings] = [:]
    for id in definition.documentNames {
      guard let document = try DocumentStore.find(id, snapshot), document.studyID == flow.studyID else { continue }
      let wanted = versionNumber(of: document)
      guard wanted != 0 else { continue }
      let version = try DocumentStore.version(wanted, of: document, snapshot)
      settings[id] = version.content?.settings ?? DocumentSettings()
      guard version.version == document.draftVersion else { continue }
      try Self.require(
        DocumentHandlers.problems(in: version, of: document, snapshot), ofDraft: version.version, of: id)
    }
    guard number == flow.draftVersion else { return }
    let assets = try DocumentStore.knownAssets(in: definition, snapshot)
    try Self.require(
      FlowValidation.problems(in: definition, documents: settings, assets: assets), ofDraft: number, of: flow.flowID)
  }

  private static func require(_ problems: [Problem], ofDraft number: Int32, of id: String) throws(Refusal) {
    guard let first = problems.first(where: { $0.severity == .error }) else { return }
    let message = "the draft of '\(id)', version \(number), has problems, and is not walked: \(first.message)"
    throw Refusal(.precondition, "draft_has_problems", field: "flow_id", message)
  }

  /// The version of a document that the session walks: the one that the flow names, else the draft or the published
  /// one; 0 if there is none.
  private func versionNumber(of document: ConsentDocument) -> Int32 {
    let pinned = definition.documents.first { $0.documentID == document.documentID }?.version ?? 0
    if pinned != 0 { return pinned }
    if let prepared { return prepared.version(of: document.documentID) }
    return walksDrafts && document.draftVersion != 0 ? document.draftVersion : document.publishedVersion
  }

  private func pinned(_ studyID: String, _ snapshot: Snapshot) throws -> [FlowDocument] {
    let pinned = try definition.walked(at: siteID).documentNames.map { id in
      let document = try DocumentStore.named(id, snapshot)
      guard document.studyID == studyID else { throw Refusal.notFound("document", id) }
      let version = versionNumber(of: document)
      guard version != 0 else {
        let message = "document '\(id)' has no published version that a session could begin on"
        throw Refusal(.precondition, "not_published", field: "flow_id", message)
      }
      return FlowDocument(documentID: id, version: version)
    }
    for document in pinned {
      let (id, version, state) = (
        document.documentID, document.version,
        try DocumentStore.state(of: document.documentID, document.version, snapshot)
      )
      if prepared != nil, state != .published, state.wasPublished {
        try checkPrepared(
          "version \(version) of '\(id)'", state,
          endedAt: DocumentStore.existing(id, version, snapshot).endedAt, at: snapshot.now)
        continue
      }
      if state == .stopped {
        let message = "version \(version) of '\(id)' was stopped: nobody begins on it"
        throw Refusal(.precondition, "version_stopped", field: "flow_id", message)
      }
      guard state == .published || walksDrafts && ![.discarded, .unspecified].contains(state) else {
        let message = "version \(version) of '\(id)' is \(state.word): no new session begins on it"
        throw Refusal(.precondition, "not_published", field: "flow_id", message)
      }
    }
    return pinned
  }

  func expiry(from now: Instant) -> Instant { Self.expiry(definition, from: now) }

  static func expiry(_ definition: FlowDefinition, from now: Instant) -> Instant { now + lifetime(definition) }

  var lifetime: Duration { Self.lifetime(definition) }

  private static func lifetime(_ definition: FlowDefinition) -> Duration {
    let wanted = definition.sessionLifetime?.duration ?? usualLifetime
    // A draft, which test participants may walk, was not validated: its lifetime may be out of bounds.
    return min(max(wanted, .zero), FlowValidation.longestLifetime)
  }
}
