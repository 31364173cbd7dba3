import EvalFindings
import EvalRecords

/// A few inputs whose answers broke, each with the answers of both sides, in Markdown.
///
/// Suites that store only digests give no examples.
struct MarkdownExamples {
  let document: ReportDocument

  private static let maximumExamples = 3
  private static let longestText = 400

  /// The examples, or an empty string if nothing broke.
  var text: String {
    let broken = document.changes.filter { change in
      change.direction == .broken && change.slice.suite?.details.store != .digests
    }
    guard !broken.isEmpty else { return "" }
    let shown = broken.prefix(Self.maximumExamples).compactMap(example)
    let count = NumberText.count(broken.count, "input")
    let title =
      broken.count > shown.count
      ? "\(count) broke; \(shown.count == 1 ? "one" : "\(shown.count)") of them" : "\(count) broke"
    return "<details open><summary>\(title)</summary>\n\n" + shown.joined(separator: "\n")
      + "\n</details>\n"
  }

  private func example(_ change: ChangedCase) -> String? {
    guard
      let pair = change.pairs.first(where: {
        $0.baseline.outcome == .pass && $0.candidate.outcome != .pass
      })
    else { return nil }
    let name = MarkdownText.escaped("\(change.slice.name)/\(change.summary.id)", limit: 160)
    let reason = MarkdownText.escaped(pair.candidate.failureWords, limit: 200)
    return """
      **\(name)**, repeat \(pair.candidate.key.repeatIndex): \(reason)

      | | |
      |---|---|
      | input | \(cell(change.input)) |
      | baseline | \(cell(pair.baseline.output)) |
      | this run | \(cell(pair.candidate.output)) |

      """
  }

  private func cell(_ text: String) -> String {
    text.isEmpty
      ? "–" : MarkdownText.code(text, limit: Self.longestText)
  }
}
