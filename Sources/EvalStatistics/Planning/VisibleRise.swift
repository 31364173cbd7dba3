import SystemBasics

/// The smallest rise of a counted rate that the whole rule (``CountedTest``) finds with a
/// probability of 80 %, by normal approximations.
///
/// The rise is spread over all test cases: each of them loses the same share of its good attempts.
/// The result agrees with simulations of the rule to within a few percentage points; the simulation
/// itself (``RulePower``) takes far too long for every quantity of every night.
struct VisibleRise: Sendable {
  /// One test case: its rate of bad attempts in the baseline, and the number of its draws.
  private struct Case: Sendable {
    var rate: Double
    var draws: Double
  }

  /// The probability with which the rise is found.
  private static let power = 0.8
  /// The least share of paired draws that differ by chance after an edit, as ``RulePower`` assumes.
  private static let leastResampled = 0.3

  private let cases: [Case]
  /// The share of the draws that differ between the sides by chance, or `nil` if all draws are
  /// independent.
  private let resampled: Double?
  private let margin: Double

  /// Creates the rule for the draws of a comparison.
  ///
  /// - Parameters:
  ///   - counts: The bad attempts of each test case.
  ///   - toBetter: The number of pairs that flipped to good, or `nil` if the seeds differ.
  ///   - samplesNothing: Whether no draw varies by chance.
  ///   - margin: The tolerated mean change.
  init(_ counts: [CountedTest.Case], toBetter: Int?, samplesNothing: Bool, margin: Double) {
    cases = counts.map { entry in
      // A test case that never failed in a few draws may still fail sometimes.
      let rate = entry.baseline.rate
      return Case(
        rate: samplesNothing ? rate : min(0.98, max(0.02, rate)),
        draws: Double(min(entry.baseline.count, entry.candidate.count)))
    }
    self.margin = margin
    if samplesNothing {
      resampled = 0
    } else if let toBetter {
      // If a draw is resampled, it flips to good with the probability p (1 − p).
      let flips = cases.reduce(0) { $0 + $1.draws * $1.rate * (1 - $1.rate) }
      resampled = min(1, max(Self.leastResampled, flips > 0 ? Double(toBetter) / flips : 0))
    } else {
      resampled = nil
    }
  }

  /// Returns the smallest rise that is found, or 1 if not even the loss of all good attempts is.
  ///
  /// - Parameter level: The significance level of the test.
  func smallest(level: Double) -> Double {
    let draws = cases.reduce(0) { $0 + $1.draws }
    guard draws > 0 else { return 1 }
    let limits = Limits(level: level, cases: cases.count)
    guard isFound(1, limits) else { return 1 }
    var (missed, found) = (0.0, 1.0)
    for _ in 0..<20 {
      let middle = (missed + found) / 2
      if isFound(middle, limits) { found = middle } else { missed = middle }
    }
    return found * cases.reduce(0) { $0 + (1 - $1.rate) * $1.draws } / draws
  }

  /// The critical values of the tests.
  private struct Limits {
    let normal: Double
    /// The critical value of the test over test cases, or `nil` if there are too few of them.
    let student: Double?
    /// The fewest flips whose p-value can be significant.
    let flips: Double
    let power = Normal.quantile(VisibleRise.power)
    /// The mean of the two largest of as many normal variables as there are test cases.
    let extremes: Double

    init(level: Double, cases: Int) {
      normal = Normal.quantile(1 - level)
      let count = Double(cases)
      student =
        cases > 1 && exp2(-count) <= level
        ? StudentT.quantile(1 - level, degrees: cases - 1) : nil
      flips = log2(1 / level)
      extremes =
        cases > 2
        ? (Normal.quantile((count - 0.375) / (count + 0.25))
          + Normal.quantile((count - 1.375) / (count + 0.25))) / 2 : 0
    }
  }

  /// The moments of the rises of all test cases after each of them lost a share of its good
  /// attempts.
  private struct Moments {
    var draws = 0.0
    /// The expected number of additional bad draws, and its variance.
    var rise = 0.0
    var variance = 0.0
    /// The expected number of draws that flip to good.
    var toBetter = 0.0
    /// The variance of `rise` if both sides had the same rates.
    var nullVariance = 0.0
    /// The test cases' expected rises, and the sum of the variances of the observed ones.
    var rises: [Double] = []
    var noise = 0.0
  }

  private func moments(_ share: Double) -> Moments {
    var moments = Moments()
    for entry in cases where entry.draws > 0 {
      let rise = (1 - entry.rate) * share
      let after = entry.rate + rise
      var variance = entry.rate * (1 - entry.rate) + after * (1 - after)
      if let resampled {
        let toBetter = resampled * entry.rate * (1 - after)
        let toWorse = (1 - resampled) * rise + resampled * after * (1 - entry.rate)
        variance = max(0, toWorse + toBetter - rise * rise)
        moments.toBetter += toBetter * entry.draws
      }
      let middle = (entry.rate + after) / 2
      moments.nullVariance += 2 * middle * (1 - middle) * entry.draws
      moments.draws += entry.draws
      moments.rise += rise * entry.draws
      moments.variance += variance * entry.draws
      moments.rises.append(rise)
      moments.noise += variance / entry.draws
    }
    return moments
  }

  private func isFound(_ share: Double, _ limits: Limits) -> Bool {
    let moments = moments(share)
    let deviation = moments.variance.squareRoot()
    // In four of five comparisons, the rise is at least this large.
    let rise = moments.rise - limits.power * deviation
    guard rise > margin * moments.draws else { return false }
    // The first question: exact tests allow for one draw less.
    let null = resampled == nil ? moments.nullVariance : rise + 2 * moments.toBetter
    guard rise - 1 >= limits.normal * null.squareRoot(), resampled == nil || rise >= limits.flips
    else { return false }
    // The second question.
    if (moments.rise - (limits.normal + limits.power) * deviation) / moments.draws
      >= CountedTest.leastRise(cases: cases.count)
    {
      return true
    }
    let count = Double(moments.rises.count)
    let mean = moments.rises.reduce(0, +) / count
    let spread = moments.rises.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / max(1, count - 1)
    let noise = moments.noise / count
    if let student = limits.student {
      let error = ((spread + noise) / count).squareRoot()
      if mean - limits.power * (noise / count).squareRoot() - margin >= student * error {
        return true
      }
    }
    let reach = limits.extremes * (noise + spread).squareRoot()
    let excess = min(2, count) * (mean + reach - max(0, reach - mean))
    return excess - 1.2 * limits.power * noise.squareRoot() > ConcentratedRise.threshold
  }
}
