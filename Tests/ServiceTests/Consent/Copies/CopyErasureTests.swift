import Base
import ConsentContract
import ConsentService
import RPC
import Sealing
import SignatureContract
import SignatureService
import Storage
import StorageTestKit
import TestSupport
import Testing

/// What is left of a file when the data of its subject are erased.
@Suite("Copies and erasures") struct CopyErasureTests {
  @Test("an erasure makes the file unreadable, what proves that it existed stays; a legal hold keeps both")
  func erasure() async throws {
    let world = try await CopyWorld()
    try await world.open()
    world.startSealing()
    let record = try await world.evidence.give("s1").record
    _ = try await world.evidence.counterSign(record)
    let id = record.recordID
    let sealed = try await world.run(id) { $0.state == .sealed }
    let file = try await world.get(id).content
    _ = try await world.consent.admin.records.setLegalHold(
      SetLegalHoldRequest(subjectID: "s1", held: true, reason: "dispute"))
    let erase = EraseSubjectRequest(subjectID: "s1", reason: "asked for")
    await expectRefusal(.failedPrecondition, "legal_hold") {
      try await world.consent.admin.records.eraseSubject(erase)
    }
    #expect(try await world.get(id).content == file)
    _ = try await world.consent.admin.records.setLegalHold(
      SetLegalHoldRequest(subjectID: "s1", held: false, reason: "settled"))
    _ = try await world.consent.admin.records.eraseSubject(erase)
    await expectRefusal(.failedPrecondition, "subject_erased") { try await world.get(id) }
    await expectRefusal(.failedPrecondition, "subject_erased") { try await world.get(id, evidence: true) }
    let left = try await world.check(sealed.verificationID, file)
    #expect(left.erased && left.comparison == .erased && left.copy?.hash == sealed.hash)
    #expect(left.copy?.sealedAt == sealed.sealedAt)
    await world.end()
  }

  @Test("nothing is sealed for somebody who was erased before")
  func erasedBefore() async throws {
    let world = try await CopyWorld()
    try await world.open()
    let record = try await world.evidence.give("s1").record
    _ = try await world.evidence.counterSign(record)
    _ = try await world.consent.admin.records.eraseSubject(
      EraseSubjectRequest(subjectID: "s1", reason: "asked for"))
    world.startSealing()
    let copy = try await world.run(record.recordID) { $0.state == .failed }
    #expect(copy.reason.hasPrefix("subject_erased: ") && copy.hash.isEmpty)
    await expectRefusal(.failedPrecondition, "subject_erased") {
      try await world.consent.investigator.records.retrySignedCopy(RetrySignedCopyRequest(recordID: record.recordID))
    }
    await world.end()
  }
}
