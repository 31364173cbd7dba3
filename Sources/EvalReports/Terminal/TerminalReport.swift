import EvalRecords
import EvalStatistics

/// The summary at the end of a command's output, with or without colors.
public enum TerminalReport {
  /// The maximum number of effects of a comparison to show.
  private static let maximumEffects = 12
  /// The maximum number of decisions to name at which the mask removed most of the probability.
  private static let maximumMaskFindings = 4

  /// Writes the summary.
  ///
  /// - Parameters:
  ///   - document: The document to show.
  ///   - color: Whether to write control sequences for colors.
  /// - Returns: Lines, each ended by a line feed.
  public static func render(_ document: ReportDocument, color: Bool) -> String {
    let style = TextStyle(isOn: color)
    var lines = suites(document, style)
    let failures = FailureLines(document, style)
    lines += failures.lines
    let masked = document.summary.maskFindings.prefix(maximumMaskFindings).map(\.line)
    if !masked.isEmpty { lines += [""] + masked }
    for comparison in document.comparisons { lines += effects(comparison.record, style) }
    let state = "\(document.headline.glyph) \(document.headline.word)."
    let painted = document.headline.isBad ? style.worse(state) : style.bold(state)
    lines += ["", "\(painted) \(VisibleText.line(document.headline.sentence))"]
    let details = VisibleText.line(document.headline.detailText)
    if !details.isEmpty { lines.append(details) }
    func add(_ label: String, _ step: RunStep?) {
      guard let step else { return }
      let command = step.command.map { ": " + style.better($0) } ?? ""
      lines.append("\(label): \(step.words)\(command)")
    }
    add("do next", document.runStep)
    lines += failures.steps
    add("or", document.alternativeStep)
    for backend in document.run.backends where backend.isToy {
      lines.append(
        style.dim(
          "\(backend.id) is the toy \(VisibleText.line(backend.model)) (\(backend.facts)): its "
            + "numbers show that the harness works, not what a production model does"))
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Writes comparisons of measured probabilities, without counts.
  ///
  /// - Parameters:
  ///   - comparisons: The comparisons.
  ///   - color: Whether to write control sequences for colors.
  /// - Returns: Lines, each ended by a line feed.
  public static func render(measured comparisons: [ComparisonRecord], color: Bool) -> String {
    let style = TextStyle(isOn: color)
    var lines: [String] = []
    for comparison in comparisons {
      // No run is stored, so its number says nothing.
      lines += effects(comparison, sides: comparison.sideWords, style)
      let verdict = comparison.verdict
      lines += ["", verdict.paint(style)(verdict.words) + ", by the measured probabilities alone"]
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func suites(_ document: ReportDocument, _ style: TextStyle) -> [String] {
    let changes = SuiteChanges(document)
    let hasParts = document.summary.slices.contains { changes.part($0) != nil }
    var columns: [(title: String, alignment: TextTable.Alignment)] = [
      ("suite", .left), ("cases", .right), ("passing", .right), ("", .right), ("95 % CI", .right),
    ]
    if !changes.isEmpty {
      columns.append(("baseline", .right))
      if hasParts { columns.append(("compared", .right)) }
      columns += [
        ("change, pp", .right), (EffectMethod.Adjustment.heading, .right), ("verdict", .left),
      ]
    }
    columns += [("gate", .right), ("", .left)]
    var table = TextTable(columns: columns)
    for slice in document.summary.slices {
      let isMissed = document.isMissed(slice)
      let paint = isMissed ? style.worse : { $0 }
      let tally = "\(slice.tally.passed)/\(slice.tally.attempts)"
      var row = [
        TextTable.Cell(VisibleText.line(slice.name)), TextTable.Cell("\(slice.cases.count)"),
        TextTable.Cell(tally), TextTable.Cell(slice.share.percent, paint: paint),
        TextTable.Cell(slice.share.interval),
      ]
      if !changes.isEmpty { row += cells(changes, slice, hasParts: hasParts, style) }
      let needed = slice.gate.map { "≥ \($0.neededWords)" }
      row.append(.init(needed ?? "–"))
      row.append(
        .init(slice.gate.map { $0.isPassed ? "✓" : isMissed ? "✗ missed" : "" } ?? "", paint: paint)
      )
      table.rows.append(row)
    }
    if document.summary.slices.count > 1 {
      let tally = document.summary.tally
      let total = tally.share
      var cells = [
        "all", "", "\(tally.passed)/\(tally.attempts)", total.percent, total.interval,
      ]
      cells += [String](repeating: "", count: columns.count - cells.count)
      table.rows.append(cells.map { TextTable.Cell($0, paint: style.bold) })
    }
    return [""] + table.lines(style: style) + misses(document, style) + metrics(document, style)
  }

  /// The reasons why suites missed their gates, except low pass rates and failed guardrails.
  private static func misses(_ document: ReportDocument, _ style: TextStyle) -> [String] {
    document.summary.slices.flatMap { slice in
      (slice.gate?.misses ?? []).map {
        style.worse("  ✗ \(VisibleText.line(slice.name)): \(VisibleText.line($0.words))")
      }
    }
  }

  /// A table of metrics, with a row for each metric of each suite.
  private static func metrics(_ document: ReportDocument, _ style: TextStyle) -> [String] {
    var table = TextTable(columns: [
      ("metric", .left), ("suite", .left), ("attempts", .right), ("mean", .right), ("p5", .right),
      ("median", .right), ("p95", .right), ("", .left),
    ])
    for slice in document.summary.slices {
      for metric in document.summary.metrics(of: slice) {
        let values = metric.values
        table.rows.append(
          [
            metric.record.name, slice.name, "\(values.count)", metric.meanText,
            metric.text(values.p5), metric.text(values.p50), metric.text(values.p95),
            metric.record.unit ?? "",
          ].map { TextTable.Cell(VisibleText.line($0)) })
      }
    }
    return table.rows.isEmpty ? [] : [""] + table.lines(style: style)
  }

  /// A suite's cells for its baseline rate, the rate of the compared attempts, the change between
  /// these two, the p-value and the verdict.
  private static func cells(
    _ changes: SuiteChanges, _ slice: SliceSummary, hasParts: Bool, _ style: TextStyle
  ) -> [TextTable.Cell] {
    guard let (change, p) = changes[slice.key], let verdict = changes.verdict(slice.key) else {
      return (hasParts ? ["new", "", "", "", ""] : ["new", "", "", ""]).map { TextTable.Cell($0) }
    }
    func counted(_ share: Share) -> String {
      changes.part(slice) == nil ? share.percent : "\(share.percent) (\(share.ratio))"
    }
    let paint: (String) -> String =
      switch verdict.className {
      case "bad": style.worse
      case "good": style.better
      default: style.dim
      }
    var cells = [TextTable.Cell(counted(change.before))]
    if hasParts { cells.append(TextTable.Cell(counted(change.after))) }
    cells += [
      .init("\(NumberText.points(change.change)) \(change.interval)"),
      .init(NumberText.pValue(p)), .init(changes.words(slice.key) ?? verdict.words, paint: paint),
    ]
    return cells
  }

  private static func effects(
    _ comparison: ComparisonRecord, sides: (before: String, after: String)? = nil,
    _ style: TextStyle
  ) -> [String] {
    let (before, after) = sides ?? (comparison.baseline.words, comparison.candidate.words)
    var table = TextTable(columns: [
      ("effect", .left), ("baseline", .right), ("candidate", .right), ("change, pp", .right),
      ("p", .right), ("verdict", .left),
    ])
    let hasOneScope = Set(comparison.effects.map(\.place)).count == 1
    for effect in comparison.effects.prefix(maximumEffects) {
      let paint = effect.verdict.paint(style)
      table.rows.append([
        .init(VisibleText.line(hasOneScope ? effect.title : "\(effect.scope): \(effect.title)")),
        .init(estimate(effect.baseline)), .init(estimate(effect.candidate), paint: paint),
        .init(
          "\(NumberText.points(effect.change)) [\(NumberText.points(effect.changeLow)), "
            + "\(NumberText.points(effect.changeHigh))]"),
        .init(NumberText.pValue(effect.adjustedP ?? effect.pValue)),
        .init(effect.verdictWords, paint: paint),
      ])
    }
    var lines = [
      "",
      style.bold(VisibleText.line(after)) + " against \(VisibleText.line(before))",
    ]
    lines += comparison.differences.map {
      "  \($0.fact.consequence.label): \(VisibleText.line($0.words))"
    }
    lines += table.lines(style: style).map { "  " + $0 }
    if comparison.effects.count > maximumEffects {
      lines.append(
        style.dim(
          "  \((comparison.effects.count - maximumEffects).counted("more effect")) in the report"))
    }
    return lines
  }

  private static func estimate(_ estimate: EstimateRecord) -> String {
    guard let hits = estimate.hits else {
      return "\(NumberText.percent(estimate.value)) (\(NumberText.count(estimate.count, "case")))"
    }
    return "\(NumberText.rate(hits, of: estimate.count)) (\(hits)/\(estimate.count))"
  }
}

extension BackendRecord {
  /// The size of the model and its file: `1,476,000 parameters, SHA-256 6030404f2549…`.
  var facts: String {
    let size = parameterCount.map { "\(NumberText.grouped($0)) parameters" }
    let file = modelDigest.map { "SHA-256 \($0.prefix(12))…" }
    return [size, file].compactMap { $0 }.joined(separator: ", ")
  }
}
