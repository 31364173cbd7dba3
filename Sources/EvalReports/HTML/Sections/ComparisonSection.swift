import EvalRecords
import SystemBasics

/// Comparisons of variants or runs, each with the edits and their effects.
struct ComparisonSection: PageSection {
  let document: ReportDocument
  let id = "comparison"
  let title = "Comparison"

  init(_ document: ReportDocument) { self.document = document }

  var isEmpty: Bool { document.comparisons.isEmpty }

  func write(to w: inout HTMLWriter) {
    w.section(
      id, title,
      lede:
        "Both sides of a row cover the same test cases. An interval that crosses zero shows no "
        + "clear change."
    ) { w in
      for comparison in document.comparisons { write(comparison, to: &w) }
      methods(to: &w)
    }
  }

  private func write(_ comparison: ReportComparison, to w: inout HTMLWriter) {
    let record = comparison.record
    let (before, after) = record.sideWords
    w.element("h3") { w in
      w.text("\(before) → \(after) ")
      w.tag(record.verdict)
    }
    for difference in record.differences.prefix(20) {
      w.element(
        "p", .class("note"), text: "\(difference.fact.consequence.label): \(difference.words)")
    }
    let scope = record.words
    GuidesSection.write(
      document.edits.filter { $0.scope == .comparison(record.baseline, record.candidate) },
      before: before, after: after, to: &w)
    let quiet = record.effects.filter { $0.verdict == .ok }
    let telling = record.effects.filter { $0.verdict != .ok }
    if !telling.isEmpty { table("Effects, \(scope)", telling, of: record, to: &w) }
    guard !quiet.isEmpty else { return }
    w.element("details") { w in
      let count = NumberText.count(quiet.count, "quantity", plural: "quantities")
      w.element("summary", text: "\(count) with the verdict “no change”")
      w.element("div", .class("drill")) { w in
        table("Quantities with the verdict “no change”, \(scope)", quiet, of: record, to: &w)
      }
    }
  }

  private func table(
    _ caption: String, _ effects: [EffectRecord], of record: ComparisonRecord,
    to w: inout HTMLWriter
  ) {
    // All tables of a comparison share one scale.
    let limit = IntervalPlots.limit(of: record.effects.flatMap { [$0.changeLow, $0.changeHigh] })
    let span = NumberText.fixed(limit * 100, 0)
    let hasScopes = Set(record.effects.map(\.place)).count > 1
    w.table(
      caption,
      [
        TableColumn("quantity"), .number("baseline"), .number("candidate"),
        TableColumn("change, −\(span)…+\(span) pp"), .number("pp, 95 % CI"), .number("p"),
        .number("adjusted p"), TableColumn("verdict"),
      ], class: "natural flow"
    ) { w in
      for effect in effects { row(effect, limit: limit, hasScopes: hasScopes, to: &w) }
    }
  }

  /// Lists the methods of the tests, once for all comparisons.
  private func methods(to w: inout HTMLWriter) {
    let records = document.comparisons.map(\.record)
    let methods = Set(records.flatMap(\.effects).map { VisibleText.line($0.method.words) })
      .filter { !$0.isEmpty }.sorted()
    guard !methods.isEmpty else { return }
    let levels = Set(records.map(\.alpha)).sorted().map { NumberText.fixed($0, 2) }
    w.element("details") { w in
      w.element("summary", text: "How this was tested")
      w.element("div", .class("drill")) { w in
        w.element("ul", .class("note")) { w in
          w.element(
            "li", text: "Each family of tests is held to α = \(levels.joined(separator: " or ")).")
          for method in methods { w.element("li", text: method) }
        }
      }
    }
  }

  private func row(
    _ effect: EffectRecord, limit: Double, hasScopes: Bool, to w: inout HTMLWriter
  ) {
    let verdict = effect.verdict
    w.element("tr", .class(effect.verdict == .regressed ? "worse" : "")) { w in
      w.rowHeader(
        effect.title,
        note: [hasScopes ? effect.scope : "", effect.note].filter { !$0.isEmpty }
          .joined(separator: " · "))
      estimate(effect.baseline, "number quiet", label: "baseline", to: &w)
      estimate(
        effect.candidate, "number main" + (effect.verdict == .regressed ? " bad" : ""),
        label: "candidate", to: &w)
      w.changeCells(effect, limit: limit)
      w.cell(NumberText.pValue(effect.pValue), "number quiet", label: "p")
      w.cell(NumberText.pValue(effect.adjustedP), "number", label: "adjusted p")
      w.element("td") { w in w.tag(verdict) }
    }
  }

  private func estimate(
    _ estimate: EstimateRecord, _ name: String, label: String, to w: inout HTMLWriter
  ) {
    w.element("td", .class(name), .label(label)) { w in
      w.text(
        estimate.hits.map { NumberText.rate($0, of: estimate.count) }
          ?? NumberText.percent(estimate.value))
      w.element(
        "span", .class("below"),
        text: estimate.hits.map {
          "\(NumberText.grouped($0)) of \(NumberText.grouped(estimate.count))"
        } ?? "over \(NumberText.count(estimate.count, "test case"))")
    }
  }
}
