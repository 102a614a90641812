internal import Base

/// Authorities on this machine, whose answers openssl makes: Tests/Fixtures/authorities/server.py says what they do.
package final class AuthorityServer: Sendable {
  /// Has keys with their certificates: root.pem, seal.pem and others.
  private let folder: TemporaryFolder
  private let program: RunningProgram
  package let address: String

  package static func start() async throws -> AuthorityServer {
    let folder = try TemporaryFolder()
    let program = try await RunningProgram.startPython([
      Repository.path("Tests/Fixtures/authorities/server.py"), folder.path,
    ])
    let port = await program.line(containing: "port ")?.dropFirst("port ".count) ?? "0"
    return AuthorityServer(folder, program, "http://127.0.0.1:\(port)")
  }

  private init(_ folder: TemporaryFolder, _ program: RunningProgram, _ address: String) {
    (self.folder, self.program, self.address) = (folder, program, address)
  }

  package func file(_ name: String) throws -> [UInt8] { try Files.read(folder.file(name)) }

  /// What was asked.
  package var requests: [String] { program.lines.filter { $0.hasPrefix("POST ") || $0.hasPrefix("GET ") } }
}
