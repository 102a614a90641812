internal import Base
internal import BenchKit

/// How long builds take, in a fresh clone of the last commit, against their bounds.
///
/// cold: scripts/run until everything is ready; handler: the build after a change in one handler; proto: the build
/// after a change in one service's contract; test: scripts/test from clean. Debian's packages are installed already;
/// the time to install them shows only on a fresh machine. Each row is measured once, whatever --rounds says, because
/// it takes minutes.
@main struct BuildBench {
  static func main() async {
    await Bench.run("build") { bench in
      try await Clone.lend { clone in try await measure(clone, &bench) }
    }
  }

  private static func measure(_ clone: Clone, _ bench: inout Bench) async throws {
    await bench.bound("cold", "scripts/run from clean until all is ready", seconds: 240) {
      try await clone.runUntilReady()
    }
    if bench.selects("handler") || bench.selects("proto") {
      // Unless the first row was asked for too, nothing is built yet.
      bench.begin("building before the changes")
      try await clone.build()
    }
    try await measureChangedHandler(in: clone, &bench)
    try await measureChangedContract(in: clone, &bench)
    try await clone.restore()
    await bench.bound("test", "scripts/test from clean", seconds: 480) {
      try await clone.test()
    }
  }

  private static func measureChangedHandler(in clone: Clone, _ bench: inout Bench) async throws {
    guard bench.selects("handler") else { return }
    try clone.appendFunction(to: "Sources/ConsentService/ConsentServiceMain.swift")
    await bench.bound("handler", "a build after a change in one service", seconds: 60) {
      try await clone.build()
    }
  }

  private static func measureChangedContract(in clone: Clone, _ bench: inout Bench) async throws {
    guard bench.selects("proto") else { return }
    try clone.addMessage(to: "proto/assent/signature/v1/render.proto")
    bench.begin("generating the changed contract")
    try await clone.generate()
    await bench.bound("proto", "a build after a change in one contract", seconds: 90) {
      try await clone.build()
    }
  }
}

extension Bench {
  /// Measures a time against a bound instead of a peer.
  fileprivate mutating func bound(
    _ id: String, _ name: String, seconds: Double, _ work: () async throws -> Void
  ) async {
    guard selects(id) else { return }
    begin(id)
    let began = Clock.system.monotonic
    do { try await work() } catch { return fail(id, "\(error)") }
    let taken = Double((Clock.system.monotonic - began).wholeMilliseconds) / 1000
    report(
      "\(id)/bound", name, unit: Unit("s", lessIsBetter: true), value: taken, peer: "bound", peerValue: seconds)
  }
}
