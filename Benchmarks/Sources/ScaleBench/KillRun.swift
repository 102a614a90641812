internal import Base
internal import BenchKit
internal import Ink
internal import InkSamples
internal import SignatureContract
internal import Synchronization

/// Kills workers one after the other while thousands of calls are in flight, and looks at every answer.
enum KillRun {
  struct Outcome {
    let calls: Int
    let kills: Int
    let lost: Int
  }

  static func run(calls: Int) async throws -> Outcome {
    try await RenderSystem(workers: 3).lend { try await run(calls: calls, on: $0) }
  }

  private static func run(calls: Int, on system: RenderSystem) async throws -> Outcome {
    let inks = SampleSignature.all.map(\.ink)
    let expected = try inks.map { try Renderer().render($0).bytes }
    let requests = inks.map { RenderRequest(source: .blob(StrokeBlob($0).bytes)) }
    let answered = Answers()
    let client = system.client
    let (good, kills) = try await withThrowingTaskGroup(of: Bool.self) { group in
      // All of them at once: calls for which no worker has room wait in the gateway.
      for number in 0..<calls {
        group.addTask {
          let index = number % requests.count
          let picture = try? await client.render(requests[index], deadline: .seconds(600))
          answered.count.add(1, ordering: .relaxed)
          return picture?.image == expected[index]
        }
      }
      async let kills = killing(system, until: { answered.count.load(ordering: .relaxed) >= calls * 9 / 10 })
      let good = try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      return (good, try await kills)
    }
    return Outcome(calls: calls, kills: kills, lost: calls - good)
  }

  private static func killing(_ system: RenderSystem, until isOver: @Sendable () -> Bool) async throws -> Int {
    var kills = 0
    while !isOver() {
      try await Task.sleep(for: .milliseconds(200))
      try await system.replaceWorker()
      kills += 1
    }
    return kills
  }
}

private final class Answers: Sendable {
  let count = Atomic(0)
}
