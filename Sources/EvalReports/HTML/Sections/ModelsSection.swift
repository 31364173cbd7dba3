import EvalRecords
import EvalStatistics

/// The comparison of a run's models: a table of totals, and the grid of test cases by model.
///
/// A run with only one backend doesn't have this section.
struct ModelsSection: PageSection {
  let document: ReportDocument
  let id = "models"
  let title = "Models"
  private let backends: [String]
  private let rows: CaseRows

  private static let maximumRows = 200
  private static let maximumBackends = 12

  init(_ document: ReportDocument, _ rows: CaseRows) {
    self.document = document
    self.rows = rows
    var backends: [String] = []
    for slice in document.summary.slices
    where slice.tally.attempts > 0 && !backends.contains(slice.key.backend) {
      backends.append(slice.key.backend)
    }
    self.backends = Array(backends.prefix(Self.maximumBackends))
  }

  var isEmpty: Bool { backends.count < 2 }

  func write(to w: inout HTMLWriter) {
    w.section(
      id, title,
      lede: "Each model answered the same test cases with the same seeds. The test cases on which "
        + "the models disagree most come first. Click a cell to see its repeats."
    ) { w in
      totals(to: &w)
      matrix(to: &w)
    }
  }

  // MARK: Totals

  private func totals(to w: inout HTMLWriter) {
    let slices = backends.map { backend in
      document.summary.slices.filter { $0.key.backend == backend }
    }
    let shares = slices.map { slices in
      slices.reduce(Tally()) { $0 + $1.tally }.share
    }
    let changes = shares.dropFirst().map { ShareChange(from: shares[0], to: $0) }
    let adjusted = Multiplicity.family(changes.map(\.pValue))
    let limit = IntervalPlots.limit(of: changes.flatMap { [$0.low, $0.high] })
    let span = NumberText.fixed(limit * 100, 0)
    w.table(
      "Models of this run",
      [
        .init("model"), .number("passing"), .number("95 % CI"),
        .init("against the first, −\(span)…+\(span) pp"),
        .number("pp, 95 % CI"), .number(EffectMethod.Adjustment.heading), .number("time p50"),
        .number("tokens p50"), .number("errors"),
      ]
    ) { w in
      for (number, backend) in backends.enumerated() {
        let record = document.run.backends.first { $0.id == backend }
        let attempts = slices[number].flatMap { document.summary.attempts[$0.range] }
          .filter { $0.outcome != .skipped }
        let errors = slices[number].reduce(0) { $0 + $1.tally.errors }
        w.element("tr") { w in
          w.rowHeader(backend, note: record.map { VisibleText.line($0.model) } ?? "")
          w.element("td", .class("number main")) { w in
            w.text(shares[number].percent)
            w.element("span", .class("below"), text: shares[number].counts)
          }
          w.cell(shares[number].interval, "number faint")
          change(
            number == 0 ? nil : (changes[number - 1], adjusted[number - 1]), limit: limit, to: &w)
          let duration = Quantiles(attempts.map(\.duration))
          w.cell(duration.count == 0 ? "–" : NumberText.duration(duration.p50), "number quiet")
          w.cell(
            NumberText.fixed(Quantiles(attempts.map { Double($0.outputTokens) }).p50, 0),
            "number quiet")
          w.cell(NumberText.grouped(errors), "number" + (errors == 0 ? " faint" : " bad"))
        }
      }
    }
    w.note(
      "The p-values come from Fisher’s exact test of the pooled attempts, adjusted over the "
        + "models by \(EffectMethod.Adjustment.method). They are approximate, because attempts at "
        + "one test case are alike.")
  }

  private func change(
    _ tested: (change: ShareChange, p: Double)?, limit: Double, to w: inout HTMLWriter
  ) {
    guard let (change, p) = tested else {
      w.cell("")
      w.cell("–", "number faint")
      return w.cell("–", "number faint")
    }
    w.element("td") { w in
      IntervalPlots.change(
        change.change, low: change.low, high: change.high, limit: limit,
        verdict: change.verdict(adjustedP: p, higherIsBetter: true), to: &w)
    }
    w.cell("\(NumberText.points(change.change)) \(change.interval)", "number")
    w.cell(NumberText.pValue(p), "number")
  }

  // MARK: Matrix

  private struct Row {
    let id: String
    let shares: [Share?]
    /// The URL fragment of the test case's row for each model.
    let targets: [String?]

    /// The difference between the highest and the lowest rate of the models.
    var spread: Double {
      let values = shares.compactMap { $0?.value }
      return (values.max() ?? 0) - (values.min() ?? 0)
    }
    /// The URL fragment of the row for the model with the worst rate.
    var target: String? {
      zip(shares, targets).compactMap { share, target in share.map { ($0.value, target) } }
        .min { $0.0 < $1.0 }?.1
    }
    var isPerfect: Bool { shares.allSatisfy { $0.map { $0.hits == $0.count } ?? true } }
  }

  private func matrix(to w: inout HTMLWriter) {
    var groups: [(suite: String, variant: String)] = []
    for slice in document.summary.slices
    where !groups.contains(where: { $0 == (slice.key.suite, slice.key.variant) }) {
      groups.append((slice.key.suite, slice.key.variant))
    }
    let hasVariants = Set(groups.map(\.suite)).count < groups.count
    var budget = Self.maximumRows
    var hidden = 0
    w.scrollRegion("Test cases by model") { w in
      w.element("table", .class("heat models")) { w in
        w.element("caption", .class("unseen"), text: "Attempts that passed, by test case and model")
        w.element("thead") { w in
          w.element("tr") { w in
            w.headers(
              [ReportTable.Column("test case")]
                + backends.map { ReportTable.Column(VisibleText.line($0)) })
          }
        }
        for group in groups {
          let rows = rows(group)
          let telling = rows.filter { !$0.isPerfect }
          let shown = telling.prefix(max(0, budget))
          budget -= shown.count
          hidden += telling.count - shown.count
          w.element("tbody") { w in
            w.element("tr", .class("group")) { w in
              w.element(
                "th", .init("scope", "rowgroup"), .init("colspan", "\(backends.count + 1)"),
                text: VisibleText.line(
                  hasVariants ? "\(group.suite):\(group.variant)" : group.suite))
            }
            for row in shown { write(row, to: &w) }
            let quiet = rows.count - telling.count
            if quiet > 0 {
              w.element("tr") { w in
                w.element(
                  "th", .init("scope", "row"), .init("colspan", "\(backends.count + 1)"),
                  .class("faint"),
                  text: "\(NumberText.count(quiet, "test case")) passed on every model")
              }
            }
          }
        }
      }
    }
    w.leftOut(hidden, "test case", "not drawn")
  }

  private func rows(_ group: (suite: String, variant: String)) -> [Row] {
    let keys = backends.map {
      SliceKey(suite: group.suite, variant: group.variant, backend: $0)
    }
    let cases = keys.map { key -> [String: CaseSummary] in
      Dictionary(first: (document.summary.slice(key)?.cases ?? []).map { ($0.id, $0) })
    }
    var seen: Set<String> = []
    let ids = document.summary.slices
      .filter { $0.key.suite == group.suite && $0.key.variant == group.variant }
      .flatMap { $0.cases.map(\.id) }.filter { seen.insert($0).inserted }
    return ids.map { id in
      Row(
        id: id,
        shares: cases.map { cases in
          cases[id].flatMap {
            $0.tally.attempts > 0 ? Share($0.tally.passed, of: $0.tally.attempts) : nil
          }
        }, targets: keys.map { self.rows.target($0, id) })
    }.enumerated().sorted {
      ($1.element.spread, $0.offset) < ($0.element.spread, $1.offset)
    }.map(\.element)
  }

  private func write(_ row: Row, to w: inout HTMLWriter) {
    w.element("tr") { w in
      w.rowHeader(ClippedText.line(row.id, limit: 60), class: "mono nowrap", target: row.target)
      for (share, target) in zip(row.shares, row.targets) {
        guard let share else {
          w.cell("·", "none")
          continue
        }
        let failed = share.count - share.hits
        let level = failed == 0 ? 0 : HeatLevel.of(Double(failed) / Double(share.count))
        w.element("td", .class("heat-\(level)")) { w in
          // For a single attempt, show a check mark or a cross, not a fraction.
          let mark = share.count > 1 ? nil : failed == 0 ? "passed" : "failed"
          w.element(
            "a", .fragment(target ?? "cases"), mark.map { .init("aria-label", $0) },
            text: mark == nil ? "\(share.hits)/\(share.count)" : failed == 0 ? "✓" : "✗")
        }
      }
    }
  }
}
