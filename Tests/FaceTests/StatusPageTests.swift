import Base
import HTTPFace
import RPC
import Testing

/// The page at `/`, and for whom it shows something.
@Suite(.timeLimit(.minutes(1))) struct StatusPageTests {
  private static let list = "/assent.gateway.v1.GatewayService/ListInstances"

  private func status(
    from address: String, host: String = "127.0.0.1:8080", _ headers: [(String, String)] = [], to path: String = list
  ) async throws -> Int {
    var head = RequestHead(method: "POST", target: path, address: address)
    for (name, value) in [("Content-Type", "application/json"), ("Host", host)] + headers { head.add(name, value) }
    return await (try HTTPBench()).answer(head, HTTPBench.json("{}")).response.status
  }

  @Test("the page is the same for everybody, and only what stands on it runs")
  func page() async throws {
    let bench = try HTTPBench()
    let (response, body) = await bench.answer(HTTPBench.head("GET", "/"))
    #expect(response.status == 200)
    #expect(response["content-type"] == "text/html; charset=utf-8")
    let policy = try #require(response["content-security-policy"])
    for (tag, name) in [("style", "style-src"), ("script", "script-src")] {
      let text = body.text.components(between: "<\(tag)>", and: "</\(tag)>")
      let hash = Base64.encode(Digest(of: Array(text.utf8)).bytes)
      #expect(policy.contains("\(name) 'sha256-\(hash)'"))
    }
    #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
    #expect(await bench.answer(HTTPBench.head("POST", "/")).response.status == 405)
  }

  @Test(
    "a browser on the gateway's machine needs no key", arguments: ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])
  func local(address: String) async throws {
    #expect(try await status(from: address) == 200)
    #expect(try await status(from: address, host: "localhost") == 200)
    #expect(try await status(from: address, host: "[::1]:8080", [("Origin", "http://[::1]:8080")]) == 200)
  }

  @Test("everybody else does")
  func others() async throws {
    #expect(try await status(from: "192.0.2.7") == 401)
    #expect(try await status(from: "127.0.0.1", host: "evil.example:8080") == 401)
    #expect(try await status(from: "127.0.0.1", host: "127.0.0.1.evil.example") == 401)
    #expect(try await status(from: "127.0.0.1", [("X-Forwarded-For", "192.0.2.7")]) == 401)
    #expect(try await status(from: "127.0.0.1", [("Forwarded", "for=192.0.2.7")]) == 401)
    #expect(try await status(from: "127.0.0.1", [("Origin", "https://evil.example")]) == 401)
    #expect(try await status(from: "127.0.0.1", [("Authorization", "Bearer \(HTTPBench.key)")]) == 403)
    #expect(try await status(from: "127.0.0.1", to: "/assent.interop.v1.InteropService/EmptyCall") == 401)
    #expect(try await status(from: "127.0.0.1", to: "/assent.account.v1.AccountAdminService/ListDevices") == 401)
  }
}

extension String {
  fileprivate func components(between start: String, and end: String) -> String {
    guard let first = firstRange(of: start), let last = self[first.upperBound...].firstRange(of: end) else { return "" }
    return String(self[first.upperBound..<last.lowerBound])
  }
}
