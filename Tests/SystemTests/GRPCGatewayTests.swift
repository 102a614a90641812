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

  @Test("grpcio's own reflection and health clients find every service and method")
  func tools() async throws {
    let system = try await start()
    try await run("reflection_and_health.py", [system.address, system.key])
  }

  @Test("over TLS the same calls work, and a client that does not speak HTTP/2 is refused in the handshake")
  func encrypted() async throws {
    let (certificate, key) = (folder.file("certificate.pem"), folder.file("key.pem"))
    let made = try await ChildProcess.output(
      of: ChildCommand(
        "openssl",
        [
          "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=localhost",
          "-addext", "subjectAltName=DNS:localhost", "-days", "2", "-keyout", key, "-out", certificate,
        ]))
    try #require(made.exit.isSuccess, "\(made.lines)")
    let system = try await start(["--tls-certificate", certificate, "--tls-key", key])
    try await run("encrypted.py", [system.address, system.key, certificate])
  }
}
