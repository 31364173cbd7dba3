import EvalFindings
import EvalRecords
import EvalStatistics

/// A row of a table of suites, which shows one effect: the pass rate of a suite, or the effect that
/// decided the verdict on the suite.
private enum SuiteRow {
  case suite(SliceSummary)
  case effect(EffectRecord, of: SliceSummary)
  /// The pass rate of all suites together.
  case total(Share)

  /// The rows of some suites: each has a row of its own, and another one if another effect than the
  /// pass rate decided the verdict.
  static func rows(_ slices: [SliceSummary], _ changes: SuiteChanges) -> [SuiteRow] {
    slices.flatMap { slice in
      [.suite(slice)] + (changes.other(slice.key).map { [.effect($0, of: slice)] } ?? [])
    }
  }

  var isPart: Bool { if case .effect = self { true } else { false } }
}

extension ReportTable.Columns<SuiteRow> {
  /// Adds a column with a cell for each kind of row.
  fileprivate mutating func column(
    _ title: String, _ kind: ReportTable.Column.Kind = .text,
    on media: Set<ReportTable.Medium> = Set(ReportTable.Medium.allCases), isSortable: Bool = false,
    suite: (SliceSummary) -> ReportTable.Cell,
    effect: (EffectRecord, SliceSummary) -> ReportTable.Cell = { _, _ in .init(.text("")) },
    total: (Share) -> ReportTable.Cell = { _ in .init(.text("")) }
  ) {
    cells(title, kind, on: media, isSortable: isSortable) { row in
      switch row {
      case .suite(let slice): suite(slice)
      case .effect(let record, let slice): effect(record, slice)
      case .total(let share): total(share)
      }
    }
  }
}

extension ReportTable {
  /// The suites of a run with their rates, changes and gates, worst first.
  ///
  /// `target` returns the element of the page to which a suite's name links.
  static func suites(
    _ document: ReportDocument, scale: PlotScale = .shares(from: 0, start: 0, end: 1),
    target: (SliceKey) -> String? = { _ in nil }
  ) -> ReportTable {
    let changes = SuiteChanges(document)
    let slices = changes.worstFirst(document)
    var rows = SuiteRow.rows(slices, changes)
    if slices.count > 1 { rows.append(.total(document.summary.tally.share)) }
    let nights = document.nights
    let texts: Set<Medium> = changes.isEmpty ? [] : [.markdown, .terminal]
    let page: Set<Medium> = document.hasBaseline ? [.page] : []
    let hasParts = slices.contains { changes.part($0) != nil }
    func counted(_ share: Share?, _ slice: SliceSummary) -> Cell {
      guard let share else { return Cell(.unknown) }
      return Cell(changes.part(slice) == nil ? .text(share.percent) : .share(share))
    }
    func number(_ count: Int, _ tone: Cell.Tone) -> Cell {
      Cell(.count(count), count == 0 ? .faint : tone)
    }
    func change(_ effect: EffectRecord) -> Cell {
      Cell(.change(effect.change, low: effect.changeLow, high: effect.changeHigh))
    }
    return ReportTable(
      "Suites", rows,
      isWorse: { row in
        switch row {
        case .suite(let slice):
          document.isMissed(slice) || changes.ownVerdict(slice.key)?.news == .bad
        case .effect(let effect, _): effect.verdict.news == .bad
        case .total: false
        }
      },
      isPart: \.isPart,
      media: { if case .total = $0 { [.terminal] } else { Set(Medium.allCases) } }
    ) { table in
      table.column(
        "suite", .name, isSortable: true,
        suite: { name($0, target($0.key), document) },
        effect: { Cell(.text("\($1.name): \($0.title)"), note: sides($0), target: "comparison") },
        total: { _ in Cell(.text("all"), .main) })
      table.column(
        "test cases", .number, on: [.page, .terminal], isSortable: true,
        suite: { Cell(.count($0.cases.count)) })
      table.column(
        "passing", .number, isSortable: true,
        suite: { Cell(.share($0.share), document.isMissed($0) ? .bad : .main) },
        total: { Cell(.share($0), .main) })
      table.column(
        "95 % CI", .number, suite: { Cell(.interval($0.share), .faint) },
        total: { Cell(.interval($0), .main) })
      table.column(
        document.hasBaseline ? "baseline and this run" : scale.spanText, .picture,
        suite: { slice in
          Cell(.unknown) { w in
            IntervalPlots.share(
              changes.part(slice)?.now ?? slice.share, baseline: changes[slice.key]?.change.before,
              needed: slice.gate?.neededRate, isBad: document.isMissed(slice), scale: scale, to: &w)
          }
        })
      table.column(
        "baseline", .number, on: texts, suite: { counted(changes[$0.key]?.change.before, $0) },
        effect: { effect, _ in Cell(.text(effect.baseline.percent)) })
      table.column(
        "compared", .number, on: hasParts ? texts : [],
        suite: { counted(changes[$0.key]?.change.after, $0) },
        effect: { effect, _ in Cell(.text(effect.candidate.percent)) })
      table.column(
        "change, pp", .number, on: page, isSortable: true,
        suite: { slice in
          Cell(
            changes[slice.key].map { .change($0.change.change, low: nil, high: nil) } ?? .unknown,
            note: changes.part(slice).map { "compared: \($0.before.ratio) → \($0.now.ratio)" }
              ?? "")
        }, effect: { effect, _ in change(effect) })
      table.column(
        "change, pp", .number, on: texts,
        suite: { slice in
          Cell(
            changes[slice.key].map { $0.change }.map {
              .change($0.change, low: $0.low, high: $0.high)
            } ?? .unknown)
        }, effect: { effect, _ in change(effect) })
      table.column(
        EffectMethod.Adjustment.heading, .number, on: page.union(texts), isSortable: true,
        suite: { slice in Cell(changes[slice.key].map { .p($0.adjustedP) } ?? .unknown) },
        effect: { effect, _ in Cell(.p(effect.adjustedP ?? effect.pValue)) })
      table.column(
        "verdict", on: page.union(texts), suite: { .verdict(changes.ownVerdict($0.key)) },
        effect: { effect, _ in .verdict(effect.verdict) })
      table.column(
        "gate", isSortable: true, suite: { gate($0, isMissed: document.isMissed($0)) })
      table.column(
        "flaky", .number, on: [.page], isSortable: true, suite: { number($0.mixedCases, .plain) })
      table.column(
        "errors", .number, on: document.summary.tally.errors > 0 ? [.page] : [], isSortable: true,
        suite: { number($0.tally.errors, .bad) })
      table.column(
        "p95", .number, on: [.page, .markdown], isSortable: true,
        suite: { Cell(.seconds($0.duration.known?.p95), .quiet) })
      guard let nights else { return }
      table.column(
        nights.title, on: [.page, .markdown],
        suite: { passing($0, nights, isMissed: document.isMissed($0)) })
    }
  }

  /// The pass rates of a few suites in this run, in the previous one and in the baseline, worst
  /// first, or `nil` if no earlier run is known.
  static func glance(_ document: ReportDocument) -> ReportTable? {
    guard document.lab == nil, let previousRun = document.previousRun else { return nil }
    let changes = SuiteChanges(document)
    let slices = FewSuites(document).shown
    guard !slices.isEmpty else { return nil }
    return ReportTable(
      "Pass rates at a glance",
      document.hasBaseline ? SuiteRow.rows(slices, changes) : slices.map { .suite($0) },
      isPart: \.isPart
    ) { table in
      table.column(
        "suite", .name, suite: { Cell(.text($0.name), target: "suites") },
        effect: { Cell(.text("\($1.name): \($0.title)"), target: "comparison") })
      table.column(
        "this run", .number,
        suite: { slice in
          let part = document.hasBaseline ? changes.part(slice) : nil
          return Cell(
            .share(slice.share), document.isMissed(slice) ? .bad : .main,
            note: part.map { "compared: \($0.now.ratio)" } ?? "")
        },
        effect: { effect, _ in
          Cell(.estimate(effect.candidate), effect.verdict.news == .bad ? .bad : .main)
        })
      table.column(
        "previous run", .number,
        suite: { slice in
          Cell(previousRun.slice(slice.key).map { .share($0.share) } ?? .unknown, .quiet)
        }, effect: { _, _ in Cell(.unknown, .quiet) })
      guard document.hasBaseline else { return }
      table.column(
        "baseline", .number,
        suite: { slice in
          let before = changes[slice.key]?.change.before ?? document.before(slice.key)?.share
          return Cell(before.map { .share($0) } ?? .unknown, .quiet)
        }, effect: { effect, _ in Cell(.estimate(effect.baseline), .quiet) })
      table.column(
        "verdict",
        suite: {
          .verdict(changes.ownVerdict($0.key), note: document.isMissed($0) ? "gate missed" : "")
        }, effect: { effect, _ in .verdict(effect.verdict) })
    }
  }

  /// The two sides of an effect with the counts behind them: `0.4 % → 18.7 % over 20 test cases`.
  private static func sides(_ effect: EffectRecord) -> String {
    let (before, after) = (effect.baseline, effect.candidate)
    let isSame = before.basis == after.basis && before.hits == nil
    return isSame
      ? "\(before.percent) → \(after.percent) \(after.basis)"
      : "\(before.percent) (\(before.basis)) → \(after.percent) (\(after.basis))"
  }

  private static func name(
    _ slice: SliceSummary, _ target: String?, _ document: ReportDocument
  ) -> Cell {
    Cell(.text(slice.name), style: "suite") { w in
      w.element("div") { w in
        w.element("a", .fragment(target ?? "suites"), text: slice.name)
        if let words = document.lab?.words(slice.key.variant) {
          return w.element("span", .class("below"), text: words)
        }
        w.element("span", .class("below")) { w in
          w.element("code", text: slice.suite?.schemaName ?? "")
          if let title = slice.suite?.title, !title.isEmpty { w.text(" " + title) }
        }
      }
    }
  }

  /// The rate that a gate needs, and everything else for which the suite missed it.
  private static func gate(_ slice: SliceSummary, isMissed: Bool) -> Cell {
    guard let gate = slice.gate else { return Cell(.unknown, .faint) }
    let needed = gate.neededWords
    let first =
      gate.isPassed
      ? gate.requiresRate ? "✓ \(needed)" : "no rate" : (isMissed ? "✗ " : "") + "needs \(needed)"
    let planned = gate.shareWithoutFresh(in: slice)
    let others =
      [
        planned.map { "without the fresh attempts: \($0.percent) \($0.ratio)" },
        gate.missedScore(by: slice.suite?.gate.reducer),
      ].compactMap(\.self)
      + gate.reasons
    let text = ([first] + others.prefix(4)).joined(separator: "; ")
    return Cell(.text(text), isMissed ? .bad : .quiet, style: "nowrap") { w in
      w.element("span", .class(isMissed ? "bad" : "quiet"), text: first)
      for other in others { w.element("span", .class("below bad"), text: other) }
    }
  }

  /// The pass rates of the nights, as blocks or as a sparkline.
  private static func passing(
    _ slice: SliceSummary, _ nights: NightView, isMissed: Bool
  ) -> Cell {
    let rates = nights.passing(slice.key)
    let known = rates.compactMap { $0?.value }
    let high = known.max() ?? 1
    let low = min(known.min() ?? 0, high - 0.2)
    return Cell(.text(BlockTrend.text(rates.map { $0?.value }, in: low...high, gap: "·"))) { w in
      Sparkline.write(
        rates, events: nights.marks(for: slice.key).map(\.place), isBad: isMissed, width: 96,
        to: &w)
    }
  }
}
