import Base
import CommonContract
import Ink
import InkSamples
import RPC
import SignatureContract
import SignatureService
import Storage
import StorageTestKit
import Testing
import Wire

/// Who may read signatures, and what remains of them where.
@Suite(.timeLimit(.minutes(2))) struct PrivacyTests {
  @Test("strokes are given to the study's staff, administrators and services, and to nobody else")
  func access() async throws {
    let bench = try await SignatureBench(on: .sqlite)
    let field = try await FieldDriver.create(bench.device(), site: "site-1")
    var driver = field
    try await driver.tap()
    try await driver.draw(SampleSignature.reference.ink.strokes)
    try await driver.save()
    let request = GetStrokesRequest(signature: .signatureID(try #require(driver.view.saved).signatureID))

    func code(_ kind: CallerKind, _ grants: [String]) async -> StatusCode? {
      let client = SignatureServiceClient(bench.channel(kind, as: "somebody", grants: grants))
      return await status { _ = try await client.getStrokes(request) }?.code
    }
    #expect(await code(.device, []) == .permissionDenied)
    for grant in ["participant@study-1", "inspector@study-2", "inspector@study-1/site-2", "publisher@*", "inspector"] {
      #expect(await code(.person, [grant]) == .permissionDenied, "\(grant)")
    }
    for grant in ["inspector@study-1", "investigator@study-1/site-1", "coordinator@*", "admin@study-1"] {
      #expect(await code(.person, [grant]) == nil, "\(grant)")
    }
    #expect(await code(.person, ["admin@*"]) == nil)
    #expect(try await bench.service.getStrokes(request).blob.isEmpty == false)
  }

  @Test("reading by staff or a device is on record, with what was read and why", arguments: TestEngine.allCases)
  func onRecord(engine: TestEngine) async throws {
    let bench = try await SignatureBench(on: engine)
    let field = try await FieldDriver.signed(bench.device())
    let signature = try #require(field.view.saved).signatureID
    let request = RenderRequest(source: .signatureID(signature))
    _ = try await RenderServiceClient(bench.channel()).render(request)
    let own = try await disclosures(bench)
    #expect(own.count == 1 && own[0].actor == "tablet-7" && own[0].purpose == "signature picture")
    #expect(own[0].capacity == "device" && own[0].studyID == "study-1" && own[0].subjectID == "subject-1")

    let inspector = bench.channel(.person, as: "dr-grey", grants: ["inspector@study-1"])
    _ = try await SignatureServiceClient(inspector).getStrokes(GetStrokesRequest(signature: .signatureID(signature)))
    _ = try await RenderServiceClient(inspector).render(request)
    let records = Array(try await disclosures(bench).dropFirst())
    #expect(records.count == 2)
    #expect(records.allSatisfy { $0.actor == "dr-grey" && $0.item == "signature/\(signature)" })
    #expect(records.map(\.purpose) == ["signature strokes", "signature picture"])
    #expect(records.allSatisfy { $0.capacity == "inspector" })
    _ = try await bench.service.getStrokes(GetStrokesRequest(signature: .signatureID(signature)))
    #expect(try await disclosures(bench).last?.callerKind == "service", "by whatever key")
  }

  @Test("looks at a field are on record, however often a screen asks")
  func looks() async throws {
    let bench = try await SignatureBench(on: .sqlite)
    let field = try await FieldDriver.signed(bench.device())
    for _ in 0..<20 { _ = try await bench.nurse.getField(GetFieldRequest(fieldID: field.view.fieldID)) }
    let looks = try await disclosures(bench).filter { $0.actor == "nurse" }
    #expect(looks.count == 1 && looks.first?.purpose == "field" && looks.first?.subjectID == "subject-1")
    _ = try await bench.device().listFields(ListFieldsRequest(sessionID: "session-1"))
    _ = try await bench.device().listRevisions(ListRevisionsRequest(fieldID: field.view.fieldID))
    #expect(try await disclosures(bench).suffix(2).map(\.purpose) == ["list of fields", "list of revisions"])
  }

  private func disclosures(_ bench: SignatureBench) async throws -> [TrailEntry] {
    try await bench.accesses().filter { $0.kind == .read }
  }

  @Test("events record every change, in order, with hashes and without strokes", arguments: TestEngine.allCases)
  func events(engine: TestEngine) async throws {
    let bench = try await SignatureBench(on: engine)
    var field = try await FieldDriver.signed(bench.device())
    let hash = try #require(field.view.saved).hash
    try await field.reEnter()
    let id = field.view.fieldID
    let events = try await bench.database.database.scope(.named("clinic")).read {
      try $0.events(after: 0, stream: id, limit: 100)
    }
    #expect(events.map(\.type) == ["field.created", "field.woken", "field.saved", "field.re-entered"])
    let told = try events.map { try FieldEvent(decoding: $0.payload) }
    #expect(told.map(\.hash) == ["", "", hash, hash])
    #expect(told.map(\.version) == told.map(\.version).sorted())
    #expect(told.allSatisfy { $0.actor == "tablet-7" && $0.fieldID == id })
  }

  @Test(
    "erasing a subject makes strokes and names unreadable and keeps hashes and times", arguments: TestEngine.allCases)
  func erasing(engine: TestEngine) async throws {
    let bench = try await SignatureBench(on: engine)
    let field = try await FieldDriver.signed(bench.device(), subject: "subject-7")
    let other = try await FieldDriver.signed(bench.device(), subject: "subject-8")
    let saved = try #require(field.view.saved)
    let admin = SignatureServiceClient(bench.channel(.person, as: "root", grants: ["admin@*"]))
    _ = try await admin.holdSignatures(HoldSignaturesRequest(subjectID: "subject-7", held: true, reason: "dispute"))
    let erase = EraseSignaturesRequest(subjectID: "subject-7", reason: "request")
    let held = await status { _ = try await admin.eraseSignatures(erase) }
    #expect(held?.code == .failedPrecondition && held?.message.contains("hold") == true)
    _ = try await admin.holdSignatures(HoldSignaturesRequest(subjectID: "subject-7", held: false, reason: "settled"))
    #expect(try await admin.eraseSignatures(erase).erasedAt != nil)

    let gone = await status {
      _ = try await bench.service.getStrokes(GetStrokesRequest(signature: .signatureID(saved.signatureID)))
    }
    #expect(gone?.code == .failedPrecondition && gone?.message.contains("erased") == true)
    let revisions = try await bench.device().listRevisions(ListRevisionsRequest(fieldID: field.view.fieldID))
    #expect(revisions.revisions == [saved])
    // Whoever follows the fields hears of it once, and of no other's.
    _ = try await bench.service.eraseSignatures(erase)
    let trail = try await bench.service.listSignatureTrail(ListSignatureTrailRequest(pageSize: 1000, allStudies: true))
    let erasures = trail.entries.filter { $0.purpose == "field.erased" }
    #expect(erasures.map(\.item) == ["field/\(field.view.fieldID)"] && erasures.map(\.actor) == ["root"])
    #expect(erasures.allSatisfy { $0.kind == .changed && $0.subjectID == "subject-7" && $0.studyID == "study-1" })
    let kept = try #require(other.view.saved)
    _ = try await bench.service.getStrokes(GetStrokesRequest(signature: .signatureID(kept.signatureID)))
    let denied = await status { _ = try await bench.device().eraseSignatures(erase) }
    #expect(denied?.code == .permissionDenied)
  }

  @Test("a field that is made while its subject is erased is among those that are said to be erased")
  func erasedMeanwhile() async throws {
    let bench = try await SignatureBench(on: .postgres)
    let device = bench.device()
    _ = try await FieldDriver.create(device, subject: "subject-7")
    let service = bench.service
    try await bench.database.together([
      { _ = try await FieldDriver.create(device, subject: "subject-7") },
      { _ = try await service.eraseSignatures(EraseSignaturesRequest(subjectID: "subject-7", reason: "request")) },
    ])
    let trail = try await service.listSignatureTrail(ListSignatureTrailRequest(pageSize: 1000, allStudies: true))
    let made = trail.entries.filter { $0.purpose == "field.created" }.map(\.item)
    let erased = trail.entries.filter { $0.purpose == "field.erased" }.map(\.item)
    #expect(made.count == 2 && erased.sorted() == made.sorted())
  }

  /// The fields of which it is on record that they were erased.
  private func erasedFields(_ bench: SignatureBench) async throws -> [String] {
    let request = ListSignatureTrailRequest(pageSize: 1000, allStudies: true)
    let entries = try await bench.service.listSignatureTrail(request).entries
    return entries.filter { $0.purpose == "field.erased" }.map(\.item)
  }

  @Test(
    "an erasure that a restore has made again is said of each field once it is repeated",
    arguments: TestEngine.allCases)
  func erasedUnsaid(engine: TestEngine) async throws {
    let bench = try await SignatureBench(on: engine)
    let subject = try #require(Subject("subject-7"))
    let fields = [
      try await FieldDriver.signed(bench.device(), subject: "subject-7"),
      try await FieldDriver.create(bench.device(), subject: "subject-7"),
    ]
    _ = try await FieldDriver.create(bench.device(), subject: "subject-8")
    try await bench.database.database.scope(.named("clinic")).write { transaction in
      try transaction.vault.erase(subject, by: "consent", reason: "request")
    }
    #expect(try await erasedFields(bench).isEmpty)
    for _ in 0..<2 {
      _ = try await bench.service.eraseSignatures(EraseSignaturesRequest(subjectID: "subject-7", reason: "request"))
      #expect(try await erasedFields(bench).sorted() == fields.map { "field/\($0.view.fieldID)" }.sorted())
    }
  }

  @Test("an erasure that is done again after a restore is said of each field", arguments: TestEngine.allCases)
  func restored(engine: TestEngine) async throws {
    let bench = try await SignatureBench(on: engine)
    let test = bench.database
    let field = try await FieldDriver.signed(bench.device(), subject: "subject-7")
    // The database is as before the erasure, of which the list tells.
    let list = test.folder.file("list")
    try Files.write(Array("erased clinic subject-7 - 1 - .\n".utf8), to: list, mode: 0o600)
    for _ in 0..<2 {
      let restored = try await Database.open(
        test.location, schema: test.schema, keys: test.keys, erasures: try ErasureList(list),
        alongside: PrivacyStore.eraseAgain)
      await restored.close()
      #expect(try await erasedFields(bench) == ["field/\(field.view.fieldID)"])
    }
    // Somebody who follows may have been further than the restored log: a repeat says it once more.
    let request = EraseSignaturesRequest(subjectID: "subject-7", reason: "request")
    for _ in 0..<2 {
      _ = try await bench.service.eraseSignatures(request)
      #expect(try await erasedFields(bench) == Array(repeating: "field/\(field.view.fieldID)", count: 2))
    }
  }

  @Test("an erasure that a service carries counts before the first field, and a person's needs a subject")
  func erasedAhead() async throws {
    let bench = try await SignatureBench(on: .sqlite)
    let erase = EraseSignaturesRequest(subjectID: "subject-9", reason: "request")
    let admin = SignatureServiceClient(bench.channel(.person, as: "root", grants: ["admin@*"]))
    let unknown = await status { _ = try await admin.eraseSignatures(erase) }
    #expect(unknown?.code == .notFound)
    for _ in 0..<2 { #expect(try await bench.service.eraseSignatures(erase).erasedAt != nil) }
    let refused = await status { _ = try await FieldDriver.create(bench.device(), subject: "subject-9") }
    #expect(refused?.code == .failedPrecondition && refused?.message.hasPrefix("subject_erased: ") == true)
    _ = try await FieldDriver.create(bench.device(), subject: "subject-10")
  }

  @Test("nobody holds or releases their own signatures, under whichever identifier; a program releases nobody's")
  func ownHold() async throws {
    let bench = try await SignatureBench(on: .sqlite)
    _ = try await bench.service.noteMergedSigner(NoteMergedSignerRequest(endedID: "old", stayingID: "carl"))
    func hold(_ isHeld: Bool, _ subject: String, by actor: String) async throws -> Bool {
      let admin = SignatureServiceClient(bench.channel(.person, as: actor, grants: ["admin@*"]))
      let request = HoldSignaturesRequest(subjectID: subject, held: isHeld, reason: "a lawsuit")
      return try await admin.holdSignatures(request).held
    }
    for subject in ["old", "carl"] {
      for isHeld in [true, false] {
        let own = await status { _ = try await hold(isHeld, subject, by: "carl") }
        #expect(own?.message.hasPrefix("staff_is_subject: ") == true, "\(subject): \(own?.message ?? "")")
      }
    }
    let program = "key:0123456789abcdef"
    #expect(try await hold(true, "old", by: program))
    let lifted = await status { _ = try await hold(false, "old", by: program) }
    #expect(lifted?.message.hasPrefix("person_needed: ") == true, "\(lifted?.message ?? "")")
    // While another service holds them, they are held, whatever administrators release.
    var request = HoldSignaturesRequest(subjectID: "old", held: true, reason: "a hold in ConsentService")
    #expect(try await bench.service.holdSignatures(request).held)
    #expect(try await hold(false, "old", by: "root"))
    request.held = false
    #expect(try await !bench.service.holdSignatures(request).held)
  }

  @Test("the database contains no name, text or stroke unencrypted")
  func nothingInTheClear() async throws {
    let bench = try await SignatureBench(on: .sqlite)
    var field = try await FieldDriver.create(
      bench.device(), settings: FieldSettings(header: "Signature of Wilhelmina Quixote", label: "Planted label"))
    try await field.tap()
    let ink = SampleSignature.reference.ink
    try await field.draw(ink.strokes, chunk: 500)
    try await field.save()
    var typed = try await FieldDriver.create(bench.device())
    try await typed.tap()
    try await typed.type("Wilhelmina Quixote")
    guard case .sqlite(let path) = bench.database.location else { return }
    let kept = try Ink(validating: ink.strokes, canvas: Canvas(width: 600, height: 200), device: "stylus")
    let drawn = StrokePiece(CapturedPiece(beginsStroke: true, points: ink.strokes[0].points))
    let planted: [[UInt8]] = [
      Array("Wilhelmina".utf8), Array("Quixote".utf8), Array("Planted".utf8), Array(StrokeBlob(kept).bytes[40..<60]),
      Array(try drawn.encoded()[20..<60]),
    ]
    for file in [path, "\(path)-wal"] where Files.exists(file) {
      let bytes = try Files.read(file)
      for secret in planted { #expect(!contains(bytes, secret), "\(file)") }
    }
    #expect(contains(try Files.read(path) + (try Files.read("\(path)-wal")), Array("study-1".utf8)), "the search finds")
  }

  private func contains(_ bytes: [UInt8], _ wanted: [UInt8]) -> Bool { !bytes.ranges(of: wanted).isEmpty }
}
