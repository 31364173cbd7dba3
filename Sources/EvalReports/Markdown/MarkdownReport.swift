import EvalFindings
import EvalRecords
import EvalStatistics
import StructuredText

/// A summary of a run in Markdown, for a step summary on GitHub or a comment on a pull request.
///
/// GitHub drops a step summary of more than 1 MiB, and refuses a comment of more than 65,536
/// characters. If the summary would be too long, the report leaves out the last sections, which are
/// the least important, and says so in a note.
public enum MarkdownReport {
  /// The maximum number of bytes of a step summary.
  public static let summaryLimit = 900_000

  private static let tableRows = 60

  /// Renders a document.
  ///
  /// - Parameters:
  ///   - document: The document to report.
  ///   - limit: The maximum number of bytes of UTF-8.
  ///   - links: The places of the other reports.
  /// - Returns: The text, ending in a line feed.
  public static func render(
    _ document: ReportDocument, limit: Int = summaryLimit, links: Links = .beside
  ) -> String {
    let opening = heading(document, links)
    let sections = [
      document.lab.map {
        "#### Lab\n\n" + ReportTable.lab($0).markdown(limit: .max, noun: "trial") + "\n"
      } ?? "", suites(document), effects(document), edits(document),
      MarkdownExamples(document: document).text, MarkdownFailures(document: document).text,
      masked(document),
    ].filter { !$0.isEmpty }
    let closing = provenance(document)
    var text = opening
    var dropped = 0
    for section in sections {
      // Keep room for the note and the closing line.
      if dropped == 0, text.utf8.count + section.utf8.count + closing.utf8.count + 200 <= limit {
        text += "\n" + section + "\n"
      } else {
        dropped += 1
      }
    }
    if dropped > 0 {
      text +=
        "\n\(dropped) of \(sections.count) sections \(dropped == 1 ? "is" : "are") left out here, "
        + "because the text would be too long; the full report has all of them.\n"
    }
    return text + "\n" + closing + "\n"
  }

  /// The places of a run's other reports.
  public enum Links: Sendable, Hashable {
    /// In the same folder.
    case beside
    /// At an address, in an artifact or on a page.
    case at(String)
    /// Unknown, so the summary has no links.
    case unknown
  }

  // MARK: Sections

  private static func heading(_ document: ReportDocument, _ links: Links) -> String {
    let headline = document.headline
    let label = document.run.label.isEmpty ? "evals" : document.run.label
    let name = label.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    var lines = [
      "<!-- assay:\(name) -->", "### \(headline.glyph) \(headline.word)", "",
      phrases(headline.phrases), "",
    ]
    if !headline.details.isEmpty { lines += [phrases(headline.details), ""] }
    lines += step(document.runStep, "Do next")
    let causes = document.lab == nil ? MarkdownFailures(document: document).causes : []
    if !causes.isEmpty { lines += causes + [""] }
    lines += step(document.alternativeStep, "Or")
    let toys = document.run.backends.filter(\.isToy)
    if !toys.isEmpty {
      let names = toys.map {
        "\(MarkdownText.code($0.model)) (\(MarkdownText.escaped($0.facts, limit: 120)))"
      }
      lines.append(
        "> **Toy model\(toys.count == 1 ? "" : "s")** \(names.joined(separator: ", ")): the "
          + "numbers \(BackendRecord.toyWords).")
      lines.append("")
    }
    switch links {
    case .beside:
      lines.append("[Full report](report.html) · [junit.xml](junit.xml) · [rows](results.jsonl)")
    case .at(let address):
      lines.append("[Full report, JUnit and rows](\(address))")
    case .unknown:
      lines.append("Full report: report.html of run \(document.run.id).")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A step with its label and a blank line, or an empty array if there is no step.
  private static func step(_ step: RunStep?, _ label: String) -> [String] {
    guard let step else { return [] }
    let parts = step.words.split(separator: "`", omittingEmptySubsequences: false)
    let words = parts.enumerated().map { number, part in
      number % 2 == 0
        ? MarkdownText.escaped(String(part), limit: 400) : MarkdownText.code(String(part))
    }.joined()
    return ["\(label): \(words)" + (step.command.map { ": " + MarkdownText.code($0) } ?? "."), ""]
  }

  private static func phrases(_ phrases: [ReportHeadline.Phrase]) -> String {
    phrases.map { phrase in
      switch phrase {
      case .text(let text): MarkdownText.escaped(text, limit: 600)
      case .code(let text): MarkdownText.code(text)
      case .finding(let text, _, _): "**\(MarkdownText.escaped(text))**"
      }
    }.joined()
  }

  /// The decisions at which the mask removed most of the probability.
  private static func masked(_ document: ReportDocument) -> String {
    document.summary.maskFindings.prefix(tableRows).map {
      "- " + MarkdownText.escaped($0.line, limit: 600)
    }.joined(separator: "\n")
  }

  private static func suites(_ document: ReportDocument) -> String {
    guard !document.summary.slices.isEmpty else { return "" }
    return ReportTable.suites(document).markdown(limit: tableRows, noun: "suite") + "\n"
  }

  /// For each comparison, a table of the clear changes, and a collapsed table of the other
  /// quantities.
  private static func effects(_ document: ReportDocument) -> String {
    document.comparisons.map(\.record).filter { !$0.effects.isEmpty }.map { record in
      let name =
        "\(MarkdownText.escaped(record.baseline.words)) → "
        + MarkdownText.escaped(record.candidate.words)
      let quiet = record.effects.filter { $0.verdict == .ok || $0.verdict == .inconclusive }
      let telling = record.effects.filter { $0.verdict != .ok && $0.verdict != .inconclusive }
      var text = "#### \(name)\n\n"
      func table(_ effects: [EffectRecord]) -> String {
        ReportTable.effects(name, effects, of: record).markdown(
          limit: tableRows, noun: "quantity", plural: "quantities")
      }
      if !telling.isEmpty { text += table(telling) + "\n" }
      guard !quiet.isEmpty else { return text }
      let quantities = NumberText.count(quiet.count, "quantity", plural: "quantities")
      let summary =
        telling.isEmpty
        ? "\(quantities), none clearly changed" : "\(quantities) without a clear change"
      return text + (telling.isEmpty ? "" : "\n")
        + "<details><summary>\(summary)</summary>\n\n\(table(quiet))\n\n</details>\n"
    }.joined(separator: "\n")
  }

  private static func edits(_ document: ReportDocument) -> String {
    guard !document.edits.isEmpty else { return "" }
    var lines: [String] = []
    for edit in document.edits.prefix(20) {
      lines.append("  \(VisibleText.line(edit.place))")
      if let before = edit.before { lines += block(before, mark: "-") }
      if let after = edit.after { lines += block(after, mark: "+") }
      lines.append("")
    }
    let more = document.edits.count - 20
    if more > 0 { lines += ["\(NumberText.count(more, "more edit")) in the full report", ""] }
    let count = NumberText.count(document.edits.count, "guide edit")
    return "<details><summary>\(count)</summary>\n\n"
      + MarkdownText.fenced(lines.dropLast().joined(separator: "\n"), language: "diff")
      + "\n</details>\n"
  }

  private static func block(_ text: String, mark: String) -> [String] {
    ClippedText(text, limit: 2000).text.linesByFeed.map { "\(mark) \($0)" }
  }

  private static func provenance(_ document: ReportDocument) -> String {
    let run = document.run
    var facts = ["run \(run.id)", run.startedAt, "assay \(run.toolVersion)"]
    if let commit = run.commit { facts.append("commit \(commit)") }
    facts += run.backends.prefix(4).map { "\($0.id): \($0.model), \($0.engine)" }
    facts.append("95 % intervals over test cases")
    return "<sub>" + facts.map { MarkdownText.escaped($0, limit: 120) }.joined(separator: " · ")
      + "</sub>"
  }
}
