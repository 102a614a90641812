import Base
import TestSupport
import Testing

/// A gateway behind proxies of others, as docs/operating.md sets them up: gRPC by HTTP/2, and Connect by HTTP/1.1.
@Suite(.serialized, .timeLimit(.minutes(3))) struct ProxyTests {
  private typealias Kind = RunningProxy.Kind

  @Test(
    "calls of all kinds go through nginx", .enabled(if: LongTests.areWanted && Kind.nginx.isThere, Kind.missing))
  func nginx() async throws { try await makeCalls(through: .nginx) }

  @Test(
    "calls of all kinds go through haproxy", .enabled(if: LongTests.areWanted && Kind.haproxy.isThere, Kind.missing))
  func haproxy() async throws { try await makeCalls(through: .haproxy) }

  /// Streams that come as they are made, large answers, callers who go away, times that are over.
  private static let calls = [
    "test_unary_json", "test_large_both_ways", "test_chunked_body", "test_gzip", "test_errors", "test_timeout",
    "test_server_stream", "test_stream_comes_as_it_is_made", "test_large_stream", "test_client_stream", "test_web",
    "test_a_caller_that_goes_cancels_its_call", "test_many_calls_on_one_connection",
  ]
  /// Parts of the names of nearly all cases over gRPC: haproxy may pass on as cancelled what ends before its caller has
  /// sent everything.
  private static let cases = [
    "unary", "stream", "ping_pong", "half_duplex", "metadata", "timeout", "cancel", "at_once", "credentials", "nobody",
  ]

  private func makeCalls(through kind: Kind) async throws {
    let gateway = try await HTTPGateway.start()
    let port = try #require(gateway.address.split(separator: ":").last.flatMap { UInt16($0) })
    let proxy = try await RunningProxy.start(kind, before: port, .calls)
    let address = ["ASSENT_ADDRESS": "http://127.0.0.1:\(proxy.http1)"]
    try await gateway.run("calls.py", address.merging(["ONLY": Self.calls.joined(separator: " ")]) { $1 })
    try await gateway.run("interop.py", address)
    let cases = try await RunningProgram.startPython(
      [Repository.path("Tests/Fixtures/grpc/interop.py"), "127.0.0.1:\(proxy.http2)", gateway.key, "-v"]
        + Self.cases.flatMap { ["-k", $0] })
    #expect(await cases.wait() == .code(0), "\(cases.logLines.joined(separator: "\n"))")
    // Also the calls whose callers went away have ended.
    try await eventually(
      "no call is open", try await HTTP.fetch("http://\(gateway.operations)/metrics")
    ) { $0.contains("assent_gateway_open_calls 0") }
    _ = try await proxy.stop()
  }
}
