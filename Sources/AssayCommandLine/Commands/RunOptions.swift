import EvalRecords
import EvalRunner
import EvalSessions
import EvalSuites

/// The options that `run` and `compare` share, and what they say.
struct RunOptions: Sendable {
  /// Which backends answer, and on which models.
  var choice: BackendChoice
  /// Attempts per case; nil for what each suite says.
  var repeats: Int?
  /// The seed; nil for what each suite says.
  var seed: UInt64?
  /// More attempts per case with seeds of this run's own; nil for none.
  var freshRepeats: Int?
  /// The seed of those; nil for the day's.
  var freshSeed: UInt64?
  /// The most cases in work at a time.
  var jobs: Int
  /// How long an answer may take; nil for no limit.
  var timeLimit: Duration?
  /// When an attempt without a value is tried again.
  var retries: RetryPolicy
  /// The most answers that are asked for in a minute; nil for no limit.
  var callsPerMinute: Int?
  /// What the run may use.
  var budget: RunBudget
  /// The chance of a wrong decision with which gates stop early; nil where they don't.
  var earlyStoppingAlpha: Double?
  /// Whether answers of earlier runs are used again, and new ones kept.
  var isCached: Bool
  /// Whose traces are kept.
  var traces: Runner.TraceKeeping
  /// Whether suites may run external programs.
  var allowsCommands: Bool
  /// The bytes that kept traces may take.
  var traceBudget: Int
  /// A name for the run.
  var label: String
  /// The interrupted run to go on with; nil for a new one.
  var resume: Int?
  /// The folder of reports.
  var reports: String
  /// The database.
  var database: String
  /// The options that choose a part of the cases, as they were given.
  var selection: [String]
  /// The share of the cases, for example `2/5`.
  var shard: String?
  /// Which failures are told as they come.
  var failures: ProgressReporter.Failures
  /// What the reports are besides the page.
  var output: OutputOptions
  /// Whether results are told as JSON.
  var isJSON: Bool { output.isJSON }

  /// The declarations.
  static let specifications: [OptionSpecification] =
    [
      .option(
        "backend", letter: "b", "NAME", allowed: ["local", "stub"], repeatable: true,
        "who answers: local (default) or stub; may be given twice"),
      .option(
        "model", letter: "m", "FILE", repeatable: true,
        "a GGUF file for the local backend (default: the toy); several are each run"),
      .option(
        "chat-format", "NAME", allowed: BackendFactory.chatFormats,
        "how the model's conversation is written (default: what its file says)"),
      .option("repeats", letter: "r", "N", "attempts per case (default: what the suite says)"),
      .option("seed", "N", "the seed of all suites (default: what the suite says)"),
      .option("fresh", "N", "more attempts per case with seeds of the day, beside the suite's own"),
      .option("fresh-seed", "N", "the seed of those instead of the day's"),
      .option("jobs", letter: "j", "N", "cases in work at a time (default: one for each core)"),
      .option("timeout", "SECONDS", "the longest that an answer may take"),
      .option("retries", "N", "tries after a failure of the backend (default 0)"),
      .option(
        "retry-pause", "SECONDS", "the pause before the first of them; it doubles (default 1)"),
      .option("calls-per-minute", "N", "the most answers that are asked for in a minute"),
      .option("budget-time", "SECONDS", "the longest that the run may take; the rest is skipped"),
      .option("budget-tokens", "N", "the most tokens, of prompts and outputs; the rest is skipped"),
      .option("budget-calls", "N", "the most answers that are asked for; the rest is skipped"),
      .flag(
        "stop-early", "skip the rest of a suite once its gate is settled (attempts in random order)"
      ),
      .option(
        "stop-alpha", "P", "the chance that --stop-early is wrong about a gate (default 0.05)"),
      .flag(
        "cache",
        "use answers of earlier runs again, each for its own seed and repeat (default in lab)"),
      .flag("no-cache", "ask for every answer anew (default but in lab)"),
      .option(
        "trace", "WHICH", allowed: Runner.TraceKeeping.allCases.map(\.rawValue),
        "whose steps of decoding are kept (default failing)"),
      .flag("allow-commands", "let suites run the programs of their `command` assertions"),
      .option(
        "trace-budget", "MIB",
        "the most that kept steps may take; half is for attempts that did not pass (default 64)"),
      .option("label", "TEXT", "a name for the run (default: run)"),
      .option("resume", "RUN", "go on with this interrupted run; what it has is not run again"),
      .option("reports", "FOLDER", "where reports go (default reports)"),
      .option("database", "FILE", "the result database (default REPORTS/results.sqlite)"),
      .option(
        "failures", "WHICH", allowed: ProgressReporter.Failures.allCases.map(\.rawValue),
        "failures told as they come: the first two of a kind (default), all, or none"),
    ] + OutputOptions.specifications

  /// Reads the options.
  ///
  /// - Parameters:
  ///   - arguments: The checked arguments.
  ///   - cores: The number of cores of this machine.
  /// - Throws: `UsageError` for a number that is none, or out of range.
  init(_ arguments: ParsedArguments, cores: Int) throws(UsageError) {
    var backends: [String] = []
    for backend in arguments.all("backend") where !backends.contains(backend) {
      backends.append(backend)
    }
    if backends.isEmpty { backends = ["local"] }
    if !backends.contains("local") {
      try arguments.refuse(
        ["model", "chat-format"], "is of the backend local, which is not asked; add -b local")
    }
    let models = try Self.localBackends(arguments.all("model"))
    if models.count > 1 {
      backends = backends.flatMap { $0 == "local" ? models.map(\.id) : [$0] }
    }
    choice = BackendChoice(
      ids: backends, models: Dictionary(uniqueKeysWithValues: models.map { ($0.id, $0.path) }),
      chatFormat: arguments.value("chat-format"))
    repeats = try arguments.integer("repeats", in: 1...1_000_000)
    seed = try arguments.integer("seed", in: 0...Int.max).map { UInt64($0) }
    freshRepeats = try arguments.integer("fresh", in: 0...1_000_000).flatMap { $0 > 0 ? $0 : nil }
    freshSeed = try arguments.integer("fresh-seed", in: 0...Int.max).map { UInt64($0) }
    jobs = try arguments.integer("jobs", in: 1...1024) ?? cores
    timeLimit = try arguments.seconds("timeout")
    retries = RetryPolicy(limit: try arguments.integer("retries", in: 0...100) ?? 0)
    if let pause = try arguments.seconds("retry-pause") { retries.pause = pause }
    callsPerMinute = try arguments.integer("calls-per-minute", in: 1...1_000_000)
    budget = RunBudget(
      time: try arguments.seconds("budget-time"),
      tokens: try arguments.integer("budget-tokens", in: 1...Int.max),
      calls: try arguments.integer("budget-calls", in: 1...Int.max))
    let alpha = try arguments.share("stop-alpha")
    if alpha == 0 { throw UsageError("--stop-alpha 0: a share above 0 is allowed") }
    if alpha != nil, !arguments.has("stop-early") {
      throw UsageError("--stop-alpha says how --stop-early decides; give both")
    }
    if arguments.has("stop-early") { earlyStoppingAlpha = alpha ?? 0.05 }
    if arguments.has("cache"), arguments.has("no-cache") {
      throw UsageError("--cache and --no-cache are given; one of them is allowed")
    }
    isCached = arguments.has("cache")
    traces = arguments.value("trace").flatMap(Runner.TraceKeeping.init) ?? .failing
    allowsCommands = arguments.has("allow-commands")
    traceBudget =
      try arguments.integer("trace-budget", in: 0...1_000_000).map { $0 << 20 }
      ?? AttemptKeeper.defaultBudget
    label = arguments.value("label") ?? "run"
    resume = try arguments.integer("resume", in: 1...Int.max)
    reports = arguments.value("reports") ?? "reports"
    database = arguments.value("database") ?? "\(reports)/results.sqlite"
    selection = ["case", "tag"].flatMap { name in
      arguments.all(name).map { "--\(name) \($0)" }
    }
    shard = arguments.value("shard")
    failures = arguments.value("failures").flatMap(ProgressReporter.Failures.init) ?? .kind
    output = OutputOptions(arguments)
  }
}

extension RunOptions {
  /// The ids of backends on some model files: `local` for one, else the files' names.
  ///
  /// - Parameter paths: The files.
  /// - Throws: `UsageError` where a file is named twice.
  static func localBackends(
    _ paths: [String]
  ) throws(UsageError) -> [(id: String, path: String)] {
    guard paths.count > 1 else { return paths.map { ("local", $0) } }
    var backends: [(id: String, path: String)] = []
    for path in paths {
      guard !backends.contains(where: { $0.path == path }) else {
        throw UsageError("--model \(path) is given twice; each file is allowed once")
      }
      var name = path.split(separator: "/").last.map(String.init) ?? path
      if name.lowercased().hasSuffix(".gguf") { name.removeLast(5) }
      name = String(name.map { $0.isWhitespace ? "-" : $0 })
      var id = name
      var number = 2
      while id.isEmpty || id == "stub" || backends.contains(where: { $0.id == id }) {
        id = "\(name)-\(number)"
        number += 1
      }
      backends.append((id, path))
    }
    return backends
  }
}

extension ParsedArguments {
  /// The whole number that an option has.
  func integer(_ name: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let text = value(name) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      let limits =
        range.upperBound == Int.max
        ? "of \(range.lowerBound) or more"
        : "from \(range.lowerBound) to \(range.upperBound)"
      throw UsageError("--\(name) \(text): a whole number \(limits) is allowed")
    }
    return number
  }

  /// The duration that an option has, in seconds.
  func seconds(_ name: String) throws(UsageError) -> Duration? {
    guard let text = value(name) else { return nil }
    guard let number = Double(text), number > 0, number <= 1e7 else {
      throw UsageError("--\(name) \(text): a number of seconds above 0 is allowed")
    }
    return .milliseconds(Int(number * 1000))
  }
}
