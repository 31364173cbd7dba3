import EvalRecords
import EvalStatistics

/// The change of each slice's pass rate from its reference, with the verdict of the comparison.
///
/// The tables show the comparison's verdicts, and don't test the changes again.
struct SuiteChanges {
  private let findings: [SliceKey: SliceFinding]

  /// Creates a list of changes from the findings of a document's comparisons.
  init(_ document: ReportDocument) { findings = document.sliceFindings }

  /// Whether no slice was compared.
  var isEmpty: Bool { findings.isEmpty }

  /// The change of a slice's pass rate and its p-value, or `nil` if no comparison counted the
  /// slice's attempts.
  ///
  /// The p-value is adjusted if the comparison adjusted it.
  subscript(key: SliceKey) -> (change: ShareChange, adjustedP: Double?)? {
    guard let effect = findings[key]?.passRate, let change = ShareChange(effect) else { return nil }
    return (change, effect.adjustedP ?? effect.pValue)
  }

  /// Returns the number of compared attempts (` in 30 compared attempts`), or an empty string if
  /// all or none of the slice's attempts were compared.
  ///
  /// Attempts with fresh seeds count for the rate of a suite, but the baseline has no attempts to
  /// compare them with.
  func scope(_ slice: SliceSummary) -> String {
    guard let count = self[slice.key]?.change.after.count, count < slice.tally.attempts else {
      return ""
    }
    return " in \(NumberText.grouped(count)) compared attempts"
  }

  /// The quantity that made a slice improve or regress, or `nil` if the slice did neither.
  ///
  /// The result is also `nil` if the quantity is the pass rate and the reference is the baseline,
  /// because the tables show that change next to the verdict.
  func reason(_ key: SliceKey) -> String? {
    guard let deciding = findings[key]?.deciding,
      deciding.verdict == .regressed || deciding.verdict == .improved,
      deciding.quantity != .passRate || deciding.reference != .baseline
    else { return nil }
    return deciding.title
  }

  /// The verdict on a slice, or `nil` if no comparison includes the slice.
  func verdict(_ key: SliceKey) -> ComparisonVerdict? { findings[key]?.verdict }
}
