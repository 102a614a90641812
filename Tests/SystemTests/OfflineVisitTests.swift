import AccountContract
import Base
import Bus
import ConsentContract
import RPC
import SignatureContract
import StorageTestKit
import TestSupport
import Testing
import Wire

/// A whole visit without a connection, with real processes that are killed while it comes up.
@Suite(.serialized) struct OfflineVisitTests {
  @Test(
    "begun, walked, drawn and signed by two people at one device, with lost answers and kills, a visit arrives once",
    .timeLimit(.minutes(3)))
  func visit() async throws {
    let fleet = try await SyncFleet.start(.sqlite, keepsEvidence: true)
    let connection = try await fleet.connect()
    let people = SyncPeople(channel: connection.channel)
    try await people.open(devices: ["tablet"])
    let (ada, ines) = (
      try await people.onboard("Ada", device: "tablet"), try await people.onboard("Ines", device: "tablet")
    )
    try await people.grant("investigator@\(VisitedStudy.study)", to: ines)
    let study = VisitedStudy(channel: connection.channel)
    try await study.open()
    let grants = [
      try await people.signIn(ada, device: "tablet"), try await people.signIn(ines, device: "tablet"),
    ]
    let sessions = SessionServiceClient(people.person(ada, at: "tablet"))
    let bundle = try await SyncPeople.retrying { options in
      try await sessions.getOfflineBundle(GetOfflineBundleRequest(begin: VisitedStudy.begin), options: options)
    }.bundle
    // From here on there is no connection.
    let visit = OfflineVisit(bundle: try #require(bundle), participant: ada, investigator: ines)
    let items = try visit.items
    // Its answers are lost, with one process after the other.
    var generator = SeededGenerator(seed: 1)
    for role in [SyncFleet.Role.signature, .consent, .account(0)] {
      let upload = Task { [part = items] in
        try await SyncServiceClient(people.device("tablet")).pushQueue(
          PushQueueRequest(items: part, grants: grants), deadline: .seconds(20))
      }
      try await Task.sleep(for: .milliseconds(Int.random(in: 0...60, using: &generator)))
      try await fleet.replace(role)
      upload.cancel()
      _ = await upload.result
    }
    func push() async throws -> [ItemOutcome] {
      try await SyncPeople.retrying { options in
        try await SyncServiceClient(people.device("tablet")).pushQueue(
          PushQueueRequest(items: items, grants: grants), options: options)
      }.outcomes
    }
    let outcomes = try await eventually("the queue is empty", try await push()) { outcomes in
      outcomes.allSatisfy { $0.state != .waiting }
    }
    #expect(outcomes.map { "\($0.itemID) \($0.state) \($0.rule)" } == items.map { "\($0.itemID) done " })
    let record = try await people.record(visit.recordID, of: ada, at: "tablet")
    #expect(record.state == .inForce && record.sessionID == visit.sessionID)
    #expect(record.signatures.map(\.fieldID) == visit.fields && record.signatures.map(\.personID) == [ada, ines])
    let entries = record.history.filter { [.given, .signed].contains($0.kind) }
    #expect(entries.count == 3 && entries.allSatisfy { $0.queuedBy == "tablet" })
    let own = try await sessions.listConsentSessions(ListConsentSessionsRequest(studyID: VisitedStudy.study))
    #expect(own.sessions.map(\.sessionID) == [visit.sessionID])
    try await connection.close()
    try await fleet.stop()
  }
}

/// A study whose participants and investigators draw their signatures.
struct VisitedStudy {
  static let study = "walking"
  static let begin = StartSessionRequest(
    flowID: "signing", clientSchema: 2, birthDate: CalendarDate(year: 1984, month: 5, day: 17))
  let channel: BusChannel
  var tenant = SyncPeople.tenant

  func open() async throws {
    let identity = CallerIdentity(
      kind: .person, tenant: tenant, subject: "pia", grants: ["admin@*", "publisher@*"])
    let publisher = ConsentClients(channel.acting(for: identity))
    _ = try await publisher.studies.createStudy(
      CreateStudyRequest(study: ConsentStudy(studyID: Self.study, name: "Walking")), deadline: .seconds(30),
      options: CallOptions(waitsForReady: true))
    var file = try DocumentFile(json: try Files.read(Repository.path("samples/clinical-study/document.json")))
    file.content?.settings?.comprehension = nil
    file.content?.settings?.offersSharing = false
    for index in file.content?.texts.indices ?? 0..<0 {
      file.content?.texts[index].questions = []
      file.content?.texts[index].sharing = nil
    }
    let draft = try await publisher.documents.importDocument(ImportDocumentRequest(studyID: Self.study, file: file))
    _ = try await publisher.documents.publishDocumentDraft(
      PublishDocumentDraftRequest(documentID: file.documentID, expectedRevision: draft.version?.revision ?? 0))
    let flow = FlowDefinition(
      defaultLocale: "en",
      steps: [
        FlowStep(id: "review", step: .review(ReviewStep(documentID: file.documentID))),
        FlowStep(id: "end", step: .completion(CompletionStep())),
      ])
    let made = try await publisher.flows.createFlow(
      CreateFlowRequest(studyID: Self.study, flowID: "signing", name: "Signing", definition: flow))
    _ = try await publisher.flows.publishFlowDraft(
      PublishFlowDraftRequest(flowID: "signing", expectedRevision: made.version?.revision ?? 0))
  }
}

/// What a device notes of a visit: it chooses every identifier, and knows the table of screens and nothing else.
struct OfflineVisit {
  private static let session = "assent.consent.v1.SessionService"
  private static let signature = "assent.signature.v1.SignatureService"

  let bundle: OfflineBundle
  let participant: String
  let investigator: String
  let sessionID = IdentifierSource().next()
  let recordID = IdentifierSource().next()
  let fields = [IdentifierSource().next(), IdentifierSource().next()]
  private let now = Clock.system.now

  /// The items of both, in the order in which they came about.
  var items: [QueueItem] {
    get throws {
      var start = VisitedStudy.begin
      (start.sessionID, start.prepared) = (sessionID, bundle.prepared)
      start.deviceTime = DeviceTime(at: Timestamp(now))
      let walk = SubmitOfflineWalkRequest(
        sessionID: sessionID, bundleHash: bundle.bundleHash, actions: actions,
        recordIDs: [ChosenRecord(stepID: "review", recordID: recordID)])
      let form = bundle.screens.compactMap(\.screen?.signatureForm).first
      var place = try #require(form?.place)
      place.sessionID = sessionID
      let own =
        try [item("start", participant, "\(Self.session)/StartSession", start)]
        + drawn(fields[0], participant, place)
        + [item("walk", participant, "\(Self.session)/SubmitOfflineWalk", walk)]
      (place.subjectID, place.signatureID, place.recordID) = (investigator, "investigator", recordID)
      let sign = SignRecordRequest(
        recordID: recordID, signatureID: "investigator", name: PersonName(given: "Ines", family: "Ito"),
        signature: SignatureInput(image: .drawn(DrawnSignature(fieldID: fields[1], revision: 1))))
      var last = try item("sign", investigator, "\(Self.session)/SignRecord", sign)
      last.after = ItemName(personID: participant, itemID: "walk-1")
      return own + (try drawn(fields[1], investigator, place)) + [last]
    }
  }

  private func item(_ id: String, _ person: String, _ method: String, _ request: some Message) throws -> QueueItem {
    QueueItem(
      itemID: "\(id)-1", personID: person, method: method, request: try request.encoded(), deviceTime: Timestamp(now))
  }

  /// A field that is made, drawn in and saved: its versions count its items.
  private func drawn(_ field: String, _ person: String, _ place: SignaturePlace) throws -> [QueueItem] {
    let reference = FieldReference(
      subjectID: place.subjectID, studyID: place.studyID, siteID: place.siteID, sessionID: place.sessionID,
      signatureID: place.signatureID, documentID: place.documentID, documentVersion: place.documentVersion,
      recordID: place.recordID)
    let piece = StrokePiece(beginsStroke: true, x: [20, 60, 120], y: [40, 20, 60], timeMs: [0, 20, 40])
    return [
      try item(
        "create", person, "\(Self.signature)/CreateField",
        CreateFieldRequest(reference: reference, settings: FieldSettings(header: "Sign"), fieldID: field)),
      try item("tap", person, "\(Self.signature)/TapField", TapFieldRequest(fieldID: field, expectedVersion: 1)),
      try item(
        "draw", person, "\(Self.signature)/AppendStrokes",
        AppendStrokesRequest(fieldID: field, expectedVersion: 2, pieces: [piece])),
      try item("save", person, "\(Self.signature)/SaveField", SaveFieldRequest(fieldID: field, expectedVersion: 3)),
    ]
  }

  /// The way along the table to its end.
  private var actions: [FlowAction] {
    let wanted: [ActionKind] = [.scrolledToEnd, .agree, .enterName, .sign, .done, .confirm]
    var (row, actions) = (0, [FlowAction]())
    while let screen = bundle.screens[row].screen, let kind = wanted.first(where: screen.offered.contains) {
      var action = FlowAction(kind: kind, deviceTime: DeviceTime(at: Timestamp(now)))
      if kind == .enterName { action.name = PersonName(given: "Ada", family: "Lovelace") }
      if kind == .sign {
        action.signature = SignatureInput(image: .drawn(DrawnSignature(fieldID: fields[0], revision: 1)))
      }
      if kind == .agree { action.answers = screen.questions.map { QuestionAnswer(questionID: $0.id, boolean: .yes) } }
      actions.append(action)
      row = Int(bundle.screens[row].edges.first { $0.action == kind }?.successor ?? 0)
    }
    return actions
  }
}
