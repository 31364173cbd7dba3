import EvalRecords

/// Comparisons of variants or runs: the edit, and what it did.
struct ComparisonSection: PageSection {
  let document: ReportDocument
  let id = "comparison"
  let title = "Comparison"

  init(_ document: ReportDocument) { self.document = document }

  var isEmpty: Bool { document.comparisons.isEmpty }

  func write(to w: inout HTMLWriter) {
    w.section(id, title, lede: "Intervals that cross the hairline are noise.") { w in
      for comparison in document.comparisons { write(comparison, to: &w) }
    }
  }

  private func write(_ comparison: ReportComparison, to w: inout HTMLWriter) {
    let record = comparison.record
    w.element("h3") { w in
      w.text("\(record.baseline) → \(record.candidate) ")
      w.tag(Judgement(record.verdict))
    }
    for difference in record.differences.prefix(20) {
      w.element("p", .class("note"), text: difference)
    }
    let scope = "\(record.baseline) → \(record.candidate)"
    GuidesSection.write(
      document.edits.filter { $0.scope == scope }, before: record.baseline,
      after: record.candidate, to: &w)
    guard !record.effects.isEmpty else { return }
    let limit = IntervalPlots.limit(of: record.effects.flatMap { [$0.changeLow, $0.changeHigh] })
    let span = NumberText.fixed(limit * 100, 0)
    w.table(
      "Effects, \(scope)",
      [
        TableColumn("quantity"), .number("baseline"), .number("candidate"),
        TableColumn("change, −\(span)…+\(span) pp"), .number("pp, 95 % CI"), .number("p"),
        .number("adjusted p"), TableColumn("verdict"),
      ]
    ) { w in
      for effect in record.effects { row(effect, limit: limit, to: &w) }
    }
    w.element(
      "p", .class("note"),
      text: "Each family of tests is held to α = \(NumberText.fixed(record.alpha, 2)). "
        + Set(record.effects.map { VisibleText.line($0.method) }).filter { !$0.isEmpty }.sorted()
        .joined(separator: " · "))
  }

  private func row(_ effect: EffectRecord, limit: Double, to w: inout HTMLWriter) {
    let judgement = Judgement(effect.verdict)
    w.element("tr", .class(effect.verdict == .regressed ? "w" : "")) { w in
      w.rowHeader(
        effect.title, note: effect.scope + (effect.note.isEmpty ? "" : " · " + effect.note))
      estimate(effect.baseline, "n dim2", to: &w)
      estimate(effect.candidate, "n k" + (effect.verdict == .regressed ? " bad" : ""), to: &w)
      w.element("td") { w in
        IntervalPlots.change(
          effect.change, low: effect.changeLow, high: effect.changeHigh, limit: limit,
          judgement: judgement, to: &w)
      }
      w.element("td", .class("n")) { w in
        w.text(NumberText.points(effect.change) + " ")
        w.element(
          "span", .class("dim"),
          text:
            "[\(NumberText.points(effect.changeLow)), \(NumberText.points(effect.changeHigh))]")
      }
      w.cell(NumberText.pValue(effect.pValue), "n dim2")
      w.cell(NumberText.pValue(effect.adjustedP), "n")
      w.element("td") { w in w.tag(judgement) }
    }
  }

  private func estimate(_ estimate: EstimateRecord, _ name: String, to w: inout HTMLWriter) {
    w.element("td", .class(name)) { w in
      w.text(
        estimate.hits.map { NumberText.rate($0, of: estimate.count) }
          ?? NumberText.percent(estimate.value))
      w.element(
        "span", .class("sub"),
        text: estimate.hits.map {
          "\(NumberText.grouped($0)) of \(NumberText.grouped(estimate.count))"
        } ?? "over \(NumberText.count(estimate.count, "case"))")
    }
  }
}
