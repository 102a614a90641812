import Base
internal import Bus
import RPC
import StorageTestKit
import TestSupport
import Testing

/// Spans on their way from a gateway's process to a collector.
@Suite(.serialized) struct TraceTests {
  @Test("a call's span reaches the collector in the trace of its caller", .timeLimit(.minutes(2)))
  func exports() async throws {
    let collector = try await RunningProgram.startPython([Repository.path("Tests/Fixtures/outgoing/collector.py")])
    let port = try #require(await collector.line(containing: "port "), "\(collector.logLines)").dropFirst(5)
    let gateway = try await HTTPGateway.start(
      ["--otlp-endpoint", "http://127.0.0.1:\(port)", "--trace-percentage", "0"])
    let trace = "0af7651916cd43dd8448eb211c80319c"
    try await gateway.run("traced.py", ["TRACEPARENT": "00-\(trace)-b7ad6b7169203331-01"])
    let line = try #require(await collector.line(containing: trace))
    #expect(line.hasPrefix("/v1/traces {\"resourceSpans\":[{\"resource\":{\"attributes\":"))
    for part in [
      #""parentSpanId":"b7ad6b7169203331""#, #""name":"assent.interop.v1.InteropService/UnaryCall""#,
      #"{"key":"rpc.service","value":{"stringValue":"assent.interop.v1.InteropService"}}"#,
      #"{"key":"rpc.method","value":{"stringValue":"UnaryCall"}}"#,
      #"{"key":"rpc.grpc.status_code","value":{"intValue":"0"}}"#,
      #"{"key":"assent.attempts","value":{"intValue":"1"}}"#, #""key":"assent.queue_wait_us""#,
    ] {
      #expect(line.contains(part), "\(line)")
    }
  }

  @Test("a span tells how long the service's database took", .timeLimit(.minutes(2)))
  func databaseTime() async throws {
    let collector = try await RunningProgram.startPython([Repository.path("Tests/Fixtures/outgoing/collector.py")])
    let port = try #require(await collector.line(containing: "port "), "\(collector.logLines)").dropFirst(5)
    let system = try await TestSystem.start { _ in ["--otlp-endpoint", "http://127.0.0.1:\(port)"] }
    let fleet = try await ConsentFleet.start(.sqlite, replicas: 1, on: system)
    let connection = try await system.connect()
    try await ConsentWalkers(channel: connection.channel).open(
      flow: Repository.path("samples/field-service/flow.json"))
    let key = #""key":"assent.database_us","value":{"intValue":""#
    let line = try #require(await collector.line(containing: key))
    let times = line.split(separator: key).dropFirst().compactMap { Int($0.prefix { $0 != "\"" }) }
    #expect(times.contains { $0 > 0 }, "\(line)")
    try await connection.close()
    try await fleet.stop()
  }

  @Test("what no collector takes is counted, and calls go on", .timeLimit(.minutes(2)))
  func lost() async throws {
    let gateway = try await HTTPGateway.start(["--otlp-endpoint", "http://127.0.0.1:1"])
    try await gateway.run("traced.py", ["TRACEPARENT": ""])
    _ = try #require(await gateway.gateway.logLine(containing: "traces not exported"))
  }
}
