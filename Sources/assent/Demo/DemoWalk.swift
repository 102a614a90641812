internal import Base
internal import Bus
internal import ConsentContract
internal import RPC
internal import ServiceKit
internal import Wire

/// Walks the clinical sample: creates a study, takes part in it, counter-signs, and fetches the record.
struct DemoWalk {
  let door: ConsentDoor
  let tenant: String
  let samples: String
  let locale: String

  static let study = "walking"
  /// In the languages of the sample's document.
  private static let names = [
    Translation(locale: "ar", text: "المشي وضغط الدم"),
    Translation(locale: "de", text: "Gehen und Blutdruck"),
    Translation(locale: "es", text: "Caminar y presión arterial"),
    Translation(locale: "fr", text: "Marche et tension artérielle"),
    Translation(locale: "ja", text: "ウォーキングと血圧"),
    Translation(locale: "zh-Hans", text: "步行与血压"),
  ]

  private var publisher: ConsentClients {
    door.client("publisher", tenant: tenant, kind: .person, grants: ["publisher@\(Self.study)"])
  }
  private var app: ConsentClients { door.client("study-app", tenant: tenant, kind: .device) }
  private var investigatorChannel: BusChannel {
    door.channel("dr-okafor", tenant: tenant, kind: .person, grants: ["investigator@\(Self.study)"])
  }
  private var investigator: ConsentClients { ConsentClients(investigatorChannel) }

  /// Makes the study, and publishes the sample's document and flow.
  func openStudy() async throws {
    let admin = door.client("admin", tenant: tenant, kind: .person, grants: ["admin@*"])
    let study = ConsentStudy(
      studyID: Self.study, name: "Walking and blood pressure", defaultLocale: "en",
      names: LocalizedText(translations: Self.names))
    do {
      _ = try await admin.studies.createStudy(
        CreateStudyRequest(study: study), deadline: .seconds(20), options: .init(waitsForReady: true))
    } catch {
      // A second walk finds the study of the first.
      guard error.code == .alreadyExists else { throw error }
    }
    let file = try DocumentFile(json: try Files.read("\(samples)/document.json"))
    let importing = ImportDocumentRequest(studyID: Self.study, file: file)
    let draft = try await publisher.documents.importDocument(importing).version
    let published = try await publisher.documents.publishDocumentDraft(
      PublishDocumentDraftRequest(documentID: file.documentID, expectedRevision: draft?.revision ?? 0)
    ).version
    say("✓ document '\(file.name)' published as version \(published?.version ?? 0)")
    say("  \(published?.versionHash ?? "")")
    let flow = try CreateFlowRequest(json: try Files.read("\(samples)/flow.json"))
    let revision = try await draftRevision(of: flow)
    _ = try await publisher.flows.publishFlowDraft(
      PublishFlowDraftRequest(flowID: flow.flowID, expectedRevision: revision))
    say("✓ flow '\(flow.name)' published")
  }

  /// A draft of the flow: the first one of a new flow, or another one of an existing flow; returns its revision.
  private func draftRevision(of flow: CreateFlowRequest) async throws -> Int32 {
    do {
      return try await publisher.flows.createFlow(flow).version?.revision ?? 0
    } catch {
      guard error.code == .alreadyExists else { throw error }
    }
    let known = try await publisher.flows.getFlow(GetFlowRequest(flowID: flow.flowID))
    var revision: Int32
    if let draft = known.flow?.draftVersion, draft != 0 {
      let request = GetFlowRequest(flowID: flow.flowID, version: draft)
      revision = try await publisher.flows.getFlow(request).version?.revision ?? 0
    } else {
      let draft = try await publisher.flows.createFlowDraft(CreateFlowDraftRequest(flowID: flow.flowID))
      revision = draft.version?.revision ?? 0
    }
    let update = UpdateFlowDraftRequest(
      flowID: flow.flowID, expectedRevision: revision, definition: flow.definition)
    return try await publisher.flows.updateFlowDraft(update).version?.revision ?? 0
  }

  /// Leaves an invitation ready; returns its link, behind the gateway's address.
  func invite() async throws -> String {
    let invitation = StudyInvitation(flowID: "walking-enrolment")
    let made = try await investigator.studies.createInvitation(CreateInvitationRequest(invitation: invitation))
    return made.invitation?.link ?? ""
  }

  static let staff = "Ines Moreau"

  /// Makes an account of staff, and a browser's link to it.
  func addStaff() async throws -> StaffAccount {
    try await StaffAccount.make(
      Self.staff, roles: ["admin@*", "publisher@*", "coordinator@*", "investigator@*"], tenant: tenant,
      by: door.channel("admin", tenant: tenant, kind: .person, grants: ["admin@*"]), over: door.connection.channel)
  }

  /// Takes part, screen by screen; returns the record's identifier.
  func takePart() async throws -> String {
    let view = try await walk(.participant, in: locale)
    guard view.outcome == .completed, let record = view.recordIDs.last else {
      throw ConsentComplaint("the session ended as \(view.outcome)")
    }
    return record
  }

  /// Another person reads everything in another language, and declines.
  func decline() async throws {
    let view = try await walk(.other, in: locale.hasPrefix("de") ? "en" : "de")
    guard view.outcome == .declined, let recordID = view.recordIDs.last else {
      throw ConsentComplaint("the session ended as \(view.outcome)")
    }
    let record = try await app.records.getRecord(GetRecordRequest(recordID: recordID)).record
    say("✓ on record as declined, with \(record?.signatures.count ?? 0) signatures")
    try await ask(about: record?.subjectID ?? "")
  }

  /// The participant withdraws: that is one call, and what was on record stays there.
  func withdraw(_ recordID: String) async throws {
    let request = WithdrawConsentRequest(recordID: recordID)
    let record = try await app.records.withdrawConsent(request).records.first
    let kept = try await app.records.getRecord(GetRecordRequest(recordID: recordID)).record?.history ?? []
    say("✓ withdrawn; the record keeps \(kept.count) entries, the last of which says so")
    try await ask(about: record?.subjectID ?? "")
  }

  private func walk(_ person: DemoPerson, in locale: String) async throws -> SessionView {
    let start = try await app.sessions.startSession(
      StartSessionRequest(
        flowID: "walking-enrolment", locale: locale, deviceID: "demo-phone",
        birthDate: CalendarDate(year: 1984, month: 5, day: 17)))
    guard var view = start.session else { throw ConsentComplaint("the session did not start") }
    var seen: [String: ConsentScreen] = [:]
    var notice = ""
    while let screen = view.screen, !screen.offered.isEmpty {
      let told = screen.entries?.notice ?? ""
      // A screen that is shown again is printed in one line, unless it has a new notice, which says why.
      if screen.kind == .visual, seen[screen.id] != nil, told == notice {
        say("  (reads “\(screen.title)” again)")
      } else {
        ScreenText.lines(of: screen, knowing: Array(seen.values)).forEach { say($0) }
      }
      (seen[screen.id], notice) = (screen, told)
      var action = try person.action(on: screen)
      if action.kind == .sign {
        let pad = DemoPad(channel: door.channel("study-app", tenant: tenant, kind: .device), hand: .participant)
        action.signature = try await pad.draw(for: screen.signatureForm?.place ?? SignaturePlace())
      }
      say("  → \(person.words(for: action, on: screen))\n")
      let answer = try await app.sessions.actOnSession(
        ActOnSessionRequest(sessionID: view.sessionID, expectedVersion: view.version, action: action))
      guard let next = answer.session else { break }
      view = next
    }
    return view
  }

  /// The investigator finds the task and counter-signs.
  func counterSign() async throws {
    for task in try await investigator.sessions.listSigningTasks(ListSigningTasksRequest(studyID: Self.study)).tasks {
      let subject = try await app.records.getRecord(GetRecordRequest(recordID: task.recordID)).record?.subjectID ?? ""
      try await ask(about: subject)
      let drawn = try await DemoPad(channel: investigatorChannel, hand: .investigator).draw(
        for: task.place ?? SignaturePlace())
      let signed = try await investigator.sessions.signRecord(
        SignRecordRequest(
          recordID: task.recordID, signatureID: task.signatureID, name: PersonName(given: "Ngozi", family: "Okafor"),
          signature: drawn))
      let isInForce = signed.record?.state == .inForce
      say("✓ Dr. Okafor counter-signed; the record is \(isInForce ? "in force" : "not in force yet")")
      try await ask(about: subject)
    }
  }

  /// Asks what a study asks before it uses anybody's data.
  private func ask(about subject: String) async throws {
    let question = CheckConsentRequest(studyID: Self.study, subjectID: subject, purpose: "take_part")
    let answer = try await app.records.checkConsent(question).answer
    let finding = answer?.permitted == true ? "yes" : "no: \(answer?.reason ?? "")"
    say("✓ may 'take_part' be processed now?  \(finding)")
  }

  /// Writes everything that is on record to a folder.
  func leave(_ recordID: String, in folder: String) async throws {
    try Files.makeFolder(folder)
    func keep(_ name: String, _ bytes: [UInt8]) throws {
      try Files.write(bytes, to: "\(folder)/\(name)")
      say("  \(folder)/\(name)  \(bytes.count) bytes")
    }
    if let copy = try await signedCopy(of: recordID) {
      try keep("signed-copy.pdf", copy.content)
      say("✓ the signed copy, sealed at level \(copy.copy?.level ?? "") by \(copy.copy?.sealedBy ?? "")")
    }
    for signature in ["participant", "investigator"] {
      if let image = try await image(of: signature, recordID) { try keep("\(signature).png", image) }
    }
    let record = try await app.records.getRecord(GetRecordRequest(recordID: recordID)).record
    try keep("record.json", Array(try record?.jsonText().utf8 ?? "".utf8))
    let shown = try await app.records.getShownContent(GetShownContentRequest(recordID: recordID))
    try keep("shown.html", shown.content)
    let fhir = try await app.records.exportRecord(ExportRecordRequest(recordID: recordID, format: .fhirR5))
    try keep("consent.fhir.json", fhir.content)
    let receipt = try await app.records.exportRecord(ExportRecordRequest(recordID: recordID, format: .receipt))
    try keep("receipt.json", receipt.content)
    if let evidence = try await evidence(of: recordID) { try keep("evidence.json", evidence) }
  }

  /// The sealed copy, as soon as its job has made it; nil if that takes more than some seconds.
  private func signedCopy(of recordID: String) async throws -> GetSignedCopyResponse? {
    var reason = ""
    for _ in 0..<50 {
      let record = try await app.records.getRecord(GetRecordRequest(recordID: recordID)).record
      if record?.signedCopy?.state == .sealed {
        return try await app.records.getSignedCopy(GetSignedCopyRequest(recordID: recordID))
      }
      reason = record?.signedCopy?.reason ?? ""
      try await Task.sleep(for: .milliseconds(200))
    }
    say("! the signed copy is not sealed yet\(reason.isEmpty ? "" : ": \(reason)")")
    return nil
  }

  /// The evidence for the record, for `assent verify`; nil in an installation that signs no heads.
  private func evidence(of recordID: String) async throws -> [UInt8]? {
    do {
      return try await investigator.records.getEvidence(GetEvidenceRequest(recordID: recordID)).content
    } catch {
      guard error.code == .failedPrecondition else { throw error }
      return nil
    }
  }

  /// The picture of a signature, as soon as its job has made it; nil if that takes more than some seconds.
  private func image(of signature: String, _ recordID: String) async throws -> [UInt8]? {
    for _ in 0..<50 {
      do {
        let request = GetSignatureImageRequest(recordID: recordID, signatureID: signature)
        return try await app.records.getSignatureImage(request).content
      } catch {
        guard error.code == .failedPrecondition else { throw error }
      }
      try await Task.sleep(for: .milliseconds(200))
    }
    say("! the signature of the \(signature) is not rendered yet")
    return nil
  }
}
