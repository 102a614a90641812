internal import Base

/// A private PostgreSQL server for as long as a bench runs.
public struct BenchServer: Sendable {
  public let url: String
  /// Where the server logs.
  public let log: String
  private let process: ChildProcess

  /// - Parameter options: what the server is started with besides, as its command line has it.
  public init(options: String = "") async throws {
    var command = ChildCommand(Repository.path("scripts/lib/postgres"))
    let lines = AsyncStream.makeStream(of: String.self)
    command.input = .written
    command.output = .lines { lines.continuation.yield($0) }
    command.whenParentDies = .terminate
    // On the disk that everything else is measured on.
    command.environment["TMPDIR"] = "/var/tmp"
    if !options.isEmpty { command.environment["POSTGRES_OPTIONS"] = .some(options) }
    process = try await ChildProcess.start(command)
    var ready = ""
    for await line in lines.stream {
      ready = line
      break
    }
    guard ready.hasPrefix("ready ") else { preconditionFailure("the private PostgreSQL says: \(ready)") }
    url = String(ready.dropFirst(6))
    let home = url.split(separator: "host=").last?.split(separator: "&").first ?? ""
    log = "\(home)/log"
  }

  public func end() async {
    process.closeInput()
    await process.wait()
  }
}
