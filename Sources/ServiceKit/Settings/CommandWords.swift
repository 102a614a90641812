/// A parsed command line: flags with their values, and operands.
struct CommandWords {
  private(set) var flags: [(name: String, value: String)] = []
  private(set) var operands: [String] = []
  private(set) var wantsHelp = false
  private(set) var wantsVersion = false

  /// - Parameter known: the settings that have flags. The flag of a switch needs no value.
  init(_ words: [String], known: [SettingDescription]) throws(SettingsError) {
    var rest = words[...]
    while let word = rest.popFirst() {
      switch word {
      case "--help", "-h": wantsHelp = true
      case "--version": wantsVersion = true
      case "--":
        operands += rest
        return
      case _ where word.hasPrefix("--"):
        flags.append(try Self.flag(word.dropFirst(2), rest: &rest, known: known))
      // The one short flag, since everybody expects it.
      case "-o" where known.contains { $0.givenName == "output" }:
        flags.append(try Self.flag("output", rest: &rest, known: known))
      case _ where word.hasPrefix("-") && word.count > 1:
        throw SettingsError("\(word) is unknown: flags have long names, such as --\(known.first?.givenName ?? "help")")
      default: operands.append(word)
      }
    }
  }

  private static func flag(
    _ text: Substring, rest: inout ArraySlice<String>, known: [SettingDescription]
  ) throws(SettingsError) -> (name: String, value: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let setting = known.first(where: { $0.givenName == name }) else {
      throw SettingsError(unknown(name, known: known))
    }
    if parts.count == 2 { return (name, String(parts[1])) }
    if setting.isSwitch { return (name, "yes") }
    guard let value = rest.popFirst() else {
      throw SettingsError("--\(name) needs a value: --\(name) \(setting.placeholder)")
    }
    return (name, value)
  }

  private static func unknown(_ name: String, known: [SettingDescription]) -> String {
    if let secret = known.first(where: { $0.isSecret && $0.name == name }) {
      return "--\(name) would show a secret to every user of this machine; give --\(name)-file or \(secret.variable)"
    }
    let nearest = nearestName(to: name, among: known.map(\.givenName) + ["help", "version"])
    return "--\(name) is unknown" + (nearest.map { "; did you mean --\($0)?" } ?? "; --help lists what is known")
  }
}
