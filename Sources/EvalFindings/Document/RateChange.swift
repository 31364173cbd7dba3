import EvalRecords
import EvalStatistics

/// A rate of a run beside the same rate of the baseline, with numbers of a single quantity.
///
/// If a comparison tested the rate, the numbers are those that it tested.
package struct RateChange {
  /// The rate.
  package let row: RateRow
  /// The comparison's effect on the rate, or `nil` if no comparison tested it.
  package let effect: EffectRecord?
  /// The rate of this run, for a row without an effect.
  package let now: Share
  /// The rate of the baseline, for a row without an effect.
  package let before: Share?
  /// The difference of the two rates, or `nil` if they count different test cases.
  package let share: ShareChange?

  package init(_ row: RateRow, in document: ReportDocument) {
    self.row = row
    effect = row.effect(in: document.sliceFindings)
    let pooled =
      effect == nil && row.slice == nil && row.quantity == .passRate
      ? document.comparedPasses(of: row.slices) : nil
    let rates = (before: pooled?.before ?? row.before, now: pooled?.now ?? row.now)
    (before, now) = rates
    let isAlike = pooled != nil || document.hasSameCases(row)
    share = isAlike ? rates.before.map { ShareChange(from: $0, to: rates.now) } : nil
  }

  /// The name of the compared quantity.
  package var name: String {
    guard let effect else { return row.name }
    // A row counts the attempts that took a branch, and an effect those that missed it.
    let isOpposite = if case .missedBranch = effect.quantity { true } else { false }
    return isOpposite || effect.evidence == .measured || effect.quantity != row.quantity
      ? VisibleText.line(effect.title) : row.name
  }

  /// The rate of all attempts, if the row shows other numbers.
  package var remark: String {
    if let effect {
      let isSame =
        effect.candidate.hits == row.now.hits && effect.candidate.count == row.now.count
      return isSame ? "" : "\(name == row.name ? "all attempts" : row.name): \(row.now.counts)"
    }
    let isSame = now.hits == row.now.hits && now.count == row.now.count
    return isSame ? "" : "compared attempts; all attempts: \(row.now.counts)"
  }

  /// Whether the row says nothing that the row about empty arrays doesn't say, which comes before
  /// it: no comparison tested how long the arrays are.
  package var isRestated: Bool {
    if case .arrayLength = row.quantity { effect == nil } else { false }
  }

  /// Whether the row is about one suite, and its rate did not clearly change.
  package var isQuiet: Bool {
    guard row.slice != nil else { return false }
    if let effect { return effect.verdict == .ok }
    return interval.map { $0.low <= 0 && $0.high >= 0 } ?? true
  }

  /// The interval of the change, or `nil` if there is no change.
  package var interval: (low: Double, high: Double)? {
    effect.map { ($0.changeLow, $0.changeHigh) } ?? share.map { ($0.low, $0.high) }
  }
}

extension ReportDocument {
  /// The compared attempts of some slices that pass, in the baseline and in this run, or `nil` if a
  /// slice was not compared.
  package func comparedPasses(of slices: Set<SliceKey>) -> (before: Share, now: Share)? {
    let findings = sliceFindings
    // Sums of floating-point numbers depend on their order.
    let ordered = summary.slices.map(\.key).filter(slices.contains)
    let changes = ordered.compactMap { findings[$0]?.passRate.flatMap { ShareChange($0) } }
    guard !changes.isEmpty, changes.count == slices.count else { return nil }
    return (Share(adding: changes.map(\.before)), Share(adding: changes.map(\.after)))
  }

  /// Returns whether the baseline and this run count the same test cases in a rate.
  fileprivate func hasSameCases(_ row: RateRow) -> Bool {
    let keys =
      row.slice.map { [$0] } ?? (row.slices.isEmpty ? judgedSlices.map(\.key) : Array(row.slices))
    func cases(_ slice: SliceSummary?) -> Set<String> {
      Set((slice?.cases ?? []).filter { $0.tally.attempts > 0 }.map(\.id))
    }
    return keys.allSatisfy { key in
      guard let before = before(key), before.tally.attempts > 0 else { return true }
      return cases(before) == cases(summary.slice(key))
    }
  }
}
