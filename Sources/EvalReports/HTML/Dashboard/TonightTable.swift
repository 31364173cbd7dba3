import EvalFindings
import EvalRecords
import EvalStatistics

/// The suites that need attention, with tonight's rate, the rates to compare it with, and the night
/// since when the rate is what it is.
struct TonightTable {
  let view: NightView

  func write(to w: inout HTMLWriter) {
    guard let newest = view.history.entries.last, newest.isMeasured else { return }
    let earlier = view.history.entries.dropLast().filter(\.isMeasured)
    let stubs = Set(newest.backends.filter(\.isStub).map(\.id))
    let suites = FewSuites(
      view.worstFirst(after: newest).compactMap { newest.slice($0) }, suite: \.key.suite,
      standing: \.standing,
      isStub: { stubs.contains($0.key.backend) })
    let rows = suites.shown.map { slice in
      let key = slice.key
      return (now: slice, before: earlier.last { $0.has(key, onModelOf: newest) }?.slice(key))
    }
    let table = ReportTable("Tonight’s pass rates", rows, isWorse: { $0.now.isBad }) { table in
      table.column("suite", .name, style: "nowrap") { .text(view.name($0.now.key)) }
      table.cells("tonight against the baseline") { row in
        .init(.unknown, style: "nowrap") { $0.outcome(of: row.now) }
      }
      table.cells("tonight", .number) { .init(.share($0.now.share), $0.now.isBad ? .bad : .main) }
      table.column("last night", .number, .quiet) {
        $0.before.map { .share($0.share) } ?? .unknown
      }
      table.column("baseline", .number, .quiet) {
        guard let reference = $0.now.reference, reference.made > 0 else { return .unknown }
        return .share(Share(reference.passed, of: reference.made))
      }
      table.cells("series of nights") { row in .init(.unknown) { since(row.now, to: &$0) } }
    }
    w.table(table, class: "natural tonight")
    w.others(suites)
    if rows.contains(where: { $0.now.reference != nil }) {
      w.note(
        "The baseline’s rates count all its attempts; the comparison counts only those that both "
          + "runs have, copies only once.")
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

extension HistoryEntry.Slice {
  fileprivate var standing: SuiteStanding { SuiteStanding(verdict, isReached: isReached) }
  fileprivate var isBad: Bool { standing == .failed }
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
