import EvalFindings
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
            + "numbers \(BackendRecord.toyWords)"))
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
    let metrics = ReportTable.metrics(document.summary)
    return [""] + ReportTable.suites(document).lines(style)
      + (metrics.rows.isEmpty ? [] : [""] + metrics.lines(style))
  }

  private static func effects(
    _ comparison: ComparisonRecord, sides: (before: String, after: String)? = nil,
    _ style: TextStyle
  ) -> [String] {
    let (before, after) = sides ?? (comparison.baseline.words, comparison.candidate.words)
    var lines = [
      "",
      style.bold(VisibleText.line(after)) + " against \(VisibleText.line(before))",
    ]
    lines += comparison.differences.map {
      "  \($0.fact.consequence.label): \(VisibleText.line($0.words))"
    }
    let table = ReportTable.effects("", comparison.effects, of: comparison)
    lines += table.lines(style, limit: maximumEffects).map { "  " + $0 }
    if comparison.effects.count > maximumEffects {
      lines.append(
        style.dim(
          "  \((comparison.effects.count - maximumEffects).counted("more effect")) in the report"))
    }
    return lines
  }
}

extension BackendRecord {
  /// The clause about the numbers of a toy model.
  static let toyWords = "show that the harness works, not what a production model does"

  /// The size of the model and its file: `1,476,000 parameters, SHA-256 6030404f2549…`.
  var facts: String {
    let size = parameterCount.map { "\(NumberText.grouped($0)) parameters" }
    let file = modelDigest.map { "SHA-256 \($0.prefix(12))…" }
    return [size, file].compactMap { $0 }.joined(separator: ", ")
  }
}
