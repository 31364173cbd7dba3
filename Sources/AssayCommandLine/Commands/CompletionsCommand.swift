/// `assay completions`: writes a shell's completions, generated from the declared commands.
struct CompletionsCommand: Command {
  let specification = CommandSpecification(
    name: "completions", summary: "Writes completions for bash, zsh or fish.",
    positionals: "bash|zsh|fish", positionalCount: 1...1, verbs: ShellCompletions.allNames,
    details: """
      How to load the output in each shell:
        bash  source <(assay completions bash)       (a line in ~/.bashrc)
        zsh   assay completions zsh > FOLDER/_assay  (FOLDER is in $fpath)
        fish  assay completions fish > ~/.config/fish/completions/assay.fish
      """,
    examples: [
      .init("completions bash", "Writes the completions for bash to standard output."),
      .init("completions zsh > ~/.zfunc/_assay", "Installs the completions for zsh."),
    ])

  func run(_ arguments: ParsedArguments, in context: ProgramContext) async throws -> ExitStatus {
    let name = arguments.positionals[0]
    guard let shell = ShellCompletions(rawValue: name) else {
      throw UsageError(
        "`assay completions` doesn't know the shell \(name); the allowed shells are "
          + ShellCompletions.allNames.joined(separator: ", "))
    }
    context.console.output(
      shell.script(
        for: AssayProgram.commands.map(\.specification), program: context.evaluation.programName))
    return .passed
  }
}
