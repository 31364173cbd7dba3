import EvalRecords
import EvalStatistics

/// The suites that need attention, with tonight's rate, the rates to compare it with, and the night
/// since when the rate is what it is.
struct TonightTable {
  let view: NightView

  func write(to w: inout HTMLWriter) {
    guard let newest = view.history.entries.last, newest.isMeasured else { return }
    let earlier = view.history.entries.dropLast().filter(\.isMeasured)
    let findings = RunFindings(newest)
    let found = Set(findings.regressed + findings.broken + findings.missed)
    let stubs = Set(newest.backends.filter(\.isStub).map(\.id))
    let suites = FewSuites(
      view.worstFirst(after: newest).filter { newest.slice($0) != nil }, suite: \.suite,
      hasFinding: found.contains, isStub: { stubs.contains($0.backend) })
    w.table(
      "Tonight’s pass rates",
      [
        .init("suite"), .init("tonight against the baseline"), .number("tonight"),
        .number("last night"), .number("baseline"), .init("series of nights"),
      ], class: "natural tonight"
    ) { w in
      for key in suites.shown {
        guard let slice = newest.slice(key) else { continue }
        row(slice, earlier.last { $0.has(key, onModelOf: newest) }?.slice(key), to: &w)
      }
    }
    w.others(suites)
    if suites.shown.contains(where: { newest.slice($0)?.reference != nil }) {
      w.note(
        "The baseline’s rates count all its attempts; the comparison counts only those that both "
          + "runs have, copies only once.")
    }
  }

  private func row(
    _ slice: HistoryEntry.Slice, _ before: HistoryEntry.Slice?, to w: inout HTMLWriter
  ) {
    let isBad = slice.verdict == .regressed || slice.isReached == false
    w.element("tr", .class(isBad ? "worse" : "")) { w in
      w.rowHeader(view.name(slice.key), class: "nowrap")
      w.element("td", .class("nowrap")) { w in w.outcome(of: slice) }
      w.share(slice.share, "main" + (isBad ? " bad" : ""))
      if let before {
        w.share(before.share, "quiet")
      } else {
        w.cell("–", "number quiet")
      }
      if let reference = slice.reference, reference.made > 0 {
        w.share(Share(reference.passed, of: reference.made), "quiet")
      } else {
        w.cell("–", "number quiet")
      }
      w.element("td") { w in since(slice, to: &w) }
    }
  }

  /// Writes since when the rate is what it is, if it changed in the last thirty nights, or if the
  /// suite got worse or better than the baseline.
  private func since(_ slice: HistoryEntry.Slice, to w: inout HTMLWriter) {
    let stretches = view.stretches(slice.key)
    let isClear = slice.verdict == .regressed || slice.verdict == .improved
    guard stretches.count > 1, let last = stretches.last, !last.stretch.isOver,
      isClear || last.stretch.range.count <= NightView.recentNights, last.stretch.direction != 0
    else { return }
    let before = stretches[stretches.count - 2].stretch
    let isWorse = last.stretch.direction < 0
    let isFixed = !isWorse && before.direction < 0
    // The words differ from those of verdicts, because the series can change while tonight's
    // comparison with the baseline is unclear.
    let word = isWorse ? "↓ lower" : isFixed ? "↑ fixed" : "↑ higher"
    w.element(
      "span", .class(slice.verdict == .regressed && isWorse ? "bad" : ""),
      text: "\(word) since \(view.runName(last.first))")
    w.text(": \(last.stretch.share.percent), \(before.share.percent) before")
  }
}

extension HTMLWriter {
  /// Writes the verdict on a suite, and whether it missed its gate.
  mutating func outcome(of slice: HistoryEntry.Slice?) {
    if let verdict = slice?.verdict { tag(verdict) }
    if slice?.isReached == false { element("span", .class("bad"), text: " ✗ gate") }
    if slice?.verdict == nil, slice?.isReached == true { text("✓ gate") }
  }
}

extension NightView {
  /// The slices, those that made a run fail first, and then the worst ones.
  func worstFirst(after entry: HistoryEntry?) -> [SliceKey] {
    let bad =
      entry.map { entry -> [SliceKey] in
        let findings = RunFindings(entry)
        let found = Set(findings.regressed)
        return worstFirst.filter(found.contains) + findings.broken + findings.missed
      } ?? []
    let known = Set(bad)
    return bad + worstFirst.filter { !known.contains($0) }
  }
}
