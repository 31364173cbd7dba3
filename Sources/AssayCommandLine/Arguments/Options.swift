import EvalReports
import EvalRunner
import EvalSessions

/// The options that several commands share, each declared once.
enum Options {
  // MARK: Which cases

  static let suite = OptionKey<[String]>.list("suite", "ID", .selection, "only this suite")
  static let suites = OptionKey<[String]>.list(
    "suites", "PATH", default: "evals", .selection, "a suite file, or a folder with suites")
  static let testCase = OptionKey<[String]>.list(
    "case", "ID", .selection,
    "only this case; SUITE/CASE names one exactly, and * stands for any text: 'menu/*'")
  static let tag = OptionKey<[String]>.list("tag", "TAG", .selection, "only cases with this tag")
  static let variant = OptionKey<[String]>.list(
    "variant", "ID", .selection,
    "this variant instead of the first; SUITE:VARIANT names one exactly, all means all")
  static let shard = OptionKey<String?>.text(
    "shard", "I/N", .selection, "only the I-th of N shares of the cases")
  static let failed = OptionKey<Bool>.flag(
    "failed", .selection, "only the cases that failed in the last run in the database")

  // MARK: Who answers

  static let backend = OptionKey<[String]>.list(
    "backend", letter: "b", "NAME", default: "local", .answers,
    "the backend: local, stub, a served model such as ollama:llama3.2 or "
      + "openai-api:MODEL@http://HOST:PORT, or one that the program adds")
  static let models = OptionKey<[String]>.list(
    "model", letter: "m", "FILE", default: "the bundled toy", .answers,
    "a GGUF file for the local backend, or a model of the project file; several are each run")
  static let chatFormat = OptionKey<String?>.text(
    "chat-format", "NAME", allowed: BackendFactory.chatFormats, .answers,
    "the chat format of the model, if not the one that its file names")

  // MARK: Attempts and seeds

  static let repeats = OptionKey<Int?>.integer(
    "repeats", letter: "r", "N", in: 1...1_000_000, default: "the suite's", .attempts,
    "attempts per case")
  static let seed = OptionKey<Int?>.integer(
    "seed", "N", in: 0...Int.max, default: "the suite's", .attempts, "the seed of all suites")
  static let fresh = OptionKey<Int?>.integer(
    "fresh", "N", in: 0...1_000_000, default: "0", .attempts,
    "additional attempts per case, with seeds made from the date")
  static let freshSeed = OptionKey<Int?>.integer(
    "fresh-seed", "N", in: 0...Int.max, default: "the date", .attempts,
    "the seed of the additional attempts")

  // MARK: Limits

  static let jobs = OptionKey<Int?>.integer(
    "jobs", letter: "j", "N", in: 1...1024, default: "one for each core", .limits,
    "the most cases in work at a time, and the threads of a local model, each of which computes "
      + "many "
      + "attempts together")
  static let memory = OptionKey<Int?>.integer(
    "memory", "MIB", in: 1...(1 << 20), default: "1024", .limits,
    "the most memory for the attempts that a local model computes together, in MiB; with less, "
      + "fewer "
      + "are in work at a time")
  static let timeout = OptionKey<Duration?>.seconds(
    "timeout", default: "none", .limits, "the longest time that an answer may take")
  static let retries = OptionKey<Int?>.integer(
    "retries", "N", in: 0...100, default: "0", .limits, "tries after a failure of the backend")
  static let retryPause = OptionKey<Duration?>.seconds(
    "retry-pause", default: "1", .limits, "the pause before the first retry; it then doubles")
  static let callsPerMinute = OptionKey<Int?>.integer(
    "calls-per-minute", "N", in: 1...1_000_000, default: "no limit", .limits,
    "the most answers that are requested in a minute")
  static let budgetTime = OptionKey<Duration?>.seconds(
    "budget-time", default: "no limit", .limits,
    "the longest time that the run may take; the rest is skipped")
  static let budgetTokens = OptionKey<Int?>.integer(
    "budget-tokens", "N", in: 1...Int.max, default: "no limit", .limits,
    "the most tokens, of prompts and outputs; the rest is skipped")
  static let budgetCalls = OptionKey<Int?>.integer(
    "budget-calls", "N", in: 1...Int.max, default: "no limit", .limits,
    "the most answers that are requested; the rest is skipped")
  static let budgetCost = OptionKey<Double?>.amount(
    "budget-cost", default: "no limit", .limits,
    "the most money for served models, by the prices of the project file; the rest is skipped")
  static let stopEarly = OptionKey<Bool>.flag(
    "stop-early", .limits,
    "skip the rest of a suite once its gate is settled; attempts are made in random order")
  static let stopAlpha = OptionKey<Double?>.share(
    "stop-alpha", "P", allowsZero: false, default: "0.05", .limits,
    "the chance that --stop-early is wrong about a gate")

  // MARK: Reuse and decoding steps

  static let cache = OptionKey<Bool>.flag(
    "cache", .reuse, "reuse cached answers, each for its own seed and repeat (default for lab)")
  static let noCache = OptionKey<Bool>.flag(
    "no-cache", .reuse, "never use cached answers (default except for lab)")
  static let record = OptionKey<String?>.text(
    "record", "FILE", .reuse,
    "keep every exchange with served models in a new file, for --replay")
  static let replay = OptionKey<String?>.text(
    "replay", "FILE", .reuse,
    "let a recording answer in place of served models; a request that it lacks is an error")
  static let trace = OptionKey<Runner.TraceKeeping>.choice(
    "trace", "WHICH", default: .failing, .reuse, "the attempts whose decoding steps are kept")
  static let traceBudget = OptionKey<Int?>.integer(
    "trace-budget", "MIB", in: 0...1_000_000, default: "64", .reuse,
    "the most space for decoding steps; half of it is for attempts that did not pass")

  // MARK: Judging

  static let allowCommands = OptionKey<Bool>.flag(
    "allow-commands", .judging, "let suites run the programs of their `command` assertions")
  static let baseline = OptionKey<String?>.text(
    "baseline", "WHICH", default: "auto", .judging,
    "auto: the accepted baseline, if there is one; main: otherwise the first complete run of the "
      + "branch main or master; branch:NAME: of another branch; none; or the number of a run")
  static let allowNotComparable = OptionKey<Bool>.flag(
    "allow-not-comparable", .judging,
    "exit with 0, not 4, if a comparison is not comparable; a regression in what can be compared "
      + "still exits with 1")
  static let inconclusive = OptionKey<PassOrFail>.choice(
    "inconclusive", "HOW", default: .pass, .judging, "the exit status of an inconclusive comparison"
  )
  static let noSecondLook = OptionKey<Bool>.flag(
    "no-second-look", .judging,
    "don't run the accepted request and the current one again if an edited suite is suspected")
  static let margin = OptionKey<Double?>.share(
    "margin", "SHARE", default: "0.01", .judging, "the change that is tolerated")
  static let alpha = OptionKey<Double?>.share(
    "alpha", "P", default: "0.05", .judging, "the chance of a false alarm")

  // MARK: Results

  static let label = OptionKey<String?>.text(
    "label", "TEXT", default: "run", .results, "a name for the run")
  static let resume = OptionKey<Int?>.integer(
    "resume", "RUN", in: 1...Int.max, .results,
    "continue this interrupted run; its finished attempts are not made again")
  static let reports = OptionKey<String?>.text(
    "reports", "FOLDER", default: "reports", .results, "the folder of reports")
  static let database = OptionKey<String?>.text(
    "database", "FILE", default: "REPORTS/results.sqlite", .results, "the result database")
  static let failures = OptionKey<ProgressReporter.Failures>.choice(
    "failures", "WHICH", default: .kind, .results,
    "the failures that are shown as they come; kind: the first two of each kind")
  static let junitDialect = OptionKey<JUnitReport.Dialect>.choice(
    "junit-dialect", "NAME", default: .common, .results, "the consumer of junit.xml")
  static let junitFollows = OptionKey<JUnitReport.Following>.choice(
    "junit-follows", "WHAT", default: .cases, .results,
    "what the test cases of junit.xml follow; gate: a suite that reaches its gate has no failures")
  static let annotations = OptionKey<AnnotationTarget>.choice(
    "annotations", "FOR", default: .auto, .results,
    "mark failures in the pull request; auto: if GitHub runs the job")
  static let format = OptionKey<OutputFormat>.choice(
    "format", "FORMAT", default: .text, .results, "the format of the results on standard output")

  // MARK: Every command

  static let help = OptionKey<Bool>.flag("help", letter: "h", .everywhere, "show this help")
  static let color = OptionKey<ColorUse>.choice(
    "color", "WHEN", default: .auto, .everywhere,
    "colours in the terminal; auto respects NO_COLOR")

  /// The options that select suites, variants and test cases.
  static let selection: [any DeclaredOption] = [suite, testCase, tag, variant, shard]

  /// The options of every command that runs attempts.
  static let running: [any DeclaredOption] = [
    backend, models, chatFormat, repeats, seed, fresh, freshSeed, jobs, memory, timeout, retries,
    retryPause, callsPerMinute, budgetTime, budgetTokens, budgetCalls, budgetCost, stopEarly,
    stopAlpha, cache,
    noCache, record, replay, trace, traceBudget, allowCommands, label, resume, reports, database,
    failures,
    junitDialect, junitFollows, annotations, format,
  ]

  /// The options of every command that writes reports.
  static let output: [any DeclaredOption] = [junitDialect, junitFollows, annotations, format]
}

/// A result: passed or failed.
enum PassOrFail: String, CaseIterable, Sendable {
  case pass
  case fail
}

/// The format of results on standard output.
enum OutputFormat: String, CaseIterable, Sendable {
  case text
  case json
}

/// The choices for coloured output.
enum ColorUse: String, CaseIterable, Sendable {
  case auto
  case always
  case never
}

/// The service for which annotations are written.
enum AnnotationTarget: String, CaseIterable, Sendable {
  case auto
  case github
  case none
}
