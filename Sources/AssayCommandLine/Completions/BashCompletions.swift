/// Completions for bash: command names, then options, the values of options, and files.
struct BashCompletions {
  let commands: [CommandSpecification]
  let program: String

  var text: String {
    let names = commands.map(\.name) + ["help", "version"]
    var lines = [
      "# Completions of \(program) for bash: load them with source <(\(program) completions bash)",
      "_\(program)() {",
      "  local current=\"${COMP_WORDS[COMP_CWORD]}\" previous=\"${COMP_WORDS[COMP_CWORD-1]}\"",
      "  local command=\"${COMP_WORDS[1]}\" options='' words=''",
      "  COMPREPLY=()",
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then",
      "    COMPREPLY=($(compgen -W '\(names.joined(separator: " "))' -- \"$current\"))",
      "    return",
      "  fi",
      "  case \"$command:$previous\" in",
    ]
    for command in commands {
      for option in command.allOptions {
        guard let allowed = option.allowed else { continue }
        lines += [
          "  \(command.name):--\(option.name))",
          "    COMPREPLY=($(compgen -W '\(allowed.joined(separator: " "))' -- \"$current\"))",
          "    return ;;",
        ]
      }
    }
    lines += ["  esac", "  case \"$command\" in"]
    for command in commands {
      lines.append(
        "  \(command.name)) options='\(command.optionWords.joined(separator: " "))'; "
          + "words='\(command.verbs.joined(separator: " "))' ;;")
    }
    lines += [
      "  help) words='\(commands.map(\.name).joined(separator: " "))' ;;",
      "  esac",
      "  if [[ \"$current\" == -* ]]; then",
      "    COMPREPLY=($(compgen -W \"$options\" -- \"$current\"))",
      "  elif [ -n \"$words\" ] && [ \"$COMP_CWORD\" -eq 2 ]; then",
      "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))",
      "  else",
      "    COMPREPLY=($(compgen -f -- \"$current\"))",
      "  fi",
      "}",
      "complete -o filenames -F _\(program) \(program)",
    ]
    return lines.joined(separator: "\n") + "\n"
  }
}
