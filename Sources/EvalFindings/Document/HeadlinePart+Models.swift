import EvalRecords
import EvalStatistics

extension HeadlinePart {
  /// Says for which models the suites were written that nothing judges, and how many of their
  /// attempts succeeded, or returns an empty sentence if there are none.
  package static func unjudged(_ summary: RunSummary) -> Sentence {
    var sentence = Sentence()
    let unjudged = summary.run.unjudgedSuites
    guard let first = unjudged.first else { return sentence }
    let suites = unjudged.map(\.suite).distinct
    let isWhole = suites.count == summary.run.suites.count
    let name = ClippedText.line(first.suite, limit: maximumName)
    let gates =
      suites.count == 1
      ? "The gate of \(name) was"
      : "\(isWhole ? "The gates" : "The gates of \(NumberText.count(suites.count, "suite"))") were"
    let models = Self.list(unjudged.map(\.model).distinct)
    let used = Self.list(unjudged.map(\.usedName).distinct)
    let isNamed = unjudged.allSatisfy(\.used.isNamed)
    sentence.text(
      "\(gates) written for \(models), and this run used \(used)"
        + (isNamed ? "" : ", which no option named"))
    let keys = Set(unjudged.map { [$0.suite, $0.backend] })
    let tally = summary.slices.filter {
      $0.gate == nil && keys.contains([$0.key.suite, $0.key.backend])
    }.reduce(Tally()) { $0 + $1.tally }
    let noun = tally.attempts == 1 ? "attempt" : "attempts"
    sentence.text(
      tally.attempts == 0
        ? "." : ": \(tally.share.counts) \(noun) (\(tally.share.percent)) succeeded.")
    if !isNamed { sentence.text(" To run this model without a verdict, name it with --model.") }
    return sentence
  }

  private static func list(_ names: [String]) -> String {
    names.map { ClippedText.line($0, limit: maximumName) }.listed(3)
  }
}
