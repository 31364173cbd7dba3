import EvalRecords
import EvalStatistics

/// The section on suites, with their rates, intervals and gates.
struct SuitesSection: PageSection {
  let document: ReportDocument
  let id = "suites"
  let title = "Suites"

  private let nights: NightView?
  private let rows: CaseRows

  init(_ document: ReportDocument, _ rows: CaseRows) {
    self.document = document
    self.rows = rows
    nights = document.nights
  }

  var isEmpty: Bool { false }

  private var hasErrors: Bool { document.summary.tally.errors > 0 }

  func write(to w: inout HTMLWriter) {
    let slices = document.summary.slices
    let hasBaseline = document.hasBaseline
    let lowest =
      slices.filter { $0.tally.attempts > 0 }
      .flatMap {
        [$0.share.low, document.before($0.key)?.share.low ?? 1, $0.gate?.neededRate ?? 1]
      }
      .min() ?? 0
    let changes = SuiteChanges(document)
    let scale = PlotScale.shares(from: lowest, start: 4, end: nights == nil ? 190 : 112)
    let marks =
      !hasBaseline
      ? "The dashed line is the gate. The axis covers \(scale.spanText)."
      : "The open circle is the baseline, the filled circle is this run, and the dashed line is "
        + "the gate. The axis covers \(scale.spanText)."
    w.section(
      id, title, lede: marks + " A test case is flaky if it has both passes and failures."
    ) { w in
      var columns: [TableColumn] = [
        TableColumn("suite").sortable, .number("test cases").sortable,
        .number("passing").sortable, .number("95 % CI"),
        TableColumn(!hasBaseline ? scale.spanText : "baseline and this run"),
      ]
      if hasBaseline {
        columns += [
          .number("change, pp").sortable, .number(EffectMethod.Adjustment.heading).sortable,
          TableColumn("verdict"),
        ]
      }
      columns += [
        TableColumn("gate").sortable, .number("flaky").sortable,
      ]
      if hasErrors { columns.append(.number("errors").sortable) }
      columns.append(.number("p95").sortable)
      if let nights {
        columns.append(TableColumn(NumberText.count(nights.places.count, "night")))
      }
      w.table("Suites", columns, class: "natural tight flow") { w in
        for slice in slices { row(slice, changes, scale: scale, to: &w) }
      }
      if slices.isEmpty {
        w.element("p", .class("note"), text: "The run has no suites.")
      }
    }
  }

  private func row(
    _ slice: SliceSummary, _ changes: SuiteChanges, scale: PlotScale, to w: inout HTMLWriter
  ) {
    let share = slice.share
    let isMissed = document.isMissed(slice)
    let part = changes.part(slice)
    let compared = changes[slice.key]
    w.element("tr", .class(isMissed ? "worse" : "")) { w in
      w.element("th", .init("scope", "row"), .class("suite")) { w in
        w.element("div") { w in
          w.element(
            "a", .fragment(rows.target(slice.key) ?? "suites"), text: slice.name)
          w.element("span", .class("below")) { w in
            w.element("code", text: slice.suite?.schemaName ?? "")
            if let title = slice.suite?.title, !title.isEmpty { w.text(" " + title) }
          }
        }
      }
      w.cell(
        NumberText.grouped(slice.cases.count), "number", sortedBy: "\(slice.cases.count)",
        label: "test cases")
      w.share(
        share, "main" + (isMissed ? " bad" : ""),
        sortedBy: NumberText.plain(share.count == 0 ? -1 : share.value, 6))
      w.cell(share.interval, "number faint", label: "95 % CI")
      w.element("td") { w in
        IntervalPlots.share(
          part?.now ?? share, baseline: compared?.change.before, needed: slice.gate?.neededRate,
          isBad: isMissed, scale: scale, to: &w)
      }
      if document.hasBaseline {
        let change = compared?.change.change
        w.element(
          "td", .class("number"), .init("data-v", NumberText.plain(change ?? 0, 6)),
          .label("change, pp")
        ) { w in
          w.text(change.map { NumberText.points($0) } ?? "–")
          if let part {
            w.element(
              "span", .class("below"),
              text: "compared: \(part.before.ratio) → \(part.now.ratio)")
          }
        }
        let p = compared?.adjustedP
        w.cell(
          NumberText.pValue(p), "number", sortedBy: NumberText.plain(p ?? 2, 6),
          label: EffectMethod.Adjustment.heading)
        w.element("td") { w in
          if let verdict = changes.verdict(slice.key) { w.tag(verdict) }
          if let reason = changes.reason(slice.key) {
            w.element("span", .class("below"), text: VisibleText.line(reason))
          }
        }
      }
      gate(slice, to: &w)
      w.cell(
        "\(slice.mixedCases)", "number" + (slice.mixedCases == 0 ? " faint" : ""), label: "flaky")
      if hasErrors {
        w.cell(
          "\(slice.tally.errors)", "number" + (slice.tally.errors == 0 ? " faint" : " bad"),
          label: "errors")
      }
      w.cell(
        slice.duration.count == 0 ? "–" : NumberText.duration(slice.duration.p95), "number quiet",
        sortedBy: NumberText.plain(slice.duration.p95, 6), label: "p95")
      if let nights {
        w.element("td") { w in
          Sparkline.write(
            nights.passing(slice.key), events: nights.marks(for: slice.key).map(\.place),
            isBad: isMissed,
            width: 96, to: &w)
        }
      }
    }
  }

  private func gate(_ slice: SliceSummary, to w: inout HTMLWriter) {
    guard let gate = slice.gate else { return w.cell("–", "faint", sortedBy: "1") }
    let needed = gate.neededWords
    w.element("td", .init("data-v", gate.isPassed ? "0" : "2"), .class("nowrap")) { w in
      w.element(
        "span", .class(document.isMissed(slice) ? "bad" : "quiet"),
        text: gate.isPassed
          ? "✓ \(needed)" : "\(document.isMissed(slice) ? "✗ " : "")needs \(needed)")
      for hit in gate.guardrailHits {
        w.element(
          "span", .class("below bad"),
          text: "guardrail “\(VisibleText.line(hit.assertion))” failed \(hit.count) ×")
      }
      for miss in gate.misses {
        w.element("span", .class("below bad"), text: VisibleText.line(miss.words))
      }
    }
  }
}
