import Bus
import ConsentContract
import ConsentService
import StorageTestKit
import Testing

/// A device's clock may say anything.
@Suite("Times of devices")
struct DeviceTimeTests {
  static let impossible = [
    (DeviceTime(atMs: .max), "time_out_of_bounds"), (DeviceTime(atMs: .min), "time_out_of_bounds"),
    (DeviceTime(atMs: -1), "time_out_of_bounds"), (DeviceTime(atMs: 1, utcOffsetMinutes: 1081), "offset_out_of_bounds"),
    (DeviceTime(atMs: 1, utcOffsetMinutes: .min), "offset_out_of_bounds"),
  ]

  @Test("what no calendar holds is refused in every call that takes one, and changes nothing")
  func refused() async throws {
    let world = try await World()
    try await world.open()
    let naming = try await world.walk { $0.kind == .name }
    let record = try await world.record(of: try await world.walk(subject: "s2"))
    for (time, rule) in Self.impossible {
      await expectRefusal(.invalidArgument, rule) {
        try await world.app.startSession(StartSessionRequest(flowID: "flow", deviceTime: time))
      }
      await expectRefusal(.invalidArgument, rule) {
        var action = Walker.filled(.enterName, on: ConsentScreen())
        action.deviceTime = time
        return try await world.act(naming, action)
      }
      await expectRefusal(.invalidArgument, rule) {
        try await world.app.changeSharing(
          ChangeSharingRequest(recordID: record.id, choice: .investigatorOnly, deviceTime: time))
      }
      await expectRefusal(.invalidArgument, rule) {
        try await world.app.withdrawConsent(WithdrawConsentRequest(recordID: record.id, deviceTime: time))
      }
      await expectRefusal(.invalidArgument, rule) {
        try await world.investigator.counterSign(
          CounterSignRequest(
            recordID: record.id, signatureID: "investigator", name: PersonName(given: "I", family: "I"),
            signature: SignatureInput(image: .typed(TypedSignature(text: "I", font: "plain"))), deviceTime: time))
      }
    }
    #expect(try await world.record(of: record.sessionID) == record)
    await world.end()
  }

  @Test("the ends of the calendar are printed and exported like any other time")
  func ends() async throws {
    let world = try await World()
    try await world.open()
    let signing = try await world.walk { $0.kind == .signature }
    var action = Walker.filled(.sign, on: try #require(signing.screen))
    action.deviceTime = DeviceTime(atMs: TimeText.last, utcOffsetMinutes: 1080)
    let record = try await world.record(of: try await world.act(signing, action))
    for format in [RecordFormat.fhirR5, .receipt] {
      let export = try await world.app.exportRecord(ExportRecordRequest(recordID: record.id, format: format))
      #expect(!export.content.isEmpty)
    }
    #expect(
      TimeText.rfc3339(.max) == "9999-12-31T23:59:59.999Z" && TimeText.rfc3339(.min).hasPrefix("0001-01-01T00:00"))
    await world.end()
  }
}
