import Base
import BenchKit

/// Devices that sync: queues up, changes down, many devices at once, sign-ins beside other calls, and calls with
/// tokens.
///
/// `--people N` (100) and `--items N` (10,000) size the queue, `--changes N` (50,000) what comes down, `--kept N`
/// (50,000) what goes up and comes down while memory is watched, `--devices N` (1,000) how many sync at once,
/// `--tokens N` (150,000) how many tokens there are for all rounds.
@main struct SyncBench {
  static func main() async {
    await Bench.run("sync") { bench in
      let folder = Repository.path(".build/bench/sync")
      _ = await (try ChildProcess.start(ChildCommand("rm", ["-rf", folder]))).wait()
      try Files.makeFolder(folder)
      if ["up", "up_memory", "down", "memory", "devices"].contains(where: bench.selects) {
        let system = try await SyncSystem.start("\(folder)/data")
        await bench.group("up", of: ["up_memory"]) { try await UploadCases.measure(&$0, system) }
        await bench.group("down") {
          try await DownloadCases.measure(&$0, system, database: "\(folder)/data/account.db")
        }
        await bench.group("memory") { try await MemoryCases.measure(&$0, system) }
        await bench.group("devices") { try await ManyDevices.measure(&$0, system) }
        try await system.stop()
      }
      await bench.group("storm_p99") { try await StormCases.measure(&$0, data: "\(folder)/storm") }
      await bench.group("tokens", of: ["token_cached", "token_fresh"]) { try await TokenCases.measure(&$0) }
    }
  }
}
