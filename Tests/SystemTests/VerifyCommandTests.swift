import Base
import Sealing
import TestSupport
import Testing

/// `assent keys seal` and `assent verify` at a shell.
@Suite struct VerifyCommandTests {
  private func assent(_ arguments: String...) async throws -> (exit: ProcessExit, said: String) {
    let words = ["-c", "exec \"$@\" 2>&1", "sh", Products.program("assent")] + arguments
    let (exit, lines) = try await ChildProcess.output(of: ChildCommand("sh", words))
    return (exit, lines.joined(separator: "\n"))
  }

  @Test("a key for development says that it is one, is private, and is never overwritten")
  func sealKey() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("seal.pem")
    let made = try await assent("keys", "seal", file, "--seal-name", "Heart Study")
    #expect(made.exit.isSuccess, "\(made.said)")
    #expect(made.said.contains("! It is self-signed and for development only"))
    let key = String(decoding: try Files.readPrivate(file), as: UTF8.self)
    #expect(key.contains("BEGIN PRIVATE KEY") && key.contains("BEGIN CERTIFICATE"))
    let certificate = String(decoding: try Files.read("\(file).crt"), as: UTF8.self)
    #expect(certificate.contains("BEGIN CERTIFICATE") && !certificate.contains("PRIVATE"))
    let again = try await assent("keys", "seal", file)
    #expect(again.said == "assent keys: \(file) exists; a key is never overwritten")
    // Of two who make one key at a time, one does.
    let one = folder.file("one.pem")
    async let left = assent("keys", "seal", one)
    async let right = assent("keys", "seal", one)
    let both = try await [left, right]
    #expect(both.filter { $0.exit.isSuccess }.count == 1, "\(both)")
    let own = try #require(Certificate.list(pem: try Files.readPrivate(one)).first)
    #expect(Certificate.list(pem: try Files.read("\(one).crt")) == [own])
    // One for a tenant stands in a folder by its name, which leads nowhere else.
    let keys = folder.file("keys")
    let ofTenant = try await assent("keys", "seal", keys, "--tenant", "clinic")
    #expect(ofTenant.exit.isSuccess && ofTenant.said.contains("--seal-key-folder \(keys)"), "\(ofTenant.said)")
    let owner = try #require(Certificate.list(pem: try Files.readPrivate("\(keys)/clinic.key")).first)
    #expect(owner.subject.contains("O = clinic"), "\(owner.subject)")
    let other = try await assent("keys", "seal", keys, "--tenant", "../clinic")
    #expect(!other.exit.isSuccess && other.said.contains("'../clinic' names no tenant"), "\(other.said)")
    #expect(try Files.names(in: keys) == ["clinic.key", "clinic.key.crt"])
    withExtendedLifetime(folder) {}
  }

  @Test("a file that is no sealed document is not valid, in words and as JSON, and the exit status says so")
  func notValid() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("a.pdf")
    try Files.write(Array("no pdf".utf8), to: file)
    let words = try await assent("verify", file)
    #expect(words.exit == .code(4))
    #expect(
      words.said.hasPrefix("! This file could not be checked: the file does not begin with %PDF-."), "\(words.said)")
    let json = try await assent("verify", file, "--json")
    #expect(json.exit == .code(4))
    #expect(json.said.hasPrefix("{\"verdict\":\"INDETERMINATE\",\"subindication\":\"SIGNED_DATA_NOT_FOUND\""))
    #expect(try await assent("verify", "evidence").said == "assent verify: say: FILE.pdf, or: evidence FILE")
    withExtendedLifetime(folder) {}
  }

  @Test("the exit status tells verdicts apart, and the help says how")
  func status() async throws {
    let folder = try TemporaryFolder()
    let now = Clock.system.now
    let key = try KeyMaker.make(name: "Own", from: now + .days(-1), until: now + .days(1), serial: [1])
    let sealed = try await Sealer(key: key, nonce: { [1] }).seal(PlainPDF("One").bytes, at: now).bytes
    var altered = sealed
    let word = Array("(One)".utf8)
    let place = try #require(altered.indices.first { altered[$0...].starts(with: word) })
    altered[place + 1] = UInt8(ascii: "N")
    let root = folder.file("root.pem")
    try Files.write(key.certificate.pem, to: root)
    for (name, bytes, status) in [
      ("unsigned", PlainPDF("One").bytes, Int32(4)), ("sealed", sealed, 0), ("altered", altered, 3),
      ("cut", Array(sealed.prefix(100)), 4),
    ] {
      try Files.write(bytes, to: folder.file(name))
      let said = try await assent("verify", folder.file(name), "--trust", root)
      #expect(said.exit == .code(status), "\(name): \(said.said)")
    }
    #expect(try await assent("verify", folder.file("sealed")).exit == .code(4))
    #expect(try await assent("verify", folder.file("nowhere")).exit == .code(1))
    let help = try await assent("verify", "--help").said
    #expect(help.contains("  4   INDETERMINATE: nothing speaks against it"), "\(help)")
    withExtendedLifetime(folder) {}
  }

  @Test("a report is written as XML and as a page, whatever the verdict is")
  func reports() async throws {
    let folder = try TemporaryFolder()
    let now = Clock.system.now
    let key = try KeyMaker.make(name: "Own", from: now + .days(-1), until: now + .days(1), serial: [1])
    let sealed = try await Sealer(key: key, nonce: { [1] }).seal(PlainPDF("One").bytes, at: now).bytes
    let (file, root) = (folder.file("contract.pdf"), folder.file("root.pem"))
    try Files.write(sealed, to: file)
    try Files.write(key.certificate.pem, to: root)
    for (name, trust, status, words) in [
      ("good", ["--trust", root], Int32(0), "You can rely on it"), ("open", [], 4, "Nothing shows that"),
    ] {
      let (xml, page) = (folder.file("\(name).xml"), folder.file("\(name).pdf"))
      for report in [xml, page] {
        let command = ChildCommand(Products.program("assent"), ["verify", file, "--report", report] + trust)
        #expect(try await ChildProcess.output(of: command).exit == .code(status))
      }
      #expect(String(decoding: try Files.read(xml), as: UTF8.self).contains("<MainIndication>urn:etsi:019102:"))
      let text = try await ChildProcess.output(of: ChildCommand("pdftotext", [page, "-"])).lines.joined(separator: "\n")
      #expect(text.contains(words) && text.contains("contract.pdf") && text.contains("CN = Own"), "\(text)")
    }
    let strange = try await assent("verify", file, "--report", folder.file("report.txt"))
    #expect(strange.exit == .code(1) && strange.said.contains("a report is a file named .xml or .pdf"))
    withExtendedLifetime(folder) {}
  }

  @Test("a certificate that is encrypted is none, and nobody is asked for its passphrase")
  func encryptedTrust() async throws {
    let folder = try TemporaryFolder()
    let (file, root) = (folder.file("a.pdf"), folder.file("root.pem"))
    try Files.write(PlainPDF("One").bytes, to: file)
    let head = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00112233445566778899AABBCCDDEEFF\n\n"
    let letters = String(repeating: "A", count: 64)
    try Files.write(
      Array("-----BEGIN CERTIFICATE-----\n\(head)\(letters)\n-----END CERTIFICATE-----\n".utf8), to: root)
    // Its input stays open: whoever asked there would wait.
    let words = [
      "-c", "exec timeout 60 \"$@\" 2>&1", "sh", Products.program("assent"), "verify", file, "--trust", root,
    ]
    var command = ChildCommand("sh", words)
    command.input = .written
    let (exit, lines) = try await ChildProcess.output(of: command)
    #expect(exit == .code(1) && lines == ["assent verify: \(root) has no certificate in PEM"], "\(lines)")
    withExtendedLifetime(folder) {}
  }
}
