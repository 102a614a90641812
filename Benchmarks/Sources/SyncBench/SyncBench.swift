import Base
import BenchKit

/// Devices that sync: queues up, changes down, many devices at once, and sign-ins beside other calls. `--people N`
/// (100) and `--items N` (10,000) size the queue, `--changes N` (50,000) what comes down, `--devices N` (1,000) how
/// many sync at once.
@main struct SyncBench {
  static func main() async throws {
    var bench = Bench(part: "sync")
    let folder = Repository.path(".build/bench/sync")
    _ = await (try ChildProcess.start(ChildCommand("rm", ["-rf", folder]))).wait()
    try Files.makeFolder(folder)
    let system = try await SyncSystem.start("\(folder)/data")
    try await UploadCases.measure(&bench, system)
    try await DownloadCases.measure(&bench, system, database: "\(folder)/data/account.db")
    try await ManyDevices.measure(&bench, system)
    try await system.stop()
    try await StormCases.measure(&bench, data: "\(folder)/storm")
    try bench.finish()
  }
}
