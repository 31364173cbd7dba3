import EvalFindings

/// A histogram of array lengths, with the baseline as an outline.
///
/// Zero is always on the axis. The bound is shaded. Bars outside the bound are colored and show
/// their counts. So is the bar of empty arrays, unless the minimum of the bound is 0.
enum Histogram {
  /// The share of the most frequent length in this run or in the baseline, whichever is larger.
  static func highest(_ lengths: LengthSummary, _ baseline: LengthSummary?) -> Double {
    let bins = binCount(lengths, baseline)
    return [lengths, baseline].compactMap { $0 }.map { summary in
      Double(folded(summary.counts, to: bins).max() ?? 0) / Double(max(1, summary.total))
    }.max() ?? 0
  }

  /// Draws one histogram.
  ///
  /// All histograms of a group get the same `highest`, the share at the top of the plot, so that
  /// readers can compare them.
  static func write(
    _ lengths: LengthSummary, baseline: LengthSummary?, highest: Double, to w: inout HTMLWriter
  ) {
    let bins = binCount(lengths, baseline)
    let now = folded(lengths.counts, to: bins)
    let before = baseline.map { folded($0.counts, to: bins) }
    // This run and the baseline share one scale: each bar is a share of its side's total.
    let (total, totalBefore) = (max(1, lengths.total), max(1, baseline?.total ?? 1))
    let highest = max(highest, 0.01)
    let pitch = 226.0 / Double(bins)
    func y(_ share: Double) -> Double { 96 - 74 * share / highest }
    let told = now.enumerated().map { length, count in
      let isLast = length == bins - 1 && hasMore(lengths, baseline, than: length)
      let elements = isLast ? "\(length) or more elements" : NumberText.count(length, "element")
      return "\(elements): \(NumberText.grouped(count)) of \(NumberText.grouped(lengths.total))"
        + (before.map { "; baseline \($0[length]) of \(baseline?.total ?? 0)" } ?? "")
    }
    w.plot(
      width: 250, height: 118, isFluid: true, label: spoken(lengths, now, before),
      values: .across(told, from: 10 + pitch / 2, to: 236 - pitch / 2)
    ) { w in
      if lengths.isBounded {
        let low = Double(min(lengths.minimum ?? 0, bins))
        let high = Double(min((lengths.maximum ?? bins - 1) + 1, bins))
        w.rectangle(
          "band", x: 10 + low * pitch, y: 6, width: (high - low) * pitch, height: 90)
      }
      let numbered = numbered(now, lengths, pitch: pitch) { y(Double($0) / Double(total)) }
      for (length, count) in now.enumerated() where count > 0 {
        let isOutside = isOutside(length, lengths)
        let x = 10 + Double(length) * pitch
        let top = min(y(Double(count) / Double(total)), 95)
        w.rectangle(
          isOutside ? "fill-bad" : "column", x: x + 1.5, y: top, width: pitch - 3, height: 96 - top)
        if numbered.contains(length) {
          w.label(
            NumberText.grouped(count), "label fill-bad", x + pitch / 2, top - 4, size: 11,
            isBold: true)
        }
      }
      if let before { outline(before, totalBefore, pitch: pitch, y: y, to: &w) }
      w.line("axis", 8, 96, 238, 96)
      for length in 0..<bins
      where bins <= 12 || length == bins - 1 || length % 2 == 0 && length != bins - 2 {
        let isLast = length == bins - 1 && length < LengthSummary.lastBin
        let isOpen = isLast && hasMore(lengths, baseline, than: length)
        w.label(
          "\(length)\(isOpen ? "+" : "")", "tick", 10 + (Double(length) + 0.5) * pitch, 109)
      }
    }
  }

  private static func isOutside(_ length: Int, _ lengths: LengthSummary) -> Bool {
    !lengths.isWithin(length) || (length == 0 && lengths.minimum ?? 1 > 0)
  }

  /// The lengths outside the bound whose counts appear above their bars.
  ///
  /// If two counts would overlap, only the larger one appears. The table next to the plot has all
  /// counts.
  private static func numbered(
    _ counts: [Int], _ lengths: LengthSummary, pitch: Double, y: (Int) -> Double
  ) -> Set<Int> {
    var placed: [(length: Int, width: Double, y: Double)] = []
    let outside = counts.indices.filter { counts[$0] > 0 && isOutside($0, lengths) }
    for length in outside.sorted(by: { (counts[$0], $1) > (counts[$1], $0) }) {
      let width = 7.4 * Double(NumberText.grouped(counts[length]).count)
      let top = y(counts[length])
      let overlaps = placed.contains {
        Double(abs($0.length - length)) * pitch < ($0.width + width) / 2 && abs($0.y - top) < 13
      }
      if !overlaps { placed.append((length, width, top)) }
    }
    return Set(placed.map(\.length))
  }

  private static func outline(
    _ counts: [Int], _ total: Int, pitch: Double, y: (Double) -> Double, to w: inout HTMLWriter
  ) {
    w.curve(
      "column-base",
      counts.enumerated().flatMap { length, count in
        let (x, height) = (10 + Double(length) * pitch, y(Double(count) / Double(total)))
        return [(x, height), (x + pitch, height)]
      })
  }

  /// The number of bins: enough for the bound and the lengths, at least ten and at most twenty.
  private static func binCount(_ lengths: LengthSummary, _ baseline: LengthSummary?) -> Int {
    let longest =
      [lengths.counts, baseline?.counts ?? []].map { $0.lastIndex { $0 > 0 } ?? 0 }.max() ?? 0
    let wanted = max(longest + 1, (lengths.maximum ?? 0) + 2, 10)
    return min(wanted, 20)
  }

  private static func hasMore(
    _ lengths: LengthSummary, _ baseline: LengthSummary?, than length: Int
  ) -> Bool {
    [lengths.counts, baseline?.counts ?? []].contains {
      $0.dropFirst(length + 1).contains { $0 > 0 }
    }
  }

  /// The count of each bin, with the counts of all longer arrays in the last bin.
  private static func folded(_ counts: [Int], to bins: Int) -> [Int] {
    var folded = Array(counts.prefix(bins))
    folded += [Int](repeating: 0, count: bins - folded.count)
    if let last = folded.indices.last { folded[last] += counts.dropFirst(bins).reduce(0, +) }
    return folded
  }

  private static func spoken(_ lengths: LengthSummary, _ now: [Int], _ before: [Int]?) -> String {
    func list(_ counts: [Int]) -> String {
      counts.enumerated().filter { $0.element > 0 }.map { "\($0.offset): \($0.element)" }
        .joined(separator: ", ")
    }
    let subject = "Lengths of \(lengths.path) in \(lengths.sliceName)"
    let bound = lengths.isBounded ? ", expected \(lengths.boundText)" : ""
    return "\(subject)\(bound): \(list(now))" + (before.map { "; baseline \(list($0))" } ?? "")
  }
}
