import Base
import TestSupport
import Testing

/// What programs do while nobody asks anything of them.
@Suite(.serialized) struct IdleTests {
  /// How often all threads of a program have gone to sleep.
  private func sleeps(of program: Int32) throws -> Int {
    try Files.names(in: "/proc/\(program)/task").reduce(0) { sum, thread in
      // A thread may end between the list and the look at it.
      let status = (try? Files.read("/proc/\(program)/task/\(thread)/status")).map {
        String(decoding: $0, as: UTF8.self)
      }
      let line = status?.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
      return sum + (line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0)
    }
  }

  /// Each thread of a program has the children that it started itself.
  private func children(of program: Int32) throws -> [Int32] {
    try Files.names(in: "/proc/\(program)/task").flatMap { thread in
      let list = (try? Files.read("/proc/\(program)/task/\(thread)/children")) ?? []
      return String(decoding: list, as: UTF8.self).split(separator: " ").compactMap { Int32($0) }
    }
  }

  @Test("without work, gateway and services hardly ever wake", .timeLimit(.minutes(2)))
  func wakeUps() async throws {
    let folder = try TemporaryFolder()
    let up = try await RunningProgram.start(
      "assent", ["up", "--http-listen", "127.0.0.1:0", "--data", folder.file("data")])
    _ = try #require(await up.line(containing: "Ctrl-C"), "\(up.logLines)")
    let programs = try children(of: up.id)
    try #require(programs.count >= 5)
    // On a quiet machine it is 2 to 5 a second. One that is busy with other things wakes threads more often, and what a
    // start leaves to be done does so too; therefore the quietest of some stretches counts.
    let (stretch, most) = (8, 12)
    var least: [Int32: Int] = [:]
    for _ in 0..<8 where least.isEmpty || least.values.contains(where: { $0 >= stretch * most }) {
      let before = try programs.map(sleeps)
      try await Task.sleep(for: .seconds(stretch))
      let after = try programs.map(sleeps)
      for (program, count) in zip(programs, zip(before, after).map({ $1 - $0 })) {
        least[program] = min(least[program] ?? count, count)
      }
    }
    for (program, count) in least { #expect(count < stretch * most, "process \(program): \(count) in \(stretch) s") }
    up.send(.terminate)
    #expect(await up.wait() == .code(0), "\(up.logLines)")
  }
}
