import EvalFindings
import EvalRecords
import EvalStatistics

/// The beginning of the dashboard: how the newest run ended, what is new, known and fixed, the next
/// step, the newest rates of the suites that need attention, and the causes of failures.
struct DashboardSentence {
  let view: NightView

  func write(to w: inout HTMLWriter) {
    let entries = view.history.entries
    w.element("p", .class("verdict top")) { w in
      guard let newest = entries.last else {
        return w.text("There is no run yet.")
      }
      gates(entries, newest, Novelty(view.history).words(in: view), to: &w)
    }
    DashboardStep(view).write(view, to: &w)
    TonightTable(view: view).write(to: &w)
    let causes = entries.last?.causes ?? []
    if !causes.isEmpty {
      w.element("ul", .class("causes"), .init("aria-label", "Causes")) { w in
        for cause in causes { w.element("li", text: VisibleText.line(cause) + ".") }
      }
    }
  }

  private func gates(
    _ entries: [HistoryEntry], _ newest: HistoryEntry, _ news: String?, to w: inout HTMLWriter
  ) {
    let last = view.runName(entries.count - 1)
    let name = view.axis.hasNumbers ? "Run" + last.dropFirst(3) : "Night \(last)"
    switch newest.ending {
    case .passed:
      w.element("b", text: "✓ ")
      w.text("\(name) passed.")
    case .open:
      w.element("b", text: "\(newest.state?.glyph ?? "•") ")
      w.text("\(name): \(newest.state?.word.lowercased() ?? "not judged").")
    case .failed:
      w.element("b", .class("bad"), text: "✗ ")
      w.element(
        "span", .class("bad"),
        text: newest.exitStatus != 1
          ? "\(name) ended with status \(newest.exitStatus)" : "\(name) failed")
      w.text(".")
      reasons(newest, isBrief: news != nil, to: &w)
    }
    if let news { w.text(" " + news) }
  }

  /// Writes the names of the suites that made the newest run fail, according to the run's
  /// comparisons and gates.
  ///
  /// If the news name the suites that regressed or missed a gate, only the others are left.
  private func reasons(_ newest: HistoryEntry, isBrief: Bool, to w: inout HTMLWriter) {
    // The attempts of a run that isn't complete judge nothing.
    guard newest.status == .complete else { return }
    let findings = RunFindings(newest)
    let groups: [(keys: [SliceKey], word: String)] = [
      (findings.regressed, "is worse than its baseline"),
      (findings.broken, "can’t be judged: the backend failed too often"),
      (findings.missed, "missed the gate"),
    ]
    for (keys, word) in isBrief ? [groups[1]] : groups where !keys.isEmpty {
      w.text(" ")
      for (number, key) in keys.prefix(3).enumerated() {
        if number > 0 { w.text(", ") }
        w.element("code", text: VisibleText.line(view.name(key)))
      }
      if keys.count > 3 { w.text(" and \(NumberText.count(keys.count - 3, "more suite"))") }
      let verb =
        keys.count > 1
        ? word.replacing("is worse than its", with: "are worse than their") : word
      w.text(" \(verb).")
    }
  }
}
