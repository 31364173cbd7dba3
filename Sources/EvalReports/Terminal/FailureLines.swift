import EvalRecords

/// The tree of failures in a terminal: kind, suite and variant, detail, and what to do next.
struct FailureLines {
  private let document: ReportDocument
  private let style: TextStyle

  /// More places and details than these are counted.
  private static let maximumPlaces = 4
  private static let maximumDetails = 2

  init(_ document: ReportDocument, _ style: TextStyle) {
    (self.document, self.style) = (document, style)
  }

  /// The lines; none if every attempt passed.
  var lines: [String] {
    let tree = document.summary.tree
    guard tree.failed > 0 else { return [] }
    let share = Share(tree.failed, of: document.summary.tally.attempts)
    let all = style.bold("\(share.counts) attempts failed (\(share.percent))")
    return ["", all]
      + tree.branches.flatMap { branch in
        let rest = branch.places.dropFirst(Self.maximumPlaces)
        return [kind(branch)] + next(branch)
          + branch.places.prefix(Self.maximumPlaces).flatMap { place($0) }
          + (rest.isEmpty
            ? []
            : [
              style.dim(
                "         and \(rest.reduce(0) { $0 + $1.failed }) in "
                  + "\(rest.count.counted("other suite or variant", plural: "other suites and variants"))"
              )
            ])
      }
  }

  private func kind(_ branch: FailureTree.Branch) -> String {
    "  \(Self.right(branch.failed))  \(style.worse(branch.kind.title))"
  }

  private func next(_ branch: FailureTree.Branch) -> [String] {
    guard let first = branch.places.first?.clusters.first else { return [] }
    let cluster = document.summary.clusters[first]
    guard let attempt = cluster.attempts.first.map({ document.summary.attempts[$0] }) else {
      return []
    }
    let step = document.nextStep(for: cluster)
    let command = style.better(document.showCommand(for: attempt, namesRun: false))
    return ["         do next: \(step == .inspect ? "" : step.words + "; ")inspect \(command)"]
  }

  private func place(_ place: FailureTree.Place) -> [String] {
    let line =
      "  \(Self.right(place.failed))    \(VisibleText.line(place.name)): "
      + style.dim(place.words)
    let details = place.clusters.prefix(Self.maximumDetails).map { number -> String in
      let cluster = document.summary.clusters[number]
      var text = ClippedText.line(cluster.title, limit: 120)
      if let before = document.countBefore(cluster) {
        text += before == 0 ? " (new)" : " (was \(before))"
      }
      return "  \(Self.right(cluster.attempts.count))      \(text)"
    }
    let rest = place.clusters.dropFirst(Self.maximumDetails)
    let more = rest.reduce(0) { $0 + document.summary.clusters[$1].attempts.count }
    return [line] + details
      + (rest.isEmpty
        ? [] : [style.dim("  \(Self.right(more))      in \(rest.count.counted("smaller group"))")])
  }

  private static func right(_ count: Int) -> String {
    let text = "\(count)"
    return String(repeating: " ", count: max(0, 5 - text.count)) + text
  }
}
