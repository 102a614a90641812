import Base
import Bus
import Ink
import InkSamples
import RPC
import ServicePolicy
import SignatureContract
import SignatureService
import Storage
import StorageTestKit
import Testing
import Wire

/// A field that is lent to another device, such as a phone, which draws in it and does nothing else.
@Suite(.timeLimit(.minutes(2))) struct LendingTests {
  private static let link = "link:00112233aabbccdd"
  private static let phone = "\(link)/0123456789abcdef"
  private static let otherPhone = "\(link)/ffffffffffffffff"

  /// A device as the gateway calls for it that sealed its token.
  private func borrower(_ device: String, of field: String, _ bench: SignatureBench) -> SignatureServiceClient {
    SignatureServiceClient(bench.channel(as: device, grants: ["field@\(field)"]))
  }

  /// A field that is woken and lent to a link.
  private func lent(_ bench: SignatureBench) async throws -> FieldDriver {
    var field = try await FieldDriver.create(bench.device())
    try await field.tap()
    let view = try #require(try await lend(field.view.fieldID, to: Self.link, by: bench.device()))
    #expect(view.lentTo == Self.link && view.version == field.view.version + 1)
    return FieldDriver(client: bench.device(), view: view)
  }

  @discardableResult
  private func lend(
    _ field: String, to device: String, by client: SignatureServiceClient
  ) async throws -> FieldView? {
    try await client.lendField(LendFieldRequest(fieldID: field, device: device)).view
  }

  private var stroke: Stroke {
    Stroke(
      points: (0..<40).map { number -> StrokePoint in
        let time = Double(number)
        return StrokePoint(x: 20 + time * 4, y: 60 + time, time: time * 8)
      })
  }

  @Test(
    "a phone draws in the field that was lent, its holder watches it drawn and saves it, and the record says where",
    arguments: TestEngine.allCases)
  func drawn(engine: TestEngine) async throws {
    let bench = try await SignatureBench(on: engine)
    var field = try await lent(bench)
    let id = field.view.fieldID
    let watch = try bench.device().watchField(
      WatchFieldRequest(fieldID: id, afterVersion: field.view.version), deadline: .seconds(60))
    let opened = try await lend(id, to: Self.phone, by: borrower(Self.link, of: id, bench))
    var phone = FieldDriver(client: borrower(Self.phone, of: id, bench), view: try #require(opened))
    try await phone.draw([stroke], chunk: 10)
    var (seen, points) = ([String](), 0)
    for try await change in watch {
      if let device = change.view?.lentTo, device != seen.last { seen.append(device) }
      points += change.pieces.reduce(0) { $0 + $1.x.count }
      if points == 40, seen.last == Self.phone { break }
    }
    // Who comes late does not see who had the field before.
    #expect(seen == [Self.link, Self.phone] || seen == [Self.phone], "who draws is seen, and every point as it comes")
    try await lend(id, to: "", by: phone.client)
    try await field.refresh()
    #expect(field.view.lentTo.isEmpty && field.view.state == .signed)
    try await field.save()
    #expect(field.view.saved?.drawnOn == Self.phone && field.view.saved?.device == "tablet-7")
    let told = try await bench.database.database.scope(.named("clinic")).read {
      try $0.events(after: 0, stream: id, limit: 100)
    }
    let kinds = ["created", "woken", "lent", "lent", "returned", "saved"].map { "field.\($0)" }
    #expect(told.map(\.type) == kinds)
    let events = try told.map { try FieldEvent(decoding: $0.payload) }
    #expect(events.map(\.lentTo) == ["", "", Self.link, Self.phone, "", ""])
    #expect(events.map(\.device) == ["tablet-7", "tablet-7", "tablet-7", Self.link, Self.phone, "tablet-7"])
    #expect(events.last?.drawnOn == Self.phone)
  }

  @Test("a device to which a field is lent draws in it, and does nothing else anywhere")
  func nothingElse() async throws {
    let bench = try await SignatureBench(on: .sqlite)
    let field = try await lent(bench)
    let other = try await FieldDriver.signed(bench.device())
    let id = field.view.fieldID
    let opened = try await lend(id, to: Self.phone, by: borrower(Self.link, of: id, bench))
    var phone = FieldDriver(client: borrower(Self.phone, of: id, bench), view: try #require(opened))
    try await phone.draw([stroke])
    let (client, version) = (phone.client, phone.view.version)
    let refused = [
      await status { _ = try await client.saveField(SaveFieldRequest(fieldID: id, expectedVersion: version)) },
      await status { _ = try await client.cancelField(CancelFieldRequest(fieldID: id, expectedVersion: version)) },
      await status {
        let name = TypedName(text: "Eve")
        _ = try await client.saveTypedName(SaveTypedNameRequest(fieldID: id, expectedVersion: version, name: name))
      },
      await status { _ = try await client.listFields(ListFieldsRequest(sessionID: "session-1")) },
      await status { _ = try await client.getField(GetFieldRequest(fieldID: other.view.fieldID)) },
      await status {
        _ = try await client.getPicturedSignature(
          GetPicturedSignatureRequest(signatureID: other.view.saved?.signatureID ?? ""))
      },
      await status { _ = try await lend(other.view.fieldID, to: Self.phone, by: client) },
      await status { _ = try await FieldDriver.create(client) },
    ]
    #expect(refused.map { $0?.code } == Array(repeating: .permissionDenied, count: refused.count))
    // A name alone admits nobody: only a gateway's token bears the grant.
    let named = SignatureServiceClient(bench.channel(as: Self.phone))
    #expect(await status { _ = try await named.getField(GetFieldRequest(fieldID: id)) }?.code == .permissionDenied)
    #expect(phone.view.lentTo == Self.phone && phone.view.state == .signed)
  }

  @Test("a second phone takes over, and the first is told so; what is drawn stays")
  func takenOver() async throws {
    let bench = try await SignatureBench(on: .sqlite)
    let id = try await lent(bench).view.fieldID
    let link = borrower(Self.link, of: id, bench)
    let opened = try await lend(id, to: Self.phone, by: link)
    var first = FieldDriver(client: borrower(Self.phone, of: id, bench), view: try #require(opened))
    try await first.draw([stroke])
    let again = try await lend(id, to: Self.otherPhone, by: link)
    var second = FieldDriver(client: borrower(Self.otherPhone, of: id, bench), view: try #require(again))
    let told = await status { try await first.draw([stroke]) }
    #expect(told?.code == .failedPrecondition && told?.rule == "other_device")
    let watching = await status {
      for try await _ in try first.client.watchField(WatchFieldRequest(fieldID: id), deadline: .seconds(20)) {}
    }
    #expect(watching?.rule == "other_device")
    try await second.draw([stroke])
    #expect(second.view.strokeCount == 2)
  }

  @Test("a loan ends when its field is given back, saved, cancelled, closed, lent anew or changed by its holder")
  func ends() async throws {
    let bench = try await SignatureBench(on: .sqlite)
    let acts: [@Sendable (inout FieldDriver) async throws -> Void] = [
      { try await $0.save() }, { try await $0.cancel() }, { try await $0.clear() },
      { try await $0.draw([Stroke(points: [StrokePoint(x: 9, y: 9, time: 0)])]) },
      { field in
        _ = try await bench.device().lendField(LendFieldRequest(fieldID: field.view.fieldID))
      },
      { field in
        let other = LendFieldRequest(fieldID: field.view.fieldID, device: "link:aaaaaaaaaaaaaaaa")
        _ = try await bench.device().lendField(other)
      },
    ]
    for act in acts {
      var field = try await lent(bench)
      let id = field.view.fieldID
      let opened = try await lend(id, to: Self.phone, by: borrower(Self.link, of: id, bench))
      var phone = FieldDriver(client: borrower(Self.phone, of: id, bench), view: try #require(opened))
      try await phone.draw([stroke])
      try await field.refresh()
      try await act(&field)
      let told = await status { try await phone.draw([stroke]) }
      #expect(told?.rule == "loan_ended", "\(String(describing: told))")
      let reopened = await status { try await lend(id, to: Self.otherPhone, by: borrower(Self.link, of: id, bench)) }
      #expect(reopened?.rule == "loan_ended")
    }
    var saved = try await FieldDriver.signed(bench.device())
    let late = await status { try await lend(saved.view.fieldID, to: Self.link, by: bench.device()) }
    let detail = try late?.detail(FieldRefusal.self)
    #expect(late?.code == .failedPrecondition && detail?.current == saved.view)
    try await saved.refresh()
    #expect(saved.view.lentTo.isEmpty && saved.view.saved?.drawnOn == "")
  }

  @Test("where it was drawn is forgotten with the ink, and not with its last stroke alone")
  func hand() async throws {
    let bench = try await SignatureBench(on: .sqlite)
    var field = try await lent(bench)
    let id = field.view.fieldID
    let opened = try await lend(id, to: Self.phone, by: borrower(Self.link, of: id, bench))
    var phone = FieldDriver(client: borrower(Self.phone, of: id, bench), view: try #require(opened))
    try await phone.draw([stroke, stroke])
    func undo() async throws {
      try await field.refresh()
      let request = UndoStrokeRequest(fieldID: id, expectedVersion: field.view.version)
      _ = try await bench.device().undoStroke(request)
      try await field.refresh()
    }
    try await undo()
    try await field.draw([stroke])
    try await field.save()
    #expect(field.view.saved?.drawnOn == Self.phone, "a part of it was drawn there")
    try await field.reEnter()
    try await field.tap()
    try await field.draw([stroke])
    try await field.save()
    #expect(field.view.saved?.drawnOn == "")
  }

  @Test(
    "a field is lent to the name of a link alone",
    arguments: [
      "phone", "tablet-7", "link:", "link:0011", "link:00112233aabbccdd/", "link:00112233aabbccdd/x",
      "link:00112233AABBCCDD",
    ])
  func names(device: String) async throws {
    let bench = try await SignatureBench(on: .sqlite)
    let id = try await lent(bench).view.fieldID
    let told = await status { try await lend(id, to: device, by: bench.device()) }
    #expect(told?.code == .invalidArgument && told?.rule == "bad_device")
  }
}
