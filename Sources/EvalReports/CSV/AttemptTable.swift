public import EvalRecords

/// The attempts of runs as CSV, one row for each, for spreadsheets and data frames.
///
/// Verdicts are counted, and the failed ones named; decisions and traces are in JSON Lines and in the
/// database. Missing values are empty fields.
public struct AttemptTable {
  private var csv = CSVText()

  /// The names of the columns, in order.
  public static let columns = [
    "run", "label", "started_at", "commit", "suite", "variant", "backend", "model", "case",
    "repeat", "seed", "outcome", "stop_reason", "failure_kind", "failure_message",
    "prompt_tokens", "output_tokens", "forced_tokens", "seconds", "constraint_pressure",
    "format_pressure", "content_pressure", "verdicts_passed", "verdicts_failed", "verdicts_vacuous",
    "failed_assertions", "cached",
    "output",
  ]

  /// Makes a table that has only the names of its columns.
  public init() {
    csv.row(Self.columns.map { .text($0) })
  }

  /// The table as text, with CR LF after each row.
  public var text: String { csv.text }

  /// Adds the attempts of a run.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - attempts: Its attempts, in the order of the rows.
  public mutating func add(_ run: RunRecord, _ attempts: [AttemptRecord]) {
    let models = Dictionary(
      run.backends.map { ($0.id, $0.model) }, uniquingKeysWith: { first, _ in first })
    for attempt in attempts { csv.row(Self.row(attempt, of: run, models)) }
  }

  private static func row(
    _ attempt: AttemptRecord, of run: RunRecord, _ models: [String: String]
  ) -> [CSVText.Field] {
    func optional(_ text: String?) -> CSVText.Field { text.map { .text($0) } ?? .none }
    func count(_ verdict: Verdict) -> CSVText.Field {
      .integer(attempt.verdicts.count { $0.verdict == verdict })
    }
    let key = attempt.key
    let failed = attempt.verdicts.filter { $0.verdict == .fail }.map(\.assertion)
    return [
      .integer(run.id), .text(run.label), .text(run.startedAt), optional(run.commit),
      .text(key.suite), .text(key.variant), .text(key.backend), optional(models[key.backend]),
      .text(key.caseID), .integer(key.repeatIndex),
      // A seed is 64 bits; as digits it survives readers that have only doubles.
      .text("\(attempt.seed)"), .text(attempt.outcome.rawValue),
      .text(attempt.stopReason.rawValue), optional(attempt.failure?.kind.rawValue),
      optional(attempt.failure?.message), .integer(attempt.promptTokens),
      .integer(attempt.outputTokens), .integer(attempt.forcedTokens), .number(attempt.duration),
      .number(attempt.constraintPressure),
      attempt.details.pressure.map { .number($0.format) } ?? .none,
      attempt.details.pressure.map { .number($0.content) } ?? .none,
      count(.pass), count(.fail), count(.vacuous),
      .text(failed.joined(separator: "; ")),
      .integer(attempt.details.isCached == true ? 1 : 0), .text(attempt.output),
    ]
  }
}
