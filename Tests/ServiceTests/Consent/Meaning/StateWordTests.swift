import Base
import ConsentContract
import ConsentDomain
import TestSupport
import Testing
import Wire

/// The table of words for a consent's state in docs/consent.md, row by row: every view uses the same.
@Suite("One word for each state") struct StateWordTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let story: String
    let word: String
    let r5: String
    let r4b: String

    var testDescription: String { story }
  }

  static let rows: [Row] = DocumentedTable.rows(below: "| what has happened | the word | FHIR R5 | FHIR R4B |").map {
    Row(story: $0[0], word: $0[1], r5: $0[2], r4b: $0[3])
  }

  @Test("the table has its rows")
  func isRead() { #expect(Self.rows.count > 10) }

  @Test("each row is so", arguments: rows)
  func row(row: Row) async throws {
    let place = try await DecisionWorld()
    let id = try await happen(row.story, in: place)
    let records = place.world.coordinator.records
    let record = try #require(try await records.getRecord(GetRecordRequest(recordID: id)).record)
    #expect(record.state.word == row.word)
    let history = try await records.getSubjectHistory(GetSubjectHistoryRequest(subjectID: "s1")).records
    #expect(history.first { $0.recordID == id }?.state.word == row.word)
    let answer = try await place.world.check("s1", "contact")
    #expect((answer.permitted ? "in_force" : answer.reason) == row.word)
    let statement = try await place.world.app.records.issueStatement(
      IssueStatementRequest(studyID: World.study, subjectID: "s1", purpose: "contact"))
    #expect(statement.answer == answer)
    func export(_ format: RecordFormat) async throws -> [UInt8] {
      try await records.exportRecord(ExportRecordRequest(recordID: id, format: format)).content
    }
    let receipt = try PlainJSON(try await export(.receipt))
    #expect(receipt["record_metadata"]["state"].text == row.word)
    let purposes = receipt["pii_processing"]["purposes"].items
    #expect(purposes.first { $0["purpose_id"].text == "contact" }?["state"].text == row.word)
    let isOpen = purposes.flatMap { $0["permitted"].items }.contains { $0["until"].isNone }
    #expect(isOpen == answer.permitted)
    for (format, status) in [(RecordFormat.fhirR5, row.r5), (.fhirR4b, row.r4b)] {
      let bytes = try await export(format)
      let consent = try PlainJSON(bytes)["entry"].items.map { $0["resource"] }.first ?? .none
      #expect(consent["status"].text == status, "\(format)")
      let words = consent["extension"].items.filter { $0["url"].text == "urn:assent:state" }.map {
        $0["valueCode"].text
      }
      #expect(words == [row.word], "\(format)")
      let reader = try FHIRReader(bytes, isR5: format == .fhirR5, at: place.world.clock.clock.now)
      #expect(reader.permits("contact") == answer.permitted, "\(format)")
    }
    await place.world.end()
  }

  /// - Returns: the record that the row is about.
  private func happen(_ story: String, in place: DecisionWorld) async throws -> String {
    let world = place.world
    func agreed() async throws -> String { try await place.decide("s1", Example.documentID, agreed: true).recordID }
    func waiting() async throws -> String { try await place.decide("s1", DecisionWorld.waiting, agreed: true).recordID }
    switch story {
    case "agreed": return try await agreed()
    case "agreed, others sign later": return try await waiting()
    case "declined": return try await place.decide("s1", Example.documentID, agreed: false).recordID
    case "withdrawn", "withdrawn while others had to sign":
      let id = try await story == "withdrawn" ? agreed() : waiting()
      try await place.withdraw("s1")
      return id
    case "its time is over", "its time is over, and housekeeping has noted it":
      var content = DecisionWorld.content(["research", "contact"])
      content.settings?.reconsent = .noAction
      content.settings?.validity = ValidityPeriod(lastsDays: 1)
      try await place.publish(Example.documentID, content)
      let id = try await place.decide("s1", Example.documentID, version: 2, agreed: true).recordID
      world.clock.move(by: .days(2))
      if story.hasSuffix("noted it") { await world.runPeriodicTasks() }
      return id
    case "a later version's date has passed", "a later version's date has passed, and housekeeping has noted it":
      let id = try await agreed()
      var content = DecisionWorld.content(["research", "contact"])
      content.settings?.reconsent = .byDate
      content.settings?.reconsentBy = Timestamp(Example.now + .days(1))
      try await place.publish(Example.documentID, content)
      world.clock.move(by: .days(2))
      if story.hasSuffix("noted it") { await world.runPeriodicTasks() }
      return id
    case "came after a later no", "came after a later no, and staff has rejected it":
      let signed = world.clock.clock.now
      world.clock.move(by: .seconds(60))
      _ = try await place.decide("s1", Example.documentID, agreed: false)
      world.clock.move(by: .seconds(60))
      let id = try await place.paper("s1", signed: signed).recordID
      guard story.hasSuffix("rejected it") else { return id }
      _ = try await world.coordinator.records.resolveAttention(
        ResolveAttentionRequest(recordID: id, decision: .reject, reason: "they said no"))
      return id
    case "its person was erased", "declined, and its person was erased":
      let id = try await place.decide("s1", Example.documentID, agreed: !story.hasPrefix("declined")).recordID
      world.clock.move(by: .seconds(60))
      _ = try await world.admin.records.eraseSubject(EraseSubjectRequest(subjectID: "s1", reason: "asked for"))
      world.clock.move(by: .seconds(60))
      return id
    default:
      Issue.record("the table says '\(story)'")
      return ""
    }
  }
}
