internal import Base

/// One of a tool's commands: `assent render` and its settings.
public struct Command: Sendable {
  let name: String
  let summary: String
  let settings: [SettingDescription]
  let run: @Sendable (_ tool: String, _ words: [String]) async -> Int32

  /// A command that does its work and ends.
  ///
  /// - Parameters:
  ///   - operands: the operands beside the flags, as the help shows them, such as `FILE`; nil when there are none.
  ///   - count: how many of them there may be.
  public init<Group: SettingGroup>(
    _ name: String, _ summary: String, settings group: Group, operands: String? = nil,
    count: ClosedRange<Int>? = nil, work: @escaping @Sendable (Settings<Group>) async throws -> Void
  ) {
    self.name = name
    self.summary = summary
    self.settings = group.descriptions
    run = { tool, words in
      await Self.read("\(tool) \(name)", summary, group, operands, count ?? (operands == nil ? 0...0 : 1...1), words) {
        settings in
        do {
          try await work(settings)
          return ExitCode.success
        } catch {
          complain("\(tool) \(name): \(error)")
          return ExitCode.failure
        }
      }
    }
  }

  /// A command that goes on until it is asked to end, as a service does.
  public init<Own: SettingGroup>(
    serving name: String, _ summary: String, settings own: Own, bus: BusSettings? = nil, logLevel: LogLevel = .info,
    ready: @escaping @Sendable (ServiceHost) -> Void = { _ in },
    build: @escaping @Sendable (Settings<Own>, ServiceHost) async throws -> Void
  ) {
    self.name = name
    self.summary = summary
    let group = ServiceSettings(own: own, bus: bus, logLevel: logLevel)
    settings = group.descriptions
    run = { tool, words in
      await Self.read("\(tool) \(name)", summary, group, nil, 0...0, words) {
        settings in
        await Service.hold("\(tool) \(name)", settings, ready: ready, build)
      }
    }
  }

  private static func read<Group: SettingGroup>(
    _ program: String, _ summary: String, _ group: Group, _ operands: String?, _ count: ClosedRange<Int>,
    _ words: [String], then work: (Settings<Group>) async -> Int32
  ) async -> Int32 {
    let section = program.split(separator: " ").last.map(String.init) ?? program
    var reader = SettingsReader(
      program: program, section: section, environment: Environment.current, readFile: readText,
      readSecret: readSecretText)
    reader.operands = count
    do throws(SettingsError) {
      switch try reader.read(group, words) {
      case .run(let settings): return await work(settings)
      case .version: say("\(program) \(Version.current)")
      case .help:
        let usage = "\(program) [OPTION…]" + (operands.map { " \($0)" } ?? "")
        say(SettingsHelp(usage: usage, summary: summary, settings: group.descriptions).text)
      }
      return ExitCode.success
    } catch {
      complain("\(program): \(error)")
      return ExitCode.usage
    }
  }
}
