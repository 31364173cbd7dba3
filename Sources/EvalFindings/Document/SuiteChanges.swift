import EvalRecords
import EvalStatistics

/// The change of each slice's pass rate from its reference, with the verdict of the comparison.
///
/// The tables show the comparison's verdicts, and don't test the changes again.
package struct SuiteChanges {
  private let findings: [SliceKey: SliceFinding]

  package init(_ document: ReportDocument) { findings = document.sliceFindings }

  /// Whether no slice was compared.
  package var isEmpty: Bool { findings.isEmpty }

  /// The change of a slice's pass rate and its p-value, or `nil` if no comparison counted the
  /// slice's attempts.
  ///
  /// The p-value is adjusted if the comparison adjusted it.
  package subscript(key: SliceKey) -> (change: ShareChange, adjustedP: Double?)? {
    guard let effect = findings[key]?.passRate, let change = ShareChange(effect) else { return nil }
    return (change, effect.adjustedP ?? effect.pValue)
  }

  /// The compared attempts of a slice that pass, in the baseline and in this run, if they aren't
  /// all of the slice's attempts.
  ///
  /// Attempts with fresh seeds and new test cases count for the rate of a suite, but the baseline
  /// has nothing to compare them with. The change is the difference of these two shares.
  package func part(_ slice: SliceSummary) -> (before: Share, now: Share)? {
    guard let change = self[slice.key]?.change,
      change.after.hits != slice.share.hits || change.after.count != slice.share.count
    else { return nil }
    return (change.before, change.after)
  }

  /// The effect that decided the verdict on a slice, or `nil` if the pass rate has the same
  /// verdict.
  ///
  /// Its numbers stand in a row of their own, because a row shows only one effect.
  package func other(_ key: SliceKey) -> EffectRecord? {
    guard let finding = findings[key], finding.passRate?.verdict != finding.verdict else {
      return nil
    }
    return finding.deciding
  }

  /// The verdict that belongs to the numbers in a slice's own row, or `nil` if nothing tested them.
  package func ownVerdict(_ key: SliceKey) -> ComparisonVerdict? {
    other(key) == nil ? verdict(key) : findings[key]?.passRate?.verdict
  }

  /// The slices in the order of tables: those that got worse or missed their gate come first.
  package func worstFirst(_ document: ReportDocument) -> [SliceSummary] {
    func rank(_ slice: SliceSummary) -> Int {
      verdict(slice.key)?.news == .bad ? 0 : document.isMissed(slice) ? 1 : 2
    }
    return document.summary.slices.sorted { rank($0) < rank($1) }
  }

  /// The verdict on a slice, or `nil` if no comparison includes the slice.
  package func verdict(_ key: SliceKey) -> ComparisonVerdict? { findings[key]?.verdict }
}
