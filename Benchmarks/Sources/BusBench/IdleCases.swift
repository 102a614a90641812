import Base
import BenchKit

/// What the programs of an installation do while nobody asks anything of them.
enum IdleCases {
  static let rows = programs.map { "idle_\($0.row)" }

  private static let programs = [
    (row: "gateway", program: "gateway"), (row: "consent", program: "ConsentService"),
    (row: "signature", program: "SignatureService"),
  ]
  /// How often a second a program may wake.
  private static let bound = 5.0
  /// What a start leaves to be done is over by then.
  private static let settling = Duration.seconds(5)
  private static let stretch = Duration.seconds(20)

  static func measure(_ bench: inout Bench) async throws {
    try await Installation.start().lend { system in
      bench.begin("idle: until what the start left to be done is over")
      try await Task.sleep(for: settling)
      bench.begin("idle: \(stretch.wholeMilliseconds / 1000) s without a call")
      let running = try ProcessTree.children(of: system.process).map { (name: try name(of: $0), process: $0) }
      let start = Clock.system.monotonic
      let before = try running.map { try ThreadFigures(process: $0.process) }
      try await Task.sleep(for: stretch)
      let after = try running.map { try ThreadFigures(process: $0.process) }
      let seconds = Double((Clock.system.monotonic - start).wholeNanoseconds) / 1e9
      for (row, program) in programs {
        let used = running.indices.filter { running[$0].name == program }.map { after[$0].since(before[$0]) }
        // Of several processes of a program, the one that wakes most often counts, and the one that computes longest.
        guard let wakeUps = used.map({ $0.switches }).max(), let time = used.map({ $0.cpuTime }).max() else {
          bench.fail("idle_\(row)", "`assent up` runs no \(program)")
          continue
        }
        let share = 100 * Double(time.wholeNanoseconds) / 1e9 / seconds
        bench.report(
          "idle_\(row)/bound", "wake-ups of an idle \(program), which takes \(percent(share)) % of a core",
          unit: .wakeUps, value: Double(wakeUps) / seconds, peer: "bound", peerValue: bound)
      }
    }
  }

  /// The name of a program's file.
  private static func name(of process: Int32) throws -> String {
    // The path, and after a zero byte the arguments.
    let path = try Files.read("/proc/\(process)/cmdline").prefix { $0 != 0 }
    return String(decoding: path, as: UTF8.self).split(separator: "/").last.map { String($0) } ?? ""
  }

  /// A share with three digits after the point.
  private static func percent(_ share: Double) -> String {
    let thousandths = Int((1000 * share).rounded())
    let fraction = String(thousandths % 1000)
    return "\(thousandths / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
  }
}

extension Unit {
  fileprivate static let wakeUps = Unit("/s", lessIsBetter: true)
}
