import Base
import TestSupport
import Testing

/// What scripts say of themselves.
@Suite struct ScriptHelpTests {
  private static let benchmarks = SourceTree.paths(below: "Benchmarks/Sources")
    .compactMap { $0.split(separator: "/").dropFirst(2).first }
    .filter { $0.hasSuffix("Bench") }.map { $0.dropLast("Bench".count).lowercased() }

  /// The entry file of each part.
  private static let programs = SourceTree.paths(below: "Benchmarks/Sources").filter { path in
    let words = path.split(separator: "/")
    return words.count == 4 && words[2].hasSuffix("Bench") && words[3] == "\(words[2]).swift"
  }

  private static let programsInPython = SourceTree.paths(below: "scripts/lib").filter { $0.hasSuffix(".py") }

  /// Runs a command with `--help`, which has to answer long before a build or an installation could have begun.
  private func help(of program: String, _ words: [String]) async throws -> [String] {
    var command = ChildCommand(program, words)
    command.directory = Repository.root
    let began = Clock.system.monotonic
    let (exit, lines) = try await ChildProcess.output(of: command)
    #expect(exit == .code(0), "\(program) \(words): \(lines)")
    #expect(Clock.system.monotonic - began < .seconds(10), "\(program) \(words)")
    return lines
  }

  private func firstLine(of script: String, _ words: String..., help: String = "--help") async throws -> String {
    try await self.help(of: Repository.path(script), words + [help]).first ?? ""
  }

  /// Every file of the repository that may be executed.
  private func executables() async throws -> [String] {
    var command = ChildCommand(
      "find",
      [".ci"] + SourceTree.folders + ["(", "-path", "*/.*", "-o", "-name", "node_modules", ")", "-prune", "-o"]
        + ["-type", "f", "-perm", "/111", "-print"])
    command.directory = Repository.root
    return try await ChildProcess.output(of: command).lines
  }

  @Test("every file that may be executed has a help, which names the file or what it calls")
  func executableHelp() async throws {
    let found = try await executables()
    #expect(Set(found).isSuperset(of: ["scripts/run", "release/try/package", "compose/image/sbom"]), "\(found)")
    // Without this it would run these tests.
    try #require(SourceTree.text(of: ".ci/run").contains("/scripts/test\" \"$@\""))
    for file in found {
      let named = file == ".ci/run" ? "scripts/test" : file
      #expect(try await firstLine(of: file).hasPrefix(named), "\(file)")
      #expect(try await firstLine(of: file, help: "-h").hasPrefix(named), "\(file)")
    }
  }

  @Test("every Python program that a script calls has a help, which names the program", arguments: programsInPython)
  func helpInPython(program: String) async throws {
    let name = String(program.split(separator: "/").last ?? "")
    for word in ["--help", "-h"] {
      #expect(try await help(of: "python3", ["-B", program, word]).contains { $0.contains(name) })
    }
  }

  @Test("every part of the benchmarks has a help", arguments: Set(benchmarks).sorted())
  func benchmarkHelp(part: String) async throws {
    #expect(try await firstLine(of: "scripts/bench", part).hasPrefix("scripts/bench \(part) "))
  }

  /// `Bench.run` reads the options before anything else, too.
  @Test("every program of the benchmarks looks for --help before it does anything else", arguments: programs)
  func benchmarkProgramHelp(program: String) throws {
    let lines = SourceTree.text(of: program).split(separator: "\n")
    let main = try #require(lines.firstIndex { $0.contains("static func main()") }, "\(program)")
    let first = lines[main + 1]
    #expect(first.contains("= Options()") || first.contains("await Bench.run(\""), "\(program): \(first)")
  }

  @Test("scripts/run refuses an option that `assent up` does not know, before it builds anything")
  func unknownOption() async throws {
    let words = ["--data", "data", "--master-kye=0123", "--gateway", "2"]
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

  @Test("the tests above have found programs and benchmarks")
  func found() {
    #expect(Self.programsInPython.contains("scripts/lib/test-docs.py"))
    #expect(Self.benchmarks.contains("bus") && Self.benchmarks.contains("build"))
    #expect(Self.programs.count == Set(Self.benchmarks).count)
  }
}
