import Base
import ConsentContract
import ConsentDomain
import RPC
import Testing
import Wire

/// Receipts in the manner of ISO/IEC TS 27560: what a person gets to keep.
@Suite struct ReceiptTests {
  private static func content() -> DocumentContent {
    var content = Example.content()
    content.settings?.controller = ConsentParty(
      name: "Example University", address: "1 Example Street", email: "study@university.example",
      url: "https://university.example", contact: "Data protection officer, dpo@university.example")
    content.settings?.withdrawalURL = "https://university.example/leave"
    content.settings?.purposes.append(ConsentPurpose(code: "contact"))
    for index in content.texts.indices {
      let locale = content.texts[index].locale
      content.texts[index].purposes = [
        PurposeText(
          purposeCode: "research", title: "Heart research (\(locale))", description: "We look for patterns.",
          dataCategories: ["pulse", "steps"], recipients: ["Partner Institute"], retention: "Ten years."),
        PurposeText(purposeCode: "contact", title: "Contact later"),
      ]
      content.texts[index].rights = ["to see your data", "to have them corrected"]
      content.texts[index].withdrawal = "Tell any of us, or use the page. (\(locale))"
    }
    return content
  }

  private func receipt(_ world: World, _ record: ConsentRecord) async throws -> PlainJSON {
    try PlainJSON(
      await world.app.records.exportRecord(ExportRecordRequest(recordID: record.recordID, format: .receipt)).content)
  }

  @Test("the receipt says what for, which data, to whom, how long, by whom, and how to withdraw, in the language shown")
  func everything() async throws {
    let world = try await World()
    try await world.open(content: Self.content())
    let record = try await world.record(of: try await world.walk(locale: "de"))
    let receipt = try await receipt(world, record)
    #expect(receipt["schema_version"].text == "ISO-IEC-TS-27560:2023" && receipt["receipt_id"].text == record.recordID)
    let processing = receipt["pii_processing"]
    let notice = processing["privacy_notice"]
    #expect(notice["version_hash"].text == record.versionHash && notice["shown_hash"].text == record.shownHash)
    #expect(notice["language"].text == "de")
    let purpose = try #require(processing["purposes"].items.first)
    #expect(purpose["purpose_id"].text == "research" && purpose["purpose"].text == "Heart research (de)")
    #expect(purpose["description"].text == "We look for patterns." && purpose["retention_period"].text == "Ten years.")
    #expect(purpose["pii_information"].items.map(\.text) == ["pulse", "steps"])
    #expect(purpose["recipient_third_parties"].items.map(\.text) == ["Partner Institute"])
    #expect(processing["privacy_rights"].items.map(\.text) == ["to see your data", "to have them corrected"])
    #expect(processing["withdrawal_method"]["description"].text == "Tell any of us, or use the page. (de)")
    #expect(processing["withdrawal_method"]["url"].text == "https://university.example/leave")
    let controller = try #require(receipt["party_identification"].items.first)
    #expect(controller["party_name"].text == "Example University" && !controller["party_contact"].text.isEmpty)
    await world.end()
  }

  @Test("states are spelled one way in all of its parts, and a withdrawn purpose says so")
  func states() async throws {
    let world = try await World()
    try await world.open(content: Self.content())
    let record = try await world.record(of: try await world.walk())
    _ = try await world.app.records.withdrawConsent(
      WithdrawConsentRequest(recordID: record.recordID, purposes: ["contact"]))
    let receipt = try await receipt(world, record)
    #expect(receipt["record_metadata"]["state"].text == "in_force")
    #expect(receipt["pii_processing"]["purposes"].items.map { $0["state"].text } == ["in_force", "withdrawn"])
    let events = receipt["events"].items.map { $0["event_type"].text }
    #expect(events.contains("in_force") && events.last == "withdrawn")
    #expect(try await world.check("s1", "contact").reason == "withdrawn")
    await world.end()
  }

  @Test("a form's receipt says what for, who answers for it and how to withdraw, in the language shown")
  func form() async throws {
    let world = try await World()
    var flow = Example.flow()
    flow.steps.insert(Example.form("news"), at: 0)
    try await world.open(content: Self.content(), flow: flow)
    let view = try await world.walk(locale: "de") { $0.kind != .form }
    let receipt = try await receipt(world, try await world.record(of: view))
    let processing = receipt["pii_processing"]
    let purpose = try #require(processing["purposes"].items.first)
    #expect(purpose["purpose_id"].text == "news" && purpose["purpose"].text == "news title 1")
    #expect(purpose["description"].text == "news body 1" && purpose["state"].text == "in_force")
    #expect(processing["withdrawal_method"]["url"].text == "https://university.example/leave")
    // The form has no German words, and was shown in English.
    #expect(processing["privacy_notice"]["language"].text == "en")
    #expect(processing["withdrawal_method"]["description"].text == "Tell any of us, or use the page. (en)")
    let controller = try #require(receipt["party_identification"].items.first)
    #expect(controller["party_name"].text == "Example University")
    await world.end()
  }

  @Test("a receipt ends where a later version asks for another consent")
  func reconsent() async throws {
    let world = try await World()
    try await world.open(content: Self.content())
    let record = try await world.record(of: try await world.walk())
    #expect(try await receipt(world, record)["pii_processing"]["valid_until"].isNone)
    var later = Self.content()
    later.settings?.reconsent = .byDate
    later.settings?.reconsentBy = Timestamp(Example.now + .seconds(86_400))
    try await world.publish(later)
    let until = try await receipt(world, record)["pii_processing"]["valid_until"].text
    #expect(until.hasPrefix("2026-03-02T08:30:00"))
    let fhir = try await world.app.records.exportRecord(
      ExportRecordRequest(recordID: record.recordID, format: .fhirR5))
    #expect(String(decoding: fhir.content, as: UTF8.self).contains("\"end\": \"2026-03-02T08:30:00"))
    await world.end()
  }

  @Test("what receipts need has bounds, and URLs are https")
  func bounds() {
    var content = Self.content()
    content.settings?.withdrawalURL = "http://university.example/leave"
    content.settings?.controller?.url = "javascript:alert(1)"
    content.texts[0].rights = [String](repeating: "a right", count: 65)
    content.texts[0].purposes[0].recipients = [""]
    content.texts[0].withdrawal = String(repeating: "x", count: 10_001)
    let found = DocumentValidation.problems(in: content, version: 1, assets: []).map(\.field)
    for field in [
      "settings.withdrawal_url", "settings.controller.url", "texts[en].rights",
      "texts[en].purposes[research].recipients[0]",
      "texts[en].withdrawal",
    ] { #expect(found.contains(field), "\(field): \(found)") }
  }
}
