import Base
import Sealing
import TestSupport
import Testing

/// `assent prepare` and `assent probe`, which containers are started and watched with.
@Suite struct PrepareCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func assent(_ words: String...) async throws -> (exit: ProcessExit, said: String) {
    try await assent(words)
  }

  private func assent(_ words: [String]) async throws -> (exit: ProcessExit, said: String) {
    let (exit, lines) = try await ChildProcess.output(
      of: ChildCommand("sh", ["-c", "exec \"$@\" 2>&1", "sh", Products.program("assent")] + words))
    return (exit, lines.joined(separator: "\n"))
  }

  private func text(_ file: String) throws -> String {
    String(decoding: try Files.read(folder.file(file)), as: UTF8.self)
  }

  @Test("a prepared installation starts over TCP, and preparing it again keeps every key")
  func prepared() async throws {
    let root = folder.file("keys")
    #expect(try await assent("prepare", root, "--mount", "\(root)/gateway").exit.isSuccess)
    let files = [
      "seal/seal.key", "gateway/bus.key", "consent/master.key", "consent/database.url", "database/roles.sql",
    ]
    let first = try files.map { try text("keys/\($0)") }
    #expect(try await assent("prepare", root, "--mount", "\(root)/gateway").exit.isSuccess)
    #expect(try files.map { try text("keys/\($0)") } == first)
    for service in ["consent", "signature", "account"] {
      #expect(try text("keys/\(service)/settings").contains("evidence-key-file = \(root)/gateway/evidence.key"))
      #expect(try text("keys/\(service)/evidence.key").count == 65)
      #expect(try text("keys/operator/\(service).evidence.pub") != text("keys/\(service)/evidence.key"))
    }
    let list = try text("keys/gateway/bus-keys")
    #expect(list.contains("assent.signature.v1.RenderService"))
    let sealer = try #require(list.split(separator: "\n").first { $0.contains("assent.signature.v1.SealService") })
    #expect(!sealer.contains("Paper") && !sealer.contains("vouches=tenants"), "\(sealer)")
    #expect(try text("keys/seal/settings").contains("seal-key-file = \(root)/gateway/seal.key"))
    #expect(try text("keys/signature/settings").contains("seal-trust = \(root)/gateway/seal.crt"))
    #expect(try text("keys/signature/seal.crt").contains("BEGIN CERTIFICATE"))
    #expect(!Files.exists(folder.file("keys/signature/seal.key")), "only one container has the key")

    let gateway = try await RunningProgram.start(
      "gateway",
      [
        "--config", "\(root)/gateway/settings", "--services-door", "tcp://127.0.0.1:0", "--clients-door",
        "tcp://127.0.0.1:0", "--ops-listen", "127.0.0.1:0",
      ])
    let ready = try #require(await gateway.line(containing: "ready"), "\(gateway.logLines)")
    let endpoint = try #require(ready.split(separator: "http://").dropFirst().first?.split(separator: " ").first)
    let answer = try await assent("probe", String(endpoint))
    #expect(answer.exit.isSuccess, "\(answer.said)")
    #expect(answer.said == "ready")
    gateway.send(.terminate)
    #expect(await gateway.wait() == .code(0))
  }

  @Test("certificates of former seals stay trusted when the installation is prepared again, each of them once")
  func formerSeals() async throws {
    let root = folder.file("keys")
    #expect(try await assent("prepare", root).exit.isSuccess)
    let certificates = { (file: String) in Certificate.list(pem: try Files.read(folder.file(file))) }
    let former = try certificates("keys/signature/seal.crt")
    #expect(former.count == 1)
    #expect(try await assent("keys", "seal", folder.file("other.key")).exit.isSuccess)
    try Files.write(Files.read(folder.file("other.key")), to: "\(root)/seal/seal.key", mode: 0o600)
    let both = try Set(former + certificates("other.key.crt"))
    for _ in 1...2 {
      #expect(try await assent("prepare", root).exit.isSuccess)
      for role in ["operator", "signature"] {
        let found = try certificates("keys/\(role)/seal.crt")
        #expect(found.count == 2 && Set(found) == both, "\(role)")
      }
    }
  }

  @Test("the operator's key and settings are enough for tenants", .timeLimit(.minutes(1)))
  func tenants() async throws {
    let root = folder.file("keys")
    #expect(try await assent("prepare", root, "--mount", "\(root)/operator").exit.isSuccess)
    let settings = try text("keys/operator/settings")
    let publicKey = try #require(settings.split(separator: "\"").dropFirst().first)
    let gateway = try await RunningProgram.start(
      "gateway",
      [
        "--services-door", "tcp://127.0.0.1:0", "--clients-door", "tcp://127.0.0.1:0", "--bus-key-file",
        "\(root)/gateway/bus.key", "--bus-key-list", "\(root)/gateway/bus-keys",
      ])
    let ready = try #require(await gateway.line(containing: "ready"), "\(gateway.logLines)")
    let doors = ready.split(separator: " ").filter { $0.hasPrefix("tcp://") }.map(String.init)
    try #require(doors.count == 2)
    let account = try await RunningProgram.start(
      "AccountService",
      [
        "--services-door", doors[0], "--bus-key-file", "\(root)/account/bus.key", "--gateway-key", "\(publicKey)",
        "--data", folder.file("data"), "--master-key-file", "\(root)/account/master.key",
      ])
    _ = try #require(await account.line(containing: "ready"), "\(account.logLines)")
    let place = ["--config", "\(root)/operator/settings", "--clients-door", doors[1]]
    for words in [["create", "acme"], ["disable", "acme", "--reason", "asked for"], ["list"]] {
      let (exit, said) = try await assent(["tenants"] + words + place)
      #expect(exit.isSuccess, "\(said)")
      if words == ["list"] { #expect(said.contains("disabled") && said.contains("asked for"), "\(said)") }
    }
    for program in [account, gateway] {
      program.send(.terminate)
      #expect(await program.wait() == .code(0))
    }
  }

  @Test(
    "services' keys allow every service of the contract, also on an older version's list, and keep their names",
    arguments: ["consent", "consent-2027"])
  func rights(name: String) async throws {
    let root = folder.file("keys")
    #expect(try await assent("prepare", root).exit.isSuccess)
    let made = try text("keys/gateway/bus-keys").replacing("name=consent ", with: "name=\(name) ")
    #expect(made.contains("name=\(name) "))
    for package in ["consent", "signature", "account"] {
      for service in try services(of: package) {
        #expect(made.split(separator: "\n").filter { $0.contains(service) }.count == 1, "\(service)")
      }
    }
    let older = made.replacing(",assent.consent.v1.WebhookService", with: "")
    #expect(older != made)
    try Files.write(Array(older.utf8), to: folder.file("keys/gateway/bus-keys"), mode: 0o644)
    #expect(try await assent("prepare", root).exit.isSuccess)
    let lines = { (text: String) in Set(text.split(separator: "\n")) }
    #expect(try lines(text("keys/gateway/bus-keys")) == lines(made))
  }

  /// The full names of the services that a package of proto/ defines.
  private func services(of package: String) throws -> [String] {
    let folder = Repository.path("proto/assent/\(package)/v1")
    let names = try Files.names(in: folder).filter { $0.hasSuffix(".proto") }.flatMap { file in
      String(decoding: try Files.read("\(folder)/\(file)"), as: UTF8.self).split(separator: "\n").compactMap { line in
        line.hasPrefix("service ") ? "assent.\(package).v1.\(line.split(separator: " ")[1])" : nil
      }
    }
    try #require(!names.isEmpty)
    return names
  }

  @Test("a process that does not answer is not ready, and a wrong address is named")
  func refusals() async throws {
    let closed = try await assent("probe", "127.0.0.1:1")
    #expect(closed.exit == .code(1))
    #expect(closed.said == "assent probe: 127.0.0.1:1: Connection refused")
    let wrong = try await assent("probe", "somewhere")
    #expect(wrong.said == "assent probe: 'somewhere' must be a host and a port, such as 127.0.0.1:9090")
  }

  @Test(
    "a check that watches ends at once while a process has just become ready, and later when it ends",
    .timeLimit(.minutes(5)))
  func watching() async throws {
    let gateway = try await RunningProgram.start(
      "gateway", ["--bus-folder", folder.file("bus"), "--ops-listen", "127.0.0.1:0"])
    let words = try #require(await gateway.line(containing: "ready")).split(separator: " ")
    let place = String(try #require(words.first { $0.hasPrefix("http://") }).dropFirst("http://".count))
    let begun = Clock.system.monotonic
    #expect(try await assent("probe", "--probe-watch", "3600", place).exit.isSuccess)
    // Checks without a break; those of the first five seconds end at once.
    while Clock.system.monotonic < begun + .seconds(6) { _ = try await assent("probe", place) }
    async let watched = assent("probe", "--probe-watch", "3600", place)
    try await Task.sleep(for: .seconds(1))
    gateway.send(.terminate)
    #expect(try await watched.exit == .code(1))
    _ = await gateway.wait()
  }
}
