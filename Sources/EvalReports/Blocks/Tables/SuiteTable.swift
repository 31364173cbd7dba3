import EvalRecords
import EvalStatistics

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
    let nights = document.nights
    let texts: Set<Medium> = changes.isEmpty ? [] : [.markdown, .terminal]
    let page: Set<Medium> = document.hasBaseline ? [.page] : []
    let hasParts = slices.contains { changes.part($0) != nil }
    var table = ReportTable(
      caption: "Suites",
      columns: [
        Column("suite", .name, isSortable: true),
        Column("test cases", .number, on: [.page, .terminal], isSortable: true),
        Column("passing", .number, isSortable: true), Column("95 % CI", .number),
        Column(document.hasBaseline ? "baseline and this run" : scale.spanText, .picture),
        Column("baseline", .number, on: texts),
        Column("compared", .number, on: hasParts ? texts : []),
        Column("change, pp", .number, on: page, isSortable: true),
        Column("change, pp", .number, on: texts),
        Column(EffectMethod.Adjustment.heading, .number, on: page.union(texts), isSortable: true),
        Column("verdict", on: page.union(texts)), Column("gate", isSortable: true),
        Column("flaky", .number, on: [.page], isSortable: true),
        Column(
          "errors", .number, on: document.summary.tally.errors > 0 ? [.page] : [],
          isSortable: true),
        Column("p95", .number, on: [.page, .markdown], isSortable: true),
        Column(
          nights.map { NumberText.count($0.places.count, "night") } ?? "",
          on: nights == nil ? [] : [.page, .markdown]),
      ])
    table.rows = slices.flatMap { slice in
      [row(slice, document, changes, scale, target)]
        + (changes.other(slice.key).map { [part(slice, $0, of: table)] } ?? [])
    }
    if slices.count > 1 {
      let total = document.summary.tally.share
      var cells = [Cell](repeating: Cell(.text("")), count: table.columns.count)
      cells[0] = Cell(.text("all"), .main)
      (cells[2], cells[3]) = (Cell(.share(total), .main), Cell(.interval(total), .main))
      table.rows.append(Row(cells: cells, media: [.terminal]))
    }
    return table
  }

  /// The pass rates of a few suites in this run, in the previous one and in the baseline, worst
  /// first, or `nil` if no earlier run is known.
  static func glance(_ document: ReportDocument) -> ReportTable? {
    guard document.lab == nil, let previousRun = document.previousRun else { return nil }
    let changes = SuiteChanges(document)
    let slices = FewSuites(document).shown
    let hasBaseline = document.hasBaseline
    var columns: [Column] = [
      Column("suite", .name), Column("this run", .number), Column("previous run", .number),
    ]
    if hasBaseline { columns += [Column("baseline", .number), Column("verdict")] }
    var table = ReportTable(caption: "Pass rates at a glance", columns: columns)
    for slice in slices {
      let isMissed = document.isMissed(slice)
      let previous = previousRun.slice(slice.key)?.share
      let before = changes[slice.key]?.change.before ?? document.before(slice.key)?.share
      var cells: [Cell] = [
        Cell(.text(slice.name), target: "suites"),
        Cell(.share(slice.share), isMissed ? .bad : .main),
        Cell(previous.map { ReportValue.share($0) } ?? .unknown, .quiet),
      ]
      if hasBaseline {
        let notes = [changes.other(slice.key).map(moved) ?? "", isMissed ? "gate missed" : ""]
        cells += [
          Cell(before.map { ReportValue.share($0) } ?? .unknown, .quiet),
          .verdict(
            changes.verdict(slice.key),
            note: notes.filter { !$0.isEmpty }.joined(separator: "; ")),
        ]
      }
      table.rows.append(Row(cells: cells))
    }
    return table.rows.isEmpty ? nil : table
  }

  private static func row(
    _ slice: SliceSummary, _ document: ReportDocument, _ changes: SuiteChanges, _ scale: PlotScale,
    _ target: (SliceKey) -> String?
  ) -> Row {
    let share = slice.share
    let isMissed = document.isMissed(slice)
    let part = changes.part(slice)
    let compared = changes[slice.key]
    let change = compared?.change
    func counted(_ share: Share?) -> Cell {
      guard let share else { return Cell(.unknown) }
      return Cell(part == nil ? .text(share.percent) : .share(share))
    }
    func number(_ count: Int, _ tone: Cell.Tone) -> Cell {
      Cell(.count(count), count == 0 ? .faint : tone)
    }
    let isBad = isMissed || changes.ownVerdict(slice.key)?.className == "bad"
    let delta: ReportValue =
      change.map { .change($0.change, low: nil, high: nil) } ?? .unknown
    let interval: ReportValue =
      change.map { .change($0.change, low: $0.low, high: $0.high) } ?? .unknown
    let note = part.map { "compared: \($0.before.ratio) → \($0.now.ratio)" } ?? ""
    return Row(
      cells: [
        name(slice, target(slice.key), document), Cell(.count(slice.cases.count)),
        Cell(.share(share), isMissed ? .bad : .main), Cell(.interval(share), .faint),
        Cell(.unknown) { w in
          IntervalPlots.share(
            part?.now ?? share, baseline: change?.before, needed: slice.gate?.neededRate,
            isBad: isMissed, scale: scale, to: &w)
        },
        counted(change?.before), counted(change?.after),
        Cell(delta, note: note), Cell(interval),
        Cell(compared == nil ? .unknown : .p(compared?.adjustedP)),
        .verdict(changes.ownVerdict(slice.key)),
        gate(slice, isMissed: isMissed), number(slice.mixedCases, .plain),
        number(slice.tally.errors, .bad),
        Cell(.seconds(slice.duration.count == 0 ? nil : slice.duration.p95), .quiet),
        nights(slice, document, isMissed: isMissed),
      ], isWorse: isBad)
  }

  /// The effect that decided the verdict on a slice, in a row below the slice's own.
  private static func part(
    _ slice: SliceSummary, _ effect: EffectRecord, of table: ReportTable
  ) -> Row {
    let isWorse = effect.verdict.className == "bad"
    let cells = table.columns.map { column -> Cell in
      switch column.title {
      case "suite":
        Cell(
          .text("\(slice.name): \(effect.title)"), note: sides(effect), target: "comparison")
      case "baseline": Cell(.text(effect.baseline.percent))
      case "compared": Cell(.text(effect.candidate.percent))
      case "change, pp":
        Cell(.change(effect.change, low: effect.changeLow, high: effect.changeHigh))
      case EffectMethod.Adjustment.heading: Cell(.p(effect.adjustedP ?? effect.pValue))
      case "verdict": .verdict(effect.verdict)
      default: Cell(.text(""))
      }
    }
    return Row(cells: cells, isWorse: isWorse, isPart: true)
  }

  /// The name of an effect and its two sides: `P(empty) at $.cards 0.4 % → 18.7 %`.
  private static func moved(_ effect: EffectRecord) -> String {
    "\(effect.title) \(effect.baseline.percent) → \(effect.candidate.percent)"
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
      [planned.map { "without the fresh attempts: \($0.percent) \($0.ratio)" }].compactMap { $0 }
      + gate.reasons
    let text = ([first] + others.prefix(4)).joined(separator: "; ")
    return Cell(.text(text), isMissed ? .bad : .quiet, style: "nowrap") { w in
      w.element("span", .class(isMissed ? "bad" : "quiet"), text: first)
      for other in others { w.element("span", .class("below bad"), text: other) }
    }
  }

  /// The pass rates of the nights, as blocks or as a sparkline.
  private static func nights(
    _ slice: SliceSummary, _ document: ReportDocument, isMissed: Bool
  ) -> Cell {
    guard let nights = document.nights else { return Cell(.unknown) }
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
