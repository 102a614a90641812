import ArchiveKit
import Base
import Bus
import ConsentContract
import ConsentService
import RPC
import Sealing
import Storage
import StorageTestKit
import TestSupport
import Testing

/// Dossiers for inspectors, and seals of files that are no records.
@Suite("Dossiers") struct DossierTests {
  private func clients(_ world: CopyWorld, _ subject: String, _ grant: String) -> ConsentClients {
    let identity = CallerIdentity(kind: .person, tenant: "t1", subject: subject, grants: [grant])
    return ConsentClients(world.consent.bus.channel(for: identity))
  }

  /// The files of an archive by their names.
  private func unpacked(_ archive: [UInt8]) async throws -> [String: [UInt8]] {
    let folder = try TemporaryFolder()
    try Files.write(archive, to: folder.file("in.zip"))
    let (exit, lines) = try await ChildProcess.output(
      of: ChildCommand("python3", ["-m", "zipfile", "-e", folder.file("in.zip"), folder.file("out")]))
    #expect(exit.isSuccess, "\(lines)")
    var files: [String: [UInt8]] = [:]
    for name in try Files.names(in: folder.file("out")) { files[name] = try Files.read(folder.file("out/\(name)")) }
    return files
  }

  @Test("a dossier says who consented to what, every change and every look, and proves it to whoever holds it")
  func dossier() async throws {
    let world = try await CopyWorld()
    try await world.open()
    let record = try await world.evidence.give("s1").record
    _ = try await world.evidence.counterSign(record)
    let other = try await world.evidence.give("s2").record
    world.startSealing()
    try await world.run(record.recordID) { $0.state == .sealed }
    let copy = try await world.get(record.recordID).content
    _ = try await world.consent.coordinator.records.getRecord(GetRecordRequest(recordID: record.recordID))
    let inspector = clients(world, "ivo", "inspector@heart")

    let one = try await inspector.records.exportDossier(
      ExportDossierRequest(studyID: World.study, subjectID: "s1"), deadline: .seconds(60))
    #expect(one.contentType == "application/pdf" && one.records == 1)
    #expect(world.verdict(one.content).verdict == .passed, "\(world.verdict(one.content).lines)")
    #expect(try ArchiveRules.faults(one.content) == [])
    let text = try await CopyWorld.text(of: one.content)
    for words in [
      "Dossier of participant s1", "Ada", record.recordID, "How to check this without us", "carl", "research",
      "investigator", record.versionHash,
    ] {
      #expect(text.replacing("\n", with: "").contains(words.replacing("\n", with: "")), "\(words): \(text)")
    }
    #expect(!text.contains("s2") && !text.contains(other.recordID))
    let files = try await CopyWorld.attachments(of: one.content)
    #expect(files.keys.sorted() == ["evidence.zip", "trail.csv"])
    let trail = String(decoding: files["trail.csv"] ?? [], as: UTF8.self)
    #expect(trail.contains(",carl,") && trail.contains("record/\(record.recordID)") && !trail.contains(",s2,"))
    let proofs = try await unpacked(files["evidence.zip"] ?? [])
    #expect(proofs.keys.sorted() == ["\(record.recordID).json", "\(record.recordID).pdf"])
    #expect(proofs["\(record.recordID).pdf"] == copy)
    let keys = [EvidenceWorld.consentKey, EvidenceWorld.captureKey].map(\.verifyingKey)
    let checked = EvidenceVerifier(trusting: keys).verify(proofs["\(record.recordID).json"] ?? [])
    #expect(checked.isValid, "\(checked.problems)")
    // It is on record as a look at each record, and at the trail.
    let looks = try await world.consent.events().filter { $0.actor == "ivo" && $0.purpose == "dossier" }
    #expect(looks.contains { $0.recordID == record.recordID && $0.subjectID == "s1" })
    #expect(looks.contains { $0.recordID.isEmpty })

    let whole = try await inspector.records.exportDossier(
      ExportDossierRequest(studyID: World.study), deadline: .seconds(60))
    #expect(whole.records == 2)
    let all = try await CopyWorld.text(of: whole.content)
    #expect(all.contains("Dossier of study heart") && all.contains("s2"))

    await expectRefusal(.notFound, "unknown_subject") {
      try await inspector.records.exportDossier(ExportDossierRequest(studyID: World.study, subjectID: "nobody"))
    }
    await expectRefusal(.notFound, "unknown_study") {
      try await clients(world, "ivo", "inspector@*").records.exportDossier(ExportDossierRequest(studyID: "none"))
    }
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await world.consent.coordinator.records.exportDossier(ExportDossierRequest(studyID: World.study))
    }
    await world.end()
  }

  @Test("a dossier of somebody who was erased has what stays of them, and no name")
  func erased() async throws {
    let world = try await CopyWorld()
    try await world.open()
    world.startSealing()
    let record = try await world.evidence.give("s1").record
    _ = try await clients(world, "adam", "admin@*").records.eraseSubject(
      EraseSubjectRequest(subjectID: "s1", reason: "asked for"))
    let dossier = try await clients(world, "ivo", "inspector@heart").records.exportDossier(
      ExportDossierRequest(studyID: World.study, subjectID: "s1"), deadline: .seconds(60))
    let text = try await CopyWorld.text(of: dossier.content)
    #expect(text.contains("erased") && !text.contains("Ada"), "\(text)")
    let files = try await CopyWorld.attachments(of: dossier.content)
    #expect(try await unpacked(files["evidence.zip"] ?? []).keys.sorted() == ["\(record.recordID).json"])
    await world.end()
  }

  @Test("the seal of a file is on record before it is made, and only an administrator of the tenant has one made")
  func file() async throws {
    let world = try await CopyWorld()
    try await world.open()
    let digest = Digest(of: Array("report".utf8))
    let request = SealFileRequest(digest: digest.bytes, part: .seal)
    let admin = clients(world, "adam", "admin@*")
    await expectRefusal(.invalidArgument, "bad_digest") {
      try await admin.records.sealFile(SealFileRequest(digest: [1], part: .seal))
    }
    await expectRefusal(.invalidArgument, "unknown_part") {
      try await admin.records.sealFile(SealFileRequest(digest: digest.bytes))
    }
    for grant in ["admin@heart", "inspector@heart", "investigator@*"] {
      await expectRefusal(.permissionDenied, "not_admitted") {
        try await clients(world, "eve", grant).records.sealFile(request)
      }
    }
    world.startSealing()
    let seal = try await admin.records.sealFile(request)
    #expect(seal.level == "B-B" && !seal.signature.isEmpty && seal.sealedBy.contains("Seal"))
    let proven = try await admin.records.sealFile(SealFileRequest(digest: digest.bytes, part: .sealWithProofs))
    #expect(proven.problem.hasPrefix("no_revocation_data") && proven.certificates.isEmpty)
    // The process that seals says so, of no field.
    let away = await #expect(throws: Status.self) {
      try await admin.records.sealFile(SealFileRequest(digest: digest.bytes, part: .time))
    }
    #expect(away?.code == .failedPrecondition && away?.message.hasPrefix("no_time_authority: ") == true)
    let events = try await world.consent.events().filter { $0.kind == .fileSealed }
    #expect(events.map(\.hash) == [digest.hex, digest.hex] && events.allSatisfy { $0.actor == "adam" })
    await world.end()
  }
}
