import Base
import ConsentContract
import ConsentService
import RPC
import StorageTestKit
import Testing
import Wire

/// A device's clock may state any time.
@Suite("Times of devices")
struct DeviceTimeTests {
  static let impossible = [
    (DeviceTime(at: Timestamp(seconds: .max)), "time_out_of_bounds"),
    (DeviceTime(at: Timestamp(seconds: .min)), "time_out_of_bounds"),
    (DeviceTime(at: Timestamp(seconds: 1, nanos: -1)), "time_out_of_bounds"),
    (DeviceTime(at: Timestamp(seconds: -1)), "time_out_of_bounds"),
    (DeviceTime(utcOffsetMinutes: 1081), "offset_out_of_bounds"),
    (DeviceTime(utcOffsetMinutes: .min), "offset_out_of_bounds"),
  ]

  @Test("a time outside the calendar is refused in every call that takes one, and changes nothing")
  func refused() async throws {
    let world = try await World()
    try await world.open()
    let naming = try await world.walk { $0.kind == .name }
    let record = try await world.record(of: try await world.walk(subject: "s2"))
    for (time, rule) in Self.impossible {
      await expectRefusal(.invalidArgument, rule) {
        try await world.app.sessions.startSession(StartSessionRequest(flowID: "flow", deviceTime: time))
      }
      await expectRefusal(.invalidArgument, rule) {
        var action = Walker.filled(.enterName, on: ConsentScreen())
        action.deviceTime = time
        return try await world.act(naming, action)
      }
      await expectRefusal(.invalidArgument, rule) {
        try await world.app.records.updateSharing(
          UpdateSharingRequest(recordID: record.recordID, sharing: .investigatorOnly, deviceTime: time))
      }
      await expectRefusal(.invalidArgument, rule) {
        try await world.app.records.withdrawConsent(WithdrawConsentRequest(recordID: record.recordID, deviceTime: time))
      }
      await expectRefusal(.invalidArgument, rule) {
        try await world.investigator.sessions.signRecord(
          SignRecordRequest(
            recordID: record.recordID, signatureID: "investigator", name: PersonName(given: "I", family: "I"),
            signature: SignatureInput(image: .typed(TypedSignature(text: "I I", font: "plain"))), deviceTime: time))
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
    action.deviceTime = DeviceTime(at: Timestamp(seconds: 253_402_300_799, nanos: 999_000_000), utcOffsetMinutes: 1080)
    let record = try await world.record(of: try await world.act(signing, action))
    for format in [RecordFormat.fhirR5, .receipt] {
      let export = try await world.app.records.exportRecord(
        ExportRecordRequest(recordID: record.recordID, format: format))
      #expect(!export.content.isEmpty)
    }
    #expect(
      TimeText.rfc3339(Instant(millisecondsSince1970: .max)) == "9999-12-31T23:59:59.999Z"
        && TimeText.rfc3339(Instant(millisecondsSince1970: .min)).hasPrefix("0001-01-01T00:00"))
    await world.end()
  }
}
