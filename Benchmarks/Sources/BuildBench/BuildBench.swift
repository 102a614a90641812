internal import Base
internal import BenchKit

/// How long builds take, in a fresh clone of the last commit, against their bounds.
///
/// cold: scripts/run until everything is ready; handler: the build after a change in one handler; proto: the build
/// after a change in one service's contract; test: scripts/test from clean. Debian's packages are installed already;
/// the time to install them shows only on a fresh machine. Each row is measured once, whatever --rounds says, because
/// it takes minutes.
@main struct BuildBench {
  static func main() async throws {
    var bench = Bench(part: "build")
    try await Clone.lend { clone in try await measure(clone, &bench) }
    try bench.finish()
  }

  private static func measure(_ clone: Clone, _ bench: inout Bench) async throws {
    try await bench.bound("cold", "scripts/run from clean until all is ready", seconds: 240) {
      try await clone.runUntilReady()
    }
    if bench.selects("handler") || bench.selects("proto") { try await measureChanges(in: clone, &bench) }
    try await clone.restore()
    try await bench.bound("test", "scripts/test from clean", seconds: 480) {
      try await clone.test()
    }
  }

  private static func measureChanges(in clone: Clone, _ bench: inout Bench) async throws {
    // Unless the first row was asked for too, nothing is built yet.
    bench.begin("building before the changes")
    try await clone.build()
    if bench.selects("handler") {
      try clone.appendComment(to: "Sources/ConsentService/ConsentServiceMain.swift")
      try await bench.bound("handler", "a build after a change in one service", seconds: 60) {
        try await clone.build()
      }
    }
    if bench.selects("proto") {
      try clone.addMessage(to: "proto/assent/signature/v1/render.proto")
      bench.begin("generating the changed contract")
      try await clone.generate()
      try await bench.bound("proto", "a build after a change in one contract", seconds: 90) {
        try await clone.build()
      }
    }
  }
}

extension Bench {
  /// Measures a time against a bound instead of a peer.
  fileprivate mutating func bound(
    _ id: String, _ name: String, seconds: Double, _ work: () async throws -> Void
  ) async throws {
    guard selects(id) else { return }
    begin(id)
    let began = Clock.system.monotonic
    try await work()
    let taken = Double((Clock.system.monotonic - began).wholeMilliseconds) / 1000
    report(
      "\(id)/bound", name, unit: Unit("s", lessIsBetter: true), value: taken, peer: "bound", peerValue: seconds)
  }
}
