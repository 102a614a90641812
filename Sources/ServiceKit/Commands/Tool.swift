/// A program with commands: runs the command that the command line names, or lists them all if it names none.
public struct Tool: Sendable {
  let name: String
  let summary: String
  let commands: [Command]
  private let operands: @Sendable () -> [String: [String]]

  /// - Parameter operands: the operands that a shell can complete, by command.
  public init(
    _ name: String, _ summary: String, _ commands: [Command],
    operands: @escaping @Sendable () -> [String: [String]] = { [:] }
  ) {
    self.name = name
    self.summary = summary
    self.commands = commands
    self.operands = operands
  }

  /// Runs the command that the command line names: an entry file's only call.
  public func run() async -> Never {
    endProcess(await run(Array(CommandLine.arguments.dropFirst())))
  }

  func run(_ words: [String]) async -> Int32 {
    guard let word = words.first, word != "--help", word != "-h" else {
      say(help)
      return ExitCode.success
    }
    if word == "--version" {
      say("\(name) \(Version.current)")
      return ExitCode.success
    }
    if word == Self.completions { return complete(Array(words.dropFirst())) }
    guard let command = commands.first(where: { $0.name == word }) else {
      let nearest = nearestName(to: word, among: commands.map(\.name) + [Self.completions])
      let advice = nearest.map { "; did you mean '\($0)'?" } ?? "; \(name) --help lists what it knows"
      complain("\(name): '\(word)' is unknown\(advice)")
      return ExitCode.usage
    }
    return await command.run(name, Array(words.dropFirst()))
  }

  private static let completions = "completions"

  /// Writes the completions for a shell.
  private func complete(_ words: [String]) -> Int32 {
    guard words.count == 1, let shell = Completions.Shell(rawValue: words[0]) else {
      let shells = Completions.Shell.allCases.map(\.rawValue)
      complain("\(name) \(Self.completions): for which shell? One of \(shells.joined(separator: ", "))")
      return ExitCode.usage
    }
    let operands = operands()
    let entries = commands.map { command in
      Completions.Entry(
        command: command.name, summary: command.summary, settings: command.settings,
        actions: command.actions.map(\.words), operands: operands[command.name] ?? [])
    }
    say(Completions(tool: name, entries: entries).script(for: shell))
    return ExitCode.success
  }

  var help: String {
    let all = commands.map { ($0.name, $0.summary) } + [(Self.completions, "writes completions for bash, zsh or fish")]
    let column = (all.map(\.0.count).max() ?? 0) + 4
    let lines = all.map { "  " + $0.0 + String(repeating: " ", count: column - $0.0.count) + $0.1 }
    return """
      \(summary)

      usage: \(name) COMMAND [OPTION…]

      \(lines.joined(separator: "\n"))

      \(name) COMMAND --help shows what a command knows.
      """
  }
}
