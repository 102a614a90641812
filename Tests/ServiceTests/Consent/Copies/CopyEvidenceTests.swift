import ArchiveKit
import Base
internal import Bus
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

/// What a file proves to whoever holds it, alone and with the evidence attached.
@Suite("What copies prove") struct CopyEvidenceTests {
  /// Which part of PDF/A a file says that it keeps to: its metadata are not compressed.
  private static func archivePart(of file: [UInt8]) -> String? {
    let mark = Array("<pdfaid:part>".utf8)
    return file.firstRange(of: mark).map { String(decoding: file[$0.upperBound...].prefix(1), as: UTF8.self) }
  }

  @Test("whoever holds a file learns whether it is the one on record, and nothing about anybody")
  func checking() async throws {
    let world = try await CopyWorld()
    try await world.open()
    world.startSealing()
    let record = try await world.evidence.give("s1").record
    _ = try await world.evidence.counterSign(record)
    let sealed = try await world.run(record.recordID) { $0.state == .sealed }
    let file = try await world.get(record.recordID).content
    let plain = try await world.check(sealed.verificationID)
    #expect(plain.copy?.hash == sealed.hash && plain.comparison == .unspecified && !plain.erased)
    #expect(try await world.check(sealed.verificationID, file).comparison == .same)
    #expect(try await world.check(sealed.verificationID, file + [10]).comparison == .different)
    let said = "\(try await world.check(sealed.verificationID, file))"
    for word in ["s1", "Ada", "Ines", record.recordID, "heart"] { #expect(!said.contains(word), "\(word)") }
    for unknown in [
      "", "t1.", "t1.00", "t1." + String(repeating: "0", count: 32), "t9" + sealed.verificationID.dropFirst(2),
    ] {
      await expectRefusal(.notFound, "unknown_verification") { try await world.check(unknown) }
    }
    let stranger = ConsentClients(
      world.consent.bus.channel(for: CallerIdentity(kind: .stranger, tenant: "", subject: "")))
    await expectRefusal(.invalidArgument, "bad_digest") {
      try await stranger.records.checkSignedCopy(
        CheckSignedCopyRequest(verificationID: sealed.verificationID, sha256: "xyz"))
    }
    await world.end()
  }

  @Test("with evidence: another sealed file of the same pages, with the bundle and the sealed file attached")
  func evidence() async throws {
    let world = try await CopyWorld()
    try await world.open()
    let record = try await world.evidence.give("s1").record
    await expectRefusal(.failedPrecondition, "not_sealed") { try await world.get(record.recordID, evidence: true) }
    _ = try await world.evidence.counterSign(record)
    world.startSealing()
    try await world.run(record.recordID) { $0.state == .sealed }
    let plain = try await world.get(record.recordID).content
    let full = try await world.get(record.recordID, evidence: true)
    #expect(full.sealed && full.salt.isEmpty && full.content.count > plain.count)
    #expect(world.verdict(full.content).verdict == .passed)
    // What is said of it is said of this file, and whoever holds it asks about the one that is on record.
    #expect(full.copy?.byteCount == Int32(full.content.count) && full.copy?.hash == "" && full.copy?.level == "B-B")
    let text = try await CopyWorld.text(of: full.content)
    #expect(!text.contains("Verify this document") && text.contains("Electronic seal"), "\(text)")
    #expect(try await CopyWorld.text(of: plain).contains("Verify this document"))
    #expect(Self.archivePart(of: full.content) == "3" && Self.archivePart(of: plain) == "2")
    for file in [plain, full.content] { #expect(try ArchiveRules.faults(file) == []) }
    let files = try await CopyWorld.attachments(of: full.content)
    #expect(files.keys.sorted() == ["evidence.json", "signed-copy.pdf"])
    #expect(files["signed-copy.pdf"] == plain)
    #expect(files["evidence.json"]?.firstRange(of: Array("participant_copies".utf8)) != nil)
    await world.end()
  }
}
