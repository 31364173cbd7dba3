import EvalRecords
import EvalStatistics

/// Writes the tree of failures for a terminal, with the next step for each cause.
struct FailureLines {
  private let document: ReportDocument
  private let style: TextStyle

  /// The maximum numbers of causes, places and details to list.
  ///
  /// A last line counts the rest.
  private static let maximumCauses = 8
  private static let maximumPlaces = 4
  private static let maximumDetails = 2

  init(_ document: ReportDocument, _ style: TextStyle) {
    (self.document, self.style) = (document, style)
  }

  /// The lines, or an empty array if every attempt passed.
  var lines: [String] {
    let tree = document.summary.tree
    guard tree.failed > 0 else { return [] }
    let share = Share(tree.failed, of: document.summary.tally.attempts)
    let all = style.bold("\(share.counts) attempts failed (\(share.percent))")
    let (causes, rest) = document.shownCauses(Self.maximumCauses)
    return ["", all] + causes.enumerated().flatMap { lines($1, number: $0) }
      + (rest.isEmpty ? [] : [style.dim("         \(rest.otherWords)")])
  }

  private func lines(_ cause: FailureCause, number: Int) -> [String] {
    let rest = cause.places.dropFirst(Self.maximumPlaces)
    let others = rest.count.counted(
      "other suite or variant", plural: "other suites and variants")
    return ["  \(Self.right(cause.failed))  \(style.worse(cause.title))", next(cause, number)]
      + cause.places.prefix(Self.maximumPlaces).flatMap { place($0) }
      + (rest.isEmpty
        ? [] : [style.dim("         and \(rest.reduce(0) { $0 + $1.failed }) in \(others)")])
  }

  private func next(_ cause: FailureCause, _ number: Int) -> String {
    let step = document.nextStep(for: cause)
    let command = style.better(document.command(for: cause, namesRun: false))
    let label = document.causeStepLabel(number).lowercased()
    let words = step != .inspect ? label + step.words + "; " : number > 0 ? "" : label
    return "         \(words)inspect with \(command)"
  }

  private func place(_ place: FailureCause.Place) -> [String] {
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
