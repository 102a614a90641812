package import Base
import Outgoing
import Testing

/// An OpenID provider in Python, which signs what a test asks for.
package struct OpenIDIssuer: Sendable {
  package let address: String
  private let program: RunningProgram
  private let client = OutgoingClient(OutgoingPolicy(.anywhere, allowsPlainText: true))

  /// When its tokens are issued.
  package static let now = Instant(millisecondsSince1970: 1_772_353_800_000)

  package init() async throws {
    program = try await RunningProgram.startPython([Repository.path("Tests/Fixtures/openid/issuer.py")])
    let line = try #require(await program.line(containing: "ready"), "\(program.logLines)")
    address = "http://127.0.0.1:\(line.split(separator: " ")[1])"
  }

  package func end() async {
    program.send(.terminate)
    _ = await program.wait()
  }

  package var keysAddress: String { "\(address)/keys" }

  /// Its JWK set.
  package func keys() async throws -> [UInt8] { try await client.send(OutgoingRequest("GET", keysAddress)).body }

  /// How often the keys were asked for.
  package func count() async throws -> Int? {
    Int(String(decoding: try await client.send(OutgoingRequest("GET", "\(address)/count")).body, as: UTF8.self))
  }

  package func publish(_ names: String...) async throws {
    _ = try await post("/publish", "[\(names.map { "\"\($0)\"" }.joined(separator: ","))]")
  }

  package func answers(_ status: Int) async throws { _ = try await post("/answer", "\(status)") }

  /// A token with these claims, each as JSON, in place of those of a good one; nil leaves a claim out.
  package func token(
    _ key: String = "rsa", _ algorithm: String = "RS256", kid: String? = nil, claims changes: [String: String?] = [:]
  ) async throws -> String {
    let seconds = Self.now.millisecondsSince1970 / 1000
    var claims = [
      "iss": "\"https://id.clinic.example\"", "sub": "\"ada\"", "aud": "\"app\"", "iat": "\(seconds)",
      "exp": "\(seconds + 300)",
    ]
    for (name, value) in changes { claims[name] = value }
    let list = claims.map { "\"\($0)\":\($1)" }.joined(separator: ",")
    return try await post(
      "/token", "{\"key\":\"\(key)\",\"alg\":\"\(algorithm)\",\"kid\":\"\(kid ?? key)\",\"claims\":{\(list)}}")
  }

  private func post(_ path: String, _ body: String) async throws -> String {
    let answer = try await client.send(OutgoingRequest("POST", "\(address)\(path)", body: Array(body.utf8)))
    try #require(answer.status == 200)
    return String(decoding: answer.body, as: UTF8.self)
  }
}
