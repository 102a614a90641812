import Base
import BenchKit
import Storage

/// Storage beside the bare client libraries: commits, reads, a million events (unless --brief), the vault.
///
/// The groups of rows are called sqlite, postgres, events_sqlite and events_postgres. Each has a database of its own.
@main struct StorageBench {
  static func main() async {
    await Bench.run("storage") { bench in
      let folder = Repository.path(".build/bench/storage")
      _ = await (try ChildProcess.start(ChildCommand("rm", ["-rf", folder]))).wait()
      try Files.makeFolder(folder)
      let keys = try MasterKeys(text: MasterKeys.newKeyText())
      await bench.group("sqlite", of: StorageCases.rows("sqlite")) { bench in
        try await Contender(.sqlite(path: "\(folder)/storage.db"), keys: keys).lend { ours in
          let peer = Peer.compiled("storage_sqlite.c", flags: ["-DBENCH_FILE=\"\(folder)/bare.db\"", "-lsqlite3"])
          try await StorageCases.compare(&bench, "sqlite", ours, peer)
        }
      }
      await bench.group("postgres", of: StorageCases.rows("postgres")) { bench in
        try await BenchServer().lend { server in
          try await Contender(.postgres(url: server.url), keys: keys).lend { ours in
            let peer = Peer.compiled(
              "storage_postgres.c", flags: ["-DBENCH_URL=\"\(server.url)\"", "-I/usr/include/postgresql", "-lpq"])
            try await StorageCases.compare(&bench, "postgres", ours, peer)
          }
        }
      }
      if !bench.options.has("brief") {
        await bench.group("events_sqlite", of: StorageCases.eventRows("sqlite")) {
          try await StorageCases.millionEvents(&$0, "sqlite", .sqlite(path: "\(folder)/events.db"), keys)
        }
        await bench.group("events_postgres", of: StorageCases.eventRows("postgres")) { bench in
          try await BenchServer().lend { server in
            try await StorageCases.millionEvents(&bench, "postgres", .postgres(url: server.url), keys)
          }
        }
      }
      await StorageCases.vault(&bench)
    }
  }
}
