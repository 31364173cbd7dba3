import EvalRecords
import StructuredText

/// The commands that reports advise.
///
/// One function writes them all, so that each command finds the results of this run, and repeats
/// the options with which the run was made.
extension ReportDocument {
  /// An option that a run was made with, and that a later command may have to repeat.
  enum RepeatedOption: String, CaseIterable {
    case backend, model, chatFormat = "chat-format", allowCommands = "allow-commands"
    case repeats, seed, fresh, freshSeed = "fresh-seed"
    case testCase = "case", tag, margin, alpha
  }

  /// The names of the options that a run records, so that commands in its reports can repeat them.
  package static var repeatedOptions: [String] { RepeatedOption.allCases.map(\.rawValue) }

  /// The repeated options that `assay lab` takes.
  package static let labOptions = repeatedOptions
  /// The repeated options that `assay power` takes.
  package static let powerOptions: [String] =
    [RepeatedOption.backend, .repeats, .testCase, .tag, .alpha].map(\.rawValue)

  /// Returns a command with the options that it needs to find the results of the run.
  private func command(_ words: [String]) -> String {
    VisibleText.line(([program] + words + placeOptions).joined(separator: " "))
  }

  /// The command that shows an attempt of the run, with all options that identify it.
  package func showCommand(for attempt: AttemptRecord) -> String {
    command(["show", ShellText.word(attempt.key.address)] + options(identifying: attempt.key))
  }

  /// The options of the command that shows an attempt.
  package func showOptions(for key: AttemptKey) -> [String] {
    options(identifying: key) + placeOptions
  }

  /// The options that identify an attempt besides its address.
  ///
  /// They always name the run: a later run may have an attempt with the same address.
  private func options(identifying key: AttemptKey) -> [String] {
    var words: [String] = []
    if run.suites.first(where: { $0.id == key.suite })?.variants.count ?? 1 > 1 {
      words += ["--variant", ShellText.word(key.variant)]
    }
    if run.backends.count > 1 { words += ["--backend", ShellText.word(key.backend)] }
    return words + ["--run", "\(run.id)"]
  }

  /// The command that accepts the run as a baseline.
  var acceptCommand: String { command(["baseline", "accept", "\(run.id)"]) }

  /// The command that renews the baselines of some suites.
  func renewCommand(_ suites: [String]) -> String {
    command(["baseline", "renew"] + suites.map(ShellText.word))
  }

  /// The command that makes the missing attempts of the run.
  var resumeCommand: String { command(["run", "--resume", "\(run.id)"]) }

  /// The command that estimates how large a sample must be.
  func powerCommand(_ suite: SuiteRecord) -> String {
    command(["power", ShellText.word(file(of: suite))] + options(Self.powerOptions))
  }

  /// The command that tries each edit between the two variants on its own, or `nil` if the sides
  /// are from different runs, or if no lab can use the backend.
  func labCommand(_ record: ComparisonRecord, _ suite: SuiteRecord?, on backend: String) -> String?
  {
    guard record.baseline.isOfSameRun(as: record.candidate), let suite,
      let before = record.baseline.variant, let after = record.candidate.variant,
      // The stub reads no guides.
      run.backends.first(where: { $0.id == backend })?.isStub != true,
      let options = options(Self.labOptions, on: backend)
    else { return nil }
    let sides = [before, after].map { ShellText.word("\(suite.id):\($0)") }
    return command(["lab"] + sides + ["--suites", ShellText.word(file(of: suite))] + options)
  }

  /// The options with which the run was made, without those that a command doesn't take.
  private func options(_ names: [String]) -> [String] {
    let given = recordedOptions
    return names.flatMap { name in
      (given[name] ?? []).flatMap { value in
        ["--\(name)"] + (value.isEmpty ? [] : [ShellText.word(value)])
      }
    }
  }

  /// The same for a command that takes one backend, or `nil` if the run doesn't tell which model
  /// the backend had.
  private func options(_ names: [String], on backend: String) -> [String]? {
    guard run.backends.count > 1 else { return options(names) }
    let models = recordedOptions["model"] ?? []
    let own = models.filter { $0 == backend || Self.stem(of: $0) == backend }
    let chosen = own.count == 1 ? ["--model", own[0]] : ["--backend", backend]
    if own.count != 1, recordedOptions["backend"]?.contains(backend) != true { return nil }
    let names = names.filter { $0 != "backend" && $0 != "model" }
    return [chosen[0], ShellText.word(chosen[1])] + options(names)
  }

  /// The name of a model file without its folder and its extension, from which the ids of several
  /// local backends come.
  private static func stem(of path: String) -> Substring {
    let name = path.split(separator: "/").last ?? ""
    return name.hasSuffix(".gguf") ? name.dropLast(5) : name
  }

  /// The options with which the run was made, keyed by name.
  ///
  /// A run of an older version has none, but its backend says enough in most cases.
  private var recordedOptions: [String: [String]] {
    if let options = run.details.options { return options }
    return run.backends.map(\.id) == ["local"] ? [:] : ["backend": run.backends.map(\.id)]
  }
}
