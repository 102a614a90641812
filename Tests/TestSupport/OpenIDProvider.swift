import Base
package import Outgoing
import Testing

/// An OpenID provider in Python at which people sign in with a browser, and which misbehaves as a test asks it to:
/// Tests/Fixtures/openid/provider.py says how.
package final class OpenIDProvider: Sendable {
  /// The issuer.
  package let address: String
  private let folder: TemporaryFolder
  private let program: RunningProgram
  private let files: TLSFiles
  private let client: OutgoingClient

  /// The client that it knows.
  package static let clientID = "assent-pages"
  package static let secret = "s3cret: of/the client"

  package init() async throws {
    folder = try TemporaryFolder()
    files = try await TLSFiles.make(in: folder)
    program = try await RunningProgram.startPython(
      [Repository.path("Tests/Fixtures/openid/provider.py"), files.certificate, files.key])
    let line = try #require(await program.line(containing: "ready"), "\(program.logLines)")
    address = "https://127.0.0.1:\(line.split(separator: " ")[1])"
    client = OutgoingClient(OutgoingPolicy(.anywhere, certificates: files.certificate))
  }

  /// Where those who trust its certificate may go.
  package var policy: OutgoingPolicy { OutgoingPolicy(.anywhere, certificates: files.certificate) }

  package func end() async {
    program.send(.terminate)
    _ = await program.wait()
  }

  /// Changes what it does, by the names in the program.
  package func behave(_ changes: String) async throws { _ = try await send("POST", "/behave", changes) }

  package func seen() async throws -> JSONValue {
    JSONValue(parsing: String(decoding: try await send("GET", "/seen").body, as: UTF8.self))
  }

  /// What a browser brings back that was sent to an address, and in which somebody has signed in.
  package func signIn(at address: String, as person: String = "ada") async throws -> [String: String] {
    let question = String(address.split(separator: "?", maxSplits: 1).last ?? "")
    _ = try await send("GET", "/authorize?\(question)")
    let escaped = question.replacing("%", with: "%25").replacing("&", with: "%26")
    let answer = try await send("POST", "/login", "person=\(person)&question=\(escaped)", expecting: 303)
    let fields = (answer["location"] ?? "").split(separator: "?").last.map { $0.split(separator: "&") } ?? []
    return Dictionary(
      uniqueKeysWithValues: fields.map { field in
        let parts = field.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
        return (parts[0], Self.decoded(parts[1]))
      })
  }

  private static func decoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let escaped = Hex.decode(String(decoding: rest.prefix(2), as: UTF8.self)) {
        rest = rest.dropFirst(2)
        bytes += escaped
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func send(
    _ method: String, _ path: String, _ body: String = "", expecting status: Int = 200
  ) async throws -> OutgoingAnswer {
    let answer = try await client.send(OutgoingRequest(method, address + path, body: Array(body.utf8)))
    try #require(answer.status == status)
    return answer
  }
}
