import Base
import PDF
import Sealing
import TestSupport
import Testing

/// Fields that a signature locks.
@Suite struct LockTests {
  /// The document with a second empty field, and with what a field asks for.
  private func document(lock: PDFObject? = nil) throws -> [UInt8] {
    let file = try PDFFile(Samples.document)
    var writer = try RevisionWriter(file)
    let page = try #require(try file.numbers.first { try file.object($0).dictionary?["Type"]?.name == "Page" })
    let number = try #require(file.trailer["Root"]?.reference?.number)
    var catalog = try file.catalog()
    var form = try #require(catalog["AcroForm"]?.dictionary)
    let field = writer.add(
      .dictionary([
        "Type": .name("Annot"), "Subtype": .name("Widget"), "FT": .name("Sig"), "T": .text("witness"),
        "F": .integer(132), "Rect": .array([.integer(0), .integer(0), .integer(0), .integer(0)]),
        "P": .reference(writer.reference(to: page)),
      ]))
    form["Fields"] = .array((form["Fields"]?.array ?? []) + [.reference(field)])
    catalog["AcroForm"] = .dictionary(form)
    writer.write(.dictionary(catalog), as: writer.reference(to: number))
    if let lock, let own = form["Fields"]?.array?.first?.reference?.number,
      var dictionary = try file.object(own).dictionary
    {
      dictionary["Lock"] = lock
      writer.write(.dictionary(dictionary), as: writer.reference(to: own))
    }
    return writer.finish().bytes
  }

  @Test("a locked field is not signed, and one that is not locked is")
  func locks() async throws {
    for (lock, mayFollow) in [
      (FieldLock.all, false), (.only(["witness"]), false), (.only(["seal"]), true), (.allBut(["witness"]), true),
      (.allBut(["seal"]), false),
    ] {
      var request = SealRequest(field: "seal")
      request.lock = lock
      let once = try await Samples.seal(try document(), request)
      #expect(Samples.verify(once).verdict == .passed, "\(lock)")
      #expect(Samples.verify(once).signatures[0].kind == .approval)
      guard mayFollow else {
        let error = #expect(throws: SealingError.self) {
          try SealDraft(once, SealRequest(field: "witness"), at: Samples.now)
        }
        #expect(error?.description.contains("the signature in 'seal' locks the field 'witness'") == true)
        continue
      }
      let twice = try await Samples.seal(once, SealRequest(field: "witness"), key: Samples.second)
      #expect(Samples.verify(twice).verdict == .passed, "\(lock): \(Samples.verify(twice).lines)")
      guard lock == .only(["seal"]) else { continue }
      let said = try await Tool.pyHanko(twice)
      #expect(said.components("The signature is judged VALID") == 2, "\(lock): \(said)")
    }
  }

  @Test("a lock covers fields by their names and by those around them, letter by letter")
  func names() async throws {
    let cases: [(lock: FieldLock, field: String, isLocked: Bool)] = [
      (.only(["c", "a"]), "a.b", true), (.only(["a"]), "ab", false), (.only(["a.b"]), "a", false),
      (.only(["a.b"]), "a.b.c.d", true), (.allBut(["a"]), "a.b", false), (.allBut(["a.b"]), "a.c", true),
      (.only(["e\u{301}"]), "\u{E9}", false),
    ]
    for (lock, field, isLocked) in cases {
      var request = SealRequest(field: "seal")
      request.lock = lock
      let once = try await Samples.seal(Samples.document, request)
      let next = SealRequest(field: field)
      guard isLocked else {
        let twice = try await Samples.seal(once, next, key: Samples.second)
        #expect(Samples.verify(twice).verdict == .passed, "\(lock) \(field): \(Samples.verify(twice).lines)")
        continue
      }
      let error = #expect(throws: SealingError.self, "\(lock) \(field)") { try SealDraft(once, next, at: Samples.now) }
      #expect(error?.description.contains("locks the field") == true)
    }
  }

  @Test("what a field asks for is locked; other software that signs a locked field is found out")
  func asked() async throws {
    let wanted = PDFObject.dictionary([
      "Type": .name("SigFieldLock"), "Action": .name("Include"), "Fields": .array([.text("witness")]),
    ])
    let once = try await Samples.seal(try document(lock: wanted), SealRequest(field: "seal"))
    #expect(throws: SealingError.self) {
      try SealDraft(once, SealRequest(field: "witness"), at: Samples.now)
    }
    // A further signer elsewhere is no change of a locked field.
    let other = try await Samples.seal(once, SealRequest(field: "third"), key: Samples.second)
    #expect(Samples.verify(other).verdict == .passed, "\(Samples.verify(other).lines)")
    // Other software signs it all the same.
    let folder = try TemporaryFolder()
    try Files.write(once, to: folder.file("in.pdf"))
    try Files.write(Samples.second.pkcs12(passphrase: "x"), to: folder.file("key.p12"))
    try Files.write(Array("x".utf8), to: folder.file("pass"))
    let script = """
      import sys
      from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
      from pyhanko.sign import signers
      signer = signers.SimpleSigner.load_pkcs12(sys.argv[2], passphrase=b"x")
      with open(sys.argv[1], "rb") as source, open(sys.argv[3], "wb") as target:
          facts = signers.PdfSignatureMetadata(field_name="witness")
          signers.sign_pdf(IncrementalPdfFileWriter(source), facts, signer=signer, output=target)
      """
    let made = try await Tool.run(
      Repository.python, ["-c", script, folder.file("in.pdf"), folder.file("key.p12"), folder.file("out.pdf")])
    #expect(made.hasPrefix("ended with 0"), "\(made)")
    let report = Samples.verify(
      try Files.read(folder.file("out.pdf")), trusting: [Samples.authority.certificate, Samples.second.certificate])
    #expect(report.verdict == .failed, "\(report.lines)")
    #expect(report.lines.joined().contains("the field 'witness', which the signature locks, was signed"))
  }
}
