internal import Bus
import ConsentContract
import RPC
import SignatureContract
import Storage
import StorageTestKit
import Testing
import Wire

/// What is used before anybody has signed: fields that are drawn in, and places where somebody takes part.
@Suite(.serialized) struct ForgedDrawingTests {
  @Test(
    "a drawing that was put back to an earlier one is not saved, nor one that was cut", arguments: TestEngine.allCases)
  func drawing(engine: TestEngine) async throws {
    let world = try await EvidenceWorld(engine)
    let reference = FieldReference(subjectID: "s1", studyID: World.study)
    let made = try await world.device.createField(
      CreateFieldRequest(reference: reference, settings: FieldSettings(header: "Sign", reentry: .toActive))
    ).view
    var field = try #require(made)
    let tapped = try await world.device.tapField(
      TapFieldRequest(fieldID: field.fieldID, expectedVersion: field.version)
    ).view
    field = try #require(tapped)
    func draw(_ x: [Double]) async throws {
      let call = world.device.appendStrokes()
      let piece = StrokePiece(
        beginsStroke: true, x: x, y: x.map { _ in 40 }, timeMs: x.indices.map { Double($0) * 20 })
      try await call.requests.send(
        AppendStrokesRequest(fieldID: field.fieldID, expectedVersion: field.version, pieces: [piece]))
      let drawn = try await call.finish().message.view
      field = try #require(drawn)
    }
    func alter(_ sql: String) async throws {
      try await world.capture.location.alter(sql, schema: world.capture.schema.name)
    }
    try await draw([10, 40, 90])
    try await world.signHeads()
    try await alter("CREATE TABLE kept AS SELECT * FROM storage_vault_items WHERE item LIKE 'drawing:%'")
    try await draw([20, 60, 120])
    let save = SaveFieldRequest(fieldID: field.fieldID, expectedVersion: field.version)
    let forgeries = [
      (
        "drawing",
        "UPDATE storage_vault_items SET sealed = (SELECT sealed FROM kept), changed_ms = (SELECT changed_ms "
          + "FROM kept) WHERE item LIKE 'drawing:%'"
      ),
      ("cut", "UPDATE fields SET blocks = 0"), ("holder", "UPDATE fields SET holder = ''"),
      ("subject", "UPDATE fields SET site = 'north'"),
    ]
    for (name, forgery) in forgeries {
      for table in ["storage_vault_items", "fields"] {
        try await alter("CREATE TABLE old_\(table) AS SELECT * FROM \(table)")
      }
      try await alter(forgery)
      let status = await #expect(throws: Status.self, "\(name)") { _ = try await world.device.saveField(save) }
      #expect(status?.code == .dataLoss, "\(name): \(String(describing: status))")
      for table in ["storage_vault_items", "fields"] {
        try await alter(
          "DELETE FROM \(table); INSERT INTO \(table) SELECT * FROM old_\(table); DROP TABLE old_\(table)")
      }
    }
    let saved = try await world.device.saveField(save).view?.saved
    #expect(saved?.strokeCount == 2)
    await world.end()
  }

  @Test(
    "a saved signature is its field's as that was written, and no other study's, site's or device's",
    arguments: TestEngine.allCases)
  func moved(engine: TestEngine) async throws {
    let world = try await EvidenceWorld(engine)
    try await world.consent.open()
    let given = try await world.give("s1")
    try await world.signHeads()
    let saved = try await world.saved(in: given.field)
    func identity(_ grant: String) -> CallerIdentity {
      CallerIdentity(kind: .person, tenant: "t1", subject: "mallory", grants: [grant])
    }
    typealias Call = (Channels) async throws -> Void
    typealias Forgery = (
      column: String, forged: String, written: String, caller: CallerIdentity, calls: [(String, Call)]
    )
    let forStaff: [(String, Call)] = [
      ("GetStrokes", { _ = try await $0.signatures.getStrokes(GetStrokesRequest(signature: .signatureID(saved))) }),
      (
        "ExportStrokes",
        { _ = try await $0.signatures.exportStrokes(ExportStrokesRequest(signatureID: saved, format: .stored)) }
      ),
    ]
    let forAll: [(String, Call)] = [
      (
        "GetPicturedSignature",
        { _ = try await $0.signatures.getPicturedSignature(GetPicturedSignatureRequest(signatureID: saved)) }
      ),
      ("Render", { _ = try await $0.renders.render(RenderRequest(source: .signatureID(saved))) }),
    ]
    let forgeries: [Forgery] = [
      ("study", "lung", World.study, identity("inspector@lung"), forStaff + forAll),
      ("site", "south", "north", identity("investigator@heart/south"), forStaff + forAll),
      (
        "holder", "phone", "app", CallerIdentity(kind: .device, tenant: "t1", subject: "phone", device: "phone"),
        forAll
      ),
    ]
    for forgery in forgeries {
      func put(_ value: String) async throws {
        try await world.capture.location.alter(
          "UPDATE fields SET \(forgery.column) = '\(value)' WHERE id = '\(given.field)'",
          schema: world.capture.schema.name)
      }
      let channels = Channels(world.consent.bus.channel(for: forgery.caller))
      for (method, call) in forgery.calls {
        let name = "\(method), \(forgery.column)"
        let refused = await #expect(throws: Status.self, "\(name)") { try await call(channels) }
        #expect(refused?.code == .permissionDenied, "\(name): \(String(describing: refused))")
        try await put(forgery.forged)
        let forged = await #expect(throws: Status.self, "\(name)") { try await call(channels) }
        #expect(forged?.code == .dataLoss, "\(name): \(String(describing: forged))")
        try await put(forgery.written)
      }
    }
    _ = try await world.inspector.getStrokes(GetStrokesRequest(signature: .signatureID(saved)))
    await world.end()
  }

  /// The clients of one caller.
  private struct Channels: Sendable {
    let signatures: SignatureServiceClient
    let renders: RenderServiceClient

    init(_ channel: any Channel) {
      signatures = SignatureServiceClient(channel)
      renders = RenderServiceClient(channel)
    }
  }

  @Test("a place where somebody is said to take part counts only as it was written", arguments: TestEngine.allCases)
  func places(engine: TestEngine) async throws {
    let world = try await World(engine, evidence: .example())
    try await world.open()
    _ = try await world.walk(subject: "s1", site: "north")
    try await world.signer?.signAll()
    let south = world.client("sue", ["coordinator@heart/south"])
    let request = ListGuardiansRequest(studyID: World.study, subjectID: "s1")
    await expectRefusal(.permissionDenied, "not_admitted") { try await south.studies.listGuardians(request) }
    for table in ["sessions", "records"] {
      let schema = world.test.schema.name
      try await world.test.location.alter("UPDATE \(table) SET site_id = 'south'", schema: schema)
      await expectRefusal(.dataLoss, "data_corrupt") { try await south.studies.listGuardians(request) }
      try await world.test.location.alter("UPDATE \(table) SET site_id = 'north'", schema: schema)
    }
    await expectRefusal(.permissionDenied, "not_admitted") { try await south.studies.listGuardians(request) }
    await world.end()
  }
}
