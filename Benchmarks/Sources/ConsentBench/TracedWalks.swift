import Base
import BenchKit
import ConsentLoad
import Replay

/// What the service executes while one person walks the bench's flow, for the bare loops to repeat.
enum TracedWalks {
  /// Periodic work changes now and then what a walk has to read, so more walks are made than the two that are compared.
  private static let walks = 8

  /// The bare loop on SQLite.
  static func sqlite(_ folder: String) async throws -> Peer {
    let database = try await TracedDatabase.sqlite(in: folder)
    return try await peer("sqlite", flags: ["-lsqlite3"], database, .folder(folder))
  }

  /// The bare loop on PostgreSQL.
  static func postgres(_ server: BenchServer) async throws -> Peer {
    let database = try await TracedDatabase.postgres(server.url, log: server.log)
    return try await peer(
      "postgres", flags: ["-I/usr/include/postgresql", "-lpq"], database, .server(database.place))
  }

  private static func peer(
    _ engine: String, flags: [String], _ database: TracedDatabase, _ place: ConsentSystem.Place
  ) async throws -> Peer {
    let walks = try await walk(place, database)
    try await database.end()
    let walk = try ReplayedWalk(tracedIn: walks.map { try database.transactions(in: $0).changes })
    let data = try Peer.writeData(walk.source, named: "walk_\(engine)")
    let count = "\(walk.statementCount) statements in \(walk.calls.count) calls"
    print("the bare loop on \(engine) executes \(count), which \(data) lists")
    return Peer.compiled(
      "consent/flow_\(engine).c",
      flags: ["-DWALK=\"\(data)\"", "-DBENCH_PLACE=\"\(database.place(of: "consent"))\""] + flags)
  }

  /// What the service adds to its trace during each walk. The first walk is left out: it makes what is made only once.
  private static func walk(_ place: ConsentSystem.Place, _ database: TracedDatabase) async throws -> [[UInt8]] {
    let trace = database.trace(of: "consent")
    return try await ConsentSystem.start(place, environment: database.environment).lend { system in
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
}
