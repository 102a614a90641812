import Base
import PDF
import Sealing
import Testing

/// Signatures that are made.
@Suite struct SealTests {
  @Test("a sealed document is valid to us, to pdfsig, to mutool and to pyHanko", arguments: [false, true])
  func sealed(isRSA: Bool) async throws {
    let pdf = try await Samples.seal(key: isRSA ? Samples.rsa : Samples.signer)
    let report = Samples.verify(pdf)
    #expect(report.verdict == .passed, "\(report.lines)")
    #expect(report.signatures.first?.level == .basic)
    #expect(report.signatures.first?.coversWholeFile == true)
    let popplers = try await Tool.pdfsig(pdf)
    #expect(popplers.contains("Signature is Valid"), "\(popplers)")
    #expect(popplers.contains("Total document signed"))
    #expect(popplers.contains("ETSI.CAdES.detached"))
    let pyHankos = try await Tool.pyHanko(pdf)
    #expect(pyHankos.contains("The signature is judged VALID"), "\(pyHankos)")
    let folder = try TemporaryFolder()
    try Files.write(pdf, to: folder.file("in.pdf"))
    #expect(try await Tool.run("qpdf", ["--check", folder.file("in.pdf")]).hasPrefix("ended with 0\n"))
    let mupdfs = try await Tool.run("mutool", ["sign", "-v", folder.file("in.pdf")])
    #expect(mupdfs.contains("The document is unchanged since signing."), "\(mupdfs)")
    let text = try await Tool.run("mutool", ["draw", "-F", "txt", folder.file("in.pdf")])
    #expect(text.contains("words to sign") && !text.contains("error"), "\(text)")
    var changed = pdf
    changed[300] ^= 1
    try Files.write(changed, to: folder.file("changed.pdf"))
    let found = try await Tool.run("mutool", ["sign", "-v", folder.file("changed.pdf")])
    #expect(!found.contains("The document is unchanged since signing."), "\(found)")
  }

  @Test("the document's bytes stay as they were; the same input gives the same digest to sign")
  func incremental() async throws {
    let pdf = try await Samples.seal()
    #expect(pdf.starts(with: Samples.document))
    let one = try SealDraft(Samples.document, SealRequest(), at: Samples.now)
    let other = try SealDraft(Samples.document, SealRequest(), at: Samples.now)
    #expect(one.digest == other.digest)
    let base = try PDFFile(Samples.document)
    let (before, after) = (base.trailer, try PDFFile(pdf).trailer)
    for name in ["Root", "Info", "ID"] { #expect(before[name] != nil && before[name] == after[name], "\(name)") }
    #expect(after["Prev"]?.integer == base.start)
    #expect(after["Size"]?.integer ?? 0 > before["Size"]?.integer ?? 0)
  }

  @Test("no signing time is among the signed attributes, and the certificate is")
  func attributes() async throws {
    let pdf = try await Samples.seal()
    let text = Hex.encode(try #require(try Self.contents(of: pdf)))
    // 1.2.840.113549.1.9.5 and 1.2.840.113549.1.9.16.2.47
    #expect(!text.contains("06092a864886f70d010905"))
    #expect(text.contains("060b2a864886f70d010910022f"))
  }

  private static func contents(of pdf: [UInt8]) throws -> [UInt8]? {
    let file = try PDFFile(pdf)
    return try file.numbers.lazy.compactMap { number in
      let dictionary = try file.object(number).dictionary
      return dictionary?["Type"]?.name == "Sig" ? dictionary?["Contents"]?.string : nil
    }.first
  }

  @Test("the range covers all but the signature, exactly")
  func range() async throws {
    let pdf = try await Samples.seal()
    let file = try PDFFile(pdf)
    let range = try #require(
      try file.numbers.lazy.compactMap { try file.object($0).dictionary?["ByteRange"]?.array?.compactMap(\.integer) }
        .first)
    #expect(range.count == 4 && range[0] == 0 && range[2] + range[3] == pdf.count)
    #expect(pdf[range[1]] == UInt8(ascii: "<") && pdf[range[2] - 1] == UInt8(ascii: ">"))
    let signature = try #require(
      try file.numbers.lazy.compactMap { try file.object($0).dictionary }.first { $0["Type"]?.name == "Sig" })
    #expect(signature["Filter"]?.name == "Adobe.PPKLite" && signature["SubFilter"]?.name == "ETSI.CAdES.detached")
    #expect(signature["M"] != nil && signature["Cert"] == nil)
    #expect((8 << 10...12 << 10).contains((range[2] - range[1] - 2) / 2), "what is reserved")
  }

  @Test("several signers: each one's signature stays valid after the next")
  func severalSigners() async throws {
    var first = SealRequest(permission: .signing)
    first.reason = "I have completed this document"
    let once = try await Samples.seal(Samples.document, first)
    let twice = try await Samples.seal(once, key: Samples.second)
    let thrice = try await Samples.seal(twice, key: Samples.rsa)
    let report = Samples.verify(thrice)
    #expect(report.verdict == .passed, "\(report.lines)")
    #expect(report.signatures.map(\.kind) == [.certification, .approval, .approval])
    #expect(report.signatures.map(\.coversWholeFile) == [false, false, true])
    #expect(!report.signatures[0].isChangedAfterwards)
    #expect(thrice.starts(with: once))
    let said = try await Tool.pyHanko(thrice)
    #expect(said.components("The signature is judged VALID") == 3, "\(said)")
    let popplers = try await Tool.pdfsig(thrice)
    #expect(popplers.components("Signature is Valid") == 3, "\(popplers)")
  }

  @Test("a document that permits no further signature gets none; only the first can certify")
  func certification() async throws {
    let final = try await Samples.seal(Samples.document, SealRequest(permission: .nothing))
    await #expect(throws: SealingError.self) { try await Samples.seal(final, key: Samples.second) }
    let once = try await Samples.seal()
    await #expect(throws: SealingError.self) {
      try await Samples.seal(once, SealRequest(permission: .signing), key: Samples.second)
    }
    await #expect(throws: SealingError.self) { try await Samples.seal(once, SealRequest(field: "seal")) }
  }

  @Test("a time stamp raises the level to B-T, and is valid to pyHanko")
  func timeStamp() async throws {
    let pdf = try await Samples.seal(stamper: Samples.stamper)
    let report = Samples.verify(pdf)
    #expect(report.verdict == .passed, "\(report.lines)")
    #expect(report.signatures[0].level == .timed)
    #expect(report.signatures[0].attestedTime == Samples.now)
    #expect(report.signatures[0].isAuthorityTrusted)
    let said = try await Tool.pyHanko(pdf)
    #expect(said.contains("The signature is judged VALID") && said.lowercased().contains("time stamp"), "\(said)")
  }

  private struct Silent: TimeStamper {
    struct Down: Error {}
    func answer(to request: [UInt8]) async throws -> [UInt8] { throw Down() }
  }

  private struct Lying: TimeStamper {
    func answer(to request: [UInt8]) async throws -> [UInt8] {
      try await OwnTimeStamper(Samples.clock, now: { Samples.now + .days(-1) }).answer(to: request)
    }
  }

  private struct Replaying: TimeStamper {
    let old: [UInt8]
    func answer(to request: [UInt8]) async throws -> [UInt8] { old }
  }

  @Test("an authority that is down, lies or repeats itself leaves B-B, says why, and is asked again later")
  func authorityFails() async throws {
    for stamper in [Silent(), Lying(), Replaying(old: [0x30, 0])] as [any TimeStamper] {
      let sealed = try await Samples.sealer(stamper: stamper).seal(Samples.document, at: Samples.now)
      #expect(sealed.level == .basic)
      #expect(sealed.timeStampProblem != nil)
      #expect(Samples.verify(sealed.bytes).verdict == .passed)
      let later = try await Samples.sealer(stamper: Samples.stamper).addTime(to: sealed.bytes, now: Samples.now)
      #expect(later.level == .timed)
      #expect(later.bytes.count == sealed.bytes.count)
      #expect(Samples.verify(later.bytes).signatures[0].level == .timed)
    }
  }

  @Test("proofs in the file raise the level to B-LT, and an attested time over them to B-LTA")
  func longTerm() async throws {
    let timed = try await Samples.seal(stamper: Samples.stamper)
    let list = KeyMaker.revocations(
      by: Samples.authority, at: Samples.now + .days(-1), until: Samples.now + .days(30))
    let proven = try Sealer.addProofs(to: timed, certificates: [Samples.authority.certificate], lists: [list])
    let report = Samples.verify(proven)
    #expect(report.verdict == .passed && report.signatures[0].level == .longTerm, "\(report.lines)")
    let archived = try await Samples.sealer(stamper: Samples.stamper).addDocumentTime(to: proven, now: Samples.now)
    let last = Samples.verify(archived)
    #expect(last.verdict == .passed && last.signatures[0].level == .archived, "\(last.lines)")
    #expect(last.signatures.map(\.kind) == [.approval, .documentTime])
    let said = try await Tool.pyHanko(archived)
    #expect(said.contains("The signature is judged VALID"), "\(said)")
    #expect(!said.contains("INVALID"), "\(said)")
    // Proofs that are there already are not added again.
    let again = try Sealer.addProofs(to: proven, certificates: [Samples.authority.certificate], lists: [list])
    #expect(again.count < proven.count + 2000)
  }

  @Test("a revoked signer is not trusted")
  func revoked() async throws {
    let timed = try await Samples.seal(stamper: Samples.stamper)
    let list = KeyMaker.revocations(
      by: Samples.authority, revoked: Samples.signer.certificate, at: Samples.now + .days(-1),
      until: Samples.now + .days(30))
    let report = Samples.verify(try Sealer.addProofs(to: timed, certificates: [], lists: [list]))
    #expect(report.verdict == .indeterminate)
    #expect(report.lines.joined().contains("revoked"), "\(report.lines)")
  }

  @Test("a signature that needs more room than is reserved is an error")
  func noRoom() async throws {
    var request = SealRequest()
    request.reservedBytes = 300
    let error = await #expect(throws: SealingError.self) { try await Samples.seal(Samples.document, request) }
    #expect(error?.description.contains("300 were reserved") == true)
  }

  @Test("a time stamp that has no room in the file is left out: the seal is B-B and says why, now and when asked again")
  func largeTimeStamp() async throws {
    var request = SealRequest()
    // A signature by an elliptic curve may be a few bytes longer than another one.
    request.reservedBytes = try Samples.sealer().sign(digest: Digest(of: [1]).bytes).count + 16
    let sealer = Samples.sealer(stamper: Samples.stamper)
    let sealed = try await sealer.seal(Samples.document, request, at: Samples.now)
    #expect(sealed.level == .basic && sealed.timeStampProblem?.contains("were reserved") == true)
    let report = Samples.verify(sealed.bytes)
    #expect(report.verdict == .passed && report.signatures.first?.level == .basic, "\(report.lines)")
    let again = try await sealer.addTime(to: sealed.bytes, now: Samples.now)
    #expect(again.bytes == sealed.bytes && again.level == .basic)
    #expect(again.timeStampProblem?.contains("were reserved") == true)

    let draft = try SealDraft(Samples.document, SealRequest(), at: Samples.now)
    let timed = try await sealer.seal(digest: draft.digest, at: Samples.now)
    let bare = try Sealer.withoutTime(timed.signature)
    #expect(timed.level == .timed && bare.count < timed.signature.count)
    #expect(try Sealer.withoutTime(bare) == bare)
    let without = Samples.verify(try draft.complete(with: bare))
    #expect(without.verdict == .passed && without.signatures.first?.level == .basic, "\(without.lines)")
  }

  @Test("a document with streams of cross-references is sealed with one more of its kind")
  func streams() async throws {
    let folder = try TemporaryFolder()
    try Files.write(Samples.document, to: folder.file("in.pdf"))
    for (name, options) in [("streams", ["--object-streams=generate"]), ("linear", ["--linearize"])] {
      let out = folder.file("\(name).pdf")
      _ = try await Tool.run("qpdf", options + [folder.file("in.pdf"), out])
      let pdf = try await Samples.seal(Files.read(out))
      let report = Samples.verify(pdf)
      #expect(report.verdict == .passed, "\(name): \(report.lines)")
      #expect(try await Tool.pyHanko(pdf).contains("The signature is judged VALID"), "\(name)")
      #expect(try await Tool.pdfsig(pdf).contains("Total document signed"), "\(name)")
    }
  }
}

extension String {
  /// How often a text occurs.
  func components(_ words: String) -> Int { ranges(of: words).count }
}
