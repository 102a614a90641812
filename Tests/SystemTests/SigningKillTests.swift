import Base
import Bus
import ConsentContract
import RPC
import ServiceKit
import SignatureContract
import Synchronization
import TestSupport
import Testing
import Wire

/// ConsentService and SignatureService as processes that are killed while people sign, and while somebody re-enters the
/// fields that they sign with.
@Suite(.serialized) struct SigningKillTests {
  @Test("after kills at random points each signature and its field name the same revision", .timeLimit(.minutes(10)))
  func kills() async throws {
    let isLong = LongTests.areWanted
    let system = try await TestSystem.start()
    let services = try await SigningFleet.start(on: system)
    let connection = try await system.connect()
    let signers = Signers(channel: connection.channel)
    try await signers.open()
    let signing = Task { try await signers.sign(isLong ? 8 : 3) }
    for _ in 0..<(isLong ? 200 : 6) {
      try await randomPause(milliseconds: 50...600)
      try await services.replace(Bool.random() ? "ConsentService" : "SignatureService")
    }
    signers.stop()
    let signed = try await signing.value
    #expect(signed.count > 2, "people signed meanwhile")
    for one in signed {
      let signature = try #require(try await signers.signature(on: one.recordID))
      let field = try await signers.closedField(signature.fieldID)
      #expect(field.completed && field.pinnedRevision == signature.fieldRevision, "\(one)")
      #expect(field.saved?.signatureID == signature.savedSignatureID, "\(one)")
      #expect(field.saved?.hash == signature.strokesHash, "\(one)")
    }
    #expect(Set(signed.map(\.recordID)).count == signed.count)
    if isLong { print("\(signed.count) signatures, \(signers.reEntered) fields re-entered meanwhile") }
    try await connection.close()
    try await services.stop()
  }
}

/// One process of each service on a database of its own, to be killed.
private actor SigningFleet {
  private let busFolder: String
  private let evidence: KeptEvidence
  private var running: [String: RunningProgram] = [:]

  static func start(on system: TestSystem) async throws -> SigningFleet {
    let fleet = try SigningFleet(system)
    for program in ["ConsentService", "SignatureService"] { try await fleet.add(program) }
    return fleet
  }

  private init(_ system: TestSystem) throws {
    busFolder = system.busFolder
    evidence = try KeptEvidence(data: system.folder.file("data"))
  }

  private func add(_ program: String) async throws {
    let service = try await RunningProgram.start(
      program, ["--bus-folder", busFolder] + evidence.arguments(of: program), environment: KeptEvidence.environment)
    _ = try #require(await service.line(containing: "ready"), "\(service.logLines)")
    running[program] = service
  }

  /// Kills a process as the kernel would, and starts another.
  func replace(_ program: String) async throws {
    let victim = try #require(running[program])
    victim.send(.kill)
    _ = await victim.wait()
    try await add(program)
  }

  /// Ends both in order, and checks what they have kept.
  func stop() async throws {
    for service in running.values {
      service.send(.terminate)
      #expect(await service.wait() == .code(0))
    }
    try await evidence.check("consent", keptBy: ["ConsentService"])
    try await evidence.check("signature", keptBy: ["SignatureService"])
  }
}

/// People who review a document and sign it, again and again.
private final class Signers: Sendable {
  struct Signed: Sendable {
    let recordID: String
  }

  private static let study = "walking"
  private let channel: BusChannel
  private let isStopped = Mutex(false)
  private let reEntries = Mutex(0)

  init(channel: BusChannel) {
    self.channel = channel
  }

  private func acting(_ subject: String, _ kind: CallerKind, _ grants: [String] = []) -> BusChannel {
    channel.acting(for: CallerIdentity(kind: kind, tenant: "t1", subject: subject, grants: grants))
  }

  private var app: ConsentClients { ConsentClients(acting("app", .device)) }
  private var pad: SignatureServiceClient { SignatureServiceClient(acting("app", .device)) }

  /// A document that one person signs, from the sample, and a flow of its review alone.
  func open() async throws {
    let options = CallOptions(waitsForReady: true)
    _ = try await ConsentClients(acting("admin", .person, ["admin@*"])).studies.createStudy(
      CreateStudyRequest(study: ConsentStudy(studyID: Self.study, name: "Walking")), deadline: .seconds(30),
      options: options)
    let publisher = ConsentClients(acting("pia", .person, ["publisher@\(Self.study)"]))
    var file = try DocumentFile(json: try Files.read(Repository.path("samples/clinical-study/document.json")))
    file.content?.settings?.comprehension = nil
    file.content?.settings?.offersSharing = false
    for index in file.content?.texts.indices ?? 0..<0 {
      file.content?.texts[index].questions = []
      file.content?.texts[index].sharing = nil
    }
    let draft = try await publisher.documents.importDocument(
      ImportDocumentRequest(studyID: Self.study, file: file))
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

  func stop() { isStopped.withLock { $0 = true } }
  var reEntered: Int { reEntries.withLock { $0 } }

  func sign(_ people: Int) async throws -> [Signed] {
    try await withThrowingTaskGroup(of: [Signed].self) { group in
      for person in 0..<people {
        group.addTask {
          var signed: [Signed] = []
          repeat {
            signed.append(try await self.signOnce("subject-\(person)-\(signed.count)"))
          } while !self.isStopped.withLock({ $0 })
          return signed
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
  }

  private func signOnce(_ subject: String) async throws -> Signed {
    let begin = StartSessionRequest(
      flowID: "signing", subjectID: subject, clientSchema: 2, birthDate: CalendarDate(year: 1984, month: 5, day: 17))
    let start = try await retrying("begin-\(subject)") {
      try await self.app.sessions.startSession(begin, deadline: .seconds(60), options: $0)
    }
    var view = try #require(start.session)
    let wanted: [ActionKind] = [.scrolledToEnd, .agree, .enterName, .sign, .done, .confirm]
    while let screen = view.screen, let kind = wanted.first(where: screen.offered.contains) {
      if kind == .sign {
        view = try await sign(view, try #require(screen.signatureForm?.place))
        continue
      }
      var action = FlowAction(kind: kind)
      if kind == .enterName { action.name = PersonName(given: "Ada", family: "Lovelace") }
      view = try await act(view, action, key: "\(view.sessionID)-\(view.version)")
    }
    return Signed(recordID: try #require(view.recordIDs.last))
  }

  /// Signs with a new field, which somebody tries to re-enter at the same time; whoever is overtaken signs again with
  /// another field.
  private func sign(_ view: SessionView, _ place: SignaturePlace) async throws -> SessionView {
    for attempt in 0..<50 {
      let name = "\(view.sessionID)-\(attempt)"
      let field = try await field(for: place, name)
      let drawn = DrawnSignature(fieldID: field.fieldID, revision: field.saved?.revision ?? 0)
      let action = FlowAction(kind: .sign, signature: SignatureInput(image: .drawn(drawn)))
      async let disturbed: Void = reEnter(field, name)
      do {
        let signed = try await act(view, action, key: "sign-\(name)")
        await disturbed
        return signed
      } catch let status as Status where ["field_empty", "stale_version"].contains(where: status.message.hasPrefix) {
        await disturbed
      }
    }
    throw Status(.aborted, "every field was re-entered before it was signed with")
  }

  private func act(_ view: SessionView, _ action: FlowAction, key: String) async throws -> SessionView {
    let request = ActOnSessionRequest(
      sessionID: view.sessionID, expectedVersion: view.version, action: action, clientSchema: 2)
    let answer = try await retrying(key) {
      try await self.app.sessions.actOnSession(request, deadline: .seconds(60), options: $0)
    }
    return try #require(answer.session)
  }

  /// A field with a name saved in it.
  private func field(for place: SignaturePlace, _ name: String) async throws -> FieldView {
    let reference = FieldReference(
      subjectID: place.subjectID, studyID: place.studyID, siteID: place.siteID, sessionID: place.sessionID,
      signatureID: place.signatureID, documentID: place.documentID, documentVersion: place.documentVersion,
      recordID: place.recordID)
    let settings = FieldSettings(header: "Sign", required: true, reentry: .toActive)
    let made = try await retrying("create-\(name)") {
      try await self.pad.createField(
        CreateFieldRequest(reference: reference, settings: settings), deadline: .seconds(60), options: $0)
    }
    let view = try #require(made.view)
    let tapped = try await retrying("tap-\(name)") {
      try await self.pad.tapField(
        TapFieldRequest(fieldID: view.fieldID, expectedVersion: view.version), deadline: .seconds(60), options: $0)
    }
    let typing = SaveTypedNameRequest(
      fieldID: view.fieldID, expectedVersion: tapped.view?.version ?? 0, name: TypedName(text: "Ada Lovelace"))
    let saved = try await retrying("type-\(name)") {
      try await self.pad.saveTypedName(typing, deadline: .seconds(60), options: $0)
    }
    return try #require(saved.view)
  }

  /// Empties the field and saves another name, if it is not closed yet. Sometimes this comes before the signature,
  /// sometimes after it, sometimes in between.
  private func reEnter(_ field: FieldView, _ name: String) async {
    try? await randomPause(milliseconds: 0...30)
    let options = CallOptions(waitsForReady: true)
    let request = ReEnterFieldRequest(fieldID: field.fieldID, expectedVersion: field.version)
    guard let emptied = try? await pad.reEnterField(request, deadline: .seconds(20), options: options).view else {
      return
    }
    reEntries.withLock { $0 += 1 }
    let typing = SaveTypedNameRequest(
      fieldID: field.fieldID, expectedVersion: emptied.version, name: TypedName(text: "Mallory"))
    _ = try? await pad.saveTypedName(typing, deadline: .seconds(20), options: options)
  }

  /// The participant's signature on a record.
  func signature(on recordID: String) async throws -> RecordSignature? {
    let request = GetRecordRequest(recordID: recordID)
    return try await app.records.getRecord(request, deadline: .seconds(30), options: CallOptions(waitsForReady: true))
      .record?.signatures.first
  }

  /// The field, as soon as a job has closed it.
  func closedField(_ fieldID: String) async throws -> FieldView {
    func look() async throws -> FieldView? {
      try await retrying {
        try await self.pad.getField(GetFieldRequest(fieldID: fieldID), deadline: .seconds(30), options: $0)
      }.view
    }
    return try #require(try await eventually("the field is closed", await look()) { $0?.completed == true })
  }
}
