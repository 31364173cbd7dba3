import EvalRecords

/// The evidence that a quantity didn't get worse: an equivalence test whose margin depends on what
/// the data can show.
///
/// A quantity is `ok` if the one-sided upper confidence bound of its worsening is at most the
/// tolerated worsening. The tolerated worsening is at least ``Tolerance/usual``. A small suite
/// can't exclude a worsening that small, even if nothing changed. For such a suite, the tolerated
/// worsening is the *visible* worsening, but at most ``Tolerance/most``. The visible worsening is
/// the smallest that the test finds with a power of 80 %:
///
/// ```
///   0      estimate        bound          visible
///   ├─────────●──────────────┤───────────────┤
///             └─ half width ─┘
///             └─ half width × (z of the test's level + z of 80 %) / z of the bound, from 0
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

  /// The power of the test for the visible worsening.
  static let power = 0.8

  /// The estimated worsening.
  var estimate: Double
  /// The one-sided upper confidence bound of the worsening, with a confidence level of 1 − α.
  var bound: Double
  /// The part of the bound that allows for inputs unlike every test case, which no test case can
  /// show.
  ///
  /// The squares of this part and of the rest add up.
  var unseen = 0.0
  /// The limits of the tolerated worsening.
  var tolerance: Tolerance
  /// Whether nothing differs between the two sides, so there is nothing to exclude.
  var isSame: Bool

  /// The distance from the estimate to the upper confidence bound, without the allowance for inputs
  /// unlike every test case.
  var halfWidth: Double {
    let distance = max(0, bound - estimate)
    return max(0, distance * distance - unseen * unseen).squareRoot()
  }

  /// Returns the smallest worsening that the test finds with a power of 80 %, by the normal
  /// approximation.
  ///
  /// - Parameters:
  ///   - level: The significance level of the test, adjusted for multiplicity.
  ///   - alpha: The one-sided error of the upper bound.
  func visible(level: Double, alpha: Double) -> Double {
    let deviations = Normal.quantile(1 - level) + Normal.quantile(Self.power)
    return min(1, halfWidth * deviations / Normal.quantile(1 - alpha))
  }

  /// Returns the tolerated worsening.
  ///
  /// - Parameter visible: The smallest worsening that the test finds with a power of 80 %.
  func tolerated(visible: Double) -> Double {
    max(tolerance.usual, min(tolerance.most, visible)) + unseen
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
    // With f times as many test cases, the squared distance is halfWidth² / f + (unseen / f)².
    let square = halfWidth * halfWidth
    let factor =
      (square + (square * square + 4 * unseen * unseen * room * room).squareRoot())
      / (2 * room * room)
    guard factor > 1, factor < 1_000 else { return nil }
    return Int((Double(cases) * factor).rounded(.up)) - cases
  }
}
