import Base
import Bus
import GatewayContract
import InteropContract
import RPC
import ServiceKit
import TestSupport
import Testing
import Wire

/// Processes of two minor versions side by side, as there are while an installation is updated.
@Suite(.serialized) struct NextVersionTests {
  private static let service = "assent.interop.v1.InteropService"

  @Test(
    "a worker of the next minor version takes its share, and what is new about it harms nobody",
    .timeLimit(.minutes(3)))
  func sideBySide() async throws {
    let gateway = try await HTTPGateway.start(["--key-rate", "0"])
    let bus = gateway.folder.file("bus")
    let next = try await RunningProgram.startPython(
      [Repository.path("clients/python/tests/next_version_worker.py"), "--bus-folder", bus])
    _ = try #require(await next.line(containing: "ready"), "\(next.logLines)")
    let connection = try await BusConnection.open(.init(gateways: [BusSettings.socket(.clients, in: bus)]))
    try await connection.ready()
    let state = try await GatewayServiceClient(connection.channel).listInstances(ListInstancesRequest())
    #expect(Set(state.instances.map(\.version)) == [Version.current, "0.2.0"])

    let callers = SteadyBusCaller(connection)
    let answered = try await byInstance(over: connection.channel)
    #expect(answered.count == 2 && (answered["next"] ?? 0) > 0, "\(answered)")
    try await callNewMethod(in: bus)
    try await callOverHTTP(gateway)
    // It leaves as any worker does, and no call is lost by that.
    next.send(.terminate)
    #expect(await next.wait() == .code(0), "\(next.logLines)")
    let outcome = try await callers.end()
    #expect(outcome.failures == [] && outcome.answers > 0)
  }

  /// How many calls each worker answers.
  private func byInstance(over channel: BusChannel) async throws -> [String: Int] {
    try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<8 {
        group.addTask {
          var names: [String] = []
          for _ in 0..<25 {
            var request = UnaryCallRequest()
            request.sleepMs = 5
            names.append(try await InteropServiceClient(channel).unaryCall(request, deadline: .seconds(30)).instance)
          }
          return names
        }
      }
      return try await group.reduce(into: [:]) { counts, names in
        for name in names { counts[name, default: 0] += 1 }
      }
    }
  }

  /// A method that this version's contract does not have is answered by the worker that has it, and refused by the
  /// other: which one gets a call is decided by the service. docs/operating.md says that new clients come last.
  private func callNewMethod(in bus: String) async throws {
    var peer = try RawPeer("\(bus)/clients", in: try ZeroMQContext())
    _ = try peer.greet(.client)
    var codes: Set<StatusCode> = []
    for call in 1...40 as ClosedRange<UInt64> {
      var open = Envelope(.open, call: call)
      open.method = "/\(Self.service)/CallOfTheNextVersion"
      open.remainingMilliseconds = 20_000
      open.carriesMessage = true
      open.payload = try UnaryCallRequest().encoded()
      try peer.send(open)
      let answer = try #require(try peer.receive())
      #expect(answer.kind == .status, "\(answer)")
      codes.insert(answer.statusCode)
    }
    #expect(codes.contains(.ok) && codes.isSubset(of: [.ok, .unimplemented]), "\(codes)")
  }

  /// In JSON an answer has the fields that the gateway knows, whoever gave it.
  private func callOverHTTP(_ gateway: HTTPGateway) async throws {
    let headers = ["Content-Type": "application/json", "Authorization": "Bearer \(gateway.key)"]
    var fromNext = false
    for _ in 0..<100 where !fromNext {
      let answer = try await HTTP.ask("\(gateway.address)/\(Self.service)/UnaryCall", headers, body: "{}")
      try #require(answer.status == 200, "\(answer.text)")
      fromNext = JSONValue(parsing: answer.text)["instance"].text == "next"
    }
    #expect(fromNext)
    let unknown = try await HTTP.ask("\(gateway.address)/\(Self.service)/CallOfTheNextVersion", headers, body: "{}")
    #expect(unknown.status == 404 && unknown.text.contains("unimplemented"), "\(unknown.text)")
  }
}
