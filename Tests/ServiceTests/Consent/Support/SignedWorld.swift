import Base
import Bus
import ConsentContract
import ConsentDomain
import ConsentService
import RPC
import ServicePolicy
import SignatureContract
import SignatureService
import Storage
import StorageTestKit
import Synchronization
import TestSupport
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

/// ConsentService and SignatureService on one bus.
struct SignedWorld {
  let consent: World
  let falling: FallingSignatures
  let capture: TestDatabase

  init(_ engine: TestEngine) async throws {
    capture = try await engine.makeDatabase(SignatureSchema.all)
    let data = ServiceDatabase(capture.database) { MergedRelations(snapshot: $0) }
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

  var device: SignatureServiceClient {
    SignatureServiceClient(
      consent.bus.channel(for: CallerIdentity(kind: .device, tenant: "t1", subject: "app", device: "app")))
  }

  var service: SignatureServiceClient {
    SignatureServiceClient(
      consent.bus.channel().acting(for: CallerIdentity(kind: .service, tenant: "t1", subject: "consent")))
  }

  /// A field that was made for a place, with a name saved in it.
  func field(for place: SignaturePlace) async throws -> FieldView {
    let settings = FieldSettings(header: "Sign", required: true, reentry: .toActive)
    let made = try #require(
      try await device.createField(CreateFieldRequest(reference: FieldReference(place), settings: settings)).view)
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
    try await eventually("the jobs have done it", try await isDone())
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

/// A client of SignatureService over the bus, in a process that crashes where a test says.
final class FallingSignatures: SignatureFields {
  struct Fallen: Error {}

  let inner = Mutex<BusSignatures?>(nil)
  private let next = Mutex<Fall>(.nowhere)
  private let count = Mutex(0)

  private let erasures = Mutex(0)

  /// How often it was asked to erase.
  var askedToErase: Int { erasures.withLock { $0 } }

  /// How often it crashed before closing.
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
    erasures.withLock { $0 += 1 }
    try await service().erase(subjectID, tenant: tenant)
  }

  func hold(_ subjectID: String, _ isHeld: Bool, tenant: Tenant) async throws {
    try await service().hold(subjectID, isHeld, tenant: tenant)
  }

  func trail(of studyID: String, after position: EventPosition, limit: Int, tenant: Tenant) async throws -> TrailPart {
    try await service().trail(of: studyID, after: position, limit: limit, tenant: tenant)
  }
}
