import SystemBasics

/// The evidence that a quantity didn't get worse: an equivalence test whose margin depends on what
/// the data can show.
///
/// A quantity is `ok` if the one-sided upper confidence bound of its worsening is at most the
/// tolerated worsening. The tolerated worsening is at least ``Tolerance/usual``. A small suite
/// can't exclude a worsening that small, even if nothing changed. For such a suite, the tolerated
/// worsening is the *visible* worsening, but at most ``Tolerance/most``. The visible worsening is
/// the smallest that the whole rule finds with a power of 80 %:
///
/// ```
///   0      estimate        bound          visible
///   ├─────────●──────────────┤───────────────┤
///             └─ half width ─┘
/// ```
///
/// If nothing changed, the upper bound is below the visible worsening in at least four of five
/// comparisons.
struct Equivalence: Sendable {
  /// The limits of the tolerated worsening.
  struct Tolerance: Sendable {
    /// The worsening that is tolerated if there is enough data.
    var usual: Double
    /// The largest worsening that is ever tolerated.
    var most: Double

    /// The tolerated worsening of a counted rate.
    ///
    /// Counting is coarse: it takes thousands of attempts to exclude a worsening of one percentage
    /// point.
    static let counted = Tolerance(usual: 0.2, most: 0.4)
    /// The tolerated worsening of a measured probability.
    ///
    /// The usual value is smaller than the effect of a bug that makes one attempt in fifteen fail.
    static let measured = Tolerance(usual: 0.05, most: 0.2)
  }

  /// The rule that decides whether the quantity got worse.
  enum Rule: Sendable {
    /// The rule for counts.
    case draws(VisibleRise)
    /// The test of whether the mean over this many test cases rises by more than the margin. If the
    /// text before the decision is fixed, also the alarm for a rise in a few of them; otherwise,
    /// also the permutation of the draws.
    case cases(Int, margin: Double, sampled: SampledText?)
    /// An exact test of the draws alone.
    case exact
  }

  /// The two conditions for a change of a probability that depends on sampled text.
  struct SampledText: Sendable {
    /// The level of the test over test cases.
    var level: Double
    /// The standard error of the mean change because of the spread between draws.
    var error: Double
  }

  /// The power of the test for the visible worsening.
  static let power = 0.8

  /// The estimated worsening.
  var estimate: Double
  /// The one-sided upper confidence bound of the worsening, with a confidence level of 1 − α.
  var bound: Double
  /// The limits of the tolerated worsening.
  var tolerance: Tolerance
  /// Whether nothing differs between the two sides, so there is nothing to exclude.
  var isSame: Bool
  /// The rule that decides whether the quantity got worse.
  var rule = Rule.exact

  /// The distance from the estimate to the upper confidence bound.
  var halfWidth: Double { max(0, bound - estimate) }

  /// Returns the smallest worsening that the whole rule finds with a power of 80 %, by normal
  /// approximations, or 1 if there is none.
  ///
  /// - Parameters:
  ///   - level: The significance level of the test, adjusted for multiplicity.
  ///   - alpha: The one-sided error of the upper bound.
  func visible(level: Double, alpha: Double) -> Double {
    let deviations = Normal.quantile(1 - level) + Normal.quantile(Self.power)
    let half = halfWidth * deviations / Normal.quantile(1 - alpha)
    switch rule {
    case .draws(let rise): return rise.smallest(level: level)
    case .exact: return min(1, half)
    case .cases(let count, let margin, nil):
      // With n test cases, no p-value of the test of the mean is below 2⁻ⁿ.
      let mean = exp2(-Double(count)) <= level ? margin + half : 1
      return min(1, mean, ConcentratedRise.threshold / Double(min(2, max(1, count))))
    case .cases(let count, let margin, let sampled?):
      guard exp2(-Double(count)) <= sampled.level else { return 1 }
      let power = Normal.quantile(Self.power)
      let overCases =
        halfWidth * (Normal.quantile(1 - sampled.level) + power) / Normal.quantile(1 - alpha)
      let permuted = Normal.quantile(1 - level * MeasuredTest.shareOfDraws) + power
      return min(1, max(margin + overCases, sampled.error * permuted))
    }
  }

  /// Returns the tolerated worsening.
  ///
  /// - Parameter visible: The smallest worsening that the test finds with a power of 80 %.
  func tolerated(visible: Double) -> Double {
    max(tolerance.usual, min(tolerance.most, visible))
  }

  /// Returns how many more test cases would be needed to exclude a worsening beyond the usual
  /// tolerance, or `nil` if none are needed or no reasonable number would be enough.
  ///
  /// The calculation assumes that the estimate stays the same.
  ///
  /// - Parameter cases: The current number of test cases.
  func casesForUsual(_ cases: Int) -> Int? {
    let room = tolerance.usual - max(0, estimate)
    guard room > 0, cases > 0 else { return nil }
    let factor = (halfWidth / room) * (halfWidth / room)
    guard factor > 1, factor < 1_000 else { return nil }
    return Int((Double(cases) * factor).rounded(.up)) - cases
  }
}
