import Base
import BenchKit
import ConsentLoad

/// The statements that the service executes while one person walks the bench's flow, written to files from which
/// `flow.h` is made (`--trace FOLDER`).
enum TraceCases {
  static func write(into folder: String) async throws {
    try Files.makeFolder(folder)
    let library = "\(folder)/trace.so"
    let source = Repository.path("Benchmarks/Peers/consent/trace.c")
    let compiler = ChildCommand("gcc", ["-O2", "-shared", "-fPIC", "-o", library, source, "-lsqlite3"])
    guard await (try ChildProcess.start(compiler)).wait().isSuccess else {
      throw CheckFailure("trace.c is not compiled")
    }
    let listening = ["LD_PRELOAD": library, "BENCH_TRACE": "\(folder)/sqlite.all"]
    try await trace(.folder("\(folder)/data"), listening, "\(folder)/sqlite.all", "\(folder)/sqlite.trace")

    let options = "-c log_statement=all -c log_min_messages=log -c log_line_prefix=%p|"
    try await BenchServer(options: options).lend { server in
      try await trace(.server(server.url), [:], server.log, "\(folder)/postgres.trace")
    }
    print("\(folder)/sqlite.trace and postgres.trace hold the statements of one walk")
  }

  /// Walks once, so that everything that is made only once exists, then again, and keeps what the second walk adds to a
  /// file.
  private static func trace(
    _ place: ConsentSystem.Place, _ environment: [String: String], _ all: String, _ walk: String
  ) async throws {
    try await ConsentSystem.start(place, environment: environment).lend { system in
      let flow = try await WalkedFlow.open(on: system)
      try await flow.walk()
      let before = try Files.read(all).count
      try await flow.walk()
      try Files.write(Array(try Files.read(all).dropFirst(before)), to: walk)
    }
  }
}
