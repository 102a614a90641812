import Base
import TestSupport
import Testing

/// What scripts/ says of itself.
@Suite struct ScriptHelpTests {
  private static let scripts = SourceTree.paths(below: "scripts").filter { $0.split(separator: "/").count == 2 }
  private static let benchmarks = SourceTree.paths(below: "Benchmarks/Sources")
    .compactMap { $0.split(separator: "/").dropFirst(2).first }
    .filter { $0.hasSuffix("Bench") }.map { $0.dropLast("Bench".count).lowercased() }

  /// Runs a script with `--help`, which has to answer long before a build or an installation could have begun.
  private func firstLine(of script: String, _ words: String..., help: String = "--help") async throws -> String {
    var command = ChildCommand(Repository.path(script), words + [help])
    command.directory = Repository.root
    let began = Clock.system.monotonic
    let (exit, lines) = try await ChildProcess.output(of: command)
    #expect(exit == .code(0), "\(script): \(lines)")
    #expect(Clock.system.monotonic - began < .seconds(10), "\(script)")
    return lines.first ?? ""
  }

  @Test("every script has a help, which names the script", arguments: scripts)
  func scriptHelp(script: String) async throws {
    #expect(try await firstLine(of: script).hasPrefix(script))
    #expect(try await firstLine(of: script, help: "-h").hasPrefix(script))
  }

  @Test("every part of the benchmarks has a help", arguments: Set(benchmarks).sorted())
  func benchmarkHelp(part: String) async throws {
    #expect(try await firstLine(of: "scripts/bench", part).hasPrefix("scripts/bench \(part) "))
  }

  @Test("scripts/run refuses an option that `assent up` does not know, before it builds anything")
  func unknownOption() async throws {
    let words = ["--data", "data", "--master-kye=0123", "--gateways", "2"]
    var command = ChildCommand("bash", ["-c", "exec scripts/run \"$@\" 2>&1", "run"] + words)
    command.directory = Repository.root
    let began = Clock.system.monotonic
    let (exit, lines) = try await ChildProcess.output(of: command)
    #expect(exit == .code(2) && lines.count == 1, "\(lines)")
    let line = try #require(lines.first)
    #expect(line.hasPrefix("✗ scripts/run does not know '--master-kye'; it knows --config "), "\(line)")
    for option in ["--data", "--http-listen", "--account", "--drain-limit", "--log-level"] {
      #expect(line.split(separator: " ").contains(Substring(option)), "\(option): \(line)")
    }
    #expect(Clock.system.monotonic - began < .seconds(10))
  }

  @Test("the tests above have found scripts and benchmarks")
  func found() {
    #expect(Self.scripts.contains("scripts/run") && Self.scripts.contains("scripts/verify-evidence.py"))
    #expect(Self.benchmarks.contains("bus") && Self.benchmarks.contains("build"))
  }
}
