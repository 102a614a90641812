import Base
import Bus
import ConsentContract
import ConsentService
import ServicePolicy
import SignatureContract
import SignatureService
import Storage
import StorageTestKit
import Synchronization
import Testing
import Typesetting
import Wire

/// Where ConsentService dies while somebody signs.
enum Fall: CaseIterable {
  case nowhere
  /// SignatureService has shown the field; nothing is decided.
  case afterAsking
  /// The signature is committed; the field is open.
  case beforeClosing
  /// The field is closed; the caller has no answer.
  case afterClosing
}

/// Both services with databases of their own: however one of them dies, the signature and its field agree in the end.
@Suite("Signing survives a crash between the services", .timeLimit(.minutes(2))) struct ConvergenceTests {
  @Test("a signature that was decided closes its field with the revision that was signed", arguments: Fall.allCases)
  func converge(fall: Fall) async throws {
    let world = try await SignedWorld(.sqlite)
    try await world.consent.open()
    let view = try await world.consent.walk(site: "north") { $0.kind == .signature }
    let place = try #require(view.screen?.signatureForm?.place)
    let field = try await world.field(for: place)
    let request = ActOnSessionRequest(
      sessionID: view.sessionID, expectedVersion: view.version, action: world.signing(field), clientSchema: 2)
    let once = CallOptions(idempotencyKey: .given("sign-1"))

    world.falling.fall(fall)
    let answer = try? await world.consent.app.sessions.actOnSession(request, options: once)
    #expect((answer == nil) == (fall == .afterAsking), "closing is no condition of the answer")
    let between = try await world.view(field)
    let isClosed = fall == .nowhere || fall == .afterClosing
    #expect(between.completed == isClosed && between.pinnedRevision == (isClosed ? 1 : 0))
    // What is open meanwhile is re-entered and saved by an attacker.
    if !isClosed { try await world.reEnter(between, "Mallory") }

    world.falling.fall(.nowhere)
    if fall == .afterAsking {
      // Nothing was decided, so the signer is told that the field changed, and signs what is there now.
      await expectRefusal(.aborted, "stale_version") {
        try await world.consent.app.sessions.actOnSession(request, options: once)
      }
      return await world.end()
    }
    // A repeat gets the first answer, although the field is used up.
    let repeated = try await world.consent.app.sessions.actOnSession(request, options: once)
    #expect(repeated.session?.version == view.version + 1)
    let end = try await world.consent.goOn(try #require(repeated.session))
    let record = try await world.consent.record(of: end)
    try await world.runJobs { try await world.view(field).completed }

    let closed = try await world.view(field)
    let signature = try #require(record.signatures.first)
    #expect(closed.completed && closed.pinnedRevision == 1 && closed.saved?.revision == 1)
    #expect(signature.fieldRevision == 1 && signature.savedSignatureID == closed.saved?.signatureID)
    #expect(signature.strokesHash == closed.saved?.hash)
    #expect(closed.offered.isEmpty)
    try await world.refusesEveryChange(closed)
    await world.end()
  }

  @Test("the picture is that of the revision that was signed, whatever the field held meanwhile")
  func pictures() async throws {
    let world = try await SignedWorld(.sqlite)
    try await world.consent.open()
    var images: [[UInt8]] = []
    for fall in [Fall.nowhere, .beforeClosing] {
      let view = try await world.consent.walk(subject: "s-\(images.count)") { $0.kind == .signature }
      let field = try await world.field(for: try #require(view.screen?.signatureForm?.place))
      world.falling.fall(fall)
      let signed = try await world.consent.act(view, world.signing(field))
      if fall == .beforeClosing { try await world.reEnter(try await world.view(field), "Mallory") }
      world.falling.fall(.nowhere)
      let record = try await world.consent.record(of: try await world.consent.goOn(signed))
      let request = GetSignatureImageRequest(recordID: record.recordID, signatureID: "participant")
      try await world.runJobs {
        (try? await world.consent.app.records.getSignatureImage(request)) != nil
      }
      images.append(try await world.consent.app.records.getSignatureImage(request).content)
    }
    #expect(images[0] == images[1] && !images[0].isEmpty)
    await world.end()
  }

  @Test("a field is closed however long SignatureService was away")
  func longOutage() async throws {
    let world = try await SignedWorld(.sqlite)
    try await world.consent.open()
    let view = try await world.consent.walk { $0.kind == .signature }
    let field = try await world.field(for: try #require(view.screen?.signatureForm?.place))
    world.falling.fall(.beforeClosing)
    _ = try await world.consent.act(view, world.signing(field))
    // More than the attempts that a job has.
    for attempt in 1...13 {
      world.consent.clock.move(by: .seconds(3600))
      try await world.runJobs { world.falling.falls > attempt }
    }
    #expect(try await !world.view(field).completed)
    world.falling.fall(.nowhere)
    world.consent.clock.move(by: .seconds(3600))
    try await world.runJobs { try await world.view(field).completed }
    #expect(try await world.view(field).pinnedRevision == 1)
    await world.end()
  }

  @Test("a field is not closed with what it was not made for, or with a revision that it does not have")
  func wrongPin() async throws {
    let world = try await SignedWorld(.sqlite)
    let place = SignaturePlace(
      subjectID: "s1", studyID: World.study, sessionID: "x", signatureID: "participant", documentID: "d",
      documentVersion: 1)
    let field = try await world.field(for: place)
    let reference = try #require(field.reference)
    let changes: [(String, (inout FieldReference) -> Void)] = [
      ("subject_id", { $0.subjectID = "s2" }), ("study_id", { $0.studyID = "lung" }),
      ("site_id", { $0.siteID = "north" }), ("session_id", { $0.sessionID = "y" }),
      ("record_id", { $0.recordID = "r" }), ("document_id", { $0.documentID = "e" }),
      ("document_version", { $0.documentVersion = 2 }), ("signature_id", { $0.signatureID = "guardian" }),
    ]
    func close(_ revision: Int32, _ reference: FieldReference) async throws -> FieldView? {
      let request = CompleteFieldRequest(fieldID: field.fieldID, revision: revision, reference: reference)
      return try await world.service.completeField(request).view
    }
    for (name, change) in changes {
      var other = reference
      change(&other)
      let wrong = other
      let refusal = await #expect(throws: Status.self) { _ = try await close(1, wrong) }
      #expect(refusal?.isRefusal(.failedPrecondition, "other_reference") == true, "\(name)")
      #expect(refusal?.message.contains("reference.\(name)") == true)
    }
    await expectRefusal(.failedPrecondition, "revision_missing") { try await close(2, reference) }
    await expectRefusal(.invalidArgument, "missing") {
      try await world.service.completeField(CompleteFieldRequest(fieldID: field.fieldID, revision: 1))
    }
    try await world.reEnter(field, "Mallory")
    let closed = try #require(try await close(1, reference))
    #expect(closed.saved?.signatureID == field.saved?.signatureID && closed.revisionCount == 2)
    #expect(try await close(1, reference) == closed, "a repeat changes nothing")
    await expectRefusal(.failedPrecondition, "revision_pinned") { try await close(2, reference) }
    let revisions = try await world.service.listRevisions(ListRevisionsRequest(fieldID: field.fieldID)).revisions
    #expect(revisions.map { $0.replacedAtMs == 0 } == [true, false])
    await world.end()
  }
}

/// ConsentService and SignatureService on one bus.
private struct SignedWorld {
  let consent: World
  let falling: FallingSignatures
  private let capture: TestDatabase

  init(_ engine: TestEngine) async throws {
    capture = try await engine.makeDatabase(SignatureSchema.all)
    let data = ServiceDatabase(capture.database)
    let falling = FallingSignatures()
    consent = try await World(engine) { bus in
      let pool = FairPool(name: "test", limits: FairLimits(threads: 2))
      let maker = PictureMaker(pool: pool, cache: PictureCache(byteLimit: 1 << 20), typesetter: Typesetter())
      bus.serve([
        SignatureHandlers(data: data, pictures: maker),
        RenderHandlers(maker: maker, saved: StoredSignatures(data: data), batchWidth: 2),
      ])
      falling.inner.withLock { $0 = BusSignatures(bus.channel()) }
      return falling
    }
    self.falling = falling
  }

  func end() async {
    await consent.end()
    await capture.database.close()
  }

  private var device: SignatureServiceClient {
    SignatureServiceClient(
      consent.bus.channel(for: CallerIdentity(kind: .device, tenant: "t1", subject: "app", device: "app")))
  }

  var service: SignatureServiceClient {
    SignatureServiceClient(
      consent.bus.channel().acting(for: CallerIdentity(kind: .service, tenant: "t1", subject: "consent")))
  }

  /// A field that was made for a place, with a name saved in it.
  func field(for place: SignaturePlace) async throws -> FieldView {
    let reference = FieldReference(
      subjectID: place.subjectID, studyID: place.studyID, siteID: place.siteID, sessionID: place.sessionID,
      signatureID: place.signatureID, documentID: place.documentID, documentVersion: place.documentVersion,
      recordID: place.recordID)
    let settings = FieldSettings(header: "Sign", required: true, reentry: .toActive)
    let made = try #require(
      try await device.createField(CreateFieldRequest(reference: reference, settings: settings)).view)
    let tapped = try #require(
      try await device.tapField(TapFieldRequest(fieldID: made.fieldID, expectedVersion: made.version)).view)
    return try await type("Ada Lovelace", in: tapped)
  }

  private func type(_ name: String, in view: FieldView) async throws -> FieldView {
    let request = SaveTypedNameRequest(
      fieldID: view.fieldID, expectedVersion: view.version, name: TypedName(text: name))
    return try #require(try await device.saveTypedName(request).view)
  }

  func reEnter(_ view: FieldView, _ name: String) async throws {
    let emptied = try #require(
      try await device.reEnterField(ReEnterFieldRequest(fieldID: view.fieldID, expectedVersion: view.version)).view)
    _ = try await type(name, in: emptied)
  }

  func view(_ field: FieldView) async throws -> FieldView {
    try #require(try await service.getField(GetFieldRequest(fieldID: field.fieldID)).view)
  }

  func signing(_ field: FieldView) -> FlowAction {
    let drawn = DrawnSignature(fieldID: field.fieldID, revision: field.saved?.revision ?? 0)
    return FlowAction(kind: .sign, signature: SignatureInput(image: .drawn(drawn)))
  }

  /// Runs jobs as another process would after the death of this one, until something holds.
  func runJobs(until isDone: () async throws -> Bool) async throws {
    consent.clock.move(by: .seconds(60))
    let jobs = Task { [jobs = consent.services.jobs()] in await jobs.run() }
    _ = try await consent.eventually(isDone) { $0 }
    jobs.cancel()
    await jobs.value
  }

  /// Strokes, clearing, saving, typing, giving up and re-entering: a closed field refuses all, and stays as it is.
  func refusesEveryChange(_ closed: FieldView) async throws {
    let (id, version) = (closed.fieldID, closed.version)
    func refused(_ call: () async throws -> some Any) async {
      await expectNotOffered(call)
    }
    await refused { try await device.tapField(TapFieldRequest(fieldID: id, expectedVersion: version)) }
    await refused { try await device.clearField(ClearFieldRequest(fieldID: id, expectedVersion: version)) }
    await refused { try await device.saveField(SaveFieldRequest(fieldID: id, expectedVersion: version)) }
    await refused { try await device.cancelField(CancelFieldRequest(fieldID: id, expectedVersion: version)) }
    await refused { try await device.reEnterField(ReEnterFieldRequest(fieldID: id, expectedVersion: version)) }
    await refused { try await type("Mallory", in: closed) }
    await refused {
      let call = device.appendStrokes()
      let piece = StrokePiece(beginsStroke: true, x: [1, 2], y: [1, 2], timeMs: [0, 1])
      do {
        try await call.requests.send(AppendStrokesRequest(fieldID: id, expectedVersion: version, pieces: [piece]))
      } catch {
        // The stream's outcome says why it was refused.
      }
      return try await call.finish().message
    }
    #expect(try await view(closed) == closed)
  }

  private func expectNotOffered(_ call: () async throws -> some Any) async {
    do {
      _ = try await call()
      Issue.record("a closed field was changed")
    } catch {
      #expect((error as? Status)?.message.hasPrefix("not_offered: ") == true, "\(error)")
    }
  }
}

/// SignatureService over the bus, on the side of a process that dies.
private final class FallingSignatures: SignatureFields {
  struct Fallen: Error {}

  let inner = Mutex<BusSignatures?>(nil)
  private let next = Mutex<Fall>(.nowhere)
  private let count = Mutex(0)

  /// How often it fell before closing.
  var falls: Int { count.withLock { $0 } }

  func fall(_ fall: Fall) { next.withLock { $0 = fall } }

  private func service() throws -> BusSignatures { try #require(inner.withLock { $0 }) }
  private func falls(at place: Fall) -> Bool { next.withLock { $0 == place } }

  func savedField(_ fieldID: String, tenant: Tenant) async throws -> SavedField? {
    let field = try await service().savedField(fieldID, tenant: tenant)
    if falls(at: .afterAsking) { throw Status(.unavailable, "the process ended") }
    return field
  }

  func close(_ fieldID: String, with revision: Int32, madeFor place: SignaturePlace, tenant: Tenant) async throws {
    if falls(at: .beforeClosing) {
      count.withLock { $0 += 1 }
      throw Status(.unavailable, "the process ended")
    }
    try await service().close(fieldID, with: revision, madeFor: place, tenant: tenant)
    if falls(at: .afterClosing) { throw Status(.unavailable, "the process ended") }
  }

  func picture(ofSaved signatureID: String, hash: String, tenant: Tenant) async throws -> [UInt8] {
    try await service().picture(ofSaved: signatureID, hash: hash, tenant: tenant)
  }

  func problem(ofTyped typed: TypedSignature, tenant: Tenant) async throws -> Refusal? {
    try await service().problem(ofTyped: typed, tenant: tenant)
  }

  func picture(ofTyped typed: TypedSignature, tenant: Tenant) async throws -> [UInt8] {
    try await service().picture(ofTyped: typed, tenant: tenant)
  }

  func evidence(ofFields fieldIDs: [String], earlier heads: [String], tenant: Tenant) async throws -> [UInt8] {
    try await service().evidence(ofFields: fieldIDs, earlier: heads, tenant: tenant)
  }

  func erase(_ subjectID: String, tenant: Tenant) async throws {
    try await service().erase(subjectID, tenant: tenant)
  }
}
