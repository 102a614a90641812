import Base
import TestSupport
import Testing

/// `step` of scripts/lib/shell, by which scripts run everything that takes its time.
@Suite struct ScriptStepTests {
  /// Runs a function of these commands as a step, and then goes on.
  private func run(_ commands: String) async throws -> (exit: ProcessExit, lines: [String]) {
    let script = """
      exec 2>&1
      source scripts/lib/shell
      work() { \(commands); }
      step 'a step of a test' work
      ok 'went on'
      """
    var command = ChildCommand("bash", ["-c", script])
    command.directory = Repository.root
    return try await ChildProcess.output(of: command)
  }

  @Test("a step that fails ends the script, shows what it wrote, and does nothing after what failed in it")
  func failing() async throws {
    for (commands, code) in [("echo one; false; echo two", 1), ("echo one; (exit 7) | cat; echo two", 7)] {
      let (exit, lines) = try await run(commands)
      #expect(exit == .code(Int32(code)), "\(lines)")
      #expect(lines == ["one", "✗ a step of a test: work ended with \(code)"])
    }
    let (exit, lines) = try await run("echo one; fail 'a reason'; echo two")
    #expect(exit == .code(1))
    #expect(lines == ["one", "✗ a reason", "✗ a step of a test: work ended with 1"])
  }

  @Test("a step may ask by commands that fail, and its output is kept to itself")
  func succeeding() async throws {
    let (exit, lines) = try await run("echo one; if false; then echo two; fi; false || echo three")
    #expect(exit == .code(0))
    #expect(lines.count == 2 && lines[0].hasPrefix("✓ a step of a test (") && lines[1] == "✓ went on", "\(lines)")
  }
}
