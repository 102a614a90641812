internal import Base

/// A private PostgreSQL server.
public struct BenchServer: Sendable, Stoppable {
  public let url: String
  /// The server's log file.
  public let log: String
  private let process: ChildProcess

  /// - Parameter options: further command line options of the server.
  public init(options: String = "") async throws {
    var command = ChildCommand(Repository.path("scripts/lib/postgres"))
    let lines = AsyncStream.makeStream(of: String.self)
    command.input = .written
    command.output = .lines { lines.continuation.yield($0) }
    command.whenEnded = { _ in lines.continuation.finish() }
    command.whenParentDies = .terminate
    // On the disk on which everything else is measured.
    command.environment["TMPDIR"] = "/var/tmp"
    if !options.isEmpty { command.environment["POSTGRES_OPTIONS"] = .some(options) }
    let server = try await ChildProcess.start(command)
    var first: String?
    for await line in lines.stream {
      first = line
      break
    }
    guard let ready = first else {
      throw ProgramError(description: "the private PostgreSQL \(await server.wait()) before it was ready")
    }
    guard ready.hasPrefix("ready ") else {
      throw ProgramError(description: "the private PostgreSQL says: \(ready)")
    }
    process = server
    url = String(ready.dropFirst(6))
    let home = url.split(separator: "host=").last?.split(separator: "&").first ?? ""
    log = "\(home)/log"
  }

  public func stop() async {
    process.closeInput()
    await process.wait()
  }
}
