import Base
import Glibc
import TestSupport
import Testing

@testable import ServiceKit

@Suite struct SupervisorTests {
  private func program(_ name: String, wave: Int = 0, _ script: String) -> SupervisedProgram {
    SupervisedProgram(name: name, command: ChildCommand("sh", ["-c", script]), wave: wave)
  }

  private var quick: RestartPolicy {
    var policy = RestartPolicy()
    policy.first = .milliseconds(5)
    return policy
  }

  @Test("a program is started, announces itself, and is stopped")
  func life() async throws {
    let supervisor = Supervisor(log: .silent)
    let announced = try await supervisor.start(program("a", "echo 'ready   http://here'; exec sleep 600"))
    #expect(announced == "http://here")
    let id = try #require(await supervisor.processes()["a"])
    #expect(Files.exists("/proc/\(id)"))
    await supervisor.stop(grace: .seconds(10))
    #expect(!Files.exists("/proc/\(id)"))
  }

  @Test("a program that is ready has a process")
  func readyProcess() async throws {
    let supervisor = Supervisor(log: .silent)
    try await withThrowingTaskGroup(of: Int32?.self) { group in
      for number in 0..<32 {
        let program = program("\(number)", "echo ready; exec sleep 600")
        group.addTask {
          _ = try await supervisor.start(program)
          return await supervisor.processes()[program.name]
        }
      }
      for try await process in group { #expect(process != nil) }
    }
    await supervisor.stop(grace: .seconds(10))
  }

  @Test("a program that dies is started again, any number of times")
  func restart() async throws {
    let capture = LogCapture()
    let supervisor = Supervisor(log: capture.log(), policy: quick)
    _ = try await supervisor.start(program("a", "echo ready; exec sleep 600"))
    var running = await supervisor.processes()["a"]
    for _ in 0..<3 {
      let killed = try #require(running)
      _ = try await ChildProcess.output(of: ChildCommand("sh", ["-c", "kill -9 \(killed)"]))
      running = try await eventually("it runs again", await supervisor.processes()["a"]) { $0 != nil && $0 != killed }
    }
    await supervisor.stop(grace: .seconds(10))
    let ends = capture.events(named: "program ended, to be started again")
    #expect(ends.count == 3)
    #expect(ends.allSatisfy { $0["how"] == .text("was ended by signal 9") && $0["program"] == .text("a") })
  }

  @Test("a program that ends before it was ready is an error, and is not started again for ever")
  func neverReady() async {
    let supervisor = Supervisor(log: .silent, policy: quick)
    let failing = program("a", "exit 3")
    let error = await #expect(throws: SupervisionError.self) { _ = try await supervisor.start(failing) }
    #expect(error?.description == "a ended with 3 before it was ready")
    let missing = SupervisedProgram(name: "b", command: ChildCommand("/no/such/program"), wave: 0)
    await #expect(throws: SupervisionError.self) { _ = try await supervisor.start(missing) }
    await supervisor.stop(grace: .seconds(1))
  }

  @Test("a program whose lines nobody reads goes on, and its end is noticed", .timeLimit(.minutes(1)))
  func unreadLines() async throws {
    var ends: [Int32] = [-1, -1]
    #expect(unsafe pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let capture = LogCapture()
    let supervisor = Supervisor(log: capture.log(), lines: LogSink(descriptor: ends[1]), policy: quick)
    let folder = try TemporaryFolder()
    let script = "echo ready; yes | head -n 100000 >&2; touch \(folder.file("went-on")); exit 3"
    _ = try await supervisor.start(program("a", script))
    try await eventually("it ends", capture.events(named: "program ended, to be started again")) { !$0.isEmpty }
    #expect(Files.exists(folder.file("went-on")))
    await supervisor.stop(grace: .seconds(10))
  }

  @Test("the last wave is stopped before the first, and a program that hangs is killed")
  func waves() async throws {
    let folder = try TemporaryFolder()
    let supervisor = Supervisor(log: .silent)
    let polite = { (name: String) in
      "trap 'echo \(name) >> \(folder.file("order")); exit 0' TERM; echo ready; while :; do sleep 0.01; done"
    }
    _ = try await supervisor.start(program("gateway", wave: 0, polite("gateway")))
    _ = try await supervisor.start(program("service", wave: 1, polite("service")))
    _ = try await supervisor.start(program("hung", wave: 2, "trap '' TERM; echo ready; while :; do sleep 0.01; done"))
    let hung = try #require(await supervisor.processes()["hung"])
    await supervisor.stop(grace: .seconds(2))
    #expect(try String(decoding: Files.read(folder.file("order")), as: UTF8.self) == "service\ngateway\n")
    #expect(!Files.exists("/proc/\(hung)"))
  }
}
