import Base
import BenchKit
import ConsentLoad

/// Consent flows and checks through gateway and bus, beside the bare client libraries and the bus's echo.
///
/// The groups of rows are called sqlite, postgres and records. The last is about a database of a million records
/// (--records N), which ConsentService registers one by one: that takes minutes, once. It stays in
/// .build/bench/consent-records for later runs, also after an error; to have the records made anew, remove the folder.
/// The bare loops execute what a trace of the service shows; .build/bench/peers/walk_ENGINE.h lists it.
@main struct ConsentBench {
  static func main() async throws {
    let options = Options()
    await Bench.run("consent", options) { bench in
      let folder = Repository.path(".build/bench/consent")
      _ = await (try ChildProcess.start(ChildCommand("rm", ["-rf", folder]))).wait()
      try Files.makeFolder(folder)
      await bench.group("sqlite", of: FlowCases.rows("sqlite") + ["check", "markup_p99"]) {
        try await sqlite(&$0, folder)
      }
      await bench.group("postgres", of: FlowCases.rows("postgres")) { try await postgres(&$0) }
      await bench.group("records", of: RecordCases.rows) { bench in
        try await RecordCases.measure(&bench, folder: Repository.path(".build/bench/consent-records"))
      }
    }
  }

  private static func sqlite(_ bench: inout Bench, _ folder: String) async throws {
    try await ConsentSystem.start(.folder("\(folder)/data"), echoes: true).lend { system in
      if bench.selects("check") { try await CheckCases.throughput(&bench, system) }
      if bench.selects("markup_p99") { try await MarkupCases.measure(&bench, system) }
      // At the end, since the copies of hundreds of flows are composed for a minute afterwards.
      try await FlowCases.compare(&bench, "sqlite", system) { try await TracedWalks.sqlite("\(folder)/traced") }
    }
  }

  private static func postgres(_ bench: inout Bench) async throws {
    try await BenchServer(options: "-c log_line_prefix=%p|").lend { server in
      try await ConsentSystem.start(.server(server.url)).lend { system in
        try await FlowCases.compare(&bench, "postgres", system) { try await TracedWalks.postgres(server) }
      }
    }
  }
}
