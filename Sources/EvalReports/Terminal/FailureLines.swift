import EvalFindings
import EvalRecords
import EvalStatistics

/// Writes the tree of failures for a terminal, and the next step for each cause.
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
    return ["", all] + causes.flatMap { lines($0) }
      + (rest.isEmpty ? [] : [style.dim("         \(rest.otherWords)")])
  }

  /// The next steps for the causes, for the end of the output, in the order in which to take them.
  var steps: [String] {
    let causes = document.ofCandidates(document.shownCauses(Self.maximumCauses).causes)
    return causes.enumerated().compactMap { number, cause in
      let step = document.nextStep(for: cause)
      let label = document.causeStepLabel(number).lowercased()
      guard step != .inspect else {
        // The list of failures has a command that shows an attempt of each cause.
        guard number == 0, document.runStep == nil else { return nil }
        return label + "look at an answer: "
          + style.better(document.command(for: cause))
      }
      return label + step.words + (causes.count > 1 ? " (\(cause.title))" : "")
    }
  }

  private func lines(_ cause: FailureCause) -> [String] {
    let rest = cause.places.dropFirst(Self.maximumPlaces)
    let others = rest.count.counted(
      "other suite or variant", plural: "other suites and variants")
    let command = style.better(document.command(for: cause))
    var title = style.worse(cause.title)
    if let only = cause.places.first, cause.places.count == 1 {
      title += "  " + words(only)
    }
    return ["  \(Self.right(cause.failed))  \(title)", "         inspect with \(command)"]
      + cause.places.prefix(Self.maximumPlaces).flatMap { place($0, of: cause) }
      + (rest.isEmpty
        ? [] : [style.dim("         and \(rest.reduce(0) { $0 + $1.failed }) in \(others)")])
  }

  /// The name of a place and its counts; the name only if the run has several places.
  private func words(_ place: FailureCause.Place) -> String {
    let name =
      document.summary.slices.count > 1 ? VisibleText.line(place.name) + ": " : ""
    return name + style.dim(place.words)
  }

  /// The lines of a place; the line of a cause's only place is that of the cause.
  private func place(_ place: FailureCause.Place, of cause: FailureCause) -> [String] {
    let line =
      cause.places.count == 1 ? [] : ["  \(Self.right(place.failed))    \(words(place))"]
    let details = place.clusters.prefix(Self.maximumDetails).map { number -> String in
      let cluster = document.summary.clusters[number]
      var text = ClippedText.line(cluster.title, limit: 120)
      if let before = document.countBefore(cluster) { text += " (\(before.words))" }
      return "  \(Self.right(cluster.attempts.count))      \(text)"
    }
    let rest = place.clusters.dropFirst(Self.maximumDetails)
    let more = rest.reduce(0) { $0 + document.summary.clusters[$1].attempts.count }
    return line + details
      + (rest.isEmpty
        ? [] : [style.dim("  \(Self.right(more))      in \(rest.count.counted("smaller group"))")])
  }

  private static func right(_ count: Int) -> String {
    let text = "\(count)"
    return String(repeating: " ", count: max(0, 5 - text.count)) + text
  }
}
