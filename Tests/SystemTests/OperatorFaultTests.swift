import Base
internal import Bus
import ConsentContract
import GatewayContract
import RPC
import StorageTestKit
import TestSupport
import Testing
import Wire

/// What goes wrong at an installation by no fault of its callers: each ends in one clear line, and nothing is lost.
/// scripts/test-compose tries more of it, in containers.
@Suite(.serialized, .timeLimit(.minutes(3))) struct OperatorFaultTests {
  private static let key = String(repeating: "5a", count: 32)

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  struct Secret: CustomTestStringConvertible {
    let name: String
    let program: String
    var environment: [String: String] = [:]
    /// Settings whose value is a file with this content; nil: there is no such file.
    var files: [(setting: String, content: String?)] = []
    var arguments: [String] = []
    let words: String

    var testDescription: String { name }
  }

  static let secrets = [
    Secret(name: "no master key", program: "ConsentService", words: "there is no master key"),
    Secret(
      name: "a master key's file that is not there", program: "AccountService", files: [("master-key", nil)],
      words: "master-key"),
    Secret(
      name: "half of a master key", program: "SignatureService", files: [("master-key", "5a5a5a5a\n")],
      words: "line 1 of the master keys is not 64 hexadecimal digits"),
    Secret(
      name: "half of an evidence key", program: "ConsentService", environment: ["ASSENT_MASTER_KEY": key],
      files: [("evidence-key", "5a5a")], words: "evidence key is not 64 hexadecimal digits"),
    Secret(
      name: "half of a seal's key", program: "SignatureService",
      files: [("seal-key", "-----BEGIN PRIVATE KEY-----\nMIGH\n")], arguments: ["--seal-only"], words: "seal"),
    Secret(
      name: "half of a bus key", program: "gateway", files: [("bus-key", "public = abc\n")],
      arguments: ["--services-door", "tcp://127.0.0.1:0", "--clients-door", "tcp://127.0.0.1:0"], words: "bus-key"),
    Secret(
      name: "a database that does not answer", program: "ConsentService",
      environment: [
        "ASSENT_MASTER_KEY": key, "ASSENT_DATABASE_URL": "postgresql://nobody:wrong-secret@127.0.0.1:1/consent",
      ],
      words: "cannot connect to PostgreSQL"),
  ]

  @Test("a secret that is missing or cut off ends the program with one line that names it", arguments: secrets)
  func refused(_ secret: Secret) async throws {
    let system = try await TestSystem.start()
    var arguments = ["--bus-folder", system.busFolder] + secret.arguments
    if secret.program != "gateway" { arguments += ["--data", folder.file("data")] }
    for (setting, content) in secret.files {
      if let content { try Files.write(Array(content.utf8), to: folder.file(setting), mode: 0o600) }
      arguments += ["--\(setting)-file", folder.file(setting)]
    }
    let program = try await RunningProgram.start(
      secret.program, arguments, environment: secret.environment.mapValues { Optional($0) })
    let exit = await program.wait()
    #expect([ProcessExit.code(1), .code(2)].contains(exit), "\(exit): \(program.logLines)")
    let complaints = program.logLines.filter { !$0.hasPrefix("time=") || $0.contains("level=error") }
    #expect(complaints.count == 1 && complaints[0].contains(secret.words), "\(program.logLines)")
    #expect(!program.logLines.contains { $0.contains("wrong-secret") })
  }

  private func startConsent(
    in data: String, on system: TestSystem, key: String = Self.key, _ arguments: [String] = []
  ) async throws -> RunningProgram {
    try await RunningProgram.start(
      "ConsentService", ["--bus-folder", system.busFolder, "--data", data] + arguments,
      environment: ["ASSENT_MASTER_KEY": key])
  }

  private func end(_ program: RunningProgram) async {
    program.send(.terminate)
    #expect(await program.wait() == .code(0), "\(program.logLines)")
  }

  @Test(
    "a service with a PostgreSQL database that writes erasures down nowhere else says so at its start",
    arguments: [true, false])
  func noErasureList(isNamed: Bool) async throws {
    let system = try await TestSystem.start()
    let list = isNamed ? ["--erasure-list", folder.file("erasures")] : []
    let service = try await RunningProgram.start(
      "ConsentService", ["--bus-folder", system.busFolder] + list,
      environment: [
        "ASSENT_MASTER_KEY": Self.key, "ASSENT_DATABASE_URL": "postgresql://nobody:nothing@127.0.0.1:1/consent",
      ])
    let warning = "erasures and holds are not written down outside the database"
    // It goes on to look for a database that is not there, which is not waited for.
    if isNamed {
      try await eventually("the list is made", Files.exists(folder.file("erasures.consent")))
    } else {
      #expect(await service.logLine(containing: warning) != nil, "\(service.logLines)")
    }
    service.send(.terminate)
    _ = await service.wait()
    #expect(service.logLines.filter { $0.contains(warning) }.count == (isNamed ? 0 : 1), "\(service.logLines)")
    #expect(Files.exists(folder.file("erasures.consent")) == isNamed)
  }

  @Test("a service that signed heads, and is not given the key any more, says so")
  func lostEvidenceKey() async throws {
    let system = try await TestSystem.start()
    let data = folder.file("data")
    try Files.write(Array(Self.key.utf8), to: folder.file("evidence.key"), mode: 0o600)
    let signing = ["--evidence-key-file", folder.file("evidence.key"), "--evidence-interval", "1s"]
    let first = try await startConsent(in: data, on: system, signing)
    _ = try #require(await first.line(containing: "ready"), "\(first.logLines)")
    let connection = try await system.connect()
    try await PaperStudy(channel: connection.channel).open()
    _ = try #require(await first.logLine(containing: "head signed"))
    try await connection.close()
    await end(first)
    let second = try await startConsent(in: data, on: system)
    let warning = try #require(await second.logLine(containing: "heads of the event logs are signed no more"))
    #expect(warning.contains("level=warn"))
    _ = try #require(await second.line(containing: "ready"), "\(second.logLines)")
    await end(second)
  }

  @Test("a database of another key, or of the next version, is refused in one line and stays as it is")
  func foreignDatabases() async throws {
    let system = try await TestSystem.start()
    let data = folder.file("data")
    let first = try await startConsent(in: data, on: system)
    _ = try #require(await first.line(containing: "ready"), "\(first.logLines)")
    let connection = try await system.connect()
    let study = PaperStudy(channel: connection.channel)
    try await study.open()
    try await study.consent("s1")
    await end(first)

    let strange = try await startConsent(in: data, on: system, key: String(repeating: "a5", count: 32))
    #expect(await strange.wait() == .code(1))
    let wrongKey = strange.logLines.filter { $0.contains("cannot start") }
    #expect(wrongKey.count == 1 && wrongKey[0].contains("was sealed with master key"), "\(strange.logLines)")

    try await sqlite(
      "\(data)/consent.db",
      "INSERT INTO storage_migrations SELECT history, max(version) + 1, 'next', sql, checksum, applied_ms "
        + "FROM storage_migrations WHERE history = 'consent'")
    let older = try await startConsent(in: data, on: system)
    #expect(await older.wait() == .code(1))
    let tooOld = older.logLines.filter { $0.contains("cannot start") }
    #expect(tooOld.count == 1 && tooOld[0].contains("run the newer program"), "\(older.logLines)")
    try await sqlite("\(data)/consent.db", "DELETE FROM storage_migrations WHERE name = 'next'")

    let again = try await startConsent(in: data, on: system)
    _ = try #require(await again.line(containing: "ready"), "\(again.logLines)")
    #expect(try await study.isPermitted("s1"))
    try await connection.close()
    await end(again)
  }

  @Test("what a service finds altered in its data is told at /readyz, by assent status and on the status page")
  func altered() async throws {
    let system = try await TestSystem.start { _ in ["--http-listen", "127.0.0.1:0"] }
    let data = folder.file("data")
    let first = try await startConsent(in: data, on: system)
    _ = try #require(await first.line(containing: "ready"), "\(first.logLines)")
    let connection = try await system.connect()
    try await PaperStudy(channel: connection.channel).open()
    await end(first)
    // A pass begins at once only if none has begun within a minute.
    try await sqlite("\(data)/consent.db", "UPDATE studies SET body = x'00'; DELETE FROM storage_periodic_tasks")
    let service = try await startConsent(in: data, on: system, ["--instance", "c-1", "--ops-listen", "127.0.0.1:0"])
    let ready = try #require(await service.line(containing: "ready"), "\(service.logLines)")
    let operations = try #require(ready.split(separator: " ").first { $0.hasPrefix("http://") })
    let problem = "data: the check of the data found a problem"
    var notices: [String] = []
    for _ in 0..<300 where notices.isEmpty {
      try await Task.sleep(for: .milliseconds(100))
      notices = try await GatewayServiceClient(connection.channel).listInstances(ListInstancesRequest()).instances
        .flatMap(\.notices)
    }
    #expect(notices == [problem])
    #expect(try await HTTP.ask("\(operations)/readyz").text.contains(problem))
    let status = try await RunningProgram.start("assent", ["status", "--bus-folder", system.busFolder])
    #expect(await status.wait() == .code(0))
    #expect(status.lines.last == "! c-1: \(problem)")
    if LongTests.areWanted {
      let page = try #require(
        system.gateway.lines.joined(separator: " ").split(separator: " ").first { $0.hasPrefix("http:") })
      let look = try await RunningProgram.startPython(
        [Repository.path("scripts/lib/status-page.py"), String(page), "notice", "c-1: \(problem)"])
      #expect(await look.wait() == .code(0), "\(look.logLines)")
    }
    try await connection.close()
    await end(service)
  }

  @Test("on a full volume a service says so once, changes nothing, and goes on when there is room")
  func fullVolume() async throws {
    guard let disk = try await SmallDisk(options: "size=32m") else {
      try Test.cancel("only root may mount, and not in every container")
    }
    let data = "\(disk.folder)/data"
    let system = try await TestSystem.start()
    let service = try await startConsent(in: data, on: system, ["--ops-listen", "127.0.0.1:0"])
    let ready = try #require(await service.line(containing: "ready"), "\(service.logLines)")
    let operations = try #require(ready.split(separator: " ").first { $0.hasPrefix("http://") })
    let connection = try await system.connect()
    let study = PaperStudy(channel: connection.channel)
    try await study.open()
    var kept = ["s0"]
    try await study.consent("s0")
    // A question is on record before its first answer, which takes room too.
    #expect(try await study.isPermitted("s0"))
    _ = try await ChildProcess.output(
      of: ChildCommand("sh", ["-c", "cat /dev/zero 2>/dev/null >\"$0\" || true", "\(disk.folder)/ballast"]))
    // What SQLite has room for already is still taken.
    var refused: Status?
    for number in 1...2000 where refused == nil {
      do {
        try await study.consent("s\(number)")
        kept.append("s\(number)")
      } catch let status as Status {
        refused = status
      }
    }
    #expect(refused?.code == .unavailable && refused?.message.hasPrefix("disk_full") == true, "\(refused as Any)")
    let late = "s\(kept.count)"
    for _ in 0..<5 { await #expect(throws: Status.self) { _ = try await study.consent(late) } }
    #expect(try await study.isPermitted("s0"), "reading goes on")
    // A small write that still finds room takes the notice back, until the next one that does not.
    func says() async throws -> Bool {
      _ = try? await study.consent(late)
      return try await HTTP.ask("\(operations)/readyz").text.contains("the disk is full")
    }
    try await eventually("the process says that the disk is full", try await says())
    let lines = service.logLines.filter { $0.contains("level=error") || $0.contains("level=warn") }
    #expect(lines.filter { $0.contains("disk is full") }.count == 1, "\(lines)")

    _ = try await ChildProcess.output(of: ChildCommand("rm", ["\(disk.folder)/ballast"]))
    #expect(try await !study.isPermitted(late), "what was refused is not there")
    try await study.consent(late)
    await end(service)
    let again = try await startConsent(in: data, on: system)
    _ = try #require(await again.line(containing: "ready"), "\(again.logLines)")
    for subject in kept + [late] { #expect(try await study.isPermitted(subject), "\(subject)") }
    let (exit, said) = try await ChildProcess.output(
      of: ChildCommand(Products.program("assent"), ["data", "check", "--schema", "consent", "--data", data]))
    #expect(exit.isSuccess, "\(said)")
    try await connection.close()
    await end(again)
    try await disk.remove()
  }

  private func sqlite(_ path: String, _ sql: String) async throws {
    let (exit, lines) = try await ChildProcess.output(of: ChildCommand("sqlite3", [path, sql]))
    try #require(exit.isSuccess, "\(lines)")
  }
}
