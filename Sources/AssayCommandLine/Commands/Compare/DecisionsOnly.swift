import EvalFindings
import EvalRecords
import EvalReports
import EvalSessions
import EvalStatistics
import EvalSuites
import SystemBasics

/// `assay compare --decisions-only`: compares the measured probabilities of two variants, and stops
/// each answer as soon as they are known.
struct DecisionsOnly {
  let options: RunOptions
  let rules: ComparisonRules
  let context: ProgramContext

  /// The result as JSON.
  private struct Output: Encodable {
    var comparisons: [ComparisonRecord]
    var attempts: Int
    var outputTokens: Int
    var exit: Int32
  }

  /// Compares two variants.
  ///
  /// - Parameters:
  ///   - selected: The suite with the two variants.
  ///   - comparison: The two variants.
  ///   - judging: The rule that turns the conclusion into an exit status.
  func run(
    _ selected: [Suite], _ comparison: VariantComparison, judging: Judging
  ) async throws -> ExitStatus {
    let console = context.console
    console.warn(of: selected)
    let view = LiveView(
      console: console, failures: .none, isGated: false, isJudged: false,
      now: context.evaluation.now)
    let evaluation = Evaluation(options.settings, in: context.evaluation) { view.receive($0) }
    let redrawing = view.redrawing()
    defer { redrawing.end() }
    let outcome = try await context.interruptible {
      try await evaluation.decisions(of: selected, comparing: comparison)
    }
    let records = try VariantComparisons.comparisons(
      of: outcome.run, outcome.attempts, decisionsOnly: true
    ).map(\.record)
    let status = judging.status(
      of: Conclusion(
        outcome.run, outcome.attempts, gates: [], verdicts: records.map(\.verdict)))
    let tokens = outcome.attempts.reduce(0) { $0 + $1.outputTokens }
    if options.output.isJSON {
      let encoder = JSONEncoder()
      encoder.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      let output = Output(
        comparisons: records, attempts: outcome.attempts.count, outputTokens: tokens,
        exit: status.rawValue)
      console.output(String(decoding: try encoder.encode(output), as: UTF8.self) + "\n")
    } else {
      console.output(
        TerminalReport.render(measured: records, color: console.outputStyle.isOn)
          + "  \(outcome.attempts.count.counted("attempt")), \(tokens.counted("token")), "
          + "\(outcome.duration.text(decimals: 1)) s, nothing stored, "
          + "exit \(status.rawValue)\n")
    }
    return status
  }
}
