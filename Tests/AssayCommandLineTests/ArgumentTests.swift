import Testing

@testable import AssayCommandLine

@Suite struct ArgumentTests {
  static let command = CommandSpecification(
    name: "run", summary: "Runs suites.", positionals: "[SUITE …]", positionalCount: 0...2,
    options: [
      .option("jobs", letter: "j", "N", "how many cases at once"),
      .option("backend", "NAME", allowed: ["local", "stub"], repeatable: true, "who answers"),
      .flag("quiet", letter: "q", "say less"),
    ])

  @Test("names, letters, equals signs and the end of options are understood")
  func parses() throws {
    let parsed = try Self.command.parse(
      ["a", "-j", "2", "--backend=local", "--backend", "stub", "-q", "--", "--odd"])
    #expect(parsed.positionals == ["a", "--odd"])
    #expect(parsed.value("jobs") == "2")
    #expect(parsed.all("backend") == ["local", "stub"])
    #expect(parsed.has("quiet"))
    #expect(!parsed.has("help"))
  }

  @Test(
    "what can't be understood is refused with what is allowed",
    arguments: [
      (["--job", "2"], "`assay run` has no option --job; did you mean --jobs?"),
      (["--xyzzy"], "`assay run` has no option --xyzzy; `assay help run` lists its options"),
      (["--jobs"], "--jobs needs a value: --jobs N"),
      (["--quiet=1"], "--quiet takes no value"),
      (["--backend", "cloud"], "--backend cloud: one of local, stub is allowed"),
      (["-j", "1", "-j", "2"], "--jobs is given twice; once is allowed"),
      (["a", "b", "c"], "`assay run` takes [SUITE …], and 3 were given"),
    ])
  func refuses(words: [String], message: String) {
    #expect(throws: UsageError(message)) { try Self.command.parse(words) }
  }

  @Test("the help names every option")
  func help() {
    for option in Self.command.options + CommandSpecification.everywhere {
      #expect(Self.command.help.contains("--\(option.name)"))
    }
  }
}
