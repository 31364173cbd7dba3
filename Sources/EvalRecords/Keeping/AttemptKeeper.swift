/// Decides which data of a run's attempts to keep: traces within a budget, and only digests of
/// texts for suites whose texts must not be stored.
///
/// Traces are by far the largest part of attempts. The keeper keeps traces in the order of the
/// attempts until the budget is used up. Passing attempts may use half of the budget, so a long run
/// still has room for the traces of failures. The keeper always keeps decisions. An attempt whose
/// trace is dropped records the number of its steps, and the run records the number of dropped
/// traces.
public struct AttemptKeeper: Sendable {
  /// The default budget of a run, in bytes.
  public static let defaultBudget = 64 << 20

  /// The numbers of traces that were kept and dropped so far.
  public private(set) var use: TraceUse
  private let rules: [Slice: Withholding]
  private let withheld: Set<String>

  private struct Slice: Hashable {
    var suite: String
    var variant: String
  }

  /// Creates a keeper.
  ///
  /// - Parameters:
  ///   - suites: The suites of the run.
  ///   - budget: The maximum number of bytes for traces.
  ///   - done: Attempts that the run already has, whose traces count towards the budget.
  public init(
    suites: [SuiteRecord], budget: Int = defaultBudget, done: [AttemptRecord] = []
  ) {
    use = TraceUse(budget: budget)
    var rules: [Slice: Withholding] = [:]
    let withheld = suites.filter { $0.details.store == .digests }
    for suite in withheld {
      for variant in suite.variants {
        rules[Slice(suite: suite.id, variant: variant.id)] = Withholding(schema: variant.schema)
      }
    }
    self.rules = rules
    self.withheld = Set(withheld.map(\.id))
    for attempt in done {
      if !attempt.trace.isEmpty { count(attempt) }
      if attempt.details.droppedSteps != nil { use.dropped += 1 }
    }
  }

  /// Returns an attempt with only the data to keep.
  public mutating func kept(_ attempt: AttemptRecord) -> AttemptRecord {
    if withheld.contains(attempt.key.suite) {
      let slice = Slice(suite: attempt.key.suite, variant: attempt.key.variant)
      return attempt.withholdingTexts(rules[slice] ?? Withholding(schema: nil))
    }
    guard !attempt.trace.isEmpty else { return attempt }
    let share = attempt.outcome == .pass ? use.budget / 2 : use.budget
    guard use.bytes + attempt.traceBytes <= share else {
      var attempt = attempt
      use.dropped += 1
      attempt.details.droppedSteps = attempt.trace.count
      attempt.trace = []
      return attempt
    }
    count(attempt)
    return attempt
  }

  private mutating func count(_ attempt: AttemptRecord) {
    use.bytes += attempt.traceBytes
    use.kept += 1
  }
}

extension AttemptRecord {
  /// The approximate number of bytes that the trace takes in the database.
  package var traceBytes: Int {
    trace.reduce(2) { sum, step in
      step.candidates.reduce(sum + step.text.utf8.count + step.path.utf8.count + 40) {
        $0 + $1.text.utf8.count + 48
      }
    }
  }
}
