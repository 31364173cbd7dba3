/// The change point of one test case: the first night with a different pass rate.
package struct CaseChange: Sendable {
  /// The place of the first night with the new rate.
  package let place: Int
  /// The rate before that night.
  package let before: Share
  /// The rate from that night on.
  package let after: Share

  /// Whether the test case got worse, and still is on the newest night.
  package var isWorse: Bool { after.value < before.value && !isOver }
  /// The place of the first night on which a fall was over (``DriftScan``), or `nil` if the test
  /// case didn't get worse or still is.
  package let end: Int?
  /// Whether the test case got worse, but the fall is over by the newest night.
  package var isOver: Bool { end != nil }

  /// The significance level that the adjusted p-value must be below.
  private static let level = 0.01

  /// Creates a change point from a series of nights.
  ///
  /// Fisher's exact test compares the nights before and after the place where the rate most clearly
  /// changed. To adjust for the search, the initializer multiplies the test's p-value by the number
  /// of places where the rate could have changed, and by the number of test cases.
  ///
  /// - Parameters:
  ///   - cells: The counts at each place, or `nil` where the test case didn't run.
  ///   - cases: The number of test cases that are searched for a change.
  /// - Returns: The change point, or `nil` if chance may explain the differences.
  /// - Complexity: O(n) in the number of places.
  package init?(_ cells: [Share?], among cases: Int = 1) {
    let known = cells.enumerated().compactMap { place, share in
      share.flatMap { $0.count > 0 ? (place: place, share: $0) : nil }
    }
    guard known.count > 1 else { return nil }
    let hits = known.reduce(0) { $0 + $1.share.hits }
    let count = known.reduce(0) { $0 + $1.share.count }
    var best: (place: Int, hits: Int, count: Int, distance: Double)?
    var (left, leftCount) = (0, 0)
    for (number, night) in known.enumerated().dropLast() {
      left += night.share.hits
      leftCount += night.share.count
      let (right, rightCount) = (hits - left, count - leftCount)
      let change = Double(left) / Double(leftCount) - Double(right) / Double(rightCount)
      // The squared difference divided by its variance, up to a factor that is the same for all
      // places.
      let distance =
        change * change / (1 / Double(leftCount) + 1 / Double(rightCount))
      if distance > best?.distance ?? 0 {
        best = (known[number + 1].place, left, leftCount, distance)
      }
    }
    guard let best else { return nil }
    before = Share(best.hits, of: best.count)
    after = Share(hits - best.hits, of: count - best.count)
    place = best.place
    let p =
      ShareChange(from: before, to: after).pValue * Double(known.count - 1)
      * Double(cases)
    if p >= Self.level { return nil }
    let start = known.firstIndex { $0.place == best.place } ?? 0
    end =
      after.value < before.value
      ? DriftScan.recovery(known.map(\.share.badDraws), since: start).map { known[$0].place } : nil
  }
}
