/// What a command line asks for.
enum SettingsRequest<Group: SettingGroup> {
  case run(Settings<Group>)
  /// With the operands, which may name an action whose help is wanted.
  case help([String])
  case version
}

/// Reads a program's settings: a flag takes precedence over a variable, a variable over the file, the file over the
/// default.
struct SettingsReader {
  let program: String
  /// The program's own section of a settings file.
  let section: String
  let environment: [String: String]
  /// Reads the file that `--config` names.
  let readFile: (String) throws -> String
  /// Reads files that hold secrets.
  let readSecret: (String) throws -> String
  /// How many operands there may be.
  var operands: ClosedRange<Int> = 0...0

  static let config = Setting<String?>("config", default: nil, "a file of settings: name = value on each line")
  private static let ofEveryProcess = Set(ProcessSettings().descriptions.map(\.givenName))

  func read<Group: SettingGroup>(_ group: Group, _ words: [String]) throws(SettingsError) -> SettingsRequest<Group> {
    let known = group.descriptions
    let words = try CommandWords(words, known: known + [Self.config.description])
    if words.wantsHelp { return .help(words.operands) }
    if words.wantsVersion { return .version }
    try checkOperands(words.operands)

    var texts: [String: Given] = [:]
    let path = words.flags.last { $0.name == Self.config.name }?.value ?? environment[Self.config.description.variable]
    if let path { try addFile(path, known: known, to: &texts) }
    try addEnvironment(known: known, to: &texts)
    for flag in words.flags where flag.name != Self.config.name {
      texts[flag.name] = Given(text: flag.value, place: "--\(flag.name)")
    }

    var values: [String: any Sendable] = [:]
    for setting in known { values[setting.name] = try value(of: setting, texts) }
    return .run(Settings(group: group, values: values, operands: words.operands, file: path))
  }

  /// A value as it was given, and the place where it was, for errors.
  private struct Given {
    let text: String
    let place: String
  }

  private func addFile(
    _ path: String, known: [SettingDescription], to texts: inout [String: Given]
  ) throws(SettingsError) {
    let file = try SettingsFile(try contents(of: path, for: "--config", with: readFile), path: path, section: section)
    for entry in file.entries {
      guard known.contains(where: { $0.givenName == entry.name }) else {
        // The file's general part may have settings of every process, which commands that end by themselves do not
        // have.
        if entry.isForAll, Self.ofEveryProcess.contains(entry.name) { continue }
        throw SettingsError("\(file.place(of: entry)): \(unknownKey(entry.name, known: known))")
      }
      texts[entry.name] = Given(text: entry.value, place: "\(file.place(of: entry)): \(entry.name)")
    }
  }

  private func unknownKey(_ name: String, known: [SettingDescription]) -> String {
    if let secret = known.first(where: { $0.isSecret && $0.name == name }) {
      return "a settings file holds no secret itself; name the file that does: \(secret.givenName)"
    }
    let nearest = nearestName(to: name, among: known.map(\.givenName))
    return "\(name) is unknown" + (nearest.map { "; did you mean \($0)?" } ?? "; \(program) --help lists what is known")
  }

  /// Other programs have variables of this form too, so an unknown one is no error.
  private func addEnvironment(known: [SettingDescription], to texts: inout [String: Given]) throws(SettingsError) {
    for setting in known {
      if setting.isSecret, let path = environment[setting.fileVariable] {
        texts[setting.givenName] = Given(text: path, place: setting.fileVariable)
      }
      if let text = environment[setting.variable] { texts[setting.name] = Given(text: text, place: setting.variable) }
    }
  }

  private func value(of setting: SettingDescription, _ texts: [String: Given]) throws(SettingsError) -> any Sendable {
    var given = texts[setting.name]
    if setting.isSecret, let file = texts[setting.givenName], given == nil || file.place.hasPrefix("--") {
      let secret = try contents(of: file.text, for: file.place, with: readSecret)
      given = Given(text: String(trimmed(secret[...])), place: "the secret in \(file.text)")
    }
    guard let given else {
      if let fallback = setting.fallback { return fallback }
      throw SettingsError("--\(setting.givenName) is missing (or \(setting.variable)): \(setting.help)")
    }
    do throws(SettingValueError) {
      return try setting.parse(given.text)
    } catch {
      let shown = setting.isSecret ? "" : " is '\(given.text)'; it"
      throw SettingsError("\(given.place)\(shown) \(error.reason)")
    }
  }

  private func contents(
    of path: String, for place: String, with read: (String) throws -> String
  ) throws(SettingsError) -> String {
    do {
      return try read(path)
    } catch {
      throw SettingsError("\(place): \(error)")
    }
  }

  private func checkOperands(_ words: [String]) throws(SettingsError) {
    if words.count > operands.upperBound {
      throw SettingsError(
        "'\(words[operands.upperBound])' is one word too many; \(program) --help shows what is expected")
    }
    if words.count < operands.lowerBound {
      throw SettingsError("a word is missing; \(program) --help shows what is expected")
    }
  }
}
