import EvalRecords
import EvalStatistics

/// A test case on both sides of a comparison.
package struct ChangedCase: Sendable {
  /// The direction in which a test case changed, in the order of the list.
  package enum Direction: String, Sendable, CaseIterable {
    /// Fewer repeats pass.
    case broken
    /// More repeats pass.
    case fixed
    /// As many repeats pass.
    case same
  }

  /// The candidate's slice.
  package let slice: SliceSummary
  /// The candidate's test case.
  package let summary: CaseSummary
  /// The repeats that both sides made, in order.
  package let pairs: [(baseline: AttemptRecord, candidate: AttemptRecord)]
  /// The measured probability of the slice's most telling quantity on both sides, or `nil` if none
  /// was measured in the test case.
  package let probability: (quantity: Quantity, baseline: Double, candidate: Double)?

  /// The numbers of repeats that pass.
  package var passed: (baseline: Int, candidate: Int) {
    (
      pairs.count { $0.baseline.outcome == .pass }, pairs.count { $0.candidate.outcome == .pass }
    )
  }

  /// The direction of the change.
  package var direction: Direction {
    let passed = passed
    return passed.candidate < passed.baseline
      ? .broken : passed.candidate > passed.baseline ? .fixed : .same
  }

  /// The size of the change: first the share of repeats that changed, then the probability.
  private var size: (Double, Double) {
    let passed = passed
    return (
      Double(abs(passed.candidate - passed.baseline)) / Double(max(1, pairs.count)),
      probability.map { abs($0.candidate - $0.baseline) } ?? 0
    )
  }

  /// Returns the test cases of a document that have a counterpart in the reference: first those
  /// that broke, then those that were fixed, then the others, each with the largest change first.
  ///
  /// - Complexity: O(n log n) in the number of attempts.
  package static func all(in document: ReportDocument) -> [ChangedCase] {
    let found = document.summary.slices.flatMap { slice in cases(of: slice, in: document) }
    return Direction.allCases.flatMap { direction in
      found.filter { $0.direction == direction }.sorted { $0.size > $1.size }
    }
  }

  private static func cases(of slice: SliceSummary, in document: ReportDocument) -> [ChangedCase] {
    guard slice.tally.attempts > 0, let other = document.counterpart(of: slice.key),
      let reference = other.run.slice(other.key)
    else { return [] }
    let (summary, before) = (document.summary, other.run)
    let quantity = document.tellingQuantity(of: slice.key)
    func probabilities(_ run: RunSummary, _ slice: SliceSummary) -> [String: Double] {
      quantity.map {
        CaseProbabilities.values(
          of: $0, in: Array(run.attempts[slice.range]), of: slice.key, run: run.run)
      } ?? [:]
    }
    let (old, new) = (probabilities(before, reference), probabilities(summary, slice))
    let known = Dictionary(first: reference.cases.map { ($0.id, $0) })
    return slice.cases.compactMap { candidate in
      guard let baseline = known[candidate.id] else { return nil }
      let repeats = Dictionary(
        first: before.attempts[baseline.range].map { ($0.key.repeatIndex, $0) })
      let pairs = summary.attempts[candidate.range]
        .filter { document.paired.contains($0, of: slice.key) }
        .compactMap { attempt in
          repeats[attempt.key.repeatIndex].map { (baseline: $0, candidate: attempt) }
        }
      guard !pairs.isEmpty else { return nil }
      var probability: (quantity: Quantity, baseline: Double, candidate: Double)?
      if let quantity, let left = old[candidate.id], let right = new[candidate.id] {
        probability = (quantity, left, right)
      }
      return ChangedCase(
        slice: slice, summary: candidate, pairs: pairs, probability: probability)
    }
  }
}

extension ReportDocument {
  /// The quantity of the slice's most telling measured effect, or `nil` if nothing was measured.
  func tellingQuantity(of key: SliceKey) -> Quantity? {
    let effects = comparisons.flatMap(\.record.effects).filter {
      $0.place.candidate == key && $0.evidence == .measured
    }
    return
      (HeadlinePart.telling(effects).first ?? effects.min { ($0.pValue ?? 1) < ($1.pValue ?? 1) })?
      .quantity
  }
}
