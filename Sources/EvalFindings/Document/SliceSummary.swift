import EvalRecords
import EvalStatistics

/// One slice of a run: the counts and quantiles of its attempts.
package struct SliceSummary: Sendable {
  package let key: SliceKey
  package let suite: SuiteRecord?
  package let variant: VariantRecord?
  /// The range of the slice's attempts in ``RunSummary/attempts``.
  package let range: Range<Int>
  package let tally: Tally
  package let cases: [CaseSummary]
  package let gate: GateResultRecord?
  /// Seconds per attempt, of the attempts whose duration is known.
  package let duration: Quantiles
  /// Output tokens per attempt, where they are known.
  package let tokens: Quantiles
  /// Prompt tokens per attempt, where they are known.
  package let promptTokens: Quantiles
  /// The name of the slice in reports.
  package let name: String

  /// The share of attempts that passed.
  package var share: Share { tally.share }

  /// The number of test cases with both passes and failures.
  package var mixedCases: Int { cases.count { $0.tally.passed > 0 && $0.tally.notPassed > 0 } }
}

/// One test case in one slice, with the counts of its attempts.
package struct CaseSummary: Sendable {
  package let id: String
  package let record: CaseRecord?
  package let range: Range<Int>
  package let tally: Tally
  /// The number of separate draws among the attempts.
  package let draws: Int

  /// The share of attempts that passed.
  package var share: Share { Share(tally.passed, of: tally.attempts, draws: draws) }
}

/// The names of the slices of a run or of a history.
///
/// A name includes the variant only if the suite has several variants, and the backend only if
/// there are several backends.
package struct SliceNames: Sendable {
  private let variants: [String: Set<String>]
  private let backends: Set<String>

  init(_ keys: [SliceKey]) {
    variants = Dictionary(grouping: keys, by: \.suite).mapValues { Set($0.map(\.variant)) }
    backends = Set(keys.map(\.backend))
  }

  /// The parts of a slice's name besides the suite.
  package func parts(_ key: SliceKey) -> (variant: String?, backend: String?) {
    let isOnlyVariant = (variants[key.suite] ?? []).subtracting([key.variant]).isEmpty
    let isOnlyBackend = backends.subtracting([key.backend]).isEmpty
    return (isOnlyVariant ? nil : key.variant, isOnlyBackend ? nil : key.backend)
  }

  /// The name of a slice: `flashcards:bounded on local`.
  package func name(_ key: SliceKey) -> String {
    let (variant, backend) = parts(key)
    return key.suite + (variant.map { ":\($0)" } ?? "") + (backend.map { " on \($0)" } ?? "")
  }
}
