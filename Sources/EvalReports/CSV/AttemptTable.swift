import EvalFindings
public import EvalRecords
import StructuredText

/// The attempts of runs as CSV for spreadsheets and data frames, with one row for each attempt.
///
/// Four columns count the verdicts, and one names the failed assertions. The columns `verdicts` and
/// `metrics` hold JSON objects with every verdict and metric by name. Decisions and traces are only
/// in the database and in the JSON Lines of `assay export`. Missing values are empty fields.
public struct AttemptTable {
  private var csv = CSVText()

  /// The names of the columns, in order.
  public static let columns = [
    "run", "label", "started_at", "commit", "suite", "variant", "backend", "model", "case",
    "repeat", "seed", "outcome", "stop_reason", "failure_kind", "failure_message",
    "prompt_tokens", "output_tokens", "forced_tokens", "seconds", "constraint_pressure",
    "format_pressure", "content_pressure", "verdicts_passed", "verdicts_failed", "verdicts_vacuous",
    "verdicts_unknown", "failed_assertions", "cached", "title", "tags", "input", "expected",
    "verdicts", "metrics", "score", "output",
  ]

  /// Creates a table without rows.
  public init() {
    csv.row(Self.columns.map { .text($0) })
  }

  /// The table as text, with CR LF after each row.
  ///
  /// The text begins with a byte order mark: without one, Excel reads the text in the machine's
  /// code page and not as UTF-8.
  public var text: String { "\u{FEFF}" + csv.text }

  /// Adds the attempts of a run.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - attempts: Its attempts, in the order of the rows.
  public mutating func add(_ run: RunRecord, _ attempts: [AttemptRecord]) {
    let models = Dictionary(first: run.backends.map { ($0.id, $0.model) })
    var cases: [[String]: CaseRecord] = [:]
    for suite in run.suites {
      for record in suite.cases { cases[[suite.id, record.id]] = record }
    }
    for attempt in attempts {
      let record = cases[[attempt.key.suite, attempt.key.caseID]]
      csv.row(Self.row(attempt, record, of: run, models))
    }
  }

  private static func row(
    _ attempt: AttemptRecord, _ record: CaseRecord?, of run: RunRecord,
    _ models: [String: String]
  ) -> [CSVText.Field] {
    func optional(_ text: String?) -> CSVText.Field { text.map { .text($0) } ?? .none }
    func count(_ verdict: Verdict) -> CSVText.Field {
      .integer(attempt.verdicts.count { $0.verdict == verdict })
    }
    let key = attempt.key
    let measures = attempt.measures
    let failed = attempt.verdicts.filter { $0.verdict == .fail }.map(\.assertion)
    return [
      .integer(run.id), .text(run.label), .text(run.startedAt), optional(run.commit),
      .text(key.suite), .text(key.variant), .text(key.backend), optional(models[key.backend]),
      .text(key.caseID), .integer(key.repeatIndex),
      // A seed is an unsigned 64-bit number, which may not fit into the `Int` of an integer field.
      .text("\(attempt.seed)"), .text(attempt.outcome.rawValue),
      .text(attempt.stopReason.rawValue), optional(attempt.failure?.kind.rawValue),
      optional(attempt.failure?.message),
      measures.promptTokens.map { .integer($0) } ?? .none,
      measures.outputTokens.map { .integer($0) } ?? .none, .integer(attempt.forcedTokens),
      measures.seconds.map { .number($0) } ?? .none,
      measures.pressure.map { .number($0) } ?? .none,
      attempt.details.pressure.map { .number($0.format) } ?? .none,
      attempt.details.pressure.map { .number($0.content) } ?? .none,
      count(.pass), count(.fail), count(.vacuous), count(.unknown),
      .text(failed.joined(separator: "; ")),
      .integer(attempt.details.isCached == true ? 1 : 0), optional(record?.title),
      optional(record?.tags.joined(separator: "; ")),
      optional(record.map { $0.variables == .null ? "" : $0.variables.compactText }),
      optional(
        record?.expectedBranches.map { "\($0.path) \($0.branch)" }.joined(separator: "; ")),
      .text(verdicts(attempt)), .text(metrics(attempt)),
      attempt.details.score.map { .number($0) } ?? .none, .text(attempt.output),
    ]
  }

  /// The assertions' verdicts as JSON, keyed by assertion name, or an empty string if there are
  /// none.
  private static func verdicts(_ attempt: AttemptRecord) -> String {
    object(attempt.verdicts.map { ($0.assertion, .string($0.verdict.rawValue)) })
  }

  /// The metrics' values as JSON, keyed by metric name, or an empty string if there are none.
  private static func metrics(_ attempt: AttemptRecord) -> String {
    object(
      (attempt.details.metrics ?? [:]).sorted { $0.key < $1.key }
        .map { ($0.key, .number(JSONNumber($0.value))) })
  }

  /// Returns the text of a JSON object with the given members, or an empty string if there are
  /// none.
  ///
  /// A name that appears again gets a number: `name (2)`.
  private static func object(_ members: [(String, JSONValue)]) -> String {
    var uses: [String: Int] = [:]
    let named = members.map { name, value in
      let use = uses[name, default: 0] + 1
      uses[name] = use
      return (key: use == 1 ? name : "\(name) (\(use))", value: value)
    }
    return named.isEmpty ? "" : JSONValue.object(JSONObject(named)).compactText
  }
}
