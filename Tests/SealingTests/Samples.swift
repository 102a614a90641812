import Base
import Documents
import PDF
import Sealing
import TestSupport
import Testing

/// Keys, a document and authorities for tests, made once.
enum Samples {
  static let now = Instant(millisecondsSince1970: 1_790_000_000_000)

  static let authority = made("Test Root", .authority, serial: 1)
  static let signer = made("Assent Seal", .signing, serial: 2, issuer: authority)
  static let second = made("Second Signer", .signing, serial: 3, issuer: authority)
  static let rsa = made("RSA Seal", .signing, serial: 4, issuer: authority, isRSA: true)
  static let clock = made("Test Clock", .timeStamping, serial: 5, issuer: authority)
  static let rsaClock = made("RSA Clock", .timeStamping, serial: 7, issuer: authority, isRSA: true)
  static let lone = made("Lone Seal", .signing, serial: 6)

  private static func made(
    _ name: String, _ purpose: KeyMaker.Purpose, serial: UInt8, issuer: SealKey? = nil, isRSA: Bool = false
  ) -> SealKey {
    do {
      return try make(name, purpose, serial: serial, issuer: issuer, isRSA: isRSA)
    } catch {
      preconditionFailure("\(error)")
    }
  }

  static func make(
    _ name: String, _ purpose: KeyMaker.Purpose, serial: UInt8, issuer: SealKey? = nil, isRSA: Bool = false,
    from: Instant = now + .days(-10), until: Instant = now + .days(3650)
  ) throws -> SealKey {
    try KeyMaker.make(
      name: name, organization: "Assent Tests", purpose: purpose, isRSA: isRSA, from: from, until: until,
      serial: [serial], issuer: issuer)
  }

  static let paper: ConsentPaper = {
    var paper = ConsentPaper(
      title: "Consent", language: "en", size: .a4, sections: [.init(heading: "One", markup: "<p>words to sign</p>")],
      signaturePage: SignaturePage(title: "Signatures", blocks: [SignatureBlock(title: "Participant")]), created: now)
    paper.author = "Assent Tests"
    return paper
  }()

  static let document: [UInt8] = {
    do {
      return try PaperComposer().compose(paper)
    } catch {
      preconditionFailure("\(error)")
    }
  }()

  static let stamper = OwnTimeStamper(clock, now: { now })

  static func sealer(_ key: SealKey = signer, stamper: (any TimeStamper)? = nil) -> Sealer {
    Sealer(key: key, stamper: stamper, nonce: { [1, 2, 3, 4, 5, 6, 7, 8] })
  }

  static func seal(
    _ pdf: [UInt8] = document, _ request: SealRequest = SealRequest(), key: SealKey = signer,
    stamper: (any TimeStamper)? = nil
  ) async throws -> [UInt8] {
    try await sealer(key, stamper: stamper).seal(pdf, request, at: now).bytes
  }

  /// Where a file has copies of the root's certificate, as digits or as bytes. Whoever checks has their own one: what
  /// of a copy does not lead back to the root is nobody's business, and is not noticed when it changes.
  static func copiesOfRoot(in pdf: [UInt8]) -> [Range<Int>] {
    let der = authority.certificate.der
    return [Array(Hex.encode(der).utf8), der].flatMap { words in
      pdf.indices.dropLast(words.count).filter { place in
        pdf[place] == words[0] && pdf[place..<(place + words.count)].elementsEqual(words)
      }.map { $0..<($0 + words.count) }
    }
  }

  static func verify(_ pdf: [UInt8], trusting roots: [Certificate] = [authority.certificate]) -> DocumentReport {
    DocumentVerifier(trusting: Trust(roots: roots), at: now).verify(pdf)
  }
}

/// Runs another program.
enum Tool {
  static func run(_ program: String, _ arguments: [String]) async throws -> String {
    let command = ChildCommand("sh", ["-c", "exec \"$@\" 2>&1", "sh", program] + arguments)
    let (exit, lines) = try await ChildProcess.output(of: command)
    return "\(exit)\n" + lines.joined(separator: "\n")
  }

  /// What pyHanko says of a file.
  static func pyHanko(
    _ pdf: [UInt8], _ extra: [String] = [], command: String = "validate"
  ) async throws -> String {
    let folder = try TemporaryFolder()
    try Files.write(pdf, to: folder.file("in.pdf"))
    try Files.write(Samples.authority.certificate.pem, to: folder.file("root.pem"))
    let said = try await run(
      Repository.python,
      [
        "-m", "pyhanko", "sign", command, "--pretty-print", "--no-revocation-check", "--trust",
        folder.file("root.pem"), "--trust-replace",
      ] + extra + [folder.file("in.pdf")])
    withExtendedLifetime(folder) {}
    return said
  }

  /// A key for RSASSA-PSS alone, in PEM, with a certificate of its own.
  static func paddedKey() async throws -> (key: [UInt8], certificate: [UInt8]) {
    let folder = try TemporaryFolder()
    let (key, certificate) = (folder.file("key"), folder.file("certificate"))
    for arguments in [
      ["genpkey", "-algorithm", "RSA-PSS", "-pkeyopt", "rsa_keygen_bits:2048", "-out", key],
      [
        "req", "-x509", "-key", key, "-subj", "/CN=Padded", "-days", "3650", "-addext",
        "keyUsage=critical,digitalSignature", "-out", certificate,
      ],
    ] {
      let said = try await run("openssl", arguments)
      #expect(said.hasPrefix("ended with 0"), "\(said)")
    }
    let made = (key: try Files.read(key), certificate: try Files.read(certificate))
    withExtendedLifetime(folder) {}
    return made
  }

  static func pdfsig(_ pdf: [UInt8]) async throws -> String {
    let folder = try TemporaryFolder()
    try Files.write(pdf, to: folder.file("in.pdf"))
    let said = try await run("pdfsig", ["-nocert", folder.file("in.pdf")])
    withExtendedLifetime(folder) {}
    return said
  }
}
