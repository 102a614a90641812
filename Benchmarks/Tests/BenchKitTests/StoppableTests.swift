import Base
import Synchronization
import Testing

@testable import BenchKit

/// What is started for a measurement ends with it.
@Suite struct StoppableTests {
  @Test("what was started is stopped once after the measurement, and the figure is returned")
  func measured() async throws {
    let started = Started()
    let figure = try await started.lend { started in
      #expect(started.stops.load(ordering: .relaxed) == 0)
      return 42
    }
    #expect(figure == 42)
    #expect(started.stops.load(ordering: .relaxed) == 1)
  }

  @Test("what was started is stopped once after an error, which is the one that is thrown", arguments: [false, true])
  func failed(alsoAtItsEnd: Bool) async {
    let started = Started(stopFails: alsoAtItsEnd)
    let error = await #expect(throws: Failed.self) {
      try await started.lend { _ in throw Failed(place: "measurement") }
    }
    #expect(error?.place == "measurement")
    #expect(started.stops.load(ordering: .relaxed) == 1)
  }

  @Test("what cannot be stopped is an error")
  func notStopped() async {
    let error = await #expect(throws: Failed.self) { try await Started(stopFails: true).lend { _ in } }
    #expect(error?.place == "stop")
  }

  @Test("a program that nobody holds any more ends", .timeLimit(.minutes(1)))
  func released() async throws {
    let command = ChildCommand("sh", ["-c", "echo ready; exec sleep 600"])
    let id = try await Program.startHeard(command, as: "sleep", until: "ready").process.id
    while (try? ProcessFigures(process: id)) != nil { await Task.yield() }
  }

  @Test("a program that ends before it is ready is an error that says how it ended")
  func notReady() async {
    let error = await #expect(throws: ProgramError.self) {
      _ = try await Program.startHeard(ChildCommand("sh", ["-c", "exit 3"]), as: "sh", until: "ready")
    }
    #expect(error?.description == "sh ended with 3 before it was ready")
  }
}

private final class Started: Stoppable, Sendable {
  let stops = Atomic(0)
  private let stopFails: Bool

  init(stopFails: Bool = false) { self.stopFails = stopFails }

  func stop() async throws {
    stops.add(1, ordering: .relaxed)
    if stopFails { throw Failed(place: "stop") }
  }
}

private struct Failed: Error {
  let place: String
}
