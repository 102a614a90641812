import Base
import BenchKit
import Storage

/// Storage beside the bare client libraries: commits, reads, a million events (unless --brief), the vault.
@main struct StorageBench {
  static func main() async throws {
    var bench = Bench(part: "storage")
    let folder = Repository.path(".build/bench/storage")
    _ = await (try ChildProcess.start(ChildCommand("rm", ["-rf", folder]))).wait()
    try Files.makeFolder(folder)
    let keys = try MasterKeys(text: MasterKeys.newKeyText())
    let server = try await BenchServer()

    let sqlite = try await Contender(.sqlite(path: "\(folder)/storage.db"), keys: keys)
    let bareSQLite = Peer.compiled(
      "storage_sqlite.c", flags: ["-DBENCH_FILE=\"\(folder)/bare.db\"", "-lsqlite3"])
    try await StorageCases.compare(&bench, "sqlite", sqlite, bareSQLite)
    try await bench.compare(
      "commit32_sqlite", "32 writers, per commit; the peer is one bare loop", unit: .nanoseconds,
      ours: { try await StorageCases.commits(by: 32, sqlite) },
      peers: ["bare_loop": { try await bareSQLite.measure("commit") }])

    let postgres = try await Contender(.postgres(url: server.url), keys: keys)
    let barePostgres = Peer.compiled(
      "storage_postgres.c", flags: ["-DBENCH_URL=\"\(server.url)\"", "-I/usr/include/postgresql", "-lpq"])
    try await StorageCases.compare(&bench, "postgres", postgres, barePostgres)
    try await bench.compare(
      "commit32_postgres", "32 writers, per commit; the peer is one bare loop", unit: .nanoseconds,
      ours: { try await StorageCases.commits(by: 32, postgres) },
      peers: ["bare_loop": { try await barePostgres.measure("commit") }])

    if !bench.options.has("brief") {
      try await StorageCases.millionEvents(&bench, "sqlite", sqlite, .sqlite(path: "\(folder)/storage.db"), keys)
      try await StorageCases.millionEvents(&bench, "postgres", postgres, .postgres(url: server.url), keys)
    }
    try await StorageCases.vault(&bench)
    try bench.finish()
    await server.end()
  }
}
