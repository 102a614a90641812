/// Scripts by which shells complete a tool's commands, their settings, and the operands that are known beforehand.
struct Completions {
  enum Shell: String, CaseIterable {
    case bash, zsh, fish
  }

  struct Entry {
    let command: String
    let summary: String
    let settings: [SettingDescription]
    /// The words that may be given besides flags.
    let operands: [String]

    /// The command's flags with what they mean.
    fileprivate var flags: [(name: String, help: String)] {
      settings.map { ($0.givenName, $0.help) } + [("config", SettingsReader.config.help), ("help", "shows this")]
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
      return "    \(entry.command)) words='\(words.joined(separator: " "))' ;;"
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
      let operands = entry.operands.isEmpty ? "" : "; compadd -- \(entry.operands.joined(separator: " "))"
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
        local command=${${(z)BUFFER}[2]}
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
      if !entry.operands.isEmpty {
        lines.append("complete -c \(tool) \(condition) -f -a '\(entry.operands.joined(separator: " "))'")
      }
    }
    return lines.joined(separator: "\n")
  }

  /// A word between single quotes, as the three shells read it.
  private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "’") + "'" }
}
