/// Completions for zsh: commands with their summaries, and options with their help.
struct ZshCompletions {
  let commands: [CommandSpecification]
  let program: String

  var text: String {
    var lines = [
      "#compdef \(program)",
      "# Completions of \(program) for zsh: save this as a file `_\(program)` in a folder in "
        + "$fpath",
      "_\(program)() {", "  local -a commands", "  commands=(",
    ]
    for command in commands {
      lines.append("    \(ShellCompletions.quoted("\(command.name):\(command.summary)"))")
    }
    lines += [
      "  )", "  if (( CURRENT == 2 )); then", "    _describe 'command' commands", "    return",
      "  fi", "  local command=$words[2]", "  shift words", "  (( CURRENT-- ))",
      "  case $command in",
    ]
    for command in commands {
      lines.append("  \(command.name))")
      lines.append("    _arguments \\")
      for option in command.allOptions {
        for word in Self.specifications(of: option) {
          lines.append("      \(ShellCompletions.quoted(word)) \\")
        }
      }
      if !command.verbs.isEmpty {
        lines.append(
          "      \(ShellCompletions.quoted("1:word:(\(command.verbs.joined(separator: " ")))")) \\")
      }
      lines += ["      '*:file:_files'", "    ;;"]
    }
    lines += [
      "  help) _describe 'command' commands ;;", "  esac", "}",
      "if [ \"$funcstack[1]\" = \"_\(program)\" ]; then _\(program) \"$@\"; "
        + "else compdef _\(program) \(program); fi",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns an option's specifications for `_arguments`: one for the long name, and one for the
  /// letter if the option has one.
  static func specifications(of option: OptionSpecification) -> [String] {
    let names = ["--\(option.name)"] + (option.letter.map { ["-\($0)"] } ?? [])
    let help = option.help.map { "[]:\\".contains($0) ? "\\\($0)" : String($0) }.joined()
    return names.map { name in
      var word = (option.isRepeatable ? "*" : "") + "\(name)[\(help)]"
      if let value = option.value {
        let values = option.allowed.map { "(\($0.joined(separator: " ")))" } ?? "_files"
        word += ":\(value.filter { $0 != "/" }):\(values)"
      }
      return word
    }
  }
}
