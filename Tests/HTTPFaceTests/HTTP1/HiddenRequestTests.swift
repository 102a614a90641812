import Base
internal import Bus
import HTTPFace
import TestSupport
import Testing

/// The door behind proxies of others, which read requests in ways of their own.
@Suite(.serialized, .timeLimit(.minutes(3))) struct HiddenRequestTests {
  @Test(
    "what nginx takes for one request is one, whatever it was sent", .enabled(if: Kind.nginx.isThere, Kind.missing),
    arguments: [RunningProxy.Use.probed, .lenient])
  func nginx(use: RunningProxy.Use) async throws { try await probe(.nginx, use) }

  @Test(
    "what haproxy takes for one request is one, whatever it was sent",
    .enabled(if: Kind.haproxy.isThere, Kind.missing), arguments: [RunningProxy.Use.probed, .lenient])
  func haproxy(use: RunningProxy.Use) async throws { try await probe(.haproxy, use) }

  private typealias Kind = RunningProxy.Kind

  /// The proxy writes each client's address before the paths of its requests. A request without it was none to the
  /// proxy; the door would have read it out of another one.
  private func probe(_ kind: Kind, _ use: RunningProxy.Use) async throws {
    try await probe(kind, use, RawRequest.all.map { Self.renamed($0.bytes) }, [])
    try await probe(kind, use, HiddenRequests.all, HiddenRequests.http2)
  }

  private func probe(
    _ kind: Kind, _ use: RunningProxy.Use, _ plain: [[UInt8]], _ http2: [[UInt8]]
  ) async throws {
    let bench = try await DoorBench.start()
    let proxy = try await RunningProxy.start(kind, before: bench.port, use)
    let all = plain.map { (proxy.http1, $0) } + http2.map { (proxy.http2, $0) }
    // Each from an address of its own; with the first one the proxy was asked whether it listens.
    try #require(all.count < 250)
    let sockets = try all.enumerated().map { number, one in
      let socket = try ClientSocket(port: one.0, host: UInt8(number + 2))
      socket.send(one.1)
      return socket
    }
    for socket in sockets { _ = socket.receiveAll() }
    let lines = try await proxy.stop()
    try await bench.server.stop()

    let read = bench.reports.calls
    let passed = lines.filter { $0.status != nil }
    #expect(passed.count > 10, "\(lines)")
    for (number, one) in all.enumerated() {
      let client = "127.0.0.\(number + 2)"
      let own = read.count { $0.path.hasPrefix("/\(client)/") }
      let wanted = passed.count { $0.client == client }
      #expect(own <= wanted, "\(own) requests of \(wanted): \(String(decoding: one.1, as: UTF8.self))")
    }
    let strange = read.map(\.path).filter { !$0.isEmpty && !$0.hasPrefix("/127.0.0.") }
    #expect(strange.isEmpty)
    // What the door cannot read has no path. Each is one that the proxy has made, since otherwise there were more than
    // these; only a trailer, which the table has, is refused after its request was answered.
    let trailers = http2.isEmpty ? RawRequest.all.count { $0.section == "7.1.2" } : 0
    #expect(read.count <= passed.count + trailers, "the door has read \(read.count) requests of \(passed.count)")
  }

  /// The door reports what it does not have, and it has a page at `/`.
  private static func renamed(_ bytes: [UInt8]) -> [UInt8] {
    let text = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    return text.replacing(" / HTTP", with: " /q HTTP").unicodeScalars.map { UInt8($0.value) }
  }
}
