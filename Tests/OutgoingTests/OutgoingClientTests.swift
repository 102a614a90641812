import Base
import Outgoing
import TestSupport
import Testing

/// Requests to a real server on this machine.
@Suite(.serialized, .timeLimit(.minutes(1))) struct OutgoingClientTests {
  private static let local = OutgoingPolicy.Reach.publicAddresses(
    and: [NetworkAddress(text: "127.0.0.1").flatMap { NetworkRange($0, bits: 32) }].compactMap(\.self))

  private func withServer(_ body: (String) async throws -> Void) async throws {
    let server = try await RunningProgram.startPython([Repository.path("Tests/Fixtures/outgoing/server.py")])
    let line = try #require(await server.line(containing: "port "), "\(server.logLines)")
    try await body(String(line.dropFirst("port ".count)))
    _ = server
  }

  private func status(_ request: OutgoingRequest, _ policy: OutgoingPolicy) async throws -> Int {
    try await OutgoingClient(policy).send(request).status
  }

  private func failure(
    _ request: OutgoingRequest, _ policy: OutgoingPolicy
  ) async -> OutgoingError.Kind? {
    do throws(OutgoingError) {
      _ = try await OutgoingClient(policy).send(request)
      return nil
    } catch {
      return error.kind
    }
  }

  @Test("a request is sent as it is, and its answer comes back")
  func answers() async throws {
    try await withServer { port in
      let client = OutgoingClient(OutgoingPolicy(.anywhere, allowsPlainText: true))
      let got = try await client.send(
        OutgoingRequest("GET", "http://127.0.0.1:\(port)/", headers: [("X-Sent", "one, two")]))
      #expect(got.status == 200)
      #expect(String(decoding: got.body, as: UTF8.self) == "hello")
      #expect(got["x-seen"] == "one, two")
      let posted = try await client.send(OutgoingRequest("POST", "http://127.0.0.1:\(port)/", body: [1, 2, 3]))
      #expect(posted.status == 201)
      #expect(posted.body == [3, 2, 1])
    }
  }

  @Test(
    "an address of this machine is refused, however it is written",
    arguments: ["127.0.0.1", "localhost", "127.1", "2130706433", "0x7f000001", "0", "[::1]", "[::ffff:127.0.0.1]"])
  func privateAddresses(host: String) async throws {
    try await withServer { port in
      let kind = await failure(
        OutgoingRequest("GET", "http://\(host):\(port)/"), OutgoingPolicy(.publicAddresses(), allowsPlainText: true))
      #expect(kind == .forbidden)
    }
  }

  @Test("a redirect leads nowhere else")
  func redirects() async throws {
    try await withServer { port in
      let policy = OutgoingPolicy(Self.local, allowsPlainText: true)
      var request = OutgoingRequest("GET", "http://127.0.0.1:\(port)/to/http://127.0.0.2:\(port)/")
      request.mostRedirects = 3
      #expect(await failure(request, policy) == .forbidden)
      request.url = "http://127.0.0.1:\(port)/to/file:///etc/passwd"
      #expect(await failure(request, policy) == .badAddress)
      request.url = "http://127.0.0.1:\(port)/again/0"
      #expect(await failure(request, policy) == .unreachable)
      request.url = "http://127.0.0.1:\(port)/to//"
      let followed = try await status(request, policy)
      #expect(followed == 200)
      request.mostRedirects = 0
      let unfollowed = try await status(request, policy)
      #expect(unfollowed == 302)
      var post = OutgoingRequest("POST", "http://127.0.0.1:\(port)/moved", body: [1])
      post.mostRedirects = 3
      let moved = try await status(post, policy)
      #expect(moved == 307)
    }
  }

  @Test("an answer that is too large, or does not come, ends the request")
  func bounds() async throws {
    try await withServer { port in
      let policy = OutgoingPolicy(Self.local, allowsPlainText: true)
      var request = OutgoingRequest("GET", "http://127.0.0.1:\(port)/big/100000")
      request.mostBytes = 99_999
      #expect(await failure(request, policy) == .tooLarge)
      request.mostBytes = 100_000
      let whole = try await OutgoingClient(policy).send(request)
      #expect(whole.body.count == 100_000)
      request.url = "http://127.0.0.1:\(port)/hang"
      request.timeout = .milliseconds(300)
      #expect(await failure(request, policy) == .timedOut)
    }
  }

  @Test("a task that is cancelled ends its request")
  func cancellation() async throws {
    try await withServer { port in
      var request = OutgoingRequest("GET", "http://127.0.0.1:\(port)/hang")
      request.timeout = .seconds(50)
      let task = Task { [request] in
        await failure(request, OutgoingPolicy(Self.local, allowsPlainText: true))
      }
      task.cancel()
      #expect(await task.value == .cancelled)
    }
  }

  @Test(
    "what is no address of HTTPS is refused",
    arguments: [
      "http://127.0.0.1/", "file:///etc/passwd", "gopher://127.0.0.1/", "https://", "nothing", "https://a b/",
      "https://example.org/\r\nX: y",
    ])
  func badAddresses(url: String) async throws {
    #expect(await failure(OutgoingRequest("GET", url), OutgoingPolicy(.anywhere)) == .badAddress)
  }

  @Test("a header cannot end itself", arguments: [("X-A", "b\r\nX-B: c"), ("X-A\n", "b")])
  func badHeaders(name: String, value: String) async throws {
    let request = OutgoingRequest("GET", "https://127.0.0.1/", headers: [(name, value)])
    #expect(await failure(request, OutgoingPolicy(.anywhere)) == .badAddress)
  }
}
