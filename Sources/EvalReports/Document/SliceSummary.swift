import EvalRecords
import EvalStatistics

/// One slice of a run: the counts and quantiles of its attempts.
struct SliceSummary: Sendable {
  let key: SliceKey
  let suite: SuiteRecord?
  let variant: VariantRecord?
  /// The range of the slice's attempts in ``RunSummary/attempts``.
  let range: Range<Int>
  let tally: Tally
  let cases: [CaseSummary]
  let gate: GateResultRecord?
  /// Seconds per attempt.
  let duration: Quantiles
  /// Output tokens per attempt.
  let tokens: Quantiles
  /// Prompt tokens per attempt.
  let promptTokens: Quantiles
  /// The name of the slice in reports.
  let name: String

  /// The share of attempts that passed.
  var share: Share { tally.share }

  /// The number of test cases with both passes and failures.
  var mixedCases: Int { cases.count { $0.tally.passed > 0 && $0.tally.notPassed > 0 } }
}

/// One test case in one slice, with the counts of its attempts.
struct CaseSummary: Sendable {
  let id: String
  let record: CaseRecord?
  let range: Range<Int>
  let tally: Tally
  /// The number of separate draws among the attempts.
  let draws: Int

  /// The share of attempts that passed.
  var share: Share { Share(tally.passed, of: tally.attempts, draws: draws) }
}

/// The names of the slices of a run or of a history.
///
/// A name includes the variant only if the suite has several variants, and the backend only if
/// there are several backends.
struct SliceNames: Sendable {
  private let variants: [String: Set<String>]
  private let backends: Set<String>

  init(_ keys: [SliceKey]) {
    variants = Dictionary(grouping: keys, by: \.suite).mapValues { Set($0.map(\.variant)) }
    backends = Set(keys.map(\.backend))
  }

  /// The parts of a slice's name besides the suite.
  func parts(_ key: SliceKey) -> (variant: String?, backend: String?) {
    let isOnlyVariant = (variants[key.suite] ?? []).subtracting([key.variant]).isEmpty
    let isOnlyBackend = backends.subtracting([key.backend]).isEmpty
    return (isOnlyVariant ? nil : key.variant, isOnlyBackend ? nil : key.backend)
  }

  /// The name of a slice: `flashcards:bounded on local`.
  func name(_ key: SliceKey) -> String {
    let (variant, backend) = parts(key)
    return key.suite + (variant.map { ":\($0)" } ?? "") + (backend.map { " on \($0)" } ?? "")
  }
}
