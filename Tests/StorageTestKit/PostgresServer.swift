internal import Base
internal import Synchronization

/// A private PostgreSQL server, stopped with this process at the latest.
public final class PostgresServer: Sendable {
  private let process: ChildProcess
  private let lines: AsyncStream<String>
  private let location = Mutex("")

  /// One server for all tests of a process; those that stop servers start their own.
  public static var shared: PostgresServer {
    get async throws { try await sharedStart.value }
  }

  private static let sharedStart = Task { try await PostgresServer() }

  public init() async throws {
    var command = ChildCommand("\(Self.repository)/scripts/lib/postgres")
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    command.input = .written
    command.output = .lines { continuation.yield($0) }
    command.whenParentDies = .terminate
    self.lines = lines
    process = try await ChildProcess.start(command)
    try await awaitReady()
  }

  public var url: String { location.withLock { $0 } }

  /// Ends the server as a power cut would: nothing is flushed or closed.
  public func crash() async throws {
    try process.write("crash\n")
    _ = try await nextLine()
  }

  public func stop() async throws {
    try process.write("stop\n")
    _ = try await nextLine()
  }

  public func start() async throws {
    try process.write("start\n")
    try await awaitReady()
  }

  /// Stops all processes of the server where they are: connections stay, and nothing answers.
  public func freeze() async throws {
    try process.write("freeze\n")
    _ = try await nextLine()
  }

  /// Lets a frozen server go on.
  public func thaw() async throws {
    try process.write("thaw\n")
    _ = try await nextLine()
  }

  /// Ends server and process for good.
  public func end() async {
    process.closeInput()
    await process.wait()
  }

  private func awaitReady() async throws {
    let line = try await nextLine()
    guard line.hasPrefix("ready ") else { throw Failure(description: "the private PostgreSQL says: \(line)") }
    location.withLock { $0 = String(line.dropFirst(6)) }
  }

  private func nextLine() async throws -> String {
    for await line in lines { return line }
    throw Failure(description: "the private PostgreSQL ended")
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private static let repository = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
}

extension PostgresServer {
  /// Runs SQL with PostgreSQL's own client, for statements that Storage would refuse.
  ///
  /// - Parameter sql: one or more texts, each with a transaction of its own.
  public static func run(_ sql: String..., url: String) async throws {
    let arguments = ["-qX", "-v", "ON_ERROR_STOP=1", url] + sql.flatMap { ["-c", $0] }
    let exit = try await ChildProcess.start(ChildCommand("psql", arguments)).wait()
    guard exit.isSuccess else { throw Failure(description: "psql \(exit) on: \(sql)") }
  }
}
