/// Scripts by which shells complete a tool's commands, their settings, and the operands that are known beforehand.
struct Completions {
  enum Shell: String, CaseIterable {
    case bash, zsh, fish
  }

  struct Entry {
    let command: String
    let summary: String
    let settings: [SettingDescription]
    /// The command's actions, each by its one or two words.
    let actions: [[String]]
    /// The words that may be given besides flags.
    let operands: [String]

    /// The command's flags with what they mean.
    fileprivate var flags: [(name: String, help: String)] {
      settings.map { ($0.givenName, $0.help) } + [("config", SettingsReader.config.help), ("help", "shows this")]
    }

    /// What may follow the command, and what may follow each of those words: `api`, and `create` behind it.
    fileprivate var firstWords: [String] { Self.unique(actions.compactMap(\.first)) }
    fileprivate var secondWords: [(first: String, seconds: [String])] {
      firstWords.compactMap { first in
        let seconds = actions.filter { $0.first == first }.flatMap { $0.dropFirst() }
        return seconds.isEmpty ? nil : (first, seconds)
      }
    }

    private static func unique(_ words: [String]) -> [String] {
      words.reduce(into: []) { found, word in if !found.contains(word) { found.append(word) } }
    }
  }

  let tool: String
  let entries: [Entry]

  func script(for shell: Shell) -> String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  private var commands: [String] { entries.map(\.command) }

  private var bash: String {
    let cases = entries.map { entry in
      let words = entry.flags.map { "--\($0.name)" } + entry.operands
      let further = ([("", entry.firstWords)] + entry.secondWords).filter { !$0.1.isEmpty }.map { first, words in
        "\(first.isEmpty ? "2:*" : "3:\(first)")) words+=' \(words.joined(separator: " "))' ;;"
      }
      let choice =
        further.isEmpty ? "" : "; case $COMP_CWORD:${COMP_WORDS[2]} in \(further.joined(separator: " ")) esac"
      return "    \(entry.command)) words='\(words.joined(separator: " "))'\(choice) ;;"
    }
    return """
      # \(tool): completions for bash. Load them with: source <(\(tool) completions bash)
      _\(tool)() {
        local word=${COMP_WORDS[COMP_CWORD]} words=
        case $COMP_CWORD in
          1) words='\(commands.joined(separator: " "))' ;;
          *) case ${COMP_WORDS[1]} in
      \(cases.joined(separator: "\n"))
          esac ;;
        esac
        COMPREPLY=($(compgen -W "$words" -- "$word"))
        [[ ${#COMPREPLY[@]} -gt 0 ]] || COMPREPLY=($(compgen -f -- "$word"))
      }
      complete -F _\(tool) \(tool)
      """
  }

  private var zsh: String {
    let names = entries.map { "    \(Self.quoted("\($0.command):\($0.summary)"))" }
    let cases = entries.map { entry in
      let flags = entry.flags.map { Self.quoted("--\($0.name):\($0.help)") }
      var operands = entry.operands.isEmpty ? "" : "; compadd -- \(entry.operands.joined(separator: " "))"
      if !entry.firstWords.isEmpty {
        operands += "; (( CURRENT == 3 )) && compadd -- \(entry.firstWords.joined(separator: " "))"
      }
      for (first, seconds) in entry.secondWords {
        operands += "; [[ $CURRENT:$action == 4:\(first) ]] && compadd -- \(seconds.joined(separator: " "))"
      }
      return """
            \(entry.command)) words=(
              \(flags.joined(separator: "\n        "))
              ); _describe -o option words\(operands) ;;
        """
    }
    return """
      #compdef \(tool)
      # \(tool): completions for zsh. Load them with: source <(\(tool) completions zsh)
      _\(tool)() {
        local -a words commands
        local command=${${(z)BUFFER}[2]} action=${${(z)BUFFER}[3]}
        if (( CURRENT == 2 )); then
          commands=(
      \(names.joined(separator: "\n"))
          )
          _describe command commands
          return
        fi
        case $command in
      \(cases.joined(separator: "\n"))
        esac
        _files
      }
      compdef _\(tool) \(tool)
      """
  }

  private var fish: String {
    var lines = ["# \(tool): completions for fish. Load them with: \(tool) completions fish | source"]
    for entry in entries {
      lines.append(
        "complete -c \(tool) -n __fish_use_subcommand -f -a \(entry.command) -d \(Self.quoted(entry.summary))")
    }
    for entry in entries {
      let condition = "-n '__fish_seen_subcommand_from \(entry.command)'"
      for flag in entry.flags {
        lines.append("complete -c \(tool) \(condition) -l \(flag.name) -d \(Self.quoted(flag.help))")
      }
      let firsts = entry.firstWords.joined(separator: " ")
      if !firsts.isEmpty {
        let open = "-n '__fish_seen_subcommand_from \(entry.command); and not __fish_seen_subcommand_from \(firsts)'"
        lines.append("complete -c \(tool) \(open) -f -a '\(firsts)'")
      }
      for (first, seconds) in entry.secondWords {
        let open = "-n '__fish_seen_subcommand_from \(entry.command); and __fish_seen_subcommand_from \(first)'"
        lines.append("complete -c \(tool) \(open) -f -a '\(seconds.joined(separator: " "))'")
      }
      if !entry.operands.isEmpty {
        lines.append("complete -c \(tool) \(condition) -f -a '\(entry.operands.joined(separator: " "))'")
      }
    }
    return lines.joined(separator: "\n")
  }

  /// A word between single quotes, as the three shells read it.
  private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "’") + "'" }
}
