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

    /// The state's definition, which the page shows below the counts.
    var definition: String {
      switch self {
      case .broke: "the pass rate fell, and is still lower"
      case .fails: "no attempt of the last \(GridRow.recentNights) nights passed"
      case .flaky: "5 to 95 % of the attempts of the last \(GridRow.recentNights) nights passed"
      case .fixed: "the pass rate rose"
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

  init(id: String, tags: [String], cells: [Share?]) {
    (self.id, self.tags, self.cells) = (id, tags, cells)
    let known = cells.compactMap { $0 }
    let states = known.filter { $0.count > 0 }.map { $0.hits == $0.count }
    now = (cells.last ?? nil) ?? Share(0, of: 0)
    all = Share(known.reduce(0) { $0 + $1.hits }, of: known.reduce(0) { $0 + $1.count })
    flips = zip(states.dropFirst(), states).count { $0 != $1 }
    change = CaseChange(cells)
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
    if let change, !change.isOver { return change.isWorse ? .broke : .fixed }
    let recent = cells.suffix(Self.recentNights).compactMap { $0 }.filter { $0.count > 0 }
    let (passed, made) = (recent.reduce(0) { $0 + $1.hits }, recent.reduce(0) { $0 + $1.count })
    guard made > 0 else { return .steady }
    if passed == 0 { return .fails }
    return (0.05...0.95).contains(Double(passed) / Double(made)) ? .flaky : .steady
  }
}

/// The key below a grid, which explains its shades and marks.
struct GridKey {
  private let view: NightView

  init(_ view: NightView) { self.view = view }

  func write(to w: inout HTMLWriter) {
    w.element("p", .class("key")) { w in
      for (level, text) in ["0 fail", "≤ 5 %", "≤ 10 %", "≤ 20 %", "≤ 35 %", "more"].enumerated() {
        w.element("span") { w in
          w.element("i", .class("heat-\(level)"), text: "")
          w.text(" \(text)")
        }
      }
      w.element("span", text: "· not run")
      w.element(
        "span",
        text: "change: p < 0.01, adjusted for all nights on which the change could have begun")
    }
    let marks = view.marks
    guard !marks.isEmpty else { return }
    w.element(
      "p", .class("key"),
      text: "▼ " + marks.suffix(12).map { VisibleText.line($0.label) }.joined(separator: " · "))
  }
}
