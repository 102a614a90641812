internal import Base
internal import BenchKit
internal import Documents
internal import Ink
internal import InkSamples
internal import PDF
internal import Sealing

/// What is composed and sealed, also as files in `.build/bench/pdf` for the peers.
struct BenchFiles {
  static let now = Instant(millisecondsSince1970: 1_790_000_000_000)
  let composer = PaperComposer()
  let paper: ConsentPaper
  let document: [UInt8]
  let sealed: [UInt8]
  private let picture: VectorPicture
  private let root: SealKey
  private let signer: SealKey
  private let clock: SealKey

  init() async throws {
    let path = try Renderer().path(SampleSignature.all[3].ink)
    picture = VectorPicture(operators: path.operators, width: Double(path.width), height: Double(path.height))
    let (from, until) = (Self.now + .seconds(-86_400), Self.now + .seconds(86_400 * 3650))
    root = try KeyMaker.make(name: "Bench Root", purpose: .authority, from: from, until: until, serial: [1])
    signer = try KeyMaker.make(name: "Bench Seal", from: from, until: until, serial: [2], issuer: root)
    clock = try KeyMaker.make(
      name: "Bench Clock", purpose: .timeStamping, isRSA: true, from: from, until: until, serial: [3],
      issuer: root)
    paper = Self.paper(sections: BenchText.sections, picture)
    document = try composer.compose(paper)
    sealed = try await Self.sealer(signer, clock, isTimed: true).seal(document, at: Self.now).bytes
    try write(path.operators)
    guard try pages(of: document) == 3 else { throw OtherPages(count: try pages(of: document)) }
  }

  /// The key that seals, as a file has it: with its certificates.
  var sealKey: [UInt8] { signer.pem + signer.certificate.pem + root.certificate.pem }

  private func write(_ operators: [UInt8]) throws {
    let folder = Repository.path(".build/bench/pdf")
    try Files.makeFolder(folder)
    for (name, bytes) in [
      ("consent.txt", Array(BenchText.lines(sections: BenchText.sections).joined(separator: "\n").utf8)),
      ("signature.txt", Array("\(Int(picture.width)) \(Int(picture.height))\n".utf8) + operators),
      ("document.pdf", document), ("sealed.pdf", sealed), ("root.pem", root.certificate.pem),
      ("signer.pem", signer.certificate.pem), ("signer-key.pem", signer.pem), ("clock.pem", clock.certificate.pem),
      ("clock-key.pem", clock.pem),
    ] { try Files.write(bytes, to: "\(folder)/\(name)") }
  }

  func paper(sections: Int) -> ConsentPaper { Self.paper(sections: sections, picture) }

  private static func paper(sections: Int, _ picture: VectorPicture) -> ConsentPaper {
    let blocks = BenchText.signers.map { signer in
      SignatureBlock(
        title: signer.title, role: signer.role, meaning: signer.meaning, printedName: signer.name,
        printedTime: signer.time, picture: picture)
    }
    return ConsentPaper(
      title: BenchText.title, language: "en", size: .a4,
      sections: (1...sections).map { number in
        ConsentPaper.Section(heading: BenchText.heading(number), markup: BenchText.markup(number))
      },
      signaturePage: SignaturePage(title: "Signatures", blocks: blocks), created: now)
  }

  func pages(of pdf: [UInt8]) throws -> Int {
    let file = try PDFFile(pdf)
    return try file.resolve(file.catalog()["Pages"]).dictionary?["Count"]?.integer ?? 0
  }

  private static func sealer(_ key: SealKey, _ clock: SealKey, isTimed: Bool) -> Sealer {
    Sealer(
      key: key, stamper: isTimed ? OwnTimeStamper(clock, now: { now }) : nil, nonce: { [1, 2, 3, 4, 5, 6, 7, 8] })
  }

  func compose(_ paper: ConsentPaper) throws -> [UInt8] {
    let bytes = try composer.compose(paper)
    guard bytes.starts(with: Array("%PDF-".utf8)) else { throw WrongAnswer(description: "what was composed is no PDF") }
    return bytes
  }

  func seal(isTimed: Bool) async throws -> [UInt8] {
    let bytes = try await Self.sealer(signer, clock, isTimed: isTimed).seal(document, at: Self.now).bytes
    guard bytes.count > document.count, bytes.starts(with: document.prefix(1024)) else {
      throw WrongAnswer(description: "the sealed file does not continue the document")
    }
    return bytes
  }

  func verify() throws {
    let verdict = DocumentVerifier(trusting: Trust(roots: [root.certificate]), at: Self.now).verify(sealed).verdict
    guard verdict == .passed else { throw WrongAnswer(description: "the seal is \(verdict), and should be valid") }
  }
}

/// What was measured did not do what it should.
struct WrongAnswer: Error, CustomStringConvertible {
  let description: String
}

private struct OtherPages: Error, CustomStringConvertible {
  let count: Int
  var description: String { "the document has \(count) pages; the figures are for three" }
}
