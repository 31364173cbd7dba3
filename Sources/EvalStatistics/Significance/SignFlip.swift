import EvalRecords
import SystemBasics

/// The sign-flip permutation test of a mean.
///
/// The sample is one number dᵢ per test case, for example the shift of a probability. If the true
/// shift is θ and the deviations from it are symmetric, each dᵢ − θ could equally well have had the
/// opposite sign. With N the set of test cases whose signs are flipped,
///
///     Σ sᵢ (dᵢ − θ) ≥ Σ (dᵢ − θ)   if and only if   Σ over N of (dᵢ − θ) ≤ 0
///
/// so the p-value of "the mean exceeds θ" is the share of subsets N (including the empty one) for
/// which the sum of dᵢ − θ is not positive (Hartigan 1969, "Using subsample values as typical
/// values").
///
/// With up to 20 values, the test counts all 2ⁿ subsets by a meet-in-the-middle algorithm. With
/// more values, it draws 9,999 random subsets from a seed and adds the empty subset.
package struct SignFlip: Sendable {
  /// The numbers, one per test case.
  package let values: [Double]
  /// Whether the test counts all subsets.
  package let isExact: Bool
  /// The means of the random subsets in ascending order; empty if the test is exact.
  private let subsetMeans: [Double]

  static let draws = 9_999

  /// Creates the test of a mean.
  ///
  /// - Parameters:
  ///   - values: The numbers, one per test case, all finite.
  ///   - seed: The seed for the random subsets.
  ///   - exactLimit: The maximum number of values for counting all subsets; at most 24.
  package init(_ values: [Double], seed: UInt64 = 1, exactLimit: Int = 20) {
    self.values = values
    isExact = values.count <= min(exactLimit, 24)
    guard !isExact else {
      subsetMeans = []
      return
    }
    subsetMeans = Self.drawnMeans(values, seed: seed)
  }

  /// Returns the means of random subsets, in ascending order.
  ///
  /// The function looks up eight values at a time in a table of their 256 subset sums.
  private static func drawnMeans(_ values: [Double], seed: UInt64) -> [Double] {
    var tables: [Double] = []
    tables.reserveCapacity(values.count * 32 + 256)
    for start in stride(from: 0, to: values.count, by: 8) {
      let base = tables.count
      tables.append(0)
      for offset in 0..<8 {
        let value = start + offset < values.count ? values[start + offset] : 0
        for index in 0..<(1 << offset) { tables.append(tables[base + index] + value) }
      }
    }
    let blocks = tables.count / 256
    let last = values.count - (blocks - 1) * 8
    let lastMask = (UInt64(1) << UInt64(last)) - 1
    var generator = SplitMix(seed: seed)
    var means: [Double] = []
    means.reserveCapacity(draws)
    for _ in 0..<draws {
      var (sum, count, bits) = (0.0, 0, UInt64(0))
      for block in 0..<blocks {
        if block.isMultiple(of: 8) { bits = generator.next() }
        let chosen = block == blocks - 1 ? bits & lastMask : bits & 0xFF
        sum += tables[block << 8 + Int(chosen)]
        count += chosen.nonzeroBitCount
        bits >>= 8
      }
      means.append(count == 0 ? -.infinity : sum / Double(count))
    }
    return means.sorted()
  }

  /// The mean of the values, or 0 if there are none.
  package var mean: Double { values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count) }

  /// Returns the one-sided p-value of "the mean is above `bound`".
  package func pValue(above bound: Double = 0) -> Double {
    guard !values.isEmpty else { return 1 }
    guard isExact else {
      let tolerance = 1e-12 * (abs(bound) + (subsetMeans.last.map(abs) ?? 0))
      return Double(count(upTo: bound + tolerance) + 1) / Double(Self.draws + 1)
    }
    return Self.shareNotPositive(values.map { $0 - bound })
  }

  /// Returns the one-sided p-value of "the mean is below `bound`".
  package func pValue(below bound: Double) -> Double { mirrored.pValue(above: -bound) }

  /// The two-sided p-value of "the mean is not zero".
  package var pValueTwoSided: Double {
    let observed = mean
    if observed == 0 { return 1 }
    return min(1, 2 * (observed > 0 ? pValue(above: 0) : pValue(below: 0)))
  }

  private var mirrored: SignFlip { SignFlip(mirroring: self) }

  private init(mirroring other: SignFlip) {
    values = other.values.map { -$0 }
    isExact = other.isExact
    // The empty subset (minus infinity) counts in both directions.
    subsetMeans = other.subsetMeans.map { $0.isFinite ? -$0 : $0 }.sorted()
  }

  /// Returns the number of random subset means that are at most `bound`, by binary search.
  private func count(upTo bound: Double) -> Int {
    var (low, high) = (0, subsetMeans.count)
    while low < high {
      let middle = (low + high) / 2
      if subsetMeans[middle] <= bound { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns the share of all subsets whose sum is at most zero.
  ///
  /// The values are divided into two halves of at most 12, so each half has at most 4,096 subset
  /// sums. Once both lists are sorted, a single pass counts the pairs whose total is at most zero.
  private static func shareNotPositive(_ values: [Double]) -> Double {
    let tolerance = 1e-12 * values.reduce(0) { $0 + abs($1) }
    let half = values.count / 2
    let left = subsetSums(values[..<half])
    let right = subsetSums(values[half...])
    var count = 0
    var reach = right.count
    for sum in left {
      while reach > 0, sum + right[reach - 1] > tolerance { reach -= 1 }
      count += reach
    }
    return Double(count) / Double(left.count * right.count)
  }

  /// Returns all subset sums in ascending order.
  ///
  /// Each value doubles the list: the sums without the value are merged with the sums that include
  /// it.
  private static func subsetSums(_ values: ArraySlice<Double>) -> [Double] {
    var sums = [0.0]
    for value in values {
      var merged: [Double] = []
      merged.reserveCapacity(sums.count * 2)
      var (i, j) = (0, 0)
      while i < sums.count || j < sums.count {
        if j == sums.count || (i < sums.count && sums[i] <= sums[j] + value) {
          merged.append(sums[i])
          i += 1
        } else {
          merged.append(sums[j] + value)
          j += 1
        }
      }
      sums = merged
    }
    return sums
  }
}
