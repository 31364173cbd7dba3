import EvalRecords
import EvalStatistics

extension HeadlinePart {
  private static let namedCases = 5
  private static let maximumCaseName = 40

  /// Names the test cases that flipped for certain, and those whose opposite changes may cancel
  /// out.
  ///
  /// For example: `3 of 48 test cases of quiz newly fail since the baseline (a, b, c), 1 newly
  /// passes (d).` The suite is named only if several are compared, and the baseline only if the
  /// sides don't differ in their variants. The sentence is empty if there are none.
  package static func flips(of comparisons: [ComparisonRecord]) -> Sentence {
    let flips = comparisons.flatMap(\.flips)
    let places = PlaceNames(comparisons.flatMap { $0.effects.map(\.place) + $0.flips.map(\.place) })
    let hasSeveral = Set(comparisons.flatMap(\.effects).map(\.place)).count > 1
    // If one suite of several has such test cases, the sentence names it once.
    let own = Set(flips.map { places.name($0.place) })
    let suite = own.count == 1 ? own.first.map { " of \($0)" } ?? "" : " of \(own.count) suites"
    // The first test case of each suite is named with it.
    func names(_ ids: (FlippedCases) -> [String]) -> [String] {
      flips.flatMap { flipped in
        ids(flipped).enumerated().map { number, id in
          let name = ClippedText.line(id, limit: maximumCaseName)
          return number == 0 && own.count > 1
            ? "\(ClippedText.line(places.name(flipped.place), limit: maximumCaseName)) \(name)"
            : name
        }
      }
    }
    func sentence(
      _ worse: [String], _ better: [String], of count: Int, since: String = "",
      _ verb: (_ isWorse: Bool, Int) -> String
    ) -> Sentence {
      var sentence = Sentence()
      let first = worse.isEmpty ? better : worse
      guard !first.isEmpty else { return sentence }
      sentence.text("\(first.count) of \(count.counted("test case"))\(hasSeveral ? suite : "") ")
      sentence.finding(verb(!worse.isEmpty, first.count), "comparison", isGood: worse.isEmpty)
      sentence.text("\(since) \(listed(first))")
      if !worse.isEmpty, !better.isEmpty {
        sentence.text(", \(better.count) \(verb(false, better.count)) \(listed(better))")
      }
      sentence.text(".")
      return sentence
    }
    let isOfVariants = flips.contains { $0.place.baseline.variant != $0.place.candidate.variant }
    var all = sentence(
      names(\.newlyFailing), names(\.newlyPassing), of: flips.reduce(0) { $0 + $1.count },
      since: isOfVariants ? "" : " since the baseline"
    ) { isWorse, count in
      "newly \(isWorse ? "fail" : "pass")" + (count > 1 ? "" : isWorse ? "s" : "es")
    }
    let outside = flips.filter { $0.failingOutside != nil }
    let failing = names { $0.failingOutside ?? [] }
    if !failing.isEmpty {
      let count = outside.reduce(0) { $0 + $1.count }
      all.add("\(failing.count) of \(count.counted("test case"))\(hasSeveral ? suite : "") ")
      all.finding(failing.count == 1 ? "fails" : "fail", "comparison", isGood: false)
      all.text(" in the attempts that the comparison leaves out \(listed(failing)).")
    }
    let shifted = flips.filter { $0.oftenFailing != nil }
    all.append(
      sentence(
        names { $0.oftenFailing ?? [] }, names { $0.oftenPassing ?? [] },
        of: shifted.reduce(0) { $0 + $1.count }
      ) { isWorse, count in
        "clearly \(isWorse ? "fail" : "pass")" + (count > 1 ? "" : isWorse ? "s" : "es")
          + " more often"
      })
    all.append(leftOutFailing(in: comparisons))
    return all
  }

  /// Names the test cases that are left out and newly fail; the sentence is empty if there are
  /// none.
  private static func leftOutFailing(in comparisons: [ComparisonRecord]) -> Sentence {
    var (names, all): ([String], Int) = ([], 0)
    for case .leftOutFailing(let cases, let count) in comparisons.flatMap(\.differences).map(\.fact)
    {
      names += cases.map { ClippedText.line($0, limit: maximumCaseName) }
      all += count
    }
    var sentence = Sentence()
    guard !names.isEmpty else { return sentence }
    sentence.text("\(names.count) of the \(all.counted("test case")) left out ")
    sentence.finding("fail\(names.count == 1 ? "s" : "") now", "comparison", isGood: false)
    sentence.text(" \(listed(names)), but passed before.")
    return sentence
  }

  private static func listed(_ names: [String]) -> String { "(\(names.listed(namedCases)))" }

  /// Says which measured probabilities the answers contradict; the sentence is empty if there are
  /// none.
  package static func contradictions(of comparisons: [ComparisonRecord]) -> Sentence {
    var sentence = Sentence()
    let facts = comparisons.flatMap(\.differences).filter { $0.fact.consequence == .doubtful }
    guard let first = facts.first else { return sentence }
    sentence.text("Contradiction: " + ClippedText.line(first.words, limit: 200))
    if facts.count > 1 { sentence.text("; and \(facts.count - 1) more") }
    sentence.text(".")
    return sentence
  }
}
