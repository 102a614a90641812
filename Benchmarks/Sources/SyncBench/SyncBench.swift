import Base
import BenchKit

/// Devices that sync: queues up, changes down, many devices at once, sign-ins beside other calls, and calls with
/// tokens.
///
/// `--people N` (100) and `--items N` (10,000) size the queue, `--changes N` (50,000) what comes down, `--kept N`
/// (50,000) what goes up and comes down while memory is watched, `--devices N` (1,000) how many sync at once,
/// `--tokens N` (150,000) how many tokens there are for all rounds. The groups of rows are called up, down, memory,
/// devices, storm_p99 and tokens; each has processes and databases of its own.
@main struct SyncBench {
  static func main() async {
    await Bench.run("sync") { bench in
      let folder = Repository.path(".build/bench/sync")
      _ = await (try ChildProcess.start(ChildCommand("rm", ["-rf", folder]))).wait()
      try Files.makeFolder(folder)
      await bench.group("up", of: ["up_memory"]) { bench in
        try await SyncSystem.start("\(folder)/up").lend { try await UploadCases.measure(&bench, $0) }
      }
      await bench.group("down") { bench in
        try await SyncSystem.start("\(folder)/down").lend { system in
          try await DownloadCases.measure(&bench, system, database: "\(folder)/down/account.db")
        }
      }
      await bench.group("memory", of: MemoryCases.rows(bench.options)) { bench in
        try await SyncSystem.start("\(folder)/memory").lend { try await MemoryCases.measure(&bench, $0) }
      }
      await bench.group("devices") { bench in
        try await SyncSystem.start("\(folder)/devices").lend { try await ManyDevices.measure(&bench, $0) }
      }
      await bench.group("storm_p99") { try await StormCases.measure(&$0, data: "\(folder)/storm") }
      await bench.group("tokens", of: ["token_cached", "token_fresh"]) { try await TokenCases.measure(&$0) }
    }
  }
}
