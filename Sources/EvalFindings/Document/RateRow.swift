import EvalRecords
import EvalStatistics
import StructuredText

/// A rate that readers judge a run by, in this run and in the baseline.
package struct RateRow: Sendable {
  /// The counted quantity.
  ///
  /// A row about a missed branch counts the opposite, its recall: the attempts that chose the
  /// branch among those that should have.
  package let quantity: Quantity
  /// The slice, or `nil` if the row pools several slices.
  package let slice: SliceKey?
  /// The slices whose pass rate the row pools, or an empty set if the row isn't a pooled pass rate.
  package var slices: Set<SliceKey> = []
  package let name: String
  package let scope: String
  /// The id of the page's section with the details.
  package let target: String
  package let now: Share
  package let before: Share?

  package var higherIsBetter: Bool { quantity.isGoodInReports }

  /// Whether the rate is less than perfect; the page emphasizes such rates.
  package var isBad: Bool {
    now.count > 0 && (higherIsBetter ? now.hits < now.count : now.hits > 0)
  }

  /// The same rate in another run, or `nil` if that run didn't count it.
  package func share(in entry: HistoryEntry) -> Share? {
    if let slice {
      return entry.slice(slice)?.share(of: quantity)
    }
    guard quantity == .passRate else { return nil }
    let slices = entry.judged.filter { self.slices.contains($0.key) }
    return slices.isEmpty ? nil : Share(pooling: slices.map(\.share))
  }
}

extension RateRow {
  /// The comparison's effect on this rate, or `nil` if no comparison tested the rate.
  ///
  /// A comparison tests each suite, but not several suites together.
  package func effect(in findings: [SliceKey: SliceFinding]) -> EffectRecord? {
    guard let slice else {
      guard quantity == .passRate, slices.count == 1 else { return nil }
      return slices.first.flatMap { findings[$0]?.passRate }
    }
    return findings[slice]?.effect { tested in
      // A comparison tests arrays that are too short, and a row counts all lengths out of bounds.
      if case (.arrayLength(let path), .shortArray(_, let other)) = (quantity, tested) {
        return path == other
      }
      return tested == quantity
    }
  }
}

extension Quantity {
  /// Whether a higher rate is good news, as reports count the quantity.
  package var isGoodInReports: Bool {
    switch self {
    case .passRate, .validOutput, .arrayLength, .missedBranch: true
    case .emptyArray, .missingArray, .shortArray, .wrongBranch, .failedAssertion: false
    }
  }
}

extension ReportDocument {
  /// Returns the regressed or improved effects that count for the verdict but have no row.
  ///
  /// The page adds rows for them, so that its tables show everything that the headline counts.
  package func movedEffects(notIn rows: [RateRow]) -> [EffectRecord] {
    let findings = sliceFindings
    let shown = rows.compactMap { $0.effect(in: findings) }
    return comparisons.flatMap(\.record.effects).filter { effect in
      effect.isGating && (effect.verdict == .regressed || effect.verdict == .improved)
        && !shown.contains(effect)
    }
  }

  /// The counts of several slices added up, in this run and in the baseline.
  package struct PooledSlices {
    package let slices: Set<SliceKey>
    package let now: Tally
    package let before: Tally?
    /// The number of included slices in words: `all`, or `2 of 6` if only two of six slices have a
    /// baseline.
    package let scope: String
  }

  /// Adds up the slices' counts.
  ///
  /// If only some slices have a baseline, both sums include only those slices, because the rate of
  /// two suites can't be compared with the rate of six.
  package func pooled(_ all: [SliceSummary]) -> PooledSlices {
    let compared = all.filter { (before($0.key)?.tally.attempts ?? 0) > 0 }
    let slices = compared.isEmpty ? all : compared
    return PooledSlices(
      slices: Set(slices.map(\.key)), now: slices.reduce(Tally()) { $0 + $1.tally },
      before: compared.isEmpty
        ? nil : compared.compactMap { before($0.key)?.tally }.reduce(Tally(), +),
      scope: slices.count == all.count ? "all" : "\(slices.count) of \(all.count)")
  }

  /// The judged slices' rates: passes, valid outputs, empty arrays, array lengths and branches.
  package var rates: [RateRow] {
    let judged = judgedSlices.filter { $0.tally.attempts > 0 }
    let keys = Set(judged.map(\.key))
    var rows = passingRates(judged) + decodedRates(judged)
    var seen: Set<[String]> = []
    for lengths in summary.lengths where keys.contains(lengths.slice) {
      guard seen.insert([lengths.sliceName, lengths.path]).inserted else { continue }
      rows += lengthRates(lengths)
    }
    for confusion in summary.confusions where keys.contains(confusion.slice) {
      rows += branchRates(confusion)
    }
    return rows
  }

  /// The rates in order: first the rates that pool suites, then the rates that a comparison found
  /// worse, then the others.
  package var ratesWorstFirst: [RateRow] {
    let findings = sliceFindings
    func rank(_ row: RateRow) -> Int {
      row.slice == nil ? 0 : row.effect(in: findings)?.verdict == .regressed ? 1 : 2
    }
    return rates.sorted { rank($0) < rank($1) }
  }

  private func passingRates(_ slices: [SliceSummary]) -> [RateRow] {
    slices.map(\.key.backend).distinct.map { backend in
      let pooled = pooled(slices.filter { $0.key.backend == backend })
      return RateRow(
        quantity: .passRate, slice: nil, slices: pooled.slices,
        name: "Attempts passing", scope: "\(pooled.scope) on \(backend)", target: "suites",
        now: pooled.now.share, before: pooled.before?.share)
    }
  }

  private func decodedRates(_ slices: [SliceSummary]) -> [RateRow] {
    let pooled = pooled(slices)
    let row = RateRow(
      quantity: .validOutput, slice: nil, name: "Valid output returned", scope: pooled.scope,
      target: "failures", now: pooled.now.decodedShare, before: pooled.before?.decodedShare)
    return !summary.clusters.isEmpty || pooled.now.attempts == 0 ? [row] : []
  }

  private func lengthRates(_ first: LengthSummary) -> [RateRow] {
    let now = summary.lengths.filter { $0.slice == first.slice && $0.path == first.path }
    // The rate is a share of the attempts, as in findings and gates. But for arrays within other
    // arrays, it is a share of the inner arrays.
    let isNested = JSONPlace.isPattern(first.path)
    func share(
      _ lengths: [LengthSummary], _ slice: SliceSummary?, _ isHit: (Int) -> Bool
    ) -> Share {
      guard !isNested, let slice else { return LengthSummary.share(of: lengths, isHit) }
      return slice.tally.share(
        of: lengths.reduce(into: [:]) { $0.merge($1.hits(isHit), uniquingKeysWith: +) })
    }
    let slice = summary.slice(first.slice)
    let lengths = lengthsBefore(first)
    let sliceBefore = self.before(first.slice)
    // The baseline has no rate for a slice that it lacks.
    let before = lengths.flatMap { share($0, sliceBefore) { _ in true }.count > 0 ? $0 : nil }
    let scope = "\(first.sliceName), \(isNested ? "of all arrays" : "of all attempts")"
    var rows = [
      RateRow(
        quantity: .emptyArray(path: first.path), slice: first.slice,
        name: "Empty arrays, \(first.path)", scope: scope, target: "lengths",
        now: share(now, slice) { $0 == 0 },
        before: before.map { share($0, sliceBefore) { $0 == 0 } })
    ]
    if first.isBounded {
      rows.append(
        RateRow(
          quantity: .arrayLength(path: first.path), slice: first.slice,
          name: "Array length \(first.boundText), \(first.path)", scope: scope,
          // Use the bound of this run for both sides, even if the baseline's bound was different.
          target: "lengths", now: share(now, slice, first.isWithin),
          before: before.map { share($0, sliceBefore, first.isWithin) }))
    }
    return rows
  }

  private static func wrongCase(_ path: String) -> String {
    path == "$" ? "Wrong branch at the top level" : "Wrong branch at \(path)"
  }

  private func branchRates(_ confusion: ConfusionSummary) -> [RateRow] {
    let before = confusionBefore(confusion)
    var rows = [
      RateRow(
        quantity: .wrongBranch(path: confusion.path), slice: confusion.slice,
        name: Self.wrongCase(confusion.path), scope: confusion.sliceName, target: "branches",
        now: confusion.wrongShare, before: before?.wrongShare)
    ]
    if let out = confusion.outBranch, confusion.recall(out).count > 0 {
      let name = confusion.branches[out]
      rows.append(
        RateRow(
          quantity: .missedBranch(name, path: confusion.path), slice: confusion.slice,
          name: "Recall of the fallback case “\(name)”", scope: confusion.sliceName,
          target: "branches",
          now: confusion.recall(out),
          before: before.flatMap { run in
            run.branches.firstIndex(of: name).map { run.recall($0) }
          }))
    }
    return rows
  }
}
