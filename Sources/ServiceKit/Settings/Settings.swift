/// The values that a program's settings have in this run.
public struct Settings<Group: SettingGroup>: Sendable {
  let group: Group
  private let values: [String: any Sendable]
  /// The words on the command line that are not flags.
  public let operands: [String]
  /// The settings file that was read, if there was one.
  public let file: String?

  init(group: Group, values: [String: any Sendable], operands: [String], file: String?) {
    self.group = group
    self.values = values
    self.operands = operands
    self.file = file
  }

  /// The value of a setting: `settings[\.slots]`.
  public subscript<Value>(_ setting: KeyPath<Group, Setting<Value>>) -> Value {
    let name = group[keyPath: setting].name
    guard let value = values[name] as? Value else { preconditionFailure("setting \(name) was never read") }
    return value
  }

  /// The same values, for a part of the group.
  func settings<Part: SettingGroup>(of part: Part) -> Settings<Part> {
    Settings<Part>(group: part, values: values, operands: operands, file: file)
  }

  /// The same values, for a part that knows only its own group.
  public func settings<Part: SettingGroup>(of part: KeyPath<Group, Part>) -> Settings<Part> {
    settings(of: group[keyPath: part])
  }

  /// Whether another program that is given the same settings file reads this setting there: above the sections, or in
  /// its own.
  public func fileNames(_ setting: String, for program: String) throws -> Bool {
    guard let file else { return false }
    let lines = try SettingsFile(readText(file), path: file, section: program)
    return lines.entries.contains { $0.name == setting }
  }

  /// The settings in another program's own section of the settings file, by their names.
  public func section(of program: String) throws -> [String: String] {
    guard let file else { return [:] }
    let lines = try SettingsFile(readText(file), path: file, section: program)
    return Dictionary(uniqueKeysWithValues: lines.entries.filter { !$0.isForAll }.map { ($0.name, $0.value) })
  }
}

/// The reason why a program's settings cannot be used, in one line that says what is wrong, where, and what would be
/// right.
public struct SettingsError: Error, Hashable, CustomStringConvertible {
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}
