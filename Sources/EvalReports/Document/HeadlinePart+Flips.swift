import EvalRecords
import EvalStatistics

extension HeadlinePart {
  private static let namedCases = 5
  private static let maximumCaseName = 40

  /// Names the test cases that flipped for certain.
  ///
  /// For example: `3 of 48 test cases newly fail (a, b, c), 1 newly passes.` The sentence is empty if
  /// there are none.
  static func flips(of comparisons: [ComparisonRecord]) -> Sentence {
    var sentence = Sentence()
    let flips = comparisons.flatMap(\.flips)
    let places = PlaceNames(comparisons.flatMap { $0.effects.map(\.place) + $0.flips.map(\.place) })
    let hasSeveral = Set(comparisons.flatMap(\.effects).map(\.place)).count > 1
    func names(_ ids: (FlippedCases) -> [String]) -> [String] {
      flips.flatMap { flipped in
        ids(flipped).map { hasSeveral ? "\(places.name(flipped.place)) \($0)" : $0 }
      }
    }
    let (failing, passing) = (names(\.newlyFailing), names(\.newlyPassing))
    let count = flips.reduce(0) { $0 + $1.count }
    guard !failing.isEmpty || !passing.isEmpty else { return sentence }
    func listed(_ names: [String]) -> String {
      let shown = names.prefix(namedCases).map { ClippedText.line($0, limit: maximumCaseName) }
        .joined(separator: ", ")
      let more = names.count - namedCases
      return "(\(shown)\(more > 0 ? " and \(more) more" : ""))"
    }
    func verb(_ count: Int, _ one: String, _ many: String) -> String { count == 1 ? one : many }
    let cases = count == 1 ? "test case" : "test cases"
    if failing.isEmpty {
      sentence.text(
        "\(passing.count) of \(count) \(cases) newly \(verb(passing.count, "passes", "pass")) "
          + listed(passing) + ".")
      return sentence
    }
    sentence.text("\(failing.count) of \(count) \(cases) newly ")
    sentence.finding(verb(failing.count, "fails", "fail"), "comparison")
    sentence.text(" \(listed(failing))")
    if !passing.isEmpty {
      sentence.text(", \(passing.count) newly \(verb(passing.count, "passes", "pass"))")
    }
    sentence.text(".")
    return sentence
  }

  /// Says which measured probabilities the answers contradict; the sentence is empty if there are
  /// none.
  static func contradictions(of comparisons: [ComparisonRecord]) -> Sentence {
    var sentence = Sentence()
    let facts = comparisons.flatMap(\.differences).filter { $0.fact.consequence == .doubtful }
    guard let first = facts.first else { return sentence }
    sentence.text("Contradiction: " + ClippedText.line(first.words, limit: 200))
    if facts.count > 1 { sentence.text("; and \(facts.count - 1) more") }
    sentence.text(".")
    return sentence
  }
}
