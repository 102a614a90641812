import AccountContract
import Base
import Bus
import RPC
import ServiceKit
import TestSupport
import Testing

/// The HTTP door of a gateway's process, called by programs that are not ours.
@Suite(.serialized) struct HTTPDoorTests {
  @Test("callers of all sorts get what HTTP, Connect and gRPC-Web promise", .timeLimit(.minutes(2)))
  func calls() async throws {
    let gateway = try await HTTPGateway.start()
    try await gateway.run("calls.py")
  }

  @Test("the interoperability cases pass from another implementation of Connect", .timeLimit(.minutes(2)))
  func interoperability() async throws {
    let gateway = try await HTTPGateway.start()
    try await gateway.run("interop.py")
  }

  @Test(
    "the cases that a page can make pass from Chromium's fetch, from another origin",
    .enabled(if: LongTests.areWanted), .timeLimit(.minutes(3)))
  func browser() async throws {
    let gateway = try await HTTPGateway.start(["--http-origins", "*"])
    try await gateway.run("browser.py")
  }

  @Test("hostile callers are refused, and honest ones do not notice", .timeLimit(.minutes(6)))
  func hostile() async throws {
    let gateway = try await HTTPGateway.start(["--http-connections", "1100"])
    try await gateway.run("hostile.py")
  }

  @Test(
    "calls go over TLS with the certificate of the settings, and no address opens connections without end",
    .timeLimit(.minutes(2)))
  func tls() async throws {
    let folder = try TemporaryFolder()
    let files = try await TLSFiles.make(in: folder)
    let gateway = try await HTTPGateway.start([
      "--tls-certificate", files.certificate, "--tls-key", files.key, "--address-handshakes", "5",
    ])
    try await gateway.run("tls.py", ["CERTIFICATE": files.certificate])
    _ = try #require(await gateway.gateway.logLine(containing: "too many new connections"))
  }

  @Test("what is refused before it is a call is in the log and in metrics", .timeLimit(.minutes(2)))
  func refused() async throws {
    let gateway = try await HTTPGateway.start(["--access-log"])
    let method = "\(gateway.address)/assent.interop.v1.InteropService/UnaryCall"
    var statuses = [try await HTTP.ask("\(gateway.address)/nothing").status]
    for type in ["application/json", "text/plain"] {
      statuses.append(try await HTTP.ask(method, ["Content-Type": type], body: "{}").status)
    }
    #expect(statuses == [404, 401, 415])
    for status in statuses {
      let line = try #require(await gateway.gateway.logLine(containing: "status=\(status) "))
      #expect(line.contains("event=call "), "\(line)")
    }
    let metrics = try await HTTP.fetch("http://\(gateway.operations)/metrics")
    for (form, code) in [("other", "NOT_FOUND"), ("connect", "UNAUTHENTICATED"), ("other", "INVALID_ARGUMENT")] {
      let sample = "assent_http_calls_total{protocol=\"\(form)\",code=\"\(code)\"} 1"
      #expect(metrics.contains(sample), "\(metrics.filter { $0.hasPrefix("assent_http_calls_total") })")
    }
  }

  @Test(
    "a stream is counted, and how long its caller keeps it is not taken for the time of a call",
    .timeLimit(.minutes(2)))
  func timed() async throws {
    let gateway = try await HTTPGateway.start()
    var metrics: [String] = []
    func counted(_ sample: String) async throws {
      while !metrics.contains(where: { $0.hasPrefix(sample) }) {
        metrics = try await HTTP.fetch("http://\(gateway.operations)/metrics")
      }
    }
    try await gateway.run("calls.py", ["ONLY": "test_server_stream"])
    try await counted("assent_http_calls_total{protocol=\"connect\",code=\"OK\"} ")
    let time = "assent_http_call_seconds_count{protocol=\"connect\"} "
    #expect(!metrics.contains { $0.hasPrefix(time) })
    try await gateway.run("calls.py", ["ONLY": "test_unary_json"])
    try await counted(time)
  }

  @Test("an operator's key is good for what operators may do, from elsewhere too, until it is removed")
  func operators() async throws {
    let gateway = try await HTTPGateway.start()
    func keys(_ arguments: [String]) async throws -> [String] {
      try await ChildProcess.output(
        of: ChildCommand(Products.program("assent"), ["keys", "api"] + arguments + gateway.keyList)
      ).lines
    }
    let made = try await keys(["create", "op", "--kind", "operator"])
    let key = try #require(made.last { $0.hasPrefix("ak_") }, "\(made)")
    func ask(_ method: String, _ key: String?) async throws -> HTTP.Answer {
      // As from another machine: who calls the gateway by its address from its own is an operator without a key.
      var headers = ["Content-Type": "application/json", "Host": "gateway.test"]
      if let key { headers["Authorization"] = "Bearer \(key)" }
      return try await HTTP.ask("\(gateway.address)/\(method)", headers, body: "{}")
    }
    let instances = "assent.gateway.v1.GatewayService/ListInstances"
    let found = try await ask(instances, key)
    #expect(found.status == 200 && found.text.contains("assent.interop.v1.InteropService"), "\(found.text)")
    let others = [try await ask(instances, nil).status, try await ask(instances, gateway.key).status]
    #expect(others == [401, 403])
    _ = try await keys(["remove", "op"])
    var last = try await ask(instances, key)
    while last.status == 200 { last = try await ask(instances, key) }
    #expect(last.status == 401)
  }

  @Test("a call whose caller states no time takes as long as the settings say", .timeLimit(.minutes(2)))
  func callTime() async throws {
    let gateway = try await HTTPGateway.start(["--call-time", "1s"])
    let method = "\(gateway.address)/assent.interop.v1.InteropService/UnaryCall"
    let headers = ["Content-Type": "application/json", "Authorization": "Bearer \(gateway.key)"]
    let late = try await HTTP.ask(method, headers, body: #"{"sleepMs": 20000}"#)
    #expect(late.status == 504 && late.text.contains("deadline_exceeded"), "\(late.text)")
  }

  @Test("a key that is removed is refused within a second", .timeLimit(.minutes(2)))
  func removedKey() async throws {
    let gateway = try await HTTPGateway.start()
    try await gateway.run("calls.py", ["ONLY": "test_unary_json"])
    _ = try await ChildProcess.output(
      of: ChildCommand(Products.program("assent"), ["keys", "api", "remove", "tester"] + gateway.keyList))
    try await gateway.run("removed.py")
  }

  @Test("the key of a device that is wiped is refused within a second", .timeLimit(.minutes(2)))
  func wipedDevice() async throws {
    let gateway = try await HTTPGateway.start()
    let bus = gateway.folder.file("bus")
    let accounts = try await RunningProgram.start(
      "AccountService", ["--bus-folder", bus, "--data", gateway.folder.file("data")],
      environment: ["ASSENT_MASTER_KEY": String(repeating: "5a", count: 32)])
    _ = try #require(await accounts.line(containing: "ready"), "\(accounts.logLines)")
    let connection = try await BusConnection.open(.init(gateways: [BusSettings.socket(.clients, in: bus)]))
    try await connection.ready()
    let boss = connection.channel.acting(
      for: CallerIdentity(kind: .person, tenant: "acme", subject: "boss", grants: ["admin@*"]))
    // The device's key has its name.
    _ = try await DeviceServiceClient(boss).registerDevice(
      RegisterDeviceRequest(device: AccountDevice(deviceID: "tester")), deadline: .seconds(30),
      options: CallOptions(waitsForReady: true))
    func call() async throws -> HTTP.Answer {
      try await HTTP.ask(
        "\(gateway.address)/assent.interop.v1.InteropService/UnaryCall",
        ["Content-Type": "application/json", "Authorization": "Bearer \(gateway.key)"], body: "{}")
    }
    #expect(try await call().status == 200)
    _ = try await AccountAdminServiceClient(boss).wipeDevice(
      WipeDeviceRequest(deviceID: "tester"), deadline: .seconds(30))
    var last = try await call()
    while last.status == 200 { last = try await call() }
    #expect(last.status == 401 && last.text.contains("device_wiped: "), "\(last.text)")
    try await connection.close()
    accounts.send(.terminate)
    #expect(await accounts.wait() == .code(0), "\(accounts.logLines)")
  }

  @Test("a gateway that ends finishes its calls and says that the connection is over", .timeLimit(.minutes(2)))
  func drain() async throws {
    let gateway = try await HTTPGateway.start()
    try await gateway.run("drain.py", ["GATEWAY": "\(gateway.gateway.id)"])
    #expect(await gateway.gateway.wait() == .code(0))
  }
}

/// A gateway that speaks HTTP, with the interoperability service behind it.
final class HTTPGateway: Sendable {
  let folder: TemporaryFolder
  let gateway: RunningProgram
  let worker: RunningProgram
  let address: String
  /// Where metrics are.
  let operations: String
  let key: String

  private init(
    folder: TemporaryFolder, gateway: RunningProgram, worker: RunningProgram, address: String, operations: String,
    key: String
  ) {
    self.folder = folder
    self.gateway = gateway
    self.worker = worker
    self.address = address
    self.operations = operations
    self.key = key
  }

  var keyList: [String] { ["--api-key-list", folder.file("api-keys")] }

  static func start(_ arguments: [String] = []) async throws -> HTTPGateway {
    let folder = try TemporaryFolder()
    let keys = ["--api-key-list", folder.file("api-keys")]
    let created = try await ChildProcess.output(
      of: ChildCommand(
        Products.program("assent"),
        ["keys", "api", "create", "tester", "--tenant", "acme", "--kind", "device"] + keys))
    let key = try #require(created.lines.last { $0.hasPrefix("ak_") })
    let gateway = try await RunningProgram.start(
      "gateway",
      ["--bus-folder", folder.file("bus"), "--ops-listen", "127.0.0.1:0", "--http-listen", "127.0.0.1:0"] + keys
        + arguments)
    let ready = try #require(await gateway.line(containing: "ready"), "\(gateway.logLines)")
    let places = ready.split(separator: "   ").map(String.init)
    let address = try #require(places.first { $0.hasPrefix("http") })
    let operations = try #require(places.first { $0.hasPrefix("ops http://") }).replacing("ops http://", with: "")
    let worker = try await RunningProgram.start("InteropService", ["--bus-folder", folder.file("bus"), "--slots", "8"])
    _ = try #require(await worker.line(containing: "ready"), "\(worker.logLines)")
    return HTTPGateway(
      folder: folder, gateway: gateway, worker: worker, address: address, operations: operations,
      key: key)
  }

  /// Runs a program in Python that fails when something is wrong.
  func run(_ script: String, _ environment: [String: String] = [:]) async throws {
    let own = [
      "ASSENT_ADDRESS": address, "ASSENT_KEY": key, "ASSENT_OPERATIONS": operations, "PYTHONDONTWRITEBYTECODE": "1",
    ]
    let program = try await RunningProgram.startPython(
      ["-m", "unittest", "-v", Repository.path("Tests/Fixtures/http/\(script)")],
      environment: own.merging(environment) { $1 }.mapValues { Optional($0) })
    #expect(
      await program.wait() == .code(0),
      "\(program.logLines.suffix(40).joined(separator: "\n"))\n\(gateway.logLines.suffix(5))")
  }
}
