public import Base

/// One of our own programs, measured as a process. scripts/bench has built it as scripts/run does.
public enum Program {
  private static let folder = Repository.path(".build")

  /// Starts a program, and returns when it has announced that it is ready.
  public static func start(
    _ name: String, _ arguments: [String], environment: [String: String] = [:], until word: String = "ready"
  ) async throws -> ChildProcess {
    try await startHeard(name, arguments, environment: environment, until: word).process
  }

  /// The same, and returns its announcement: the addresses at which it can be reached.
  ///
  /// - Parameter word: what is in the announcement's last line.
  public static func startHeard(
    _ name: String, _ arguments: [String], environment: [String: String] = [:], until word: String = "ready"
  ) async throws -> (process: ChildProcess, ready: String) {
    var command = ChildCommand("\(folder)/release/\(name)", arguments + ["--log-level", "error"])
    for (variable, value) in environment { command.environment[variable] = value }
    return try await startHeard(command, as: name, until: word)
  }

  /// The port of a door in an announcement, in which a prefix such as `http://` begins its address.
  public static func port(of prefix: String, in announcement: String) -> String? {
    announcement.split(separator: "\n").flatMap { $0.split(separator: "   ") }
      .first { $0.hasPrefix(prefix) }?.split(separator: ":").last.map(String.init)
  }

  /// Has `assent` make an API key of a device of the tenant `bench`.
  ///
  /// - Parameter list: the options that name the list of keys.
  public static func key(_ name: String, _ list: [String]) async throws -> String {
    let created = try await ChildProcess.output(
      of: ChildCommand(
        "\(folder)/release/assent", ["keys", "api", "create", name, "--tenant", "bench", "--kind", "device"] + list))
    guard let key = created.lines.last(where: { $0.hasPrefix("ak_") }) else {
      throw ProgramError(description: "assent made no key: \(created.lines)")
    }
    return key
  }

  /// Starts a command and waits for its announcement.
  ///
  /// Only the caller holds the process afterwards, so it is killed when the caller drops it, also because of an error.
  static func startHeard(
    _ command: ChildCommand, as name: String, until word: String
  ) async throws -> (process: ChildProcess, ready: String) {
    let (lines, report) = AsyncStream<String>.makeStream()
    var command = command
    command.output = .lines { report.yield($0) }
    command.whenEnded = { _ in report.finish() }
    let process = try await ChildProcess.start(command)
    var said: [String] = []
    for await line in lines {
      said.append(line)
      if line.contains(word) { return (process, said.joined(separator: "\n")) }
    }
    throw ProgramError(description: "\(name) \(await process.wait()) before it was ready")
  }
}

/// A program that could not be started.
struct ProgramError: Error, CustomStringConvertible {
  let description: String
}
