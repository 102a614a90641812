import Base
import TestSupport
import Testing

/// The gateway's door of gRPC, with clients that are not ours.
@Suite(.serialized, .timeLimit(.minutes(3))) struct GRPCGatewayTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A gateway with an interoperability service; its address, and a key for it.
  private func start(
    _ arguments: [String] = []
  ) async throws -> (programs: [RunningProgram], address: String, key: String) {
    let list = ["--api-key-list", folder.file("api-keys")]
    let created = try await ChildProcess.output(
      of: ChildCommand(
        Products.program("assent"),
        ["keys", "api", "create", "tester", "--tenant", "acme", "--kind", "device"] + list))
    let key = try #require(created.lines.last { $0.hasPrefix("ak_") })
    let gateway = try await RunningProgram.start(
      "gateway", ["--bus-folder", folder.file("bus"), "--grpc-listen", "127.0.0.1:0"] + list + arguments)
    let ready = try #require(await gateway.line(containing: "ready"), "\(gateway.logLines)")
    let places = ready.split(separator: "   ").map(String.init)
    let address = try #require(places.first { $0.hasPrefix("grpc ") }).replacing("grpc ", with: "")
    let worker = try await RunningProgram.start("InteropService", ["--bus-folder", folder.file("bus"), "--slots", "8"])
    _ = try #require(await worker.line(containing: "ready"), "\(worker.logLines)")
    return ([gateway, worker], address, key)
  }

  private func run(_ script: String, _ arguments: [String]) async throws {
    let tests = try await RunningProgram.startPython([Repository.path("Tests/Fixtures/grpc/\(script)")] + arguments)
    #expect(await tests.wait() == .code(0), "\(tests.logLines.joined(separator: "\n"))")
  }

  @Test("gRPC's interoperability cases pass from grpcio, through gateway and service")
  func interop() async throws {
    let system = try await start()
    try await run("interop.py", [system.address, system.key, "-v"])
    system.programs[0].send(.terminate)
    #expect(await system.programs[0].wait() == .code(0), "\(system.programs[0].logLines)")
  }

  @Test("gRPC's interoperability cases pass from gRPC C++")
  func interopCPlusPlus() async throws {
    let program = folder.file("interop")
    let source = Repository.path("Tests/Fixtures/grpc/interop.cc")
    let libraries = ["-lgrpc++", "-lgrpc", "-lgpr", "-lprotobuf", "-labsl_synchronization"]
    let compiled = try await ChildProcess.output(
      of: ChildCommand("g++", ["-std=gnu++17", "-O0", "-o", program, source] + libraries))
    try #require(compiled.exit.isSuccess, "\(compiled.lines)")
    let system = try await start()
    let cases = try await ChildProcess.output(
      of: ChildCommand(program, [system.address, system.key, Repository.path("proto/assent.binpb")]))
    #expect(cases.exit == .code(0), "\(cases.lines)")
  }

  @Test("grpcio's own reflection and health clients find every service and method")
  func tools() async throws {
    let system = try await start()
    try await run("reflection_and_health.py", [system.address, system.key])
  }

  @Test("several calls in one come over gRPC, and each call's line in the log names its trace")
  func batch() async throws {
    let system = try await start(["--access-log"])
    try await run("batch.py", [system.address, system.key])
    let line = try #require(await system.programs[0].logLine(containing: "0af7651916cd43dd8448eb211c80319c"))
    #expect(line.contains("Batch"), "\(line)")
  }

  @Test("nghttp2's load generator gets an answer to every request, over HTTP/2 and HTTP/1.1")
  func load() async throws {
    let system = try await start(
      ["--key-rate", "0", "--http-listen", "127.0.0.1:0", "--ops-listen", "127.0.0.1:0"])
    let ready = try #require(await system.programs[0].line(containing: "ready"))
    let places = ready.split(separator: "   ").map(String.init)
    let web = try #require(places.first { $0.hasPrefix("http://") })
    let operations = try #require(places.first { $0.hasPrefix("ops http://") }).dropFirst(4)
    let message = folder.file("message")
    for (door, address, body, type) in [
      (["-m", "20"], "http://\(system.address)", [0, 0, 0, 0, 0], "application/grpc"),
      (["--h1"], web, Array("{}".utf8), "application/json"),
    ] {
      try Files.write(body, to: message)
      let load = try await ChildProcess.output(
        of: ChildCommand(
          "h2load",
          door + [
            "-n", "2000", "-c", "20", "-d", message, "-H", "content-type: \(type)", "-H", "te: trailers", "-H",
            "authorization: Bearer \(system.key)", "\(address)/assent.interop.v1.InteropService/EmptyCall",
          ]))
      let text = load.lines.joined(separator: "\n")
      #expect(text.contains("2000 succeeded, 0 failed, 0 errored, 0 timeout"), "\(text)")
      #expect(text.contains("status codes: 2000 2xx"), "\(text)")
    }
    // HTTP's status says nothing about how a call over gRPC ended.
    let metrics = try await ChildProcess.output(of: ChildCommand("curl", ["-s", "\(operations)/metrics"]))
    #expect(metrics.lines.contains(#"assent_http_calls_total{protocol="grpc",code="OK"} 2000"#), "\(metrics.lines)")
    #expect(metrics.lines.contains(#"assent_http_call_seconds_count{protocol="grpc"} 2000"#), "\(metrics.lines)")
  }

  @Test("over TLS the same calls work, and a client that speaks neither protocol is refused in the handshake")
  func encrypted() async throws {
    let files = try await TLSFiles.make(in: folder)
    let system = try await start(["--tls-certificate", files.certificate, "--tls-key", files.key])
    try await run("encrypted.py", [system.address, system.key, files.certificate])
  }

  @Test("a key that is encrypted ends the gateway with a sentence, and nobody is asked for its passphrase")
  func encryptedKey() async throws {
    let (certificate, key) = (folder.file("locked.crt"), folder.file("locked.key"))
    let made = try await ChildProcess.output(
      of: ChildCommand(
        "openssl",
        [
          "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-passout", "pass:secret", "-subj",
          "/CN=localhost", "-days", "2", "-keyout", key, "-out", certificate,
        ]))
    try #require(made.exit.isSuccess, "\(made.lines)")
    try Files.makePrivate(key)
    // Its input stays open: whoever asked there would wait.
    let words = [
      "-c", "exec timeout 60 \"$@\" 2>&1", "sh", Products.program("gateway"), "--bus-folder", folder.file("locked"),
      "--grpc-listen", "127.0.0.1:0", "--tls-certificate", certificate, "--tls-key", key,
    ]
    var command = ChildCommand("sh", words)
    command.input = .written
    let (exit, lines) = try await ChildProcess.output(of: command)
    #expect(exit == .code(1), "\(exit): \(lines)")
    #expect(lines.contains { $0.contains("they must be PEM, not encrypted") }, "\(lines)")
    #expect(!lines.contains { $0.lowercased().contains("pass phrase") }, "\(lines)")
  }
}
