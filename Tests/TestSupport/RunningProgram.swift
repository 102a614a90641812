package import Base
internal import Synchronization

/// One of our programs, started by a test, which can wait for its output. It is killed when its last reference is
/// released, so it ends with its test, also when that fails.
package final class RunningProgram: Sendable {
  private let child: ChildProcess
  private let output: OutputLines
  private let errors: OutputLines

  package static func start(
    _ name: String, _ arguments: [String] = [], environment: [String: String?] = [:]
  ) async throws -> RunningProgram {
    var arguments = arguments
    // Several systems run at the same time, and only one of them could have a port with a number.
    if arguments.first == "up", !arguments.contains("--grpc-listen") { arguments += ["--grpc-listen", "127.0.0.1:0"] }
    return try await RunningProgram(command: ChildCommand(Products.program(name), arguments), environment: environment)
  }

  /// A program in Python, in the project's own environment, which finds the package of `clients/python`.
  package static func startPython(
    _ arguments: [String], environment: [String: String?] = [:]
  ) async throws -> RunningProgram {
    var environment = environment
    environment["PYTHONPATH"] = .some(Repository.path("clients/python"))
    environment["PYTHONDONTWRITEBYTECODE"] = .some("1")
    return try await RunningProgram(command: ChildCommand(Repository.python, arguments), environment: environment)
  }

  /// Any other program.
  package static func start(program: String, _ arguments: [String]) async throws -> RunningProgram {
    try await RunningProgram(command: ChildCommand(program, arguments), environment: [:])
  }

  private init(command: ChildCommand, environment: [String: String?]) async throws {
    let output = OutputLines()
    let errors = OutputLines()
    var command = command
    command.environment = environment
    command.output = .lines { output.append($0) }
    command.errors = .lines { errors.append($0) }
    command.whenEnded = { _ in
      output.end()
      errors.end()
    }
    child = try await ChildProcess.start(command)
    self.output = output
    self.errors = errors
  }

  package var id: Int32 { child.id }

  /// The first line on standard output that contains `text`, as soon as there is one; nil when the program ends without
  /// it.
  package func line(containing text: String) async -> String? { await output.line(containing: text) }

  /// The same for standard error, where programs log.
  package func logLine(containing text: String) async -> String? { await errors.line(containing: text) }

  package var lines: [String] { output.all }
  package var logLines: [String] { errors.all }

  package func send(_ signal: ProcessSignal) { child.send(signal) }

  package func wait() async -> ProcessExit { await child.wait() }
}

/// Collects lines, and wakes those that wait for one of them.
private final class OutputLines: Sendable {
  private let state = Mutex(State())

  private struct State {
    var lines: [String] = []
    var hasEnded = false
    var waiting: [(text: String, continuation: CheckedContinuation<String?, Never>)] = []
  }

  var all: [String] { state.withLock { $0.lines } }

  func append(_ line: String) {
    let found = state.withLock { state in
      state.lines.append(line)
      let found = state.waiting.filter { line.contains($0.text) }
      state.waiting.removeAll { line.contains($0.text) }
      return found
    }
    for waiter in found { waiter.continuation.resume(returning: line) }
  }

  func end() {
    let disappointed = state.withLock { state in
      state.hasEnded = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for waiter in disappointed { waiter.continuation.resume(returning: nil) }
  }

  func line(containing text: String) async -> String? {
    await withCheckedContinuation { continuation in
      let answer: String?? = state.withLock { state in
        if let line = state.lines.first(where: { $0.contains(text) }) { return line }
        if state.hasEnded { return .some(nil) }
        state.waiting.append((text, continuation))
        return nil
      }
      if let answer { continuation.resume(returning: answer) }
    }
  }
}
