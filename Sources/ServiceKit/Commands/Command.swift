internal import Base

/// An error by which a command ends with a status of its own, so that scripts can tell it from others.
public protocol ExitStatus: Error {
  /// 2 is a command line that is not understood, and 1 any failure that has no status of its own.
  var exitCode: Int32 { get }
}

/// One of a tool's commands: `assent render` and its settings.
public struct Command: Sendable {
  let name: String
  let summary: String
  let settings: [SettingDescription]
  let actions: [CommandAction]
  let run: @Sendable (_ tool: String, _ words: [String]) async -> Int32

  /// A command that does its work and ends.
  ///
  /// - Parameters:
  ///   - operands: the operands that the command takes, as the help shows them, such as `FILE`; nil when there are
  ///     none.
  ///   - actions: what the command does, each with help of its own, if its first operands choose among several things.
  ///   - notes: lines at the end of the help.
  ///   - count: how many operands there may be.
  public init<Group: SettingGroup>(
    _ name: String, _ summary: String, settings group: Group, operands: String? = nil, actions: [CommandAction] = [],
    count: ClosedRange<Int>? = nil, notes: [String] = [],
    work: @escaping @Sendable (Settings<Group>) async throws -> Void
  ) {
    self.name = name
    self.summary = summary
    self.actions = actions
    self.settings = group.descriptions
    run = { tool, words in
      let help = Help(program: "\(tool) \(name)", summary: summary, operands: operands, actions: actions) { notes }
      return await Self.read(help, group, count ?? (operands == nil ? 0...0 : 1...1), words) { settings in
        do {
          try await work(settings)
          return ExitCode.success
        } catch {
          complain("\(tool) \(name): \(error)")
          return (error as? any ExitStatus)?.exitCode ?? ExitCode.failure
        }
      }
    }
  }

  /// A command that goes on until it is asked to end, as a service does.
  ///
  /// - Parameter notes: makes lines at the end of the help, given the names of the command's own settings.
  public init<Own: SettingGroup>(
    serving name: String, _ summary: String, settings own: Own, bus: BusSettings? = nil, logLevel: LogLevel = .info,
    notes: @escaping @Sendable (_ known: Set<String>) async -> [String] = { _ in [] },
    ready: @escaping @Sendable (ServiceHost) -> Void = { _ in },
    build: @escaping @Sendable (Settings<Own>, ServiceHost) async throws -> Void
  ) {
    self.name = name
    self.summary = summary
    actions = []
    let group = ServiceSettings(own: own, bus: bus, logLevel: logLevel)
    settings = group.descriptions
    run = { tool, words in
      let known = Set(group.descriptions.map(\.givenName))
      let help = Help(program: "\(tool) \(name)", summary: summary) { await notes(known) }
      return await Self.read(help, group, 0...0, words) { settings in
        await Service.hold("\(tool) \(name)", settings, ready: ready, build)
      }
    }
  }

  /// What the help of a command says beside its settings.
  private struct Help {
    let program: String
    let summary: String
    var operands: String?
    var actions: [CommandAction] = []
    let notes: @Sendable () async -> [String]

    /// - Parameter words: the operands that were given.
    func text(for words: [String], _ settings: [SettingDescription]) async -> String {
      if let action = actions.named(by: words) {
        let usage = "\(program) \(action.form) [OPTION…]"
        return SettingsHelp(
          usage: usage, summary: action.summary, settings: actions.settings(of: action, among: settings)
        ).text
      }
      let usage = "\(program) [OPTION…]" + (operands.map { " \($0)" } ?? "")
      return SettingsHelp(
        usage: usage, summary: summary, settings: settings, actions: actions.map { ($0.form, $0.summary) },
        notes: await notes()
      ).text
    }
  }

  private static func read<Group: SettingGroup>(
    _ help: Help, _ group: Group, _ count: ClosedRange<Int>, _ words: [String],
    then work: (Settings<Group>) async -> Int32
  ) async -> Int32 {
    let program = help.program
    let section = program.split(separator: " ").last.map(String.init) ?? program
    var reader = SettingsReader(
      program: program, section: section, environment: Environment.current, readFile: readText,
      readSecret: readSecretText)
    reader.operands = count
    do throws(SettingsError) {
      switch try reader.read(group, words) {
      case .run(let settings): return await work(settings)
      case .version: say("\(program) \(Version.current)")
      case .help(let words): say(await help.text(for: words, group.descriptions))
      }
      return ExitCode.success
    } catch {
      complain("\(program): \(error)")
      return ExitCode.usage
    }
  }
}
