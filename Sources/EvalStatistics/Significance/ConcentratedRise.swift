/// A rise in a few cases that nothing in the other direction matches: the mark of a bug that hits some
/// inputs and leaves the others alone.
///
/// No test of the mean finds such a bug: if k cases rise, the sign-flip test's p-value is at least 2⁻ᵏ.
/// An edit that moves every case a little at random, and a measurement that is noisy, move some cases
/// far up as well, but then others go as far down. So the falls say what is usual here:
///
/// ```
/// case    −1 ────────── 0 ────────── 1
///  a                     ────────●        two largest rises: 0.9 + 0.8
///  b                     ───────●
///  c                 ●──                  two largest falls: 0.2 + 0.1
///  d                  ●─
///                                         excess: 1.7 − 0.3 = 1.4 > 0.7
/// ```
package struct ConcentratedRise: Sendable, Hashable {
  /// How many of the most extreme cases are added up on each side.
  static let size = 2
  /// The excess above which the rise is an alarm: chosen by simulation, see docs/statistics-design.md.
  package static let threshold = 0.7
  /// The least rise of a case that is named.
  private static let leastNamed = 0.25

  /// The sum of the two largest rises, less the sum of the two largest falls.
  package let excess: Double
  /// The cases that rose by more than any case fell, as positions, the largest rise first.
  package let cases: [Int]

  /// Whether the rise is an alarm.
  package var isAlarm: Bool { excess > Self.threshold }

  /// Looks for a rise.
  ///
  /// - Parameter rises: By how much each case rose, from −1 to 1.
  package init(_ rises: [Double]) {
    let order = rises.indices.sorted { (rises[$1], $0) < (rises[$0], $1) }
    func sum(_ values: some Sequence<Double>) -> Double {
      values.prefix(Self.size).reduce(0) { $0 + max(0, $1) }
    }
    excess = sum(order.lazy.map { rises[$0] }) - sum(order.reversed().lazy.map { -rises[$0] })
    let largestFall = order.last.map { max(0, -rises[$0]) } ?? 0
    cases = order.filter { rises[$0] >= Self.leastNamed && rises[$0] > largestFall }
  }
}
