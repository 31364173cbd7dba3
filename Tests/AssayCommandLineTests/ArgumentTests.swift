import Testing

@testable import AssayCommandLine

@Suite struct ArgumentTests {
  enum Loudness: String, CaseIterable {
    case low
    case high
  }

  static let jobs = OptionKey<Int?>.integer(
    "jobs", letter: "j", "N", in: 1...8, default: "one", .limits, "how many cases at once")
  static let names = OptionKey<[String]>.list("name", "NAME", .answers, "who answers")
  static let loudness = OptionKey<Loudness>.choice(
    "loudness", "HOW", default: .low, .results, "the number of words")
  static let quiet = OptionKey<Bool>.flag("quiet", letter: "q", .command, "say less")
  static let margin = OptionKey<Double?>.share("margin", "SHARE", .judging, "the tolerance")

  static let command = CommandSpecification(
    name: "run", summary: "Runs suites.", positionals: "[SUITE …]", positionalCount: 0...2,
    options: [jobs, names, loudness, quiet, margin],
    details: "A first sentence that is long enough to be wrapped at forty columns.\n  as it is",
    examples: [.init("run a", "Runs a."), .init("run b", "Runs b.")])

  @Test("the parser accepts long names, single letters, equals signs and `--`")
  func parses() throws {
    let parsed = try Self.command.parse(
      ["a", "-j", "2", "--name=local", "--name", "stub", "-q", "--", "--odd"])
    #expect(parsed.positionals == ["a", "--odd"])
    #expect(try parsed[Self.jobs] == 2)
    #expect(try parsed[Self.names] == ["local", "stub"])
    #expect(try parsed[Self.loudness] == .low)
    #expect(try parsed[Self.quiet])
    #expect(!parsed.has(Options.help))
  }

  @Test(
    "an option rejects a value of the wrong type or out of range, and says what is allowed",
    arguments: [
      (["-j", "9"], "--jobs 9: expected a whole number from 1 to 8"),
      (["--jobs", "x"], "--jobs x: expected a whole number from 1 to 8"),
      (["--margin", "1"], "--margin 1: expected a number that is at least 0 and below 1"),
    ])
  func refusesValues(words: [String], message: String) throws {
    let parsed = try Self.command.parse(words)
    #expect(throws: UsageError(message)) {
      _ = try parsed[Self.jobs]
      _ = try parsed[Self.margin]
    }
  }

  @Test(
    "the probability of an error is above 0 and at most one half",
    arguments: ["0", "0.6", "-1", "nan", "x"])
  func checkErrorProbabilities(text: String) throws {
    let keys = [Options.alpha, Options.stopAlpha]
    let command = CommandSpecification(
      name: "run", summary: "Runs suites.", positionals: "", positionalCount: 0...0, options: keys,
      details: "", examples: [])
    for key in keys {
      let parsed = try command.parse(["--\(key.name)=\(text)"])
      let message = "--\(key.name) \(text): expected a number above 0 and at most 0.5"
      #expect(throws: UsageError(message)) { _ = try parsed[key] }
      #expect(try command.parse(["--\(key.name)", "0.5"])[key] == 0.5)
    }
  }

  @Test(
    "the parser rejects an invalid command line, and says what is allowed",
    arguments: [
      (["--job", "2"], "`assay run` has no option --job; did you mean --jobs?"),
      (["--xyzzy"], "`assay run` has no option --xyzzy; `assay help run` lists its options"),
      (["--jobs"], "--jobs needs a value: --jobs N"),
      (["--quiet=1"], "--quiet takes no value"),
      (["--loudness", "loud"], "--loudness can't be loud; the allowed values are low, high"),
      (["-j", "1", "-j", "2"], "--jobs is given twice; it can be given only once"),
      (["a", "b", "c"], "`assay run` takes [SUITE …], but got 3"),
    ])
  func refuses(words: [String], message: String) {
    #expect(throws: UsageError(message)) { try Self.command.parse(words) }
  }

  @Test("the help groups options, shows values and defaults, and ends with the examples")
  func help() {
    #expect(
      Self.command.help(width: 60) == """
        Runs suites.

        usage: assay run [options] [SUITE …]

        A first sentence that is long enough to be wrapped at forty
        columns.
          as it is

        Models and servers:
          --name NAME       who answers [may be repeated]

        Limits:
          -j, --jobs N      how many cases at once [default: one]

        Judging:
          --margin SHARE    the tolerance

        Options:
          -q, --quiet       say less

        Results:
          --loudness HOW    the number of words [low (default),
                            high]

        Every command:
          -h, --help        show this help
          --color WHEN      colors in the terminal; auto respects
                            NO_COLOR [auto (default), always, never]

        examples:
          assay run a
              Runs a.
          assay run b
              Runs b.

        """)
  }

  @Test(
    "a command's help fits 80-column and wider terminals, lists every option and has two examples",
    arguments: [60, 80, 200])
  func checkWidth(_ width: Int) {
    for command in AssayProgram.commands.map(\.specification) {
      let lines = command.help(width: width).split(separator: "\n")
      // The usage line and the examples may be wider.
      let prose = lines.prefix { $0 != "examples:" }.filter { !$0.hasPrefix("usage:") }
      for line in prose where width >= 80 {
        #expect(line.count <= min(width, 100), "\(command.name): \(line)")
      }
      for option in command.allOptions {
        #expect(lines.contains { $0.contains("--\(option.name)") }, "\(command.name)")
      }
      #expect(command.examples.count == 2, "\(command.name)")
    }
  }

  @Test("the help gives the defaults of limits that are different for servers and programs")
  func defaultsOfServers() throws {
    let run = try #require(AssayProgram.commands.first { $0.specification.name == "run" })
    let defaults = Dictionary(
      run.specification.options.map { ($0.name, $0.defaultValue) }, uniquingKeysWith: { $1 })
    #expect(defaults["retries"] == "0; 5 for servers and programs")
    #expect(defaults["timeout"] == "none; 600 for servers and programs")
    #expect(defaults["jobs"] == "one for each core")
  }

  @Test("every example in the help can be parsed")
  func examples() throws {
    for command in AssayProgram.commands.map(\.specification) {
      for example in command.examples {
        // Split the example into words as a shell does, and leave out a redirection.
        let line = example.words.prefix { $0 != ">" }
        var words: [String] = []
        var word = ""
        var quote: Character?
        for character in line {
          if let open = quote {
            if character == open { quote = nil } else { word.append(character) }
          } else if character == "'" || character == "\"" {
            quote = character
          } else if character == " " {
            if !word.isEmpty { words.append(word) }
            word = ""
          } else {
            word.append(character)
          }
        }
        if !word.isEmpty { words.append(word) }
        #expect(words.first == command.name, "\(example.words)")
        _ = try command.parse(Array(words.dropFirst()))
      }
    }
  }

  @Test("apart from five exceptions, an option has the same placeholder in every command")
  func oneMeaning() {
    var values: [String: Set<String>] = [:]
    for command in AssayProgram.commands.map(\.specification) {
      #expect(Set(command.options.map(\.name)).count == command.options.count, "\(command.name)")
      for option in command.options { values[option.name, default: []].insert(option.value ?? "") }
    }
    // `--cases` is a flag of `list` and has a value in `power`; `--out` names a file or a folder.
    // `show --replay` decodes an attempt again; `run --replay FILE` takes answers from a recording.
    // `show --trace` prints the steps of an attempt; `run --trace WHICH` says which to store.
    let exceptions: Set<String> = ["cases", "history", "out", "replay", "trace"]
    for (name, kinds) in values where !exceptions.contains(name) {
      #expect(kinds.count == 1, "--\(name): \(kinds.sorted())")
    }
  }

  @Test(
    "the error for the old name of a command or an option gives the new name",
    arguments: [
      (["plan"], "`assay plan` is now called `assay power`"),
      (["salvage"], "`assay salvage` is now called `assay recover`"),
      (["help", "plan"], "`assay plan` is now called `assay power`"),
      (
        ["import", "x", "--suite", "evals"],
        "`assay import` has no option --suite; it is now called --suites PATH"
      ),
    ])
  func renamed(words: [String], message: String) async throws {
    let ending = await (try CommandLab()).run(words)
    #expect(ending.status == .usage)
    #expect(ending.errors == [message])
  }
}
