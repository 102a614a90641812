internal import Base

/// A private PostgreSQL server that runs as long as a bench.
public struct BenchServer: Sendable {
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
    command.whenParentDies = .terminate
    // On the disk on which everything else is measured.
    command.environment["TMPDIR"] = "/var/tmp"
    if !options.isEmpty { command.environment["POSTGRES_OPTIONS"] = .some(options) }
    process = try await ChildProcess.start(command)
    var ready = ""
    for await line in lines.stream {
      ready = line
      break
    }
    guard ready.hasPrefix("ready ") else {
      throw ProgramError(description: "the private PostgreSQL says: \(ready)")
    }
    url = String(ready.dropFirst(6))
    let home = url.split(separator: "host=").last?.split(separator: "&").first ?? ""
    log = "\(home)/log"
  }

  public func end() async {
    process.closeInput()
    await process.wait()
  }
}
