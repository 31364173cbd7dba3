import EvalRecords
import EvalStatistics

/// The rates that tell most, over the suites that a gate judges.
struct ScorecardSection: PageSection {
  let document: ReportDocument
  let id = "scorecard"
  let title = "Scorecard"

  init(_ document: ReportDocument) { self.document = document }

  var isEmpty: Bool { document.summary.tally.attempts == 0 }

  private struct Row {
    let name: String
    let scope: String
    let target: String
    let now: Share
    let before: Share?
    let higherIsBetter: Bool

    /// A perfect rate is quiet; any other catches the eye.
    var isBad: Bool { now.count > 0 && (higherIsBetter ? now.hits < now.count : now.hits > 0) }
  }

  private static let maximumRows = 40

  func write(to w: inout HTMLWriter) {
    let rows = Array(self.rows.prefix(Self.maximumRows))
    let hasBaseline = document.hasBaseline
    w.section(
      id, title,
      lede: hasBaseline
        ? "What moved since the baseline. Intervals that cross the hairline are noise."
        : "Every rate with its count and its 95\u{A0}% interval."
    ) { w in
      if hasBaseline {
        writeChanges(rows, to: &w)
      } else {
        writeRates(rows, to: &w)
      }
    }
  }

  private func writeRates(_ rows: [Row], to w: inout HTMLWriter) {
    let scale = PlotScale(low: 0, high: 1, start: 4, end: 244)
    w.table(
      "Rates of this run",
      [
        TableColumn("rate"), TableColumn("suite"), .number("counted"), .number("share"),
        .number("95 % CI"), TableColumn("0–100\u{A0}%"),
      ]
    ) { w in
      for row in rows {
        w.element("tr", .class(row.isBad && !row.higherIsBetter ? "w" : "")) { w in
          w.rowHeader(row.name, target: row.target)
          w.cell(row.scope, "dim2")
          w.cell(row.now.counts, "n dim2")
          w.cell(row.now.percent, "n k" + (row.isBad && !row.higherIsBetter ? " bad" : ""))
          w.cell(row.now.interval, "n dim")
          w.element("td") { w in
            IntervalPlots.share(
              row.now, baseline: nil, needed: nil, isBad: row.isBad && !row.higherIsBetter,
              scale: scale, to: &w)
          }
        }
      }
    }
  }

  private func writeChanges(_ rows: [Row], to w: inout HTMLWriter) {
    let changes = rows.map { row in row.before.map { ShareChange(from: $0, to: row.now) } }
    let tested = changes.enumerated().compactMap { number, change in
      change.map { (number, $0.pValue) }
    }
    var adjusted: [Int: Double] = [:]
    for ((number, _), p) in zip(tested, Multiplicity.holm(tested.map(\.1))) {
      adjusted[number] = p
    }
    let limit = IntervalPlots.limit(of: changes.compactMap { $0 }.flatMap { [$0.low, $0.high] })
    let span = NumberText.fixed(limit * 100, 0)
    w.table(
      "Rates of the baseline and of this run",
      [
        TableColumn("rate"), TableColumn("suite"), .number("baseline"), .number("this run"),
        TableColumn("change, −\(span)…+\(span) pp"), .number("pp, 95 % CI"), .number("p (Holm)"),
        TableColumn("verdict"),
      ]
    ) { w in
      for (number, row) in rows.enumerated() {
        let p = adjusted[number] ?? 1
        let change = changes[number]
        let judgement =
          change?.judgement(adjustedP: p, higherIsBetter: row.higherIsBetter) ?? .unknown
        let isWorse = judgement.className == "bad"
        w.element("tr", .class(isWorse ? "w" : "")) { w in
          w.rowHeader(row.name, target: row.target)
          w.cell(row.scope, "dim2")
          w.cell(row.before?.percent ?? "–", "n dim2")
          w.element("td", .class("n k" + (isWorse ? " bad" : ""))) { w in
            w.text(row.now.percent)
            w.element("span", .class("sub"), text: row.now.counts)
          }
          w.element("td") { w in
            if let change {
              IntervalPlots.change(
                change.change, low: change.low, high: change.high, limit: limit,
                judgement: judgement, to: &w)
            }
          }
          w.element("td", .class("n")) { w in
            guard let change else { return }
            w.text(NumberText.points(change.change) + " ")
            w.element("span", .class("dim"), text: change.interval)
          }
          w.cell(change == nil ? "–" : NumberText.pValue(p), "n")
          w.element("td") { w in w.tag(judgement) }
        }
      }
    }
    w.element(
      "p", .class("note"),
      text: "Fisher’s exact test of pooled attempts, Holm-adjusted within this table. Attempts of "
        + "one case are alike, so take these intervals as approximate; a comparison of paired "
        + "seeds is sharper.")
  }

  // MARK: Rows

  private var rows: [Row] {
    let summary = document.summary
    let judged = document.judgedSlices.filter { $0.tally.attempts > 0 }
    let keys = Set(judged.map(\.key))
    var rows = passing(judged) + decoded(judged)
    var seen: Set<[String]> = []
    for lengths in summary.lengths where keys.contains(lengths.slice) {
      guard seen.insert([lengths.sliceName, lengths.path]).inserted else { continue }
      rows += lengthRows(lengths)
    }
    for confusion in summary.confusions where keys.contains(confusion.slice) {
      rows += branchRows(confusion)
    }
    return rows
  }

  private func passing(_ slices: [SliceSummary]) -> [Row] {
    var backends: [String] = []
    for slice in slices where !backends.contains(slice.key.backend) {
      backends.append(slice.key.backend)
    }
    return backends.map { backend in
      let own = slices.filter { $0.key.backend == backend }
      let now = own.reduce(Tally()) { $0 + $1.tally }
      let before = tallyBefore(own)
      return Row(
        name: "Attempts passing", scope: "all on \(backend)", target: "suites",
        now: Share(now.passed, of: now.attempts),
        before: before.map { Share($0.passed, of: $0.attempts) }, higherIsBetter: true)
    }
  }

  private func tallyBefore(_ slices: [SliceSummary]) -> Tally? {
    guard document.hasBaseline else { return nil }
    return slices.compactMap { document.before($0.key) }.reduce(Tally()) { $0 + $1.tally }
  }

  private func decoded(_ slices: [SliceSummary]) -> [Row] {
    let now = slices.reduce(Tally()) { $0 + $1.tally }
    let before = tallyBefore(slices)
    return [
      Row(
        name: "A value came back", scope: "all", target: "failures",
        now: Share(now.passed + now.failed, of: now.attempts),
        before: before.map { Share($0.passed + $0.failed, of: $0.attempts) },
        higherIsBetter: true)
    ].filter { !FailuresSection(document).isEmpty || $0.now.count == 0 }
  }

  private func lengthRows(_ first: LengthSummary) -> [Row] {
    func pooled(_ same: [LengthSummary]) -> (empty: Int, within: Int, total: Int) {
      // Against the bound of this run, whatever the baseline's was.
      let within = same.reduce(0) { $0 + $1.count(in: $1.counts.indices.filter(first.isWithin)) }
      return (
        same.reduce(0) { $0 + $1.empty }, within, same.reduce(0) { $0 + $1.total }
      )
    }
    let now = pooled(
      document.summary.lengths.filter { $0.slice == first.slice && $0.path == first.path })
    let before = document.lengthsBefore(first).map(pooled)
    var rows = [
      Row(
        name: "Empty arrays, \(first.path)", scope: first.sliceName, target: "lengths",
        now: Share(now.empty, of: now.total), before: before.map { Share($0.empty, of: $0.total) },
        higherIsBetter: false)
    ]
    if first.isBounded {
      rows.append(
        Row(
          name: "Array length \(first.boundText), \(first.path)", scope: first.sliceName,
          target: "lengths", now: Share(now.within, of: now.total),
          before: before.map { Share($0.within, of: $0.total) }, higherIsBetter: true))
    }
    return rows
  }

  private func branchRows(_ confusion: ConfusionSummary) -> [Row] {
    let before = document.confusionBefore(confusion)
    var rows = [
      Row(
        name: "Wrong branch, \(confusion.path)", scope: confusion.sliceName, target: "branches",
        now: Share(confusion.wrong, of: confusion.total),
        before: before.map { Share($0.wrong, of: $0.total) }, higherIsBetter: false)
    ]
    if let out = confusion.outBranch, confusion.recall(out).count > 0 {
      let name = confusion.branches[out]
      rows.append(
        Row(
          name: "Out-branch recall, \(name)", scope: confusion.sliceName, target: "branches",
          now: confusion.recall(out),
          before: before.flatMap { run in
            run.branches.firstIndex(of: name).map { run.recall($0) }
          }, higherIsBetter: true))
    }
    return rows
  }
}
