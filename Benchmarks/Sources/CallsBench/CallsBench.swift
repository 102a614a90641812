import Base
import BenchKit
import Replay

/// The methods that apps call most, as everything that `assent up` starts serves them, beside the bare statements.
///
/// Gateway and services are as they ship, with every default, on SQLite and on PostgreSQL. The peer is a server of gRPC
/// C++ that executes the same statements.
///
/// A row is METHOD_ENGINE_DOOR_INFLIGHT: METHOD is check (CheckConsent), start (StartSession), act (ActOnSession), save
/// (SaveField), get (GetField) or render (Render); ENGINE is sqlite or postgres; DOOR is bus, grpc or http (JSON);
/// INFLIGHT is 1 or 64. Its figure is the rate. The rows with _p50, _p99 and _cpu behind it tell how long calls take
/// and how much processor time all of Assent's processes use for one; they are in .build/bench/calls.json, and in the
/// table when they are asked for and the rate is not. The peers are grpc_direct, the server itself, and grpc_nginx,
/// with nginx before it.
///
/// The groups of rows are called sqlite and postgres. `--rounds N` (3) and `--milliseconds N` (700) set how often and
/// for how long everybody is measured. What the peer executes is traced at the beginning of a group;
/// .build/bench/peers/calls_ENGINE.h lists it.
@main struct CallsBench {
  static func main() async {
    await Bench.run("calls", rounds: 3) { bench in
      let folder = Repository.path(".build/bench/calls")
      _ = await (try ChildProcess.start(ChildCommand("rm", ["-rf", folder]))).wait()
      try Files.makeFolder(folder)
      await bench.group("sqlite", of: CallCases.rows("sqlite")) { bench in
        let traced = try await TracedDatabase.sqlite(in: CallCases.tracedData("sqlite", folder))
        try await CallCases.measure(&bench, "sqlite", folder, traced, environment: [:])
      }
      await bench.group("postgres", of: CallCases.rows("postgres")) { bench in
        try await BenchServer(options: "-c log_line_prefix=%p|").lend { server in
          let traced = try await TracedDatabase.postgres(server.url, log: server.log)
          let environment = ["ASSENT_DATABASE_URL": server.url]
          try await CallCases.measure(&bench, "postgres", folder, traced, environment: environment)
        }
      }
    }
  }
}

/// Why a case cannot be measured.
struct CallsFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
