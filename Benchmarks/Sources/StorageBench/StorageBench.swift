import Base
import BenchKit
import Storage

/// Storage beside the bare client libraries: commits, reads, a million events (unless --brief), the vault.
@main struct StorageBench {
  static func main() async {
    await Bench.run("storage") { bench in
      let folder = Repository.path(".build/bench/storage")
      _ = await (try ChildProcess.start(ChildCommand("rm", ["-rf", folder]))).wait()
      try Files.makeFolder(folder)
      let keys = try MasterKeys(text: MasterKeys.newKeyText())
      let server = try await BenchServer()

      let sqlite = try await Contender(.sqlite(path: "\(folder)/storage.db"), keys: keys)
      let bareSQLite = Peer.compiled(
        "storage_sqlite.c", flags: ["-DBENCH_FILE=\"\(folder)/bare.db\"", "-lsqlite3"])
      try await StorageCases.compare(&bench, "sqlite", sqlite, bareSQLite)
      await bench.compare(
        "commit32_sqlite", "32 writers, per commit; the peer is one bare loop", unit: .nanoseconds,
        ours: { try await StorageCases.commits(by: 32, sqlite) },
        peers: ["bare_loop": { try await bareSQLite.measure("commit") }])

      let postgres = try await Contender(.postgres(url: server.url), keys: keys)
      let barePostgres = Peer.compiled(
        "storage_postgres.c", flags: ["-DBENCH_URL=\"\(server.url)\"", "-I/usr/include/postgresql", "-lpq"])
      try await StorageCases.compare(&bench, "postgres", postgres, barePostgres)
      await bench.compare(
        "commit32_postgres", "32 writers, per commit; the peer is one bare loop", unit: .nanoseconds,
        ours: { try await StorageCases.commits(by: 32, postgres) },
        peers: ["bare_loop": { try await barePostgres.measure("commit") }])

      if !bench.options.has("brief") {
        await bench.group("events_sqlite", of: StorageCases.eventRows("sqlite")) {
          try await StorageCases.millionEvents(&$0, "sqlite", sqlite, .sqlite(path: "\(folder)/storage.db"), keys)
        }
        await bench.group("events_postgres", of: StorageCases.eventRows("postgres")) {
          try await StorageCases.millionEvents(&$0, "postgres", postgres, .postgres(url: server.url), keys)
        }
      }
      try await StorageCases.vault(&bench)
      await server.end()
    }
  }
}
