import Base
import ConsentContract
import ConsentDomain
import RPC
import StorageTestKit
import TestSupport
import Testing

/// The table of two decisions one after the other in docs/consent.md, row by row.
@Suite("Decisions, as the documentation states them") struct DecisionTableTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let first: String
    let second: String
    let answer: String
    let before: String
    let after: String

    var testDescription: String { "\(first), then \(second)" }
  }

  static let rows: [Row] = DocumentedTable.rows(below: "| before | then |").map {
    Row(first: $0[0], second: $0[1], answer: $0[2], before: $0[3], after: $0[4])
  }

  @Test("the table has its rows")
  func isRead() { #expect(Self.rows.count > 20) }

  @Test("each row is so", arguments: rows)
  func row(row: Row) async throws {
    let place = try await DecisionWorld()
    let first = try await decide(row.first, in: place, since: nil)
    place.world.clock.move(by: .seconds(-30))
    let second = try await decide(row.second, in: place, since: first)
    let answer = try await place.world.check("s1", "contact")
    #expect((answer.permitted ? "yes" : answer.reason) == row.answer)
    let records = try await place.records("s1")
    func state(_ record: ConsentRecord?) -> String {
      let found = records.first { $0.recordID == record?.recordID }
      guard let found else { return "" }
      // One that was given for another purpose too goes on for that.
      if found.withdrawnPurposes == ["contact"] { return "withdrawn" }
      if found.supersededPurposes == ["contact"] { return "superseded" }
      return found.state.word.replacing("_", with: " ")
    }
    #expect(state(first) == row.before)
    #expect(state(second) == row.after)
    let permitting = [first, second].compactMap(\.self).filter {
      state($0) == "in force" && $0.purposes.contains("contact")
    }
    try await place.expect(
      "contact", of: "s1", permittedBy: permitting.first?.recordID, row.testDescription)
    await place.world.end()
  }

  /// - Returns: the record that was made; nil where none is.
  private func decide(
    _ words: String, in place: DecisionWorld, since first: ConsentRecord?
  ) async throws -> ConsentRecord? {
    let isForm = first?.kind == .form
    let (complete, waiting) = (Example.documentID, DecisionWorld.waiting)
    switch words {
    case "nothing": return nil
    case "agrees", "agreed", "agrees again", "agrees elsewhere":
      return try await place.decide("s1", complete, agreed: true)
    case "agrees, others sign later", "agreed, others sign later", "agrees again, others sign later",
      "agrees elsewhere, others sign later":
      return try await place.decide("s1", waiting, agreed: true)
    case "agrees without it", "agreed without it", "agrees without it elsewhere":
      return try await place.decide("s1", DecisionWorld.choosing, agreed: true, contact: false)
    case "declines", "declined", "declines it elsewhere":
      let documentID = first?.documentID.isEmpty == false ? first?.documentID ?? "" : complete
      return try await place.decide("s1", documentID, agreed: false)
    case "allows it elsewhere", "allowed": return try await place.decideForm("s1", allowed: true)
    case "denies it elsewhere", "denies":
      #expect(words == "denies" || !isForm)
      return try await place.decideForm("s1", allowed: false)
    case "withdraws":
      try await place.withdraw("s1")
      return nil
    case "is voided":
      try await place.void(try #require(first))
      return nil
    case "agrees again, which is voided":
      let second = try await place.decide("s1", first?.documentID ?? "", agreed: true)
      try await place.void(second)
      return second
    case "declines, which is voided":
      let second = try await place.decide("s1", first?.documentID ?? "", agreed: false)
      try await place.void(second)
      return second
    case "denies it elsewhere, which is voided":
      let second = try await place.decideForm("s1", allowed: false)
      try await place.void(second)
      return second
    case "withdrew":
      let record = try await place.decide("s1", complete, agreed: true)
      try await place.withdraw("s1")
      return record
    default:
      Issue.record("the table says '\(words)'")
      return nil
    }
  }
}
