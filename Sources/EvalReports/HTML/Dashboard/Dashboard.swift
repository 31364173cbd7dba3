import EvalFindings
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
  ///   - results: Returns the file `results.jsonl` in the folder of a run, or `nil` if there is
  ///     none. The page shows inputs and some answers from these files.
  /// - Returns: The text of the page.
  /// - Complexity: O(n) in the number of runs and their test cases.
  public static func render(
    _ history: RunHistory, program: String = "assay",
    results: @escaping (Int) -> [UInt8]? = { _ in nil }
  ) -> String {
    let view = NightView(history, program: program)
    let newest = history.entries.last
    let sections: [any PageSection] = [
      SuiteTrends(view: view), DashboardGrid(view, results: results), TagTrends(view),
      GuideLog(view: view), QualityTrends(view), RunTable(view: view),
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
      let report = newest.flatMap { view.history.linked.contains($0.identity) ? $0 : nil }
      w.bar(
        "dashboard", count, sections,
        link: report.map { (.report(of: $0, "report.html"), "Newest report") })
      w.element("main", .id("main"), .init("tabindex", "-1")) { w in
        DashboardSentence(view: view).write(to: &w)
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
      + "little. An attempt that ended in an error counts as not passed. A night is a gap if "
      + "nothing ran, or if the run stopped early or could not run.",
    "A stable period ends at a change point of the nightly counts of the test cases that all these "
      + "nights have. Assay looks for change points by binary segmentation, at both ends of the "
      + "newest period, and for dips within a period. A change counts only if the periods before "
      + "and after it differ so clearly, by Fisher’s exact test, that unchanged suites show a "
      + "change with a probability of at most 0.01, over all nights and all suites of the page.",
    effects,
    "This page is a single file, loads nothing else, and works without its script. Its "
      + "numbers are from history.jsonl, and its inputs and answers from results.jsonl in the "
      + "folders of the runs.",
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

extension NightPlot {
  /// The newest rate minus the pooled rate of the nights before it, or `nil` if there are none.
  static func rise(_ values: [Share?]) -> Double? {
    let known = values.compactMap(\.self)
    let before = Share(pooling: known.dropLast())
    return known.last.flatMap { before.count > 0 ? $0.value - before.value : nil }
  }

  /// The text of a plot for screen readers: its last five values.
  static func spoken(_ name: String, _ values: [Share?], _ names: [String?]) -> String {
    let last = zip(names, values).compactMap { name, share in
      share.map { "\(name ?? ""): \(NumberText.fixed($0.value * 100, 1))" }
    }.suffix(5)
    return "\(VisibleText.line(name)), newest values in percent: "
      + last.joined(separator: ", ")
  }
}
