import EvalFindings
import EvalRecords
import EvalRunner
import EvalSessions
import EvalSuites
import ResultStore

/// Runs a second look at each suite in which a run's comparison suspects a regression.
struct SecondLooks {
  let options: RunOptions
  let context: ProgramContext

  /// Runs and stores the second looks.
  ///
  /// - Parameters:
  ///   - run: The run that was compared.
  ///   - attempts: The run's attempts.
  ///   - compared: Each baseline, and the comparison of the run with this baseline.
  ///   - suites: The suites of the run.
  /// - Throws: `SessionFailure` if a second look can't run or be stored.
  func run(
    after run: RunRecord, _ attempts: [AttemptRecord],
    _ compared: some Sequence<(SuiteBaseline, ComparisonRecord)>,
    _ suites: [Suite]
  ) async throws {
    let settings = options.settings
    // A recording has no answers for a second look, and a budget is for one run only.
    guard settings.backends.replay == nil, settings.budget == RunBudget() else { return }
    for (baseline, comparison) in compared {
      guard let look = SecondLook(baseline, comparison, suites: suites, run: run, attempts) else {
        continue
      }
      context.console.notes(
        "\n\(look.suite.id) is suspected of a regression: Assay sends the accepted and the current "
          + "request again, \(look.suite.repeats) times for each test case\n")
      var again = options
      again.settings.backends.ids = look.backends
      again.settings.secondLookOf = run.id
      again.settings.label = "second look"
      again.settings.repeats = nil
      again.settings.seed = nil
      again.settings.resume = nil
      again.settings.reusesAnswers = false
      again.settings.earlyStoppingAlpha = nil
      again.settings.freshRepeats = nil
      again.settings.selection = []
      again.settings.vanishedBaselines = []
      _ = try await again.run(
        [look.suite], comparing: look.comparison, isReported: false, in: context)
    }
  }
}
