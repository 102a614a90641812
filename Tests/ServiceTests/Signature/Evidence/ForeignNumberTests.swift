import Ink
import RPC
import SignatureContract
import SignatureService
import Storage
import StorageTestKit
import Testing

/// Numbers that nobody but an intruder writes into the rows of a field: a call that would compute with one is refused,
/// and the process goes on.
@Suite(.timeLimit(.minutes(2))) struct ForeignNumberTests {
  private static let dots = [
    Stroke(points: [StrokePoint(x: 5, y: 5, time: 0)]), Stroke(points: [StrokePoint(x: 9, y: 9, time: 0)]),
  ]

  private func expectLoss(_ name: String, _ calls: [() async throws -> Void]) async {
    for (index, call) in calls.enumerated() {
      #expect(await status(of: call)?.code == .dataLoss, "\(name), call \(index)")
    }
  }

  /// Writes a value into every row, expects that the calls are refused, and puts back what was there.
  private func expectLoss(
    _ bench: SignatureBench, _ table: String, _ change: (column: String, value: Int64),
    _ calls: [() async throws -> Void]
  ) async throws {
    try await meeting(bench, table, change) { await expectLoss($0, calls) }
  }

  /// Does something while every row has a value.
  private func meeting(
    _ bench: SignatureBench, _ table: String, _ change: (column: String, value: Int64),
    _ work: (_ name: String) async throws -> Void
  ) async throws {
    let (column, value) = change
    // The lowest number cannot be written as a negated positive one.
    let literal = value == .min ? "-\(Int64.max) - 1" : "\(value)"
    try await alter(
      bench,
      "CREATE TABLE kept AS SELECT id, \(column) FROM \(table);"
        + "UPDATE \(table) SET \(column) = \(literal);")
    try await work("\(table).\(column) = \(value)")
    try await alter(
      bench,
      "UPDATE \(table) SET \(column) = (SELECT k.\(column) FROM kept k WHERE k.id = \(table).id);"
        + "DROP TABLE kept;")
  }

  private func alter(_ bench: SignatureBench, _ sql: String) async throws {
    try await bench.database.location.alter(sql, schema: bench.database.schema.name)
  }

  @Test("a field being drawn in whose counts were forged is refused")
  func drawing() async throws {
    let bench = try await SignatureBench(on: .sqlite, isDamaged: true)
    var field = try await FieldDriver.create(bench.device())
    try await field.tap()
    try await field.draw(Self.dots)
    let (client, driver, view) = (bench.device(), field, field.view)
    let calls: [() async throws -> Void] = [
      { _ = try await client.getField(GetFieldRequest(fieldID: view.fieldID)) },
      { _ = try await client.listFields(ListFieldsRequest(sessionID: "session-1")) },
      { _ = try await client.undoStroke(UndoStrokeRequest(fieldID: view.fieldID, expectedVersion: view.version)) },
      { _ = try await client.saveField(SaveFieldRequest(fieldID: view.fieldID, expectedVersion: view.version)) },
      { _ = try await driver.append(Self.dots, after: view.version) },
    ]
    let counts = [
      "begun_strokes", "kept_strokes", "points", "dropped", "last_points", "last_kept", "pinned", "revisions", "blocks",
    ]
    for column in counts {
      for value in [3_000_000_000, Int64.max, -1] {
        try await expectLoss(bench, "fields", (column, value), calls)
      }
    }
    for value in [Int64.max, 0, Int64.min] { try await expectLoss(bench, "fields", ("version", value), calls) }
    try await expectLoss(bench, "fields", ("blocks", 5), calls)
    try await field.refresh()
    #expect(field.view == view, "what was put back is well")

    try await alter(bench, "DELETE FROM storage_vault_items WHERE item = 'drawing:\(view.fieldID):0';")
    await expectLoss("block deleted", Array(calls[2...]))
  }

  @Test("a drawing that was forged to go on with no stroke cannot be saved")
  func noStroke() async throws {
    let bench = try await SignatureBench(on: .sqlite, isDamaged: true)
    var field = try await FieldDriver.create(bench.device())
    try await field.tap()
    try await alter(bench, "UPDATE fields SET begun_strokes = 1, outside = 0, sight = 2;")
    let call = bench.device().appendStrokes()
    let piece = StrokePiece(CapturedPiece(beginsStroke: false, points: Self.dots[0].points))
    try await call.requests.send(
      AppendStrokesRequest(fieldID: field.view.fieldID, expectedVersion: field.view.version, pieces: [piece]))
    let view = try #require(try await call.finish().message.view)
    let client = bench.device()
    await expectLoss(
      "no stroke",
      [{ _ = try await client.saveField(SaveFieldRequest(fieldID: view.fieldID, expectedVersion: view.version)) }])
  }

  @Test("a saved signature whose numbers were forged ends no process")
  func saved() async throws {
    let bench = try await SignatureBench(on: .sqlite, isDamaged: true)
    let field = try await FieldDriver.signed(bench.device())
    let (client, view) = (bench.device(), field.view)
    let calls: [() async throws -> Void] = [
      { _ = try await client.getField(GetFieldRequest(fieldID: view.fieldID)) },
      { _ = try await client.listFields(ListFieldsRequest(sessionID: "session-1")) },
      { _ = try await client.listRevisions(ListRevisionsRequest(fieldID: view.fieldID)) },
    ]
    for column in ["revision", "strokes", "points", "dropped", "saved_ms", "device_ms", "utc_offset", "replaced_ms"] {
      for value in [Int64.min, Int64.max] {
        try await meeting(bench, "signatures", (column, value)) { name in
          for call in calls {
            let refusal = await status(of: call)
            #expect(refusal == nil || refusal?.code == .dataLoss, "\(name)")
          }
        }
      }
    }
    for call in calls { try await call() }
  }

  @Test("a field whose saved signature was deleted is refused, also where it is entered again")
  func deleted() async throws {
    let bench = try await SignatureBench(on: .sqlite, isDamaged: true)
    let field = try await FieldDriver.signed(bench.device())
    let (client, view) = (bench.device(), field.view)
    try await alter(bench, "DELETE FROM signatures;")
    await expectLoss(
      "signature deleted",
      [
        { _ = try await client.getField(GetFieldRequest(fieldID: view.fieldID)) },
        { _ = try await client.listFields(ListFieldsRequest(sessionID: "session-1")) },
        {
          _ = try await client.reEnterField(ReEnterFieldRequest(fieldID: view.fieldID, expectedVersion: view.version))
        },
      ])
  }
}
