import EvalFindings
import EvalReports
import EvalRunner
import EvalSessions

/// The options that several commands share, each declared once.
enum Options {
  // MARK: Selection

  static let suite = OptionKey<[String]>.list("suite", "ID", .selection, "only this suite")
  static let suites = OptionKey<[String]>.list(
    "suites", "PATH", default: "evals", .selection, "a suite file, or a folder with suites")
  static let testCase = OptionKey<[String]>.list(
    "case", "ID", .selection,
    "only this test case, by ID or SUITE/ID; * matches any text, as in 'menu/*'")
  static let tag = OptionKey<[String]>.list(
    "tag", "TAG", .selection, "only test cases with this tag")
  static let variant = OptionKey<[String]>.list(
    "variant", "ID", .selection,
    "this variant instead of the first, by ID or SUITE:ID; all: every variant")
  static let shard = OptionKey<String?>.text(
    "shard", "I/N", .selection,
    "divide the test cases into N shards, and select only shard I; auto: take I and N from the "
      + "environment variables of a CI job, a SLURM array or a Kubernetes job")
  static let failed = OptionKey<Bool>.flag(
    "failed", .selection, "only the test cases that failed in the last run in the database")
  static let watch = OptionKey<Bool>.flag(
    "watch", .selection,
    "after each edit of a suite, a schema or a file of test cases, run the affected suites again, "
      + "and show the difference from their last run; --watch uses the cache, and adds nothing to "
      + "REPORTS/history.jsonl")

  // MARK: Models and servers

  static let backend = OptionKey<[String]>.list(
    "backend", letter: "b", "NAME", default: "local", .answers,
    "the backend: local (a model file), stub (the fixed answers in the suite), a served model such "
      + "as ollama:llama3.2 or openai-api:MODEL@http://HOST:PORT, a program (exec:COMMAND), or a "
      + "backend that is compiled into this program")
  static let models = OptionKey<[String]>.list(
    "model", letter: "m", "FILE", default: "the bundled toy", .answers,
    "a GGUF file for the local backend, or a model from the project file (assay.yaml); if you name "
      + "several models, each test case runs on each of them")
  static let chatFormat = OptionKey<String?>.text(
    "chat-format", "NAME", allowed: BackendFactory.chatFormats, .answers,
    "the chat format to use instead of the one in the model's chat template")

  // MARK: Attempts and seeds

  static let repeats = OptionKey<Int?>.integer(
    "repeats", letter: "r", "N", in: 1...1_000_000, default: "the suite's", .attempts,
    "attempts per test case")
  static let seed = OptionKey<Int?>.integer(
    "seed", "N", in: 0...Int.max, default: "the suite's", .attempts, "the seed of all suites")
  static let fresh = OptionKey<Int?>.integer(
    "fresh", "N", in: 0...1_000_000, default: "0", .attempts,
    "additional attempts per test case, with seeds derived from the date")
  static let freshSeed = OptionKey<Int?>.integer(
    "fresh-seed", "N", in: 0...Int.max, default: "the date", .attempts,
    "the seed of the additional attempts")

  // MARK: Limits

  static let jobs = OptionKey<Int?>.integer(
    "jobs", letter: "j", "N", in: 1...1024, default: "one for each core", .limits,
    "the number of threads of a local model, each of which computes up to 32 attempts together; "
      + "for other backends, the maximum number of test cases that run at a time")
  static let memory = OptionKey<Int?>.integer(
    "memory", "MIB", in: 1...(1 << 20), default: "2048", .limits,
    "the maximum memory in MiB for the attempts that a local model computes together; with less "
      + "memory, fewer attempts run at a time")
  static let noDrafts = OptionKey<Bool>.flag(
    "no-drafts", .limits,
    "don't use earlier answers to guess the next tokens of a local model's answer; the answers "
      + "stay the same, but usually take longer")
  static let timeout = OptionKey<Duration?>.seconds(
    "timeout", default: "none; 600 for servers and programs", .limits,
    "the time limit for an answer")
  static let retries = OptionKey<Int?>.integer(
    "retries", "N", in: 0...100, default: "0; 5 for servers and programs", .limits,
    "the maximum number of retries of an attempt after a backend error")
  static let retryPause = OptionKey<Duration?>.seconds(
    "retry-pause", default: "1", .limits,
    "the pause before the first retry; it doubles with each further retry, up to a minute")
  static let callsPerMinute = OptionKey<Int?>.integer(
    "calls-per-minute", "N", in: 1...1_000_000, default: "no limit", .limits,
    "the maximum number of requests per minute")
  static let budgetTime = OptionKey<Duration?>.seconds(
    "budget-time", default: "no limit", .limits,
    "the time limit for the run; once it is reached, the remaining attempts are skipped")
  static let budgetTokens = OptionKey<Int?>.integer(
    "budget-tokens", "N", in: 1...Int.max, default: "no limit", .limits,
    "the maximum number of tokens in prompts and outputs; once it is reached, the remaining "
      + "attempts are skipped")
  static let budgetCalls = OptionKey<Int?>.integer(
    "budget-calls", "N", in: 1...Int.max, default: "no limit", .limits,
    "the maximum number of requests; once it is reached, the remaining attempts are skipped")
  static let budgetCost = OptionKey<Double?>.amount(
    "budget-cost", default: "no limit", .limits,
    "the cost limit for served models, at the prices in the project file; once it is reached, the "
      + "remaining attempts are skipped")
  static let stopEarly = OptionKey<Bool>.flag(
    "stop-early", .limits,
    "run the attempts in random order, and skip the remaining attempts of a suite once it is clear "
      + "whether the suite reaches its gate")
  static let stopAlpha = OptionKey<Double?>.share(
    "stop-alpha", "P", allowsZero: false, atMost: 0.5, default: "0.05", .limits,
    "the maximum probability that --stop-early is wrong about a gate")

  // MARK: Reuse and decoding steps

  static let cache = OptionKey<Bool>.flag(
    "cache", .reuse,
    "reuse a cached answer if the request, the seed and the repeat are the same (default for lab "
      + "and --watch)")
  static let noCache = OptionKey<Bool>.flag(
    "no-cache", .reuse, "never use cached answers (default except for lab and --watch)")
  static let reuse = OptionKey<Bool>.flag(
    "reuse", .reuse,
    "reuse the stored answers of local models if nothing that determines them has changed, not "
      + "even this program; 5 % of them are computed anew and must be the same, bit for bit")
  static let record = OptionKey<String?>.text(
    "record", "FILE", .reuse,
    "record every exchange with served models in a new file, for --replay")
  static let replay = OptionKey<String?>.text(
    "replay", "FILE", .reuse,
    "take the answers of served models from a recording; a request that was not recorded is an "
      + "error")
  static let trace = OptionKey<Runner.TraceKeeping>.choice(
    "trace", "WHICH", default: .failing, .reuse, "the attempts whose decoding steps are stored")
  static let traceBudget = OptionKey<Int?>.integer(
    "trace-budget", "MIB", in: 0...1_000_000, default: "64", .reuse,
    "the space for decoding steps; half of it is reserved for attempts that did not pass")

  // MARK: Judging

  static let allowCommands = OptionKey<Bool>.flag(
    "allow-commands", .judging,
    "let suites run the programs of their `command` assertions, and the project file the programs "
      + "of its models")
  static let baseline = baseline(default: "auto")
  /// The option of commands that report on stored runs.
  static let baselineOfReport = baseline(default: "the run's --baseline")
  private static func baseline(default defaultValue: String) -> OptionKey<String?> {
    .text(
      "baseline", "WHICH", default: defaultValue, .judging,
      "the results to compare with; auto: the accepted baseline, if there is one; main: the "
        + "accepted baseline or, if a suite has none, the oldest complete run on the branch main "
        + "or master; branch:NAME: like main, but with the branch NAME; none: nothing; a number: "
        + "the run with this number")
  }
  static let allowNotComparable = OptionKey<Bool>.flag(
    "allow-not-comparable", .judging,
    "exit with 0 instead of 4 if runs are not comparable; if the comparable part regressed, still "
      + "exit with 1")
  static let inconclusive = OptionKey<PassOrFail>.choice(
    "inconclusive", "HOW", default: .pass, .judging,
    "whether an inconclusive comparison passes or fails")
  static let noSecondLook = OptionKey<Bool>.flag(
    "no-second-look", .judging,
    "don't take a second look; by default, if an edit seems to have made a suite worse but the "
      + "evidence is too weak, Assay sends both the accepted and the current request again")
  static let margin = OptionKey<Double?>.share(
    "margin", "SHARE", default: "0.01", .judging, "the smallest change that matters")
  static let alpha = OptionKey<Double?>.share(
    "alpha", "P", allowsZero: false, atMost: 0.5, default: "0.05", .judging,
    "the maximum probability of a false alarm")

  // MARK: Results

  static let label = OptionKey<String?>.text(
    "label", "TEXT", default: "run", .results, "a name for the run")
  static let profile = OptionKey<Bool>.flag(
    "profile", .results,
    "measure where the run's processor time goes: prompts, answers, masks, sampling, decisions, "
      + "judging, storing")
  static let resume = OptionKey<Int?>.integer(
    "resume", "RUN", in: 1...Int.max, .results,
    "continue this interrupted run without repeating its finished attempts")
  static let reports = OptionKey<String?>.text(
    "reports", "FOLDER", default: "reports", .results, "the folder of reports")
  static let database = OptionKey<String?>.text(
    "database", "FILE", default: "REPORTS/results.sqlite", .results, "the result database")
  static let failures = OptionKey<ProgressReporter.Failures>.choice(
    "failures", "WHICH", default: .kind, .results,
    "the failures to show during the run; kind: the first two of each kind")
  static let junitDialect = OptionKey<JUnitReport.Dialect>.choice(
    "junit-dialect", "NAME", default: .common, .results, "the program that reads junit.xml")
  static let annotations = OptionKey<AnnotationTarget>.choice(
    "annotations", "FOR", default: .auto, .results,
    "whether to annotate failures in the pull request; auto: only if GitHub runs the job")
  static let format = OptionKey<OutputFormat>.choice(
    "format", "FORMAT", default: .text, .results, "the format of the results on standard output")

  // MARK: Every command

  static let help = OptionKey<Bool>.flag("help", letter: "h", .everywhere, "show this help")
  static let color = OptionKey<ColorUse>.choice(
    "color", "WHEN", default: .auto, .everywhere,
    "colors in the terminal; auto respects NO_COLOR")

  /// The options that select suites, variants and test cases.
  static let selection: [any DeclaredOption] = [suite, testCase, tag, variant, shard]

  /// The options that `run`, `compare` and `lab` share.
  static let running: [any DeclaredOption] = [
    backend, models, chatFormat, repeats, seed, fresh, freshSeed, jobs, memory, noDrafts, timeout,
    retries, retryPause, callsPerMinute, budgetTime, budgetTokens, budgetCalls, budgetCost,
    stopEarly, stopAlpha, cache, noCache, record, replay, trace, traceBudget, allowCommands, label,
    profile,
    resume, reports, database, failures,
    junitDialect, annotations, format,
  ]

  /// The options for the output of reports and results.
  static let output: [any DeclaredOption] = [junitDialect, annotations, format]
}

/// The choice between the exit statuses 0 (pass) and 1 (fail), for example if a mutation survives.
enum PassOrFail: String, CaseIterable, Sendable {
  case pass
  case fail
}

/// The format of results on standard output.
enum OutputFormat: String, CaseIterable, Sendable {
  case text
  case json
}

/// The choices for colored output.
enum ColorUse: String, CaseIterable, Sendable {
  case auto
  case always
  case never
}

/// The choices for annotations in a pull request: only if GitHub runs the job, always, or never.
enum AnnotationTarget: String, CaseIterable, Sendable {
  case auto
  case github
  case none
}
