import Base
import Sealing
import TestSupport
import Testing

/// `assent seal`: files that are no records, sealed by running services while they stay where they are.
@Suite(.serialized) struct SealCommandTests {
  private let system: TestSystem
  private let authorities: AuthorityServer
  private let root: String

  init() async throws {
    (system, authorities) = (try await TestSystem.start(), try await AuthorityServer.start())
    root = system.folder.file("root.pem")
  }

  /// Starts what a seal needs: whoever keeps the record of it, and whoever has the key.
  private func start() async throws {
    let key = system.folder.file("chain.pem")
    // A key that others may read is refused.
    try Files.write(try authorities.file("seal.pem"), to: key, mode: 0o600)
    try Files.write(try authorities.file("root.pem"), to: root)
    let master = ["ASSENT_MASTER_KEY": Optional(String(repeating: "5a", count: 32))]
    try await system.startWorker("ConsentService", ["--data", system.folder.file("data")], environment: master)
    try await system.startWorker(
      "SignatureService",
      [
        "--seal-only", "--seal-key-file", key, "--seal-time-authority", "\(authorities.address)/tsa",
        "--seal-time-allow", "127.0.0.1/32", "--seal-trust", root,
      ])
  }

  private func run(_ program: String, _ arguments: [String]) async throws -> (exit: ProcessExit, said: String) {
    let (exit, lines) = try await ChildProcess.output(
      of: ChildCommand("sh", ["-c", "exec \"$@\" 2>&1", "sh", program] + arguments))
    return (exit, lines.joined(separator: "\n"))
  }

  private func seal(_ name: String, _ more: String...) async throws -> (exit: ProcessExit, said: String) {
    try await run(
      Products.program("assent"),
      ["seal", system.folder.file(name), "-o", system.folder.file("sealed-\(name)"), "--data", system.folder.path]
        + more)
  }

  private func report(_ name: String) throws -> DocumentReport {
    let roots = Certificate.list(pem: try Files.read(root))
    return DocumentVerifier(trusting: Trust(roots: roots), at: Clock.system.now)
      .verify(try Files.read(system.folder.file("sealed-\(name)")))
  }

  /// What pyHanko says of a file.
  private func expectElsewhere(_ name: String, _ words: String) async throws {
    let said = try await run(
      Repository.python,
      [
        "-m", "pyhanko", "sign", "validate", "--pretty-print", "--no-revocation-check", "--trust", root,
        "--trust-replace", system.folder.file("sealed-\(name)"),
      ]
    ).said
    #expect(said.contains(words), "\(name): \(said)")
  }

  @Test("a file is sealed to each level, seen or not, and other verifiers agree", .timeLimit(.minutes(5)))
  func levels() async throws {
    try await start()
    try Files.write(PlainPDF("Report", "Second page").bytes, to: system.folder.file("a.pdf"))
    try Files.write(PlainPDF("Scan").bytes, to: system.folder.file("b.pdf"))
    let whole = try await seal("a.pdf", "--level", "B-LTA", "--reason", "Checked", "--location", "Bonn")
    #expect(whole.exit.isSuccess && whole.said.contains("PAdES B-LTA, sealed by "), "\(whole.said)")
    let archived = try report("a.pdf")
    #expect(archived.verdict == .passed && archived.signatures[0].level == .archived, "\(archived.lines)")
    #expect(archived.signatures[0].reason == "Checked")
    try await expectElsewhere("a.pdf", "The signature is judged VALID")

    let seen = try await seal("b.pdf", "--level", "B-T", "--permit", "signing", "--show", "1,36,40,160,48")
    #expect(seen.exit.isSuccess && seen.said.contains("PAdES B-T"), "\(seen.said)")
    let timed = try report("b.pdf")
    #expect(timed.verdict == .passed && timed.signatures.map(\.kind) == [.certification], "\(timed.lines)")
    let drawn = String(decoding: try Files.read(system.folder.file("sealed-b.pdf")), as: UTF8.self)
    #expect(drawn.contains("/Rect[36 40 196 88]"))
    try await expectElsewhere("b.pdf", "The signature is judged VALID")

    // Sealed again, by somebody else's leave; and never again where nobody may.
    try Files.write(try Files.read(system.folder.file("sealed-b.pdf")), to: system.folder.file("c.pdf"))
    #expect(try await seal("c.pdf", "--permit", "signing").said.contains("only the first signature can certify"))
    #expect(try await seal("c.pdf").exit.isSuccess)
    #expect(try report("c.pdf").verdict == .passed)
    try Files.write(PlainPDF("Last").bytes, to: system.folder.file("d.pdf"))
    #expect(try await seal("d.pdf", "--permit", "nothing").exit.isSuccess)
    try Files.write(try Files.read(system.folder.file("sealed-d.pdf")), to: system.folder.file("e.pdf"))
    #expect(try await seal("e.pdf").said.contains("its certificate permits no further signature"))
  }

  @Test("a file of 45 megabytes is sealed, a larger one and what may not be sealed are not", .timeLimit(.minutes(5)))
  func bounds() async throws {
    try await start()
    var large = PlainPDF("Scan")
    let count = 45 << 20
    large.objects = ["<</Length \(count)>>stream\n\(String(repeating: "0", count: count))\nendstream"]
    try Files.write(large.bytes, to: system.folder.file("large.pdf"))
    let sealed = try await seal("large.pdf")
    #expect(sealed.exit.isSuccess, "\(sealed.said)")
    #expect(try report("large.pdf").verdict == .passed)
    try Files.write(large.bytes + [UInt8](repeating: 32, count: 6 << 20), to: system.folder.file("huge.pdf"))
    #expect(try await !seal("huge.pdf").exit.isSuccess)

    let plain = PlainPDF("One").bytes
    try Files.write(Array(plain.prefix(200)), to: system.folder.file("cut.pdf"))
    try Files.write(plain, to: system.folder.file("plain.pdf"))
    let locked = system.folder.file("locked.pdf")
    _ = try await run(
      "qpdf", ["--encrypt", "", "owner", "256", "--", system.folder.file("plain.pdf"), locked])
    for name in ["cut.pdf", "locked.pdf"] {
      let said = try await seal(name)
      #expect(!said.exit.isSuccess && said.said.contains("the file cannot be sealed: "), "\(said.said)")
      #expect(!Files.exists(system.folder.file("sealed-\(name)")))
    }
    let outside = try await seal("plain.pdf", "--show", "1,500,10,200,20")
    #expect(outside.said.contains("the field would not be wholly on page 1"), "\(outside.said)")
    #expect(try await seal("plain.pdf", "--show", "2,1,1,9,9").said.contains("it has no page 2"))
    let help = try await run(Products.program("assent"), ["seal", "--help"]).said
    #expect(help.contains("--level") && help.contains("The file stays here"), "\(help)")
  }
}
