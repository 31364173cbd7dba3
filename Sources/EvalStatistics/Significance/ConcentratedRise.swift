/// A rise of a rate or measured probability in a few test cases without an equal fall elsewhere:
/// the sign of a bug that affects some inputs and leaves the others alone.
///
/// No test of the mean finds such a bug: if k test cases rise, the p-value of the sign-flip test is
/// at least 2⁻ᵏ. An edit that moves every test case a little at random, or a noisy measurement,
/// also makes a few test cases rise far, but then others fall equally far. So the largest falls
/// show how far test cases move without such a bug:
///
/// ```
/// case    −1 ────────── 0 ────────── 1
///  a                     ───────────●     two largest rises: 0.9 + 0.8
///  b                     ─────────●
///  c                  ●──                 two largest falls: 0.2 + 0.1
///  d                   ●─
///                                         excess: 1.7 − 0.3 = 1.4 > 0.7
/// ```
package struct ConcentratedRise: Sendable, Hashable {
  /// The excess above which the rise is far, calibrated by simulation; see
  /// docs/research/statistics-design.md.
  package static let threshold = 0.7
  /// The minimum rise at which a report names a test case.
  private static let leastNamed = 0.25

  /// The sum of the two largest rises minus the sum of the two largest falls.
  package let excess: Double
  /// The indices of the test cases that rose by at least 0.25 and by more than the largest fall.
  ///
  /// The largest rise comes first.
  package let cases: [Int]

  /// Whether the rise is far enough to count.
  package var isAlarm: Bool { excess > Self.threshold }

  /// Creates the statistic from the rises of all test cases.
  ///
  /// - Parameter rises: The rise of each test case, from −1 to 1.
  package init(_ rises: [Double]) {
    let order = rises.indices.sorted { (rises[$1], $0) < (rises[$0], $1) }
    excess = Self.excess(rises)
    let largestFall = order.last.map { max(0, -rises[$0]) } ?? 0
    cases = order.filter { rises[$0] >= Self.leastNamed && rises[$0] > largestFall }
  }

  /// Returns the sum of the two largest rises minus the sum of the two largest falls.
  ///
  /// - Parameter rises: The rise of each test case.
  static func excess(_ rises: [Double]) -> Double {
    var (first, second, last, nextLast) = (0.0, 0.0, 0.0, 0.0)
    for rise in rises {
      if rise > first {
        (first, second) = (rise, first)
      } else if rise > second {
        second = rise
      }
      if rise < last {
        (last, nextLast) = (rise, last)
      } else if rise < nextLast {
        nextLast = rise
      }
    }
    return first + second + last + nextLast
  }
}
