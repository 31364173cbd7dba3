import EvalFindings
import EvalRecords
import EvalStatistics
import SystemBasics

/// Comparisons of variants or runs, each with the edits and their effects.
struct ComparisonSection: PageSection {
  let document: ReportDocument
  let id = "comparison"
  let title = "Comparison"

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
      let words = record.candidate.variant.flatMap { document.lab?.words($0) }
      w.text("\(before) → \(after) " + (words.map { "(\($0)) " } ?? ""))
      w.tag(record.verdict)
    }
    for difference in record.differences.prefix(20) {
      w.note(
        "\(difference.fact.consequence.label): \(difference.words)")
    }
    let scope = record.words
    GuidesSection.write(
      document.edits.filter { $0.scope == .comparison(record.baseline, record.candidate) },
      before: before, after: after, to: &w)
    let quiet = record.effects.filter { $0.verdict == .ok }
    let telling = record.effects.filter { $0.verdict != .ok }
    if !telling.isEmpty { table("Effects, \(scope)", telling, of: record, to: &w) }
    guard !quiet.isEmpty else { return }
    let count = NumberText.count(quiet.count, "quantity", plural: "quantities")
    w.fold("\(count) with the verdict “no change”") { w in
      table("Quantities with the verdict “no change”, \(scope)", quiet, of: record, to: &w)
    }
  }

  private func table(
    _ caption: String, _ effects: [EffectRecord], of record: ComparisonRecord,
    to w: inout HTMLWriter
  ) {
    w.table(.effects(caption, effects, of: record), class: "natural flow")
  }

  /// Lists the methods of the tests, once for all comparisons.
  private func methods(to w: inout HTMLWriter) {
    let records = document.comparisons.map(\.record)
    let methods = Set(records.flatMap(\.effects).map { VisibleText.line($0.method.words) })
      .filter { !$0.isEmpty }.sorted()
    guard !methods.isEmpty else { return }
    let levels = Set(records.map(\.alpha)).sorted().map(LabResult.words)
    w.fold("How this was tested") { w in
      w.element("ul", .class("note")) { w in
        w.element(
          "li", text: "Each family of tests is held to α = \(levels.joined(separator: " or ")).")
        for method in methods { w.element("li", text: method) }
      }
    }
  }
}
