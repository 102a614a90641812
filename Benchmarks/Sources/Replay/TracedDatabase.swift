internal import Base

/// A database on which services are traced, and on which a peer goes on afterwards: so it has the same tables, indexes
/// and triggers.
package struct TracedDatabase: Sendable {
  /// What services have to be started with in order to be traced.
  package let environment: [String: String]
  /// SQLite's folder, or the address of PostgreSQL's database.
  package let place: String
  private let log: String?

  /// SQLite in a folder, which is made, with a library that has every statement told.
  package static func sqlite(in folder: String) async throws -> TracedDatabase {
    let traces = "\(folder)/traces"
    try Files.makeFolder(folder)
    try Files.makeFolder(traces)
    let library = "\(traces)/trace.so"
    let source = String(#filePath.dropLast("Sources/Replay/TracedDatabase.swift".count)) + "Peers/consent/trace.c"
    try await run("gcc", ["-O2", "-shared", "-fPIC", "-o", library, source, "-lsqlite3"])
    return TracedDatabase(environment: ["LD_PRELOAD": library, "BENCH_TRACE": traces], place: folder, log: nil)
  }

  /// A database of a server with `log_line_prefix=%p|`, which writes statements down by itself.
  ///
  /// - Parameters:
  ///   - url: the address of the server's database `postgres`.
  ///   - log: the server's log file.
  package static func postgres(_ url: String, log: String) async throws -> TracedDatabase {
    try await psql(
      url, "CREATE DATABASE traced", "ALTER DATABASE traced SET log_statement = 'all'",
      "ALTER DATABASE traced SET log_min_messages = 'log'")
    let place = url.replacing("/postgres?", with: "/traced?")
    return TracedDatabase(environment: ["ASSENT_DATABASE_URL": place], place: place, log: log)
  }

  /// Where peers find a service's tables.
  package func place(of service: String) -> String {
    log == nil ? "\(place)/\(service).db" : "\(place)&options=-csearch_path%3D\(service)"
  }

  /// The file to which a service's statements are added.
  package func trace(of service: String) -> String { log ?? "\(place)/traces/\(service).db" }

  /// The transactions in a part of such a file.
  package func transactions(in trace: [UInt8]) throws(TraceError) -> [[TracedStatement]] {
    try log == nil ? SQLiteTrace.transactions(in: trace) : PostgresTrace.transactions(in: trace)
  }

  /// From now on, statements are executed as ever.
  package func end() async throws {
    if log != nil { try await Self.psql(place, "ALTER DATABASE traced RESET ALL") }
  }

  private static func psql(_ url: String, _ commands: String...) async throws {
    try await run("psql", ["-qX", "-v", "ON_ERROR_STOP=1", url] + commands.flatMap { ["-c", $0] })
  }

  private static func run(_ program: String, _ arguments: [String]) async throws {
    guard await (try ChildProcess.start(ChildCommand(program, arguments))).wait().isSuccess else {
      throw TraceError("\(program) \(arguments.joined(separator: " ")) failed")
    }
  }
}
