import Base
import BenchKit
import ConsentLoad
import Replay

/// What the service executes while one person walks the bench's flow, for the bare loops to repeat. The service is
/// traced on a database of its own, on which the loop continues afterwards: so it has the same tables, indexes and
/// triggers.
enum TracedWalks {
  /// Periodic work changes now and then what a walk has to read, so more walks are made than the two that are compared.
  private static let walks = 8

  /// The bare loop on SQLite.
  static func sqlite(_ folder: String) async throws -> Peer {
    try Files.makeFolder(folder)
    let library = "\(folder)/trace.so"
    try await run("gcc", ["-O2", "-shared", "-fPIC", "-o", library, source("trace.c"), "-lsqlite3"])
    let trace = "\(folder)/trace"
    let walks = try await walk(.folder(folder), ["LD_PRELOAD": library, "BENCH_TRACE": trace], trace)
    let data = try write(
      try ReplayedWalk(tracedIn: walks.map { calls(try SQLiteTrace.transactions(in: $0)) }), "sqlite")
    return Peer.compiled(
      "consent/flow_sqlite.c", flags: [data, "-DBENCH_FILE=\"\(folder)/consent.db\"", "-lsqlite3"])
  }

  /// The bare loop on PostgreSQL.
  static func postgres(_ server: BenchServer) async throws -> Peer {
    let url = server.url.replacing("/postgres?", with: "/traced?")
    try await psql(
      server.url, "CREATE DATABASE traced", "ALTER DATABASE traced SET log_statement = 'all'",
      "ALTER DATABASE traced SET log_min_messages = 'log'")
    let walks = try await walk(.server(url), [:], server.log)
    try await psql(server.url, "ALTER DATABASE traced RESET ALL")
    let data = try write(
      try ReplayedWalk(tracedIn: walks.map { calls(try PostgresTrace.transactions(in: $0)) }), "postgres")
    return Peer.compiled(
      "consent/flow_postgres.c",
      flags: [
        data, "-DBENCH_URL=\"\(url)\"", "-DBENCH_SCHEMA=\"consent\"", "-I/usr/include/postgresql", "-lpq",
      ])
  }

  /// What the service adds to the file `trace` during each walk. The first walk is left out: it makes what is made only
  /// once.
  private static func walk(
    _ place: ConsentSystem.Place, _ environment: [String: String], _ trace: String
  ) async throws -> [[UInt8]] {
    try await ConsentSystem.start(place, environment: environment).lend { system in
      let flow = try await WalkedFlow.open(on: system)
      try await flow.walk()
      try await system.untilIdle()
      var ends = [try Files.read(trace).count]
      for _ in 0..<walks {
        try await flow.walk()
        // What the walk leaves to be done would otherwise be done during the next one.
        try await system.untilIdle()
        ends.append(try Files.read(trace).count)
      }
      let content = try Files.read(trace)
      return zip(ends, ends.dropFirst()).map { Array(content[$0..<$1]) }
    }
  }

  /// Of a trace's transactions those of calls, each of which looks for an earlier answer. The others are jobs and
  /// periodic tasks.
  private static func calls(_ transactions: [[TracedStatement]]) -> [[TracedStatement]] {
    transactions.filter { $0.contains { $0.sql.contains(" FROM storage_idempotency ") } }
  }

  /// Writes the walk where the peer's compiler finds it; returns the flag that names the file.
  private static func write(_ walk: ReplayedWalk, _ engine: String) throws -> String {
    let folder = Repository.path(".build/bench/peers")
    try Files.makeFolder(folder)
    let path = "\(folder)/walk_\(engine).h"
    try Files.write(Array(walk.source.utf8), to: path)
    let count = "\(walk.statementCount) statements in \(walk.calls.count) calls"
    print("the bare loop on \(engine) executes \(count), which \(path) lists")
    return "-DWALK=\"\(path)\""
  }

  private static func source(_ name: String) -> String { Repository.path("Benchmarks/Peers/consent/\(name)") }

  private static func psql(_ url: String, _ commands: String...) async throws {
    try await run("psql", ["-qX", "-v", "ON_ERROR_STOP=1", url] + commands.flatMap { ["-c", $0] })
  }

  private static func run(_ program: String, _ arguments: [String]) async throws {
    guard await (try ChildProcess.start(ChildCommand(program, arguments))).wait().isSuccess else {
      throw CheckFailure("\(program) \(arguments.joined(separator: " ")) failed")
    }
  }
}
