import Base
import Bus
import CommonContract
import Ink
import InkSamples
import RPC
import ServicePolicy
import SignatureContract
import SignatureService
import Storage
import StorageTestKit
import Testing
import Typesetting
import Wire

/// SignatureService on its own bus with its own database: as in production, but without sockets.
final class SignatureBench: Sendable {
  let bus: InProcessBus
  let database: TestDatabase
  let data: ServiceDatabase

  /// - Parameter isDamaged: rows are changed by hand, and calls are expected to fail.
  init(on engine: TestEngine, clock: Clock = .system, isDamaged: Bool = false) async throws {
    database = try await engine.makeDatabase(SignatureSchema.all, clock: clock)
    data = ServiceDatabase(database.database)
    bus = InProcessBus()
    let handlers = SignatureHandlers(data: data, pictures: Self.maker())
    bus.serve([handlers, Self.render(from: StoredSignatures(data: data))], slots: 16) {
      error, _, method in
      if !isDamaged { Issue.record("\(method.name) failed unexpectedly: \(error)") }
    }
  }

  static func render(
    from saved: any SavedSignatures, cache: Int = 1 << 20, typesetter: Typesetter = Typesetter()
  ) -> RenderHandlers {
    RenderHandlers(maker: maker(cache: cache, typesetter: typesetter), saved: saved, batchWidth: 4)
  }

  static func maker(cache: Int = 1 << 20, typesetter: Typesetter = Typesetter()) -> PictureMaker {
    let pool = FairPool(name: "test-render", limits: FairLimits(threads: 2))
    return PictureMaker(pool: pool, cache: PictureCache(byteLimit: cache), typesetter: typesetter)
  }

  /// A device of a tenant, or a caller with more rights.
  func channel(
    tenant: String = "clinic", _ kind: CallerKind = .device, as subject: String = "tablet-7",
    grants: [String] = []
  ) -> BusChannel {
    bus.channel(
      for: CallerIdentity(kind: kind, tenant: tenant, subject: subject, device: subject, grants: grants))
  }

  func device(_ name: String = "tablet-7", tenant: String = "clinic") -> SignatureServiceClient {
    SignatureServiceClient(channel(tenant: tenant, as: name))
  }

  /// The signer, signed in at a device of their own.
  func signer(_ name: String = "subject-1", at device: String) -> SignatureServiceClient {
    SignatureServiceClient(
      bus.channel(for: CallerIdentity(kind: .person, tenant: "clinic", subject: name, device: device)))
  }

  /// What is on record about readings and denied attempts.
  func accesses() async throws -> [TrailEntry] {
    try await database.database.scope(.named("clinic")).read { snapshot in
      try snapshot.events(after: 0, limit: 1000).compactMap { try $0.access() }
    }
  }

  /// Staff of the study, at a screen of their own.
  var nurse: SignatureServiceClient {
    SignatureServiceClient(channel(.person, as: "nurse", grants: ["coordinator@*"]))
  }

  /// Another service, on behalf of a tenant.
  var service: SignatureServiceClient {
    SignatureServiceClient(
      bus.channel().acting(for: CallerIdentity(kind: .service, tenant: "clinic", subject: "consent")))
  }

  /// The strokes of a saved signature, whose hash must be the commitment to them.
  func blob(of saved: SavedSignature?) async throws -> [UInt8] {
    let saved = try #require(saved)
    let answer = try await service.getStrokes(GetStrokesRequest(signature: .signatureID(saved.signatureID)))
    let opening = Commitment.Opening(
      label: "drawn signature", salt: answer.salt, value: Digest(of: answer.blob).bytes)
    #expect(saved.hash == opening.digest.hex && saved.hash != Digest(of: answer.blob).hex)
    return answer.blob
  }
}

/// Drives a field in a test: every action states the version of the previous view.
struct FieldDriver {
  let client: SignatureServiceClient
  private(set) var view: FieldView

  static func create(
    _ client: SignatureServiceClient, settings: FieldSettings = FieldSettings(header: "Participant", required: true),
    subject: String = "subject-1", study: String = "study-1", site: String = "", session: String = "session-1"
  ) async throws -> FieldDriver {
    let reference = FieldReference(
      subjectID: subject, studyID: study, siteID: site, sessionID: session, signatureID: "participant",
      documentID: "consent", documentVersion: 3)
    return try await create(client, for: reference, settings: settings)
  }

  static func create(
    _ client: SignatureServiceClient, for reference: FieldReference,
    settings: FieldSettings = FieldSettings(header: "Participant", required: true)
  ) async throws -> FieldDriver {
    let request = CreateFieldRequest(reference: reference, settings: settings)
    guard let view = try await client.createField(request).view else { throw Status(.internal, "no view") }
    return FieldDriver(client: client, view: view)
  }

  init(client: SignatureServiceClient, view: FieldView) {
    self.client = client
    self.view = view
  }

  mutating func tap() async throws {
    view = try await client.tapField(TapFieldRequest(fieldID: view.fieldID, expectedVersion: view.version)).view ?? view
  }

  mutating func draw(_ strokes: [Stroke], chunk: Int = 40) async throws {
    view = try await append(strokes, chunk: chunk, after: view.version).view ?? view
  }

  func append(_ strokes: [Stroke], chunk: Int = 40, after version: Int64) async throws -> AppendStrokesResponse {
    let call = client.appendStrokes()
    for (index, message) in Self.messages(strokes, chunk: chunk).enumerated() {
      var message = message
      if index == 0 { (message.fieldID, message.expectedVersion) = (view.fieldID, version) }
      // A stream that was refused accepts nothing more; its outcome says why.
      do { try await call.requests.send(message) } catch { break }
    }
    return try await call.finish().message
  }

  /// Strokes cut into messages as a device sends them during drawing.
  static func messages(_ strokes: [Stroke], chunk: Int) -> [AppendStrokesRequest] {
    strokes.flatMap { stroke in
      stride(from: 0, to: stroke.points.count, by: chunk).map { start in
        let points = Array(stroke.points[start..<min(start + chunk, stroke.points.count)])
        let pen = stroke.pen == .standard ? nil : stroke.pen
        let piece = StrokePiece(CapturedPiece(beginsStroke: start == 0, points: points, pen: pen))
        return AppendStrokesRequest(pieces: [piece])
      }
    }
  }

  mutating func clear() async throws {
    let request = ClearFieldRequest(fieldID: view.fieldID, expectedVersion: view.version)
    view = try await client.clearField(request).view ?? view
  }

  mutating func save(_ time: SigningTime? = nil) async throws {
    let request = SaveFieldRequest(
      fieldID: view.fieldID, expectedVersion: view.version, signingTime: time, drawnWith: "stylus")
    view = try await client.saveField(request).view ?? view
  }

  mutating func cancel() async throws {
    let request = CancelFieldRequest(fieldID: view.fieldID, expectedVersion: view.version)
    view = try await client.cancelField(request).view ?? view
  }

  mutating func reEnter() async throws {
    let request = ReEnterFieldRequest(fieldID: view.fieldID, expectedVersion: view.version)
    view = try await client.reEnterField(request).view ?? view
  }

  mutating func type(_ text: String, font: String = "") async throws {
    let request = SaveTypedNameRequest(
      fieldID: view.fieldID, expectedVersion: view.version, name: TypedName(text: text, font: font))
    view = try await client.saveTypedName(request).view ?? view
  }

  mutating func refresh() async throws {
    view = try await client.getField(GetFieldRequest(fieldID: view.fieldID)).view ?? view
  }

  /// A field with a saved signature.
  static func signed(_ client: SignatureServiceClient, subject: String = "subject-1") async throws -> FieldDriver {
    var field = try await create(client, subject: subject)
    try await field.tap()
    try await field.draw(SampleSignature.reference.ink.strokes)
    try await field.save()
    return field
  }
}

/// The status that a call ends with.
func status(of call: () async throws -> Void) async -> Status? {
  do {
    try await call()
    return nil
  } catch {
    return error as? Status
  }
}

extension Status {
  /// The detail of a type, if the status carries one.
  func detail<Detail: Message>(_ type: Detail.Type) throws -> Detail? {
    try details.first { $0.typeName == Detail.messageName }.map { try Detail(decoding: $0.value) }
  }
}
