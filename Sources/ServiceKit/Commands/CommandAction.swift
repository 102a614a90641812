/// One of several actions of a command. Each has help of its own: `assent accounts add-key --help`.
public struct CommandAction: Sendable {
  /// The word or words after the command that call the action: `add-key`, `api create`.
  let name: String
  /// The operands that follow the name, as the help shows them: `NAME`; empty for none.
  let operands: String
  let summary: String
  /// The settings that matter for this action but not for all actions of the command.
  let settings: [String]

  public init(_ name: String, _ operands: String = "", does summary: String, settings: [String] = []) {
    self.name = name
    self.operands = operands
    self.summary = summary
    self.settings = settings
  }

  var words: [String] { name.split(separator: " ").map(String.init) }

  var form: String { operands.isEmpty ? name : "\(name) \(operands)" }
}

extension [CommandAction] {
  /// The action that is named by the words of a command line; nil if it names none.
  func named(by words: [String]) -> CommandAction? {
    first { action in
      words.prefix(action.words.count).elementsEqual(action.words)
    }
  }

  /// The settings that the help of one action shows: those that matter only for other actions are left out.
  func settings(of action: CommandAction, among all: [SettingDescription]) -> [SettingDescription] {
    let special = Set(flatMap(\.settings))
    return all.filter { !special.contains($0.name) || action.settings.contains($0.name) }
  }
}
