import EvalRecords

/// The evidence that a quantity didn't get worse: an equivalence test, with a margin that depends on
/// what the data can show.
///
/// A quantity is `ok` if the one-sided upper bound of its worsening is at most the tolerated
/// worsening. Usually, that is ``Tolerance/usual``. A small suite can't exclude so little, even if
/// nothing changed. So a worsening is tolerated if the test would have missed it in more than one
/// comparison of five, but never more than ``Tolerance/most``:
///
/// ```
///   0      estimate        bound          visible
///   ├─────────●──────────────┤───────────────┤
///             └─ half width ─┘
///             └─ half width × (z of the test's level + z of 80 %) / z of the bound, from 0
/// ```
///
/// Without a change, the upper bound is below the visible worsening in at least four of five
/// comparisons.
struct Equivalence: Sendable {
  /// The worsenings that an `ok` quantity needn't exclude.
  struct Tolerance: Sendable {
    /// The tolerated worsening if there is enough data.
    var usual: Double
    /// The largest worsening that is ever tolerated.
    var most: Double

    /// The tolerated worsening of a counted rate.
    ///
    /// Counting is coarse: it takes thousands of attempts to exclude a worsening of one percentage
    /// point.
    static let counted = Tolerance(usual: 0.2, most: 0.4)
    /// The tolerated worsening of a measured probability; the usual one is smaller than a bug in
    /// one attempt of fifteen.
    static let measured = Tolerance(usual: 0.05, most: 0.2)
  }

  /// The probability of finding the visible worsening.
  static let power = 0.8

  /// The estimated worsening.
  var estimate: Double
  /// The one-sided upper bound of the worsening; its confidence is 1 − α.
  var bound: Double
  /// The tolerated worsenings.
  var tolerance: Tolerance
  /// True if nothing differs between the two sides, so there is nothing to exclude.
  var isSame: Bool

  /// The distance from the estimate to its upper bound.
  var halfWidth: Double { max(0, bound - estimate) }

  /// Returns the smallest worsening that the test finds with a probability of 80 %, by the normal
  /// approximation.
  ///
  /// - Parameters:
  ///   - level: The level of the test, after the adjustment for its family.
  ///   - alpha: The error of the upper bound.
  func visible(level: Double, alpha: Double) -> Double {
    let deviations = Normal.quantile(1 - level) + Normal.quantile(Self.power)
    return min(1, halfWidth * deviations / Normal.quantile(1 - alpha))
  }

  /// Returns the tolerated worsening.
  ///
  /// - Parameter visible: The smallest worsening that the test finds with a probability of 80 %.
  func tolerated(visible: Double) -> Double {
    max(tolerance.usual, min(tolerance.most, visible))
  }

  /// Returns how many more test cases would exclude a worsening beyond the usual tolerance, if the
  /// estimate stayed the same; nil if no number would.
  ///
  /// - Parameter cases: The number of test cases.
  func casesForUsual(_ cases: Int) -> Int? {
    let room = tolerance.usual - max(0, estimate)
    guard room > 0, cases > 0 else { return nil }
    let factor = (halfWidth / room) * (halfWidth / room)
    guard factor > 1, factor < 1_000 else { return nil }
    return Int((Double(cases) * factor).rounded(.up)) - cases
  }
}
