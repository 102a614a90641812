/// One of the things that a command does, which has help of its own: `assent accounts add-key --help`.
public struct CommandAction: Sendable {
  /// How it is called beside the command, in one word or several: `add-key`, `api create`.
  let name: String
  /// What follows, as the help shows it: `NAME`; empty for nothing.
  let operands: String
  let summary: String
  /// The settings that matter for some of the command's actions only, and for this one.
  let settings: [String]

  public init(_ name: String, _ operands: String = "", does summary: String, settings: [String] = []) {
    self.name = name
    self.operands = operands
    self.summary = summary
    self.settings = settings
  }

  var form: String { operands.isEmpty ? name : "\(name) \(operands)" }
}

extension [CommandAction] {
  /// The action that is named by the words of a command line; nil if it names none.
  func named(by words: [String]) -> CommandAction? {
    first { action in
      let names = action.name.split(separator: " ").map(String.init)
      return words.prefix(names.count).elementsEqual(names)
    }
  }

  /// What a command's help shows of its settings for one of them: what matters for others only is left out.
  func settings(of action: CommandAction, among all: [SettingDescription]) -> [SettingDescription] {
    let special = Set(flatMap(\.settings))
    return all.filter { !special.contains($0.name) || action.settings.contains($0.name) }
  }
}
