import EvalFindings
import EvalRecords
import EvalStatistics

/// The most telling rates of the judged suites, and the changes in the suites' time and tokens.
struct ScorecardSection: PageSection {
  let document: ReportDocument
  let id = "scorecard"
  let title = "Scorecard"

  var isEmpty: Bool { document.summary.tally.attempts == 0 }

  private static let maximumRows = 40
  private static let maximumCosts = 24
  /// The maximum number of rates to show if none clearly changed.
  private static let maximumQuiet = 6

  func write(to w: inout HTMLWriter) {
    let rows = Array(document.ratesWorstFirst.prefix(Self.maximumRows))
    let hasBaseline = document.hasBaseline
    w.section(
      id, title,
      lede: hasBaseline
        ? "The changes since the baseline, with the comparison’s verdicts."
        : "Every rate with its count and its 95\u{A0}% interval."
    ) { w in
      if hasBaseline {
        writeChanges(rows, to: &w)
        writeCosts(to: &w)
      } else {
        w.table(.rates(rows, document.nights), class: "natural flow")
      }
    }
  }

  private func writeChanges(_ rows: [RateRow], to w: inout HTMLWriter) {
    let changes = rows.map { RateChange($0, in: document) }.filter { !$0.isRestated }
    let moved = Array(document.movedEffects(notIn: rows).prefix(Self.maximumRows))
    let limit = IntervalPlots.limit(
      of: changes.compactMap(\.interval).flatMap { [$0.low, $0.high] }
        + moved.flatMap { [$0.changeLow, $0.changeHigh] })
    let quiet = changes.filter(\.isQuiet)
    let isFolded = quiet.count > Self.maximumQuiet
    w.table(
      .rates(
        "Rates of the baseline and of this run",
        isFolded ? changes.filter { !$0.isQuiet } : changes, moved, limit: limit,
        document.nights),
      class: "natural tight flow")
    if isFolded {
      w.fold("\(NumberText.count(quiet.count, "rate")) without a clear change") { w in
        w.table(
          .rates("Rates without a clear change", quiet, [], limit: limit, document.nights),
          class: "natural tight flow")
      }
    }
    w.note(
      "A row with a verdict shows the numbers that the comparison tested. If they aren’t those "
        + "of all attempts, the line below says what all attempts show.")
  }

  /// Writes how time and tokens changed since the baseline.
  private func writeCosts(to w: inout HTMLWriter) {
    let costs = SuiteCost.all(in: document).prefix(Self.maximumCosts)
    guard !costs.isEmpty else { return }
    let limit =
      [0.1, 0.2, 0.3, 0.5, 1].first { limit in
        costs.allSatisfy { abs($0.change.low) <= limit && abs($0.change.high) <= limit }
      } ?? 1
    func table(_ caption: String, _ costs: [SuiteCost], to w: inout HTMLWriter) {
      w.table(
        .costs(caption, costs, limit: limit, document.nights), class: "natural tight flow")
    }
    let moved = costs.filter(\.hasMoved)
    let quiet = costs.filter { !$0.hasMoved }
    if !moved.isEmpty { table("Tokens of the baseline and of this run", moved, to: &w) }
    if !quiet.isEmpty {
      let count = NumberText.count(quiet.count, "cost")
      w.fold("\(count): times, and tokens that did not clearly change") { w in
        table("Times, and tokens that did not clearly change", quiet, to: &w)
      }
    }
    w.note(
      "The intervals of quantiles come from order statistics, and those of changes are computed "
        + "on a logarithmic scale. Times get no verdict, because they depend on what else the "
        + "machine does. Shorter answers also take less time.")
  }
}
