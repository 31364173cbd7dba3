import EvalFindings
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
    let made = document.summary.slices.filter { $0.tally.attempts > 0 }
    backends = Array(made.map(\.key.backend).distinct.prefix(Self.maximumBackends))
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
    let rows = backends.enumerated().map { number, backend in
      (
        backend: backend, share: shares[number],
        tested: number == 0 ? nil : (changes[number - 1], adjusted[number - 1]),
        attempts: slices[number].flatMap { document.summary.attempts[$0.range] }
          .filter { $0.outcome != .skipped },
        errors: slices[number].reduce(0) { $0 + $1.tally.errors }
      )
    }
    let table = ReportTable("Models of this run", rows, isFact: false) { table in
      table.cells("model", .name) { row in
        let model = document.run.backends.first { $0.id == row.backend }?.model
        return .init(.text(row.backend), note: VisibleText.line(model ?? ""))
      }
      table.cells("passing", .number) {
        .init(.text($0.share.percent), .main, note: $0.share.counts)
      }
      table.column("95 % CI", .number, .faint) { .interval($0.share) }
      table.picture(ReportTable.changeTitle(limit, "against the first")) { row, w in
        guard let (change, p) = row.tested else { return }
        IntervalPlots.change(
          change.change, low: change.low, high: change.high, limit: limit,
          verdict: change.verdict(adjustedP: p, higherIsBetter: true), to: &w)
      }
      table.cells("pp, 95 % CI", .number) {
        guard let (change, _) = $0.tested else { return .init(.unknown, .faint) }
        return .init(.text("\(NumberText.points(change.change)) \(change.interval)"))
      }
      table.cells(EffectMethod.Adjustment.heading, .number) {
        .init(.p($0.tested?.1), $0.tested == nil ? .faint : .plain)
      }
      table.column("time p50", .number, .quiet) {
        .seconds(Quantiles($0.attempts.compactMap(\.measures.seconds)).known?.p50)
      }
      table.column("tokens p50", .number, .quiet) {
        Quantiles($0.attempts.compactMap { $0.measures.outputTokens.map(Double.init) }).known
          .map { .fixed($0.p50, 0) } ?? .unknown
      }
      table.cells("errors", .number) { .init(.count($0.errors), $0.errors == 0 ? .faint : .bad) }
    }
    w.table(table)
    w.note(
      "The p-values come from Fisher’s exact test of the pooled attempts, adjusted over the "
        + "models by \(EffectMethod.Adjustment.method). They are approximate, because attempts at "
        + "one test case are alike.")
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
    let groups = document.summary.slices.map {
      SliceKey(suite: $0.key.suite, variant: $0.key.variant, backend: "")
    }.distinct
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

  private func rows(_ group: SliceKey) -> [Row] {
    let keys = backends.map {
      SliceKey(suite: group.suite, variant: group.variant, backend: $0)
    }
    let cases = keys.map { key -> [String: CaseSummary] in
      Dictionary(first: (document.summary.slice(key)?.cases ?? []).map { ($0.id, $0) })
    }
    let ids = document.summary.slices
      .filter { $0.key.suite == group.suite && $0.key.variant == group.variant }
      .flatMap { $0.cases.map(\.id) }.distinct
    return ids.map { id in
      Row(
        id: id,
        shares: cases.map { cases in
          cases[id].flatMap {
            $0.tally.attempts > 0 ? Share($0.tally.passed, of: $0.tally.attempts) : nil
          }
        }, targets: keys.map { self.rows.target($0, id) })
    }.sorted { $0.spread > $1.spread }
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
