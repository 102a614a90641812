import Base
import Bus
import ConsentContract
import ConsentService
import RPC
import ServicePolicy
import SignatureContract
import SignatureService
import Storage
import StorageTestKit
import TestSupport
import Testing
import Typesetting
import Webhooks
import Wire

/// ConsentService and SignatureService on one bus, both with keys that sign heads, and people who have signed.
struct EvidenceWorld {
  let consent: World
  let capture: TestDatabase
  let captureSigner: EvidenceSigner

  /// The names of what is in the databases.
  struct Names: Sendable {
    /// s1 drew, ines counter-signed with a typed name, and s1 withdrew.
    var withdrawn = ConsentRecord()
    /// s2 drew and waits for a counter-signature.
    var waiting = ConsentRecord()
    var drawnField = ""
    var typedField = ""
    var invitation = ""
    var asset = ""
  }

  static let consentKey = EvidenceKey.example("11")
  static let captureKey = EvidenceKey.example("22")
  /// A PNG of four pixels.
  static let image: [UInt8] = [
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00,
    0x02, 0x00, 0x00, 0x00, 0x02, 0x08, 0x00, 0x00, 0x00, 0x00, 0x57, 0xDD, 0x52, 0xF8, 0x00, 0x00, 0x00, 0x0C, 0x49,
    0x44, 0x41, 0x54, 0x78, 0xDA, 0x63, 0x60, 0xF8, 0x0F, 0x84, 0x00, 0x06, 0x00, 0x01, 0xFF, 0xAD, 0x2C, 0x37, 0x25,
    0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
  ]

  /// - Parameter known: the databases; new ones unless given.
  init(
    _ engine: TestEngine, on known: (consent: TestDatabase, capture: TestDatabase)? = nil,
    webhooks: WebhookPolicy = WebhookPolicy()
  ) async throws {
    let made = known == nil ? try await engine.makeDatabase(SignatureSchema.all) : nil
    let capture = try #require(known?.capture ?? made)
    let signer = EvidenceSigner(capture.database, key: Self.captureKey, installation: "test")
    (self.capture, captureSigner) = (capture, signer)
    consent = try await World(engine, on: known?.consent, evidence: Self.consentKey, webhooks: webhooks) { bus in
      let data = ServiceDatabase(capture.database) { MergedRelations(snapshot: $0) }
      let pool = FairPool(name: "test", limits: FairLimits(threads: 2))
      let maker = PictureMaker(pool: pool, cache: PictureCache(byteLimit: 1 << 20), typesetter: Typesetter())
      bus.serve([
        SignatureHandlers(data: data, pictures: maker, evidence: signer),
        RenderHandlers(maker: maker, saved: StoredSignatures(data: data), batchWidth: 2),
        PaperHandlers(
          maker: PaperMaker(fonts: "/usr/share/fonts"), pool: FairPool(name: "paper", limits: FairLimits(threads: 2)),
          clock: .system, trusting: { _ in [] }),
      ])
      return BusSignatures(bus.channel())
    }
  }

  func end() async {
    await consent.end()
    await capture.database.close()
  }

  var device: SignatureServiceClient {
    SignatureServiceClient(
      consent.bus.channel(for: CallerIdentity(kind: .device, tenant: "t1", subject: "app", device: "app")))
  }

  var inspector: SignatureServiceClient {
    SignatureServiceClient(
      consent.bus.channel(
        for: CallerIdentity(kind: .person, tenant: "t1", subject: "ivo", grants: ["inspector@heart"])))
  }

  var service: SignatureServiceClient {
    SignatureServiceClient(
      consent.bus.channel().acting(for: CallerIdentity(kind: .service, tenant: "t1", subject: "consent")))
  }

  // MARK: Steps

  /// A field for a place, with something saved in it.
  func field(for place: SignaturePlace, typed name: String? = nil) async throws -> FieldView {
    let reference = FieldReference(
      subjectID: place.subjectID, studyID: place.studyID, siteID: place.siteID, sessionID: place.sessionID,
      signatureID: place.signatureID, documentID: place.documentID, documentVersion: place.documentVersion,
      recordID: place.recordID)
    let settings = FieldSettings(header: "Sign", required: true, reentry: .toActive)
    let made = try #require(
      try await device.createField(CreateFieldRequest(reference: reference, settings: settings)).view)
    let tapped = try await tap(made)
    if let name {
      let request = SaveTypedNameRequest(
        fieldID: made.fieldID, expectedVersion: tapped.version, name: TypedName(text: name))
      return try #require(try await device.saveTypedName(request).view)
    }
    return try await draw(in: tapped)
  }

  func tap(_ field: FieldView) async throws -> FieldView {
    try #require(
      try await device.tapField(TapFieldRequest(fieldID: field.fieldID, expectedVersion: field.version)).view)
  }

  /// Draws in a field, and saves it.
  func draw(in field: FieldView) async throws -> FieldView {
    let call = device.appendStrokes()
    let piece = StrokePiece(
      beginsStroke: true, x: [10, 40, 90, 140], y: [20, 60, 30, 70], timeMs: [0, 20, 40, 60])
    try await call.requests.send(
      AppendStrokesRequest(fieldID: field.fieldID, expectedVersion: field.version, pieces: [piece]))
    let drawn = try #require(try await call.finish().message.view)
    return try #require(
      try await device.saveField(SaveFieldRequest(fieldID: field.fieldID, expectedVersion: drawn.version)).view)
  }

  /// A consent that a person draws their name for.
  func give(_ subject: String) async throws -> (record: ConsentRecord, field: String) {
    let view = try await consent.walk(subject: subject, site: "north") { $0.kind == .signature }
    let field = try await field(for: try #require(view.screen?.signatureForm?.place))
    let drawn = DrawnSignature(fieldID: field.fieldID, revision: field.saved?.revision ?? 0)
    let signed = try await consent.act(
      view, FlowAction(kind: .sign, signature: SignatureInput(image: .drawn(drawn))))
    return (try await consent.record(of: try await consent.goOn(signed)), field.fieldID)
  }

  /// The investigator's signature under a record, with a typed name.
  func counterSign(_ record: ConsentRecord) async throws -> String {
    let tasks = try await consent.investigator.sessions.listSigningTasks(
      ListSigningTasksRequest(studyID: World.study)
    ).tasks
    let place = try #require(tasks.first { $0.recordID == record.recordID }?.place)
    let field = try await field(for: place, typed: "Ines Ito")
    _ = try await consent.investigator.sessions.signRecord(
      SignRecordRequest(
        recordID: record.recordID, signatureID: "investigator", name: PersonName(given: "Ines", family: "Ito"),
        signature: SignatureInput(image: .drawn(DrawnSignature(fieldID: field.fieldID, revision: 1)))))
    return field.fieldID
  }

  /// Until every signature of a record has its picture.
  func render(_ record: ConsentRecord) async throws {
    let jobs = Task { [jobs = consent.services.jobs()] in await jobs.run() }
    try await eventually(
      "all are drawn", await consent.app.records.getRecord(GetRecordRequest(recordID: record.recordID)).record
    ) { record in record?.signatures.allSatisfy { !$0.imageHash.isEmpty } == true }
    jobs.cancel()
    await jobs.value
  }

  /// Some of everything that counts, under signed heads.
  func fill() async throws -> Names {
    var names = Names()
    try await consent.open()
    let given = try await give("s1")
    names.drawnField = given.field
    names.typedField = try await counterSign(given.record)
    try await render(given.record)
    let waiting = try await give("s2")
    names.waiting = waiting.record
    _ = try await consent.app.records.withdrawConsent(WithdrawConsentRequest(recordID: given.record.recordID))
    names.withdrawn = try #require(
      try await consent.app.records.getRecord(GetRecordRequest(recordID: given.record.recordID)).record)
    try await signHeads()
    try await author(&names)
    try await signHeads()
    return names
  }

  private func author(_ names: inout Names) async throws {
    let (admin, coordinator) = (consent.admin, consent.coordinator)
    _ = try await admin.studies.setTexts(Self.words("Read this"))
    _ = try await admin.studies.createStudy(
      CreateStudyRequest(study: ConsentStudy(studyID: "lung", name: "Lung", secondPerson: true)))
    _ = try await admin.studies.setTexts(Self.words("Read that"))
    _ = try await coordinator.studies.setGuardian(
      SetGuardianRequest(studyID: World.study, subjectID: "s2", guardianID: "gil", authority: .parent))
    let invitation = StudyInvitation(flowID: "flow", siteID: "north", subjectID: "s3")
    names.invitation = try #require(
      try await coordinator.studies.createInvitation(CreateInvitationRequest(invitation: invitation)).invitation?.code)
    _ = try await consent.app.sessions.startSession(StartSessionRequest(invitationCode: names.invitation))
    names.asset = try await consent.publisher.documents.createAsset(CreateAssetRequest(kind: .png, data: Self.image))
      .hash
  }

  static func words(_ text: String) -> SetTextsRequest {
    let text = LocalizedText(translations: [Translation(locale: "en", text: text)])
    return SetTextsRequest(overrides: [TextOverride(key: "review.title", text: text)])
  }

  func signHeads() async throws {
    try await consent.signer?.signAll()
    try await captureSigner.signAll()
  }

  func heads(of test: TestDatabase) async throws -> [SignedCheckpoint] {
    try await test.database.scope(.named("t1")).read { try $0.signedHeads(after: 0) }
  }
}
