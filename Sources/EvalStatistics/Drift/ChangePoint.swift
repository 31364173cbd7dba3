import EvalRecords
import SystemBasics

/// A point between two nights at which a history's pass rate changed.
public struct ChangePoint: Sendable, Hashable {
  /// The index of the first night after the change.
  public var index: Int
  /// The counts of the nights before the change, back to the previous change.
  public var before: HistoryPoint
  /// The counts of the nights after the change, up to the next change.
  public var after: HistoryPoint
  /// The p-value: the share of random orders of the nights that have a split at least as clear.
  public var pValue: Double

  /// Finds the changes in a history by binary segmentation.
  ///
  /// In each stretch of nights, the search looks for the split with the highest likelihood ratio:
  /// two rates, one on each side of the split, against one rate for the whole stretch. A
  /// permutation test then decides: the split is a change if at most a share `alpha` of random
  /// orders of the stretch's nights have an equally clear split. After a change, the search
  /// continues in both parts. If nothing ever changed, the chance of finding any change is at most
  /// `alpha`.
  ///
  /// - Parameters:
  ///   - history: The nights, oldest first.
  ///   - alpha: The significance level.
  ///   - seed: The seed for the random orders.
  /// - Returns: The changes, oldest first.
  /// - Complexity: O(nights × orders) for each stretch, with 999 orders.
  public static func find(
    _ history: [HistoryPoint], alpha: Double = 0.01, seed: UInt64 = 1
  ) -> [ChangePoint] {
    var changes: [ChangePoint] = []
    var stretches = [0..<history.count]
    while let stretch = stretches.popLast() {
      guard stretch.count > 1, let split = clearestSplit(history[stretch]), split.ratio > 1e-9
      else { continue }
      guard
        let pValue = pValue(history[stretch], ratio: split.ratio, alpha: alpha, seed: seed)
      else { continue }
      changes.append(
        ChangePoint(
          index: split.index, before: history[stretch.lowerBound..<split.index].pooled,
          after: history[split.index..<stretch.upperBound].pooled, pValue: pValue))
      stretches += [stretch.lowerBound..<split.index, split.index..<stretch.upperBound]
    }
    changes.sort { $0.index < $1.index }
    // A later split may have shortened a neighboring stretch.
    let ends = [0] + changes.map(\.index) + [history.count]
    for position in changes.indices {
      changes[position].before = history[ends[position]..<ends[position + 1]].pooled
      changes[position].after = history[ends[position + 1]..<ends[position + 2]].pooled
    }
    return changes
  }

  /// Returns the split with the highest log likelihood ratio in a stretch.
  ///
  /// If several splits have the same ratio, the first one wins.
  static func clearestSplit(_ stretch: ArraySlice<HistoryPoint>) -> (index: Int, ratio: Double)? {
    let all = stretch.pooled
    let whole = logLikelihood(all)
    var left = HistoryPoint(passed: 0, count: 0)
    var best: (index: Int, ratio: Double)?
    for index in stretch.indices.dropFirst() {
      left.passed += stretch[index - 1].passed
      left.count += stretch[index - 1].count
      let right = HistoryPoint(passed: all.passed - left.passed, count: all.count - left.count)
      guard left.count > 0, right.count > 0 else { continue }
      let ratio = logLikelihood(left) + logLikelihood(right) - whole
      if ratio > best?.ratio ?? -.infinity { best = (index, ratio) }
    }
    return best
  }

  private static let orders = 999

  /// Returns the p-value of a split, or `nil` if it is above the level.
  ///
  /// The method compares the ratio with the ratios of random permutations, and stops as soon as the
  /// p-value can no longer fall below the level. In a steady history, a few permutations are
  /// enough.
  private static func pValue(
    _ stretch: ArraySlice<HistoryPoint>, ratio: Double, alpha: Double, seed: UInt64
  ) -> Double? {
    var generator = SplitMix(seed: seed)
    var nights = Array(stretch)
    let tolerance = 1e-9 * max(1, ratio)
    var asClear = 0
    for _ in 0..<orders {
      nights.shuffle(using: &generator)
      if (clearestSplit(nights[...])?.ratio ?? 0) >= ratio - tolerance { asClear += 1 }
      if Double(asClear + 1) / Double(orders + 1) > alpha { return nil }
    }
    return Double(asClear + 1) / Double(orders + 1)
  }

  /// Returns the maximum log likelihood of the counts under a single rate, without constants.
  private static func logLikelihood(_ point: HistoryPoint) -> Double {
    let (count, passed) = (Double(point.count), Double(point.passed))
    func term(_ hits: Double) -> Double { hits > 0 ? hits * log(hits / count) : 0 }
    return term(passed) + term(count - passed)
  }
}
