import Base
import Synchronization
import Testing

@Suite struct ChildProcessTests {
  @Test("a child's output arrives line by line, and its exit code with it")
  func output() async throws {
    let (exit, lines) = try await ChildProcess.output(
      of: ChildCommand("sh", ["-c", "echo one; echo two; printf three; exit 7"]))
    #expect(exit == .code(7))
    #expect(lines == ["one", "two", "three"])
  }

  @Test("a program that does not exist is an error that names it")
  func missing() async throws {
    let error = await #expect(throws: ChildProcessError.self) {
      _ = try await ChildProcess.start(ChildCommand("/no/such/program"))
    }
    #expect(error?.description == "cannot start /no/such/program: No such file or directory")
  }

  @Test("a directory that does not exist is an error that names it")
  func missingDirectory() async throws {
    let error = await #expect(throws: ChildProcessError.self) {
      var command = ChildCommand("true")
      command.directory = "/no/such/directory"
      _ = try await ChildProcess.start(command)
    }
    #expect(error?.description == "cannot start true in directory /no/such/directory: No such file or directory")
  }

  @Test("the child reads what is written, until its input is closed")
  func input() async throws {
    let lines = Collected()
    var command = ChildCommand("cat")
    command.input = .written
    command.output = .lines { lines.append($0) }
    let child = try await ChildProcess.start(command)
    try child.write("first\nsecond\n")
    child.closeInput()
    #expect(await child.wait() == .code(0))
    #expect(lines.all == ["first", "second"])
  }

  @Test("writing to a child that has ended is an error and raises no signal")
  func brokenInput() async throws {
    var command = ChildCommand("true")
    command.input = .written
    let child = try await ChildProcess.start(command)
    await child.wait()
    #expect(throws: ChildProcessError.self) { try child.write("to nobody") }
  }

  @Test("variables are added to the environment and removed from it")
  func environment() async throws {
    var command = ChildCommand("sh", ["-c", "echo ${ADDED-none} ${HOME-none}"])
    command.environment = ["ADDED": "yes", "HOME": nil]
    #expect(try await ChildProcess.output(of: command).lines == ["yes none"])
  }

  @Test("a child that ignores the request to end is killed after the grace period")
  func stubborn() async throws {
    let ready = Collected()
    var command = ChildCommand("sh", ["-c", "trap '' TERM; echo ready; while :; do sleep 1; done"])
    command.output = .lines { ready.append($0) }
    let child = try await ChildProcess.start(command)
    while ready.all.isEmpty { await Task.yield() }
    #expect(await child.stop(grace: .milliseconds(50)) == .signal(9))
  }

  @Test("waiting for a child does not wait for a background process that keeps its output open")
  func heldOutput() async throws {
    let (exit, lines) = try await ChildProcess.output(of: ChildCommand("sh", ["-c", "sleep 600 & echo $!"]))
    #expect(exit.isSuccess)
    let background = try #require(lines.first)
    _ = try await ChildProcess.output(of: ChildCommand("sh", ["-c", "kill \(background)"]))
  }

  @Test("a child leads a process group of its own, so that only its parent gets Ctrl-C")
  func ownGroup() async throws {
    let child = try await ChildProcess.start(ChildCommand("sleep", ["600"]))
    let group = try await ChildProcess.output(of: ChildCommand("cut", ["-d ", "-f5", "/proc/\(child.id)/stat"]))
    #expect(group.lines == ["\(child.id)"])
    #expect(await child.stop() == .signal(15))
    #expect(child.exit == .signal(15))
  }

  @Test("a child is killed when its last reference is released")
  func abandoned() async throws {
    let id = try await ChildProcess.start(ChildCommand("sleep", ["600"])).id
    var isAlive = true
    while isAlive {
      isAlive = try await ChildProcess.output(of: ChildCommand("sh", ["-c", "kill -0 \(id) 2>&1"])).exit.isSuccess
    }
  }
}

final class Collected: Sendable {
  private let lines = Mutex<[String]>([])

  var all: [String] { lines.withLock { $0 } }

  func append(_ line: String) { lines.withLock { $0.append(line) } }
}
