import EvalFindings
import EvalRecords
import EvalStatistics

/// Writes the failures in Markdown: a list of the largest causes, and the tree.
struct MarkdownFailures {
  let document: ReportDocument

  private static let maximumCauses = 4
  private static let maximumInTree = 12
  private static let maximumPlaces = 12
  private static let maximumDetails = 3

  /// A list of the largest causes, each with its next step.
  var causes: [String] {
    let list = document.causeList(Self.maximumCauses)
    let shown = list.news.enumerated().map { number, news in
      let cause = news.cause
      let clause = MarkdownText.escaped(cause.clause(of: list.attempts), limit: 200)
      let place = MarkdownText.escaped(
        news.whereWords(of: list.attempts, since: document.since(cause)), limit: 200)
      let next = document.nextStep(for: cause)
      let step = next == .inspect ? "" : MarkdownText.escaped(next.words + ".", limit: 400) + " "
      return "- **\(clause)**, \(place). \(document.causeStepLabel(number))\(step)"
        + MarkdownText.code(document.command(for: cause))
    }
    return shown + (list.known.isEmpty ? [] : ["- \(list.knownWords)."])
      + (list.rest.isEmpty ? [] : ["- \(list.rest.otherWords)."])
  }

  /// The tree as a collapsed block, or an empty string if nothing failed.
  var text: String {
    let tree = document.summary.tree
    guard tree.failed > 0 else { return "" }
    let shown = tree.shown(Self.maximumInTree)
    let share = Share(tree.failed, of: document.summary.tally.attempts)
    let groups = NumberText.count(document.summary.clusters.count, "group")
    let summary = "\(share.counts) attempts failed, in \(groups) of similar failures"
    return "<details><summary>\(summary)</summary>\n\n"
      + shown.causes.map(text).joined(separator: "\n")
      + (shown.rest.isEmpty ? "" : "\n- \(shown.rest.otherWords)\n") + "\n</details>\n"
  }

  private func text(_ cause: FailureCause) -> String {
    let title = MarkdownText.escaped(cause.title, limit: 200)
    var lines = ["- **\(title)**: \(NumberText.count(cause.failed, "attempt"))"]
    for place in cause.places.prefix(Self.maximumPlaces) {
      lines.append(
        "  - \(MarkdownText.escaped(place.name, limit: 80)): "
          + MarkdownText.escaped(place.words, limit: 120))
      for number in place.clusters.prefix(Self.maximumDetails) {
        lines.append("    - " + detail(document.summary.clusters[number]))
      }
      let rest = place.clusters.dropFirst(Self.maximumDetails)
      if !rest.isEmpty {
        let attempts = rest.reduce(0) { $0 + document.summary.clusters[$1].attempts.count }
        lines.append(
          "    - \(NumberText.count(rest.count, "smaller group")) "
            + "(\(NumberText.count(attempts, "attempt")))")
      }
    }
    let rest = cause.places.dropFirst(Self.maximumPlaces)
    if !rest.isEmpty {
      let attempts = rest.reduce(0) { $0 + $1.failed }
      lines.append(
        "  - \(NumberText.count(attempts, "attempt")) in "
          + NumberText.count(
            rest.count, "other suite or variant", plural: "other suites and variants"))
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func detail(_ cluster: FailureCluster) -> String {
    var text = "\(cluster.attempts.count) × \(MarkdownText.escaped(cluster.title, limit: 160))"
    if let before = document.countBefore(cluster) { text += " (\(before.words))" }
    guard let first = cluster.attempts.first else { return text }
    let command = document.showCommand(for: document.summary.attempts[first])
    return "\(text) \(MarkdownText.code(command))"
  }
}
