/// A program with commands: runs the one that is named, and lists them all when none is.
public struct Tool: Sendable {
  let name: String
  let summary: String
  let commands: [Command]

  public init(_ name: String, _ summary: String, _ commands: [Command]) {
    self.name = name
    self.summary = summary
    self.commands = commands
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
    guard let command = commands.first(where: { $0.name == word }) else {
      let nearest = nearestName(to: word, among: commands.map(\.name))
      let advice = nearest.map { "; did you mean '\($0)'?" } ?? "; \(name) --help lists what it knows"
      complain("\(name): '\(word)' is unknown\(advice)")
      return ExitCode.usage
    }
    return await command.run(name, Array(words.dropFirst()))
  }

  var help: String {
    let column = (commands.map(\.name.count).max() ?? 0) + 4
    let lines = commands.map { "  " + $0.name + String(repeating: " ", count: column - $0.name.count) + $0.summary }
    return """
      \(summary)

      usage: \(name) COMMAND [OPTION…]

      \(lines.joined(separator: "\n"))

      \(name) COMMAND --help shows what a command knows.
      """
  }
}
