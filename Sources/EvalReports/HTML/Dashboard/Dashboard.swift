import EvalRecords
import EvalStatistics

/// The page about the runs of many nights.
///
/// The page loads nothing and works without its script, so a CI job can keep it as an artifact, and
/// a site can serve it. All its numbers come from the history. Its links lead to the reports in the
/// folders next to it.
public enum Dashboard {
  /// Renders a history.
  ///
  /// - Parameters:
  ///   - history: The runs.
  ///   - program: The name of the program whose commands the page names.
  /// - Returns: The text of the page.
  /// - Complexity: O(n) in the number of runs and their test cases.
  public static func render(_ history: RunHistory, program: String = "assay") -> String {
    let view = NightView(history, program: program)
    let newest = history.entries.last
    let sections: [any PageSection] = [
      SuiteTrends(view), DashboardGrid(view), QualityTrends(view), CostTrends(view),
      GuideLog(view), RunTable(view),
    ].filter { !$0.isEmpty }
    let count = NumberText.count(history.entries.count, "run")
    let mood: PageFrame.Mood =
      switch newest?.ending {
      case .passed: .good
      case .failed: .bad
      case .open, nil: .neutral
      }
    let glyph =
      newest.map { $0.ending == .open ? $0.state?.glyph ?? "•" : $0.exitStatus == 0 ? "✓" : "✗" }
      ?? "–"
    return PageFrame(
      title: "\(glyph) \(count) · guided-generation evaluations", mood: mood,
      script: .dashboardScript
    ).page { w in
      w.element("a", .class("skip"), .fragment("main"), text: "Skip to the dashboard")
      w.element("header", .class("bar")) { w in
        w.element("div") { w in
          w.element("h1", text: count)
          w.element("nav", .init("aria-label", "Sections")) { w in
            for section in sections {
              w.element("a", .fragment(section.id), text: section.title)
              w.text(" ")
            }
            w.element("a", .fragment("method"), text: "Method")
            if let newest, view.history.linked.contains(newest.identity) {
              w.text(" ")
              w.element(
                "a", .report(of: newest, "report.html"), text: "Newest report")
            }
          }
          w.themeChoice()
        }
      }
      w.newline()
      w.element("main", .id("main"), .init("tabindex", "-1")) { w in
        DashboardSentence(view).write(to: &w)
        if newest != nil { PooledTrend(view).write(to: &w) }
        for section in sections { section.write(to: &w) }
      }
      w.newline()
      w.element("footer", .id("method")) { w in
        w.element("h2", text: "Method")
        for text in method { w.element("p", text: text) }
      }
      w.asset("script", .dashboardScript)
    }
  }

  private static let effects =
    "The effect of an edit is the rate after it minus the rate before it. Each of the two rates "
    + "pools at most 14 nights with the same texts. The effect has an interval over the test "
    + "cases and the p-value of Fisher’s exact test, adjusted over all edits by "
    + EffectMethod.Adjustment.method
    + ". The effect includes all other changes made that night."

  private static let method = [
    "Rates are shares of attempts. Their 95\u{A0}% intervals are about all inputs like those of "
      + "the suites: the test cases are the sample, and repeats and nights of a test case add "
      + "little. An attempt that ended in an error counts as not passed. The rate of all suites "
      + "pools the suites that a gate judges, or all suites if no gate judges any. A night is a "
      + "gap if nothing ran, or if the run stopped early or could not run.",
    "A stable period ends at a change point of the nightly counts of the test cases that all these "
      + "nights have. Assay finds change points by binary segmentation: it tests each one against "
      + "random orders of the same nights, at a level of 0.01 for the whole window. It separately "
      + "tests the first one to three nights of the newest period, and the last one to three, by "
      + "Fisher’s exact test. It also tests dips within a period against random orders; a clear "
      + "dip becomes a separate period. A change counts only if the periods before and after it "
      + "differ by Fisher’s exact test, at a level of 0.01 divided by the number of suites.",
    effects,
    "This page is a single file, loads nothing else, and works without its script. It was made "
      + "from history.jsonl alone; the same lines give the same bytes.",
  ]
}

extension HTMLAttribute {
  /// A link to a file in a run's folder, which is next to the dashboard.
  static func report(
    of entry: HistoryEntry, _ file: StaticString, _ fragment: String? = nil
  ) -> HTMLAttribute {
    // The address contains only numbers and fixed text.
    .own("href", "\(entry.run)/\(file)" + (fragment.map { "#" + $0 } ?? ""))
  }
}

/// The pass rate of all suites that gates judge, or of all suites if there are no gates, by night.
struct PooledTrend {
  let view: NightView

  init(_ view: NightView) { self.view = view }

  func write(to w: inout HTMLWriter) {
    let values = view.pooled
    let known = values.compactMap { $0 }
    guard !known.isEmpty else { return }
    let needed = Set(
      view.history.entries.last { $0.isMeasured }?.judged.compactMap(\.needed) ?? [])
    let gate = needed.count == 1 ? needed.first : nil
    let gaps = view.entries.count - known.count
    w.element("figure", .id("all")) { w in
      w.element("figcaption") { w in
        w.element("b", text: "Attempts passing, all suites")
        w.text(
          ", %, with 95\u{A0}% interval"
            + (gaps > 0
              ? " · \(NumberText.count(gaps, "gap")): \(gaps == 1 ? "a night" : "nights") "
                + "without a complete run" : ""))
      }
      w.scrollRegion("Attempts passing, all suites, by night", opensAtEnd: true) { w in
        NightPlot(
          values: values, names: view.dates, events: view.marks, needed: gate, higherIsBetter: true,
          size: (1128, 190), scale: RateScale(known, needed: gate), hasLabels: true,
          spoken: NightPlot.spoken("Attempts passing, all suites", values, view.names)
        ).write(to: &w)
      }
    }
  }
}

extension NightPlot {
  /// The text of a plot for screen readers: its last five values.
  static func spoken(_ name: String, _ values: [Share?], _ names: [String?]) -> String {
    let last = zip(names, values).compactMap { name, share in
      share.map { "\(name ?? ""): \(NumberText.fixed($0.value * 100, 1))" }
    }.suffix(5)
    return "\(VisibleText.line(name)), newest values in percent: "
      + last.joined(separator: ", ")
  }
}
