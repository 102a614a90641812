internal import Base
package import Testing

/// nginx or haproxy before a door on this machine: Tests/Fixtures/proxies/proxy.py says what it is told.
package final class RunningProxy: Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    case nginx, haproxy

    /// Whether this machine has it. Debian has both where only root looks for programs.
    package var isThere: Bool {
      let places = (Environment.current["PATH"] ?? "").split(separator: ":").map(String.init) + ["/usr/sbin"]
      return places.contains { Files.exists("\($0)/\(rawValue)") }
    }

    package static let missing: Comment = "it is not on this machine: scripts/lib/setup test installs it"
  }

  /// What it is for.
  package enum Use: String, Sendable, CaseIterable {
    case probed, lenient, calls
  }

  /// What became of a request that the proxy got.
  package struct Line: Sendable {
    /// The client's address.
    package let client: String
    /// The status with which the door has answered; nil if the proxy did not pass the request on.
    package let status: String?
  }

  private let folder: TemporaryFolder
  private let program: RunningProgram
  /// Where it listens for HTTP/1.1, and for HTTP/2.
  package let http1: UInt16
  package let http2: UInt16

  package static func start(_ kind: Kind, before door: UInt16, _ use: Use) async throws -> RunningProxy {
    let folder = try TemporaryFolder()
    let program = try await RunningProgram.startPython([
      Repository.path("Tests/Fixtures/proxies/proxy.py"), kind.rawValue, folder.path, "\(door)", use.rawValue,
    ])
    let line = try #require(await program.line(containing: "listening "), "\(program.logLines)")
    let ports = line.split(separator: " ").dropFirst().compactMap { UInt16($0) }
    try #require(ports.count == 2)
    return RunningProxy(folder, program, ports[0], ports[1])
  }

  private init(_ folder: TemporaryFolder, _ program: RunningProgram, _ http1: UInt16, _ http2: UInt16) {
    (self.folder, self.program, self.http1, self.http2) = (folder, program, http1, http2)
  }

  /// Ends it; returns what became of each request.
  package func stop() async throws -> [Line] {
    program.send(.terminate)
    let exit = await program.wait()
    try #require(exit == .code(0), "\(program.logLines)")
    return program.lines.compactMap { line in
      let words = line.split(separator: " ").map(String.init)
      switch words.first {
      case "forwarded" where words.count > 2: return Line(client: words[1], status: words[2])
      case "answered" where words.count > 1: return Line(client: words[1], status: nil)
      default: return nil
      }
    }
  }
}
