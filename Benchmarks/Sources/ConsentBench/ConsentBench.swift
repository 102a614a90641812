import Base
import BenchKit
import ConsentLoad

/// Consent flows and checks through gateway and bus, beside the bare client libraries and the bus's echo. `--only
/// check` measures checks on SQLite alone, `--only markup_p99` what one caller's heaviest documents cost others.
@main struct ConsentBench {
  static func main() async throws {
    var bench = Bench(part: "consent")
    if let folder = bench.options.text("trace") { return try await TraceCases.write(into: folder) }
    let folder = Repository.path(".build/bench/consent")
    _ = await (try ChildProcess.start(ChildCommand("rm", ["-rf", folder]))).wait()
    try Files.makeFolder(folder)
    if bench.options.text("only") == "check" {
      let system = try await ConsentSystem.start(.folder("\(folder)/data"), echoes: true)
      try await CheckCases.throughput(&bench, system)
      try await system.stop()
      return try bench.finish()
    }
    if bench.options.text("only") == "markup_p99" {
      let system = try await ConsentSystem.start(.folder("\(folder)/data"))
      try await MarkupCases.measure(&bench, system)
      try await system.stop()
      return try bench.finish()
    }
    let server = try await BenchServer()

    let sqlite = try await ConsentSystem.start(.folder("\(folder)/data"), echoes: true)
    try await FlowCases.compare(
      &bench, "sqlite", sqlite,
      Peer.compiled("consent/flow_sqlite.c", flags: ["-DBENCH_FILE=\"\(folder)/bare.db\"", "-lsqlite3"]))
    try await CheckCases.throughput(&bench, sqlite)
    try await MarkupCases.measure(&bench, sqlite)
    try await sqlite.stop()

    let postgres = try await ConsentSystem.start(.server(server.url))
    try await FlowCases.compare(
      &bench, "postgres", postgres,
      Peer.compiled(
        "consent/flow_postgres.c", flags: ["-DBENCH_URL=\"\(server.url)\"", "-I/usr/include/postgresql", "-lpq"]))
    let replica = try await ConsentSystem.start(.server(server.url))
    try await CheckCases.withdrawal(&bench, postgres, replica)
    try await replica.stop()
    try await postgres.stop()

    try await RecordCases.million(&bench, folder: "\(folder)/data")
    try bench.finish()
    await server.end()
  }
}
