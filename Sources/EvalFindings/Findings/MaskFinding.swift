import EvalRecords

/// A place at a decision of a slice where the mask removed more than half of the probability in
/// most test cases, because the model would have written something else.
package struct MaskFinding: Sendable {
  package let slice: SliceKey
  package let sliceName: String
  package let path: String
  /// The number of test cases whose attempts reached the decision.
  package let cases: Int
  /// The number of these test cases in which the mask removed so much.
  let removedCases: Int
  /// The beginning of the text that the model most often wanted to write instead.
  package let wanted: String
  /// The number of test cases in which the model wanted to write this text.
  let wantedCases: Int
  /// Whether the text would have come before the answer.
  let isPreface: Bool

  private struct Place: Hashable {
    var kind: DecisionRecord.Kind
    var path: String
    var isPreface = false
  }

  /// Returns the findings of a slice, in the order of the decisions.
  package static func findings(_ slice: SliceSummary, attempts: [AttemptRecord]) -> [MaskFinding] {
    var order: [Place] = []
    var cases: [Place: (all: Int, removed: Int)] = [:]
    var wanted: [Place: [String: Int]] = [:]
    for summary in slice.cases {
      var own: [Place: (all: Int, removed: [String])] = [:]
      for attempt in attempts[summary.range] {
        var places = attempt.decisions.map { Place(kind: $0.kind, path: $0.pattern) }
        if var first = places.first {
          first.isPreface = true
          places.insert(first, at: 0)
        }
        for place in Set(places) { own[place, default: (0, [])].all += 1 }
        for place in places where !order.contains(place) { order.append(place) }
        for removal in attempt.details.removals ?? [] {
          let place = Place(
            kind: removal.kind, path: removal.path, isPreface: removal.isPreface ?? false)
          own[place, default: (0, [])].removed.append(removal.wanted)
        }
      }
      for (place, counts) in own {
        cases[place, default: (0, 0)].all += 1
        guard counts.removed.count * 2 > counts.all else { continue }
        cases[place]?.removed += 1
        for text in Set(counts.removed) { wanted[place, default: [:]][text, default: 0] += 1 }
      }
    }
    return order.compactMap { place in
      // A place that only a few test cases reach says little about the suite.
      guard let counts = cases[place], counts.removed * 2 > slice.cases.count,
        let most = wanted[place]?.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })
      else { return nil }
      return MaskFinding(
        slice: slice.key, sliceName: slice.name, path: place.path, cases: counts.all,
        removedCases: counts.removed, wanted: most.key, wantedCases: most.value,
        isPreface: place.isPreface)
    }
  }
}
