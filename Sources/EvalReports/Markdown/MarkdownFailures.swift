import EvalRecords

/// Causes and the tree of failures in Markdown.
struct MarkdownFailures {
  private let document: ReportDocument

  private static let maximumCauses = 4
  private static let maximumPlaces = 12
  private static let maximumDetails = 3

  init(_ document: ReportDocument) { self.document = document }

  /// A list of the largest causes, each with what to do next.
  var causes: [String] {
    let causes = document.causes
    let shown = causes.prefix(Self.maximumCauses).map { cause in
      let clause = MarkdownText.escaped(cause.clause, limit: 200)
      let place = MarkdownText.escaped(cause.whereWords, limit: 200)
      let step =
        cause.step == .inspect
        ? "" : MarkdownText.escaped(Self.sentence(cause.step.words), limit: 400) + " "
      return "- **\(clause)**, \(place). Do next: \(step)\(MarkdownText.code(cause.command))"
    }
    let rest = causes.dropFirst(Self.maximumCauses)
    guard !rest.isEmpty else { return shown }
    let attempts = rest.reduce(0) { $0 + $1.share.hits }
    return shown + [
      "- \(NumberText.count(attempts, "other attempt")) failed in "
        + "\(NumberText.count(rest.count, "other way"))."
    ]
  }

  /// The tree, folded; empty if nothing failed.
  var text: String {
    let tree = document.summary.tree
    guard tree.failed > 0 else { return "" }
    let share = Share(tree.failed, of: document.summary.tally.attempts)
    let reasons = NumberText.count(document.summary.clusters.count, "distinct reason")
    return "<details><summary>\(share.counts) attempts failed, for \(reasons)</summary>\n\n"
      + tree.branches.map(branch).joined(separator: "\n") + "\n</details>\n"
  }

  private static func sentence(_ words: String) -> String { words + "." }

  private func branch(_ branch: FailureTree.Branch) -> String {
    var lines = ["- **\(branch.kind.title)**: \(NumberText.count(branch.failed, "attempt"))"]
    for place in branch.places.prefix(Self.maximumPlaces) {
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
    let rest = branch.places.dropFirst(Self.maximumPlaces)
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
    if let before = document.countBefore(cluster) {
      text += before == 0 ? " (new)" : " (was \(before))"
    }
    guard let first = cluster.attempts.first else { return text }
    let command = document.showCommand(for: document.summary.attempts[first], namesRun: true)
    return "\(text) \(MarkdownText.code(command))"
  }
}
