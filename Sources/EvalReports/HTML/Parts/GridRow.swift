import EvalFindings
import EvalStatistics

/// A row of the grid: one test case on all nights.
struct GridRow {
  /// The state of a test case, as the filter `state:` names it.
  enum State: String, CaseIterable {
    case broke
    case fails
    case flaky
    case fixed
    case steady

    /// The state as a button names it.
    var word: String {
      switch self {
      case .broke: "just broke"
      case .fails: "always fails"
      default: rawValue
      }
    }

    /// The state's definition, which the page shows below the counts.
    var definition: String {
      let nights = "the last \(GridRow.recentNights) nights"
      return switch self {
      case .broke:
        "the pass rate fell in \(nights) and is still lower, or all attempts fail since a night "
          + "before which at least 95 % passed"
      case .fails: "no attempt of \(nights) passed"
      case .flaky: "5 to 95 % of the attempts of \(nights) passed"
      case .fixed:
        "the pass rate rose in \(nights), a fall ended then, or all attempts pass after nights on "
          + "which at least three failed and none passed; before these, at least 95 % passed"
      case .steady: "all others"
      }
    }
  }

  /// The number of nights that decide whether a test case always fails or is flaky.
  static let recentNights = 14

  let id: String
  let tags: [String]
  let cells: [Share?]
  /// The share of the newest night's attempts that passed.
  let now: Share
  /// The share of all nights' attempts that passed.
  let all: Share
  /// The number of times that the test case changed between “every attempt passed” and “an attempt
  /// failed” from one measured night to the next.
  let flips: Int
  /// The clearest change of the test case's pass rate, or `nil` if chance may explain it.
  let change: CaseChange?

  /// Creates a row.
  ///
  /// `cases` is the number of the suite's test cases, each of which may seem to change.
  init(id: String, tags: [String], cells: [Share?], among cases: Int) {
    (self.id, self.tags, self.cells) = (id, tags, cells)
    let known = cells.compactMap { $0 }
    let states = known.filter { $0.count > 0 }.map { $0.hits == $0.count }
    now = (cells.last ?? nil) ?? Share(0, of: 0)
    all = Share(pooling: known)
    flips = zip(states.dropFirst(), states).count { $0 != $1 }
    change = CaseChange(cells, among: cases)
  }

  /// Whether another share of the attempts passed on the newest night than on the measured night
  /// before it.
  var hasNewResult: Bool {
    let last = cells.compactMap { $0 }.filter { $0.count > 0 }.suffix(2)
    guard now.count > 0, last.count == 2, let before = last.first else { return false }
    return before.hits * now.count != now.hits * before.count
  }

  /// The number of failed attempts on all nights together.
  var failures: Int { all.count - all.hits }

  /// The fall of the pass rate at the change, or 0 if there is no change or the fall is over.
  ///
  /// The value is negative if the rate rose.
  var fall: Double {
    change.map { $0.isOver ? 0 : $0.before.value - $0.after.value } ?? 0
  }

  var state: State {
    let first = cells.count - Self.recentNights
    if let change {
      if let end = change.end {
        if end >= first { return .fixed }
      } else if change.place >= first {
        return change.isWorse ? .broke : .fixed
      }
    }
    let last = cells.suffix(Self.recentNights)
    let nights = last.compactMap(\.self).filter { $0.count > 0 }
    let recent = Share(pooling: nights)
    guard recent.count > 0 else { return .steady }
    let (rest, passing) = Self.split(nights) { $0.hits == $0.count }
    let (older, bad) = Self.split(rest) { $0.hits == 0 }
    let isGood = older.isEmpty || Share(pooling: older).value >= 0.95
    if passing.isEmpty, !bad.isEmpty, !older.isEmpty, isGood { return .broke }
    if !passing.isEmpty, Share(pooling: bad).count >= 3, isGood { return .fixed }
    if recent.hits == 0 { return .fails }
    return (0.05...0.95).contains(recent.value) ? .flaky : .steady
  }

  /// Splits nights before the last ones in a row that have a property.
  private static func split(
    _ nights: [Share], _ isLike: (Share) -> Bool
  ) -> (before: [Share], last: [Share]) {
    let count = nights.reversed().prefix(while: isLike).count
    return (Array(nights.dropLast(count)), nights.suffix(count))
  }

  /// The place of the first bad night: the night since when attempts fail, or the first one of the
  /// last nights in a row on which an attempt failed.
  ///
  /// It is `nil` if none failed.
  var firstBad: Int? {
    func isBad(_ place: Int) -> Bool? {
      cells[place].flatMap { $0.count > 0 ? $0.hits < $0.count : nil }
    }
    if let change, change.isWorse {
      return cells.indices.first { $0 >= change.place && isBad($0) == true }
    }
    guard var first = cells.indices.last(where: { isBad($0) == true }) else { return nil }
    for place in cells.indices[..<first].reversed() {
      guard let bad = isBad(place) else { continue }
      if !bad { break }
      first = place
    }
    return first
  }

  /// The place of the last good night: the newest night if all its attempts passed, otherwise the
  /// last night before the first bad one on which all attempts passed, or at least some.
  var lastGood: Int? {
    if now.count > 0, now.hits == now.count { return cells.count - 1 }
    let before = cells[..<(firstBad ?? cells.count)]
    return before.lastIndex { $0.map { $0.count > 0 && $0.hits == $0.count } ?? false }
      ?? before.lastIndex { $0.map { $0.hits > 0 } ?? false }
      ?? cells.lastIndex { $0.map { $0.hits > 0 } ?? false }
  }
}

/// The key below a grid, which explains its shades and marks.
struct GridKey {
  let view: NightView

  func write(to w: inout HTMLWriter) {
    w.element("p", .class("key")) { w in
      for (level, text) in ["0 fail", "≤ 20 %", "≤ 40 %", "≤ 60 %", "≤ 80 %", "more"].enumerated() {
        w.element("span") { w in
          w.element("i", .class("heat-\(level)"), text: "")
          w.text(" \(text)")
        }
      }
      w.element("span", text: "· not run")
      w.element(
        "span",
        text: "change: p < 0.01, adjusted for all nights on which it could have begun, and for the "
          + "suite’s test cases")
    }
    let marks = view.marks
    guard !marks.isEmpty else { return }
    w.element(
      "p", .class("key"),
      text: "▼ " + marks.suffix(12).map { VisibleText.line($0.label) }.joined(separator: " · "))
  }
}
