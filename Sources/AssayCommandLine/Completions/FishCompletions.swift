/// Completions for fish: commands with their summaries, and options with their help.
struct FishCompletions {
  let commands: [CommandSpecification]
  let program: String

  var text: String {
    var lines = [
      "# Completions of \(program) for fish: save this as "
        + "~/.config/fish/completions/\(program).fish",
      "complete -c \(program) -e",
    ]
    for command in commands {
      lines.append(
        "complete -c \(program) -f -n __fish_use_subcommand -a \(command.name) "
          + "-d \(Self.quoted(command.summary))")
    }
    for command in commands {
      let condition = Self.quoted("__fish_seen_subcommand_from \(command.name)")
      for verb in command.verbs {
        lines.append("complete -c \(program) -n \(condition) -a \(verb)")
      }
      for option in command.allOptions {
        var line = "complete -c \(program) -n \(condition) -l \(option.name)"
        if let letter = option.letter { line += " -s \(letter)" }
        if option.value != nil { line += " -r" }
        if let allowed = option.allowed {
          line += " -f -a \(Self.quoted(allowed.joined(separator: " ")))"
        }
        lines.append(line + " -d \(Self.quoted(option.help))")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns a text in single quotes, in which fish recognizes the escapes `\'` and `\\`.
  private static func quoted(_ text: String) -> String {
    "'" + text.map { "'\\".contains($0) ? "\\\($0)" : String($0) }.joined() + "'"
  }
}
