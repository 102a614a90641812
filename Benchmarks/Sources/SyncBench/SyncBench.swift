import Base
import BenchKit

/// Devices that sync: queues up, changes down, many devices at once, sign-ins beside other calls, and calls with
/// tokens.
///
/// `--people N` (100) and `--items N` (10,000) size the queue, `--changes N` (50,000) what comes down, `--kept N`
/// (50,000) what goes up and comes down while memory is watched, `--devices N` (1,000) how many sync at once,
/// `--tokens N` (150,000) how many tokens there are for all rounds.
@main struct SyncBench {
  static func main() async throws {
    var bench = Bench(part: "sync")
    let folder = Repository.path(".build/bench/sync")
    _ = await (try ChildProcess.start(ChildCommand("rm", ["-rf", folder]))).wait()
    try Files.makeFolder(folder)
    if ["up", "down", "memory", "devices"].contains(where: bench.selects) {
      let system = try await SyncSystem.start("\(folder)/data")
      try await UploadCases.measure(&bench, system)
      try await DownloadCases.measure(&bench, system, database: "\(folder)/data/account.db")
      try await MemoryCases.measure(&bench, system)
      try await ManyDevices.measure(&bench, system)
      try await system.stop()
    }
    try await StormCases.measure(&bench, data: "\(folder)/storm")
    try await TokenCases.measure(&bench)
    try bench.finish()
  }
}
