import Base
import TestSupport
import Testing

/// The real programs, as an operator uses them. The gateway stands for all: it needs nothing else to start.
@Suite struct ProcessTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(named: "assent-process") }

  private func start(_ name: String, at address: String = "127.0.0.1:0") async throws -> RunningProgram {
    try await RunningProgram.start("gateway", ["--bus-folder", folder.file(name), "--ops-listen", address])
  }

  @Test("a service says that it is ready, answers operators, and ends in order on SIGTERM")
  func life() async throws {
    let service = try await start("bus")
    let address = "http://\(try await operatorsPort(of: service))"
    #expect(try await fetch("\(address)/healthz") == ["200 ok"])
    #expect(try await fetch("\(address)/readyz") == ["200 ready"])
    #expect(try await fetch("\(address)/metrics").contains("# TYPE process_resident_memory_bytes gauge"))
    #expect(try await fetch("\(address)/other") == ["404 there is /metrics, /healthz and /readyz"])
    service.send(.terminate)
    #expect(await service.wait() == .code(0))
    #expect(service.logLines.contains { $0.contains("event=stopping") && $0.contains("reason=SIGTERM") })
    #expect(service.logLines.last?.contains("event=stopped") == true)
  }

  private func operatorsPort(of program: RunningProgram) async throws -> String {
    let words = try #require(await program.line(containing: "ready")).split(separator: " ")
    let address = try #require(words.first { $0.hasPrefix("http://") })
    return String(address.dropFirst("http://".count))
  }

  /// The status and the lines of an answer, fetched with another program's HTTP client.
  private func fetch(_ address: String) async throws -> [String] {
    let script = """
      import sys, urllib.request, urllib.error
      try: answer = urllib.request.urlopen(sys.argv[1], timeout=10)
      except urllib.error.HTTPError as error: answer = error
      print(answer.status, answer.read().decode(), end="")
      """
    return try await ChildProcess.output(of: ChildCommand(Repository.python, ["-c", script, address])).lines
  }

  @Test("a wrong command line ends a service with one line that says why, and code 2")
  func misuse() async throws {
    let service = try await RunningProgram.start("AccountService", ["--log-levle", "debug"])
    #expect(await service.wait() == .code(2))
    #expect(service.logLines == ["account: --log-levle is unknown; did you mean --log-level?"])
  }

  @Test("a port that is taken ends a service with one line that names it, and code 1")
  func takenPort() async throws {
    let first = try await start("first")
    let address = try await operatorsPort(of: first)
    let second = try await start("second", at: address)
    #expect(await second.wait() == .code(1))
    let line = try #require(second.logLines.first)
    #expect(line.contains("event=\"cannot start\""))
    #expect(line.contains("error=\"cannot listen on \(address): Address already in use\""))
    #expect(second.logLines.count == 1)
  }

  @Test("a program ends with the test that started it, however the test ends", .timeLimit(.minutes(1)))
  func abandoned() async throws {
    let id: Int32
    do {
      let service = try await start("bus")
      _ = try #require(await service.line(containing: "ready"))
      id = service.id
    }
    try await eventually("the process is gone", !Files.exists("/proc/\(id)"))
  }

  @Test(
    "every program and every command has a version, and a help that names its settings",
    arguments: ["gateway", "ConsentService", "SignatureService", "AccountService", "InteropService", "assent"]
      + [
        "up", "status", "demo", "documents", "keys", "render", "data", "verify", "prepare", "call", "accounts",
        "tenants",
        "signature",
      ].map { "assent \($0)" })
  func helpAndVersion(program: String) async throws {
    let words = program.split(separator: " ").map(String.init)
    let help = try await RunningProgram.start(words[0], words.dropFirst() + ["--help"])
    #expect(await help.wait() == .code(0))
    #expect(help.lines.contains { $0.hasPrefix("usage: ") })
    #expect(program == "assent" || help.lines.contains { $0.hasPrefix("  --config FILE") })
    let version = try await RunningProgram.start(words[0], words.dropFirst() + ["--version"])
    #expect(await version.wait() == .code(0))
    #expect(version.lines.first?.hasSuffix(" 0.1.0") == true)
  }
}
