import EvalFindings
import EvalRecords
import EvalStatistics
import StructuredText

/// The variants of a suite side by side: the edits, the pass rates, the lengths of arrays and the
/// chosen enum cases.
struct VariantsSection: PageSection {
  let document: ReportDocument
  let id = "variants"
  let title = "Variants"

  private static let maximumVariants = 12
  /// The maximum number of enum cases in a small matrix.
  private static let maximumBranches = 6

  /// The slices with attempts, grouped by suite and backend, without groups that have only one
  /// variant.
  private var groups: [[SliceSummary]] {
    func key(_ slice: SliceSummary) -> [String] { [slice.key.suite, slice.key.backend] }
    let made = document.summary.slices.filter { $0.tally.attempts > 0 }
    let groups = Dictionary(grouping: made, by: key)
    return made.map(key).distinct.compactMap { groups[$0] }.filter { $0.count > 1 }
  }

  var isEmpty: Bool { document.lab != nil || groups.isEmpty }

  func write(to w: inout HTMLWriter) {
    w.section(
      id, title,
      lede:
        "All variants of a suite ran with the same test cases and seeds. Their plots share one "
        + "scale. The gate judges the first variant. The other variants list their edits."
    ) { w in
      for group in groups { write(group, to: &w) }
    }
  }

  private func write(_ group: [SliceSummary], to w: inout HTMLWriter) {
    guard let first = group.first else { return }
    let shown = Array(group.prefix(Self.maximumVariants))
    let hasBackends = Set(document.summary.slices.map(\.key.backend)).count > 1
    w.element(
      "h3",
      text: VisibleText.line(first.key.suite + (hasBackends ? " on \(first.key.backend)" : "")))
    let lowest = shown.map(\.share.low).min() ?? 0
    let scale = PlotScale.shares(from: lowest, start: 4, end: 236)
    let lengths = shown.map { slice in
      document.summary.lengths.filter { $0.slice == slice.key && !JSONPlace.isPattern($0.path) }
    }
    let highest = lengths.joined().map { Histogram.highest($0, nil) }.max() ?? 1
    w.element("div", .class("multiples")) { w in
      for (number, slice) in shown.enumerated() {
        w.element("figure", .class("variant")) { w in
          w.element("figcaption") { w in
            w.element("b", text: VisibleText.line(slice.key.variant))
            let title = VisibleText.line(slice.variant?.title ?? "")
            if !title.isEmpty {
              w.text(" · ")
              w.quoting(ClippedText.line(title, limit: 60))
            }
          }
          w.element("p") { w in
            w.element("b", text: slice.share.percent)
            w.text(" pass, \(slice.share.counts) attempts [\(slice.share.interval)]")
          }
          IntervalPlots.share(
            slice.share, baseline: nil, needed: slice.gate?.neededRate,
            isBad: slice.gate?.isPassed == false, scale: scale, to: &w)
          shapes(slice, lengths[number], highest: highest, to: &w)
          if number > 0 { edits(from: first, to: slice, w: &w) }
        }
      }
    }
    w.leftOut(group.count - shown.count, "variant")
  }

  private func shapes(
    _ slice: SliceSummary, _ lengths: [LengthSummary], highest: Double, to w: inout HTMLWriter
  ) {
    if let all = LengthSummary.pooled(lengths) {
      w.element("p", .class("note")) { w in
        w.text("Lengths of ")
        w.element("code", text: VisibleText.line(all.path))
        w.text(": \(all.empty) of \(NumberText.count(all.total, "array")) empty")
      }
      Histogram.write(all, baseline: nil, highest: highest, to: &w)
    }
    if let confusion = document.summary.confusions.first(where: { $0.slice == slice.key }) {
      w.note(
        "Wrong branch in \(Share(confusion.wrong, of: confusion.total).counts) attempts")
      if confusion.branches.count <= Self.maximumBranches {
        BranchesSection.matrix(confusion, caption: "Chosen case", isSmall: true, to: &w)
      }
    }
  }

  private func edits(from first: SliceSummary, to slice: SliceSummary, w: inout HTMLWriter) {
    guard let old = first.variant, let new = slice.variant else { return }
    let edits = GuideEdit.differences(
      scope: .suite(slice.key.suite, variant: new.id), from: old, to: new)
    guard !edits.isEmpty else { return }
    w.element("details") { w in
      w.element("summary", text: NumberText.count(edits.count, "edit"))
      for edit in edits.prefix(8) {
        w.element("p", .class("note")) { w in
          w.element("code", text: VisibleText.line(edit.place))
          w.text(" ")
          w.difference(WordDifference(from: edit.before ?? "", to: edit.after ?? "").parts)
        }
      }
      w.leftOut(edits.count - 8, "edit")
    }
  }
}
