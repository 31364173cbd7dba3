import EvalRecords

/// A decision of a slice before which the mask removed more than half of the probability in most
/// test cases.
struct MaskFinding: Sendable {
  let slice: SliceKey
  let sliceName: String
  let path: String
  /// The number of test cases whose attempts reached the decision.
  let cases: Int
  /// The number of these test cases in which the mask removed so much.
  let removedCases: Int
  /// The token that the model most often wanted to write instead.
  let wanted: String

  private struct Place: Hashable {
    var kind: DecisionRecord.Kind
    var path: String
  }

  /// Returns the findings of a slice, in the order of the decisions.
  static func findings(_ slice: SliceSummary, attempts: [AttemptRecord]) -> [MaskFinding] {
    var order: [Place] = []
    var cases: [Place: (all: Int, removed: Int)] = [:]
    var wanted: [Place: [String: Int]] = [:]
    for summary in slice.cases {
      var own: [Place: (all: Int, removed: Int)] = [:]
      for attempt in attempts[summary.range] {
        let places = attempt.decisions.map { Place(kind: $0.kind, path: $0.pattern) }
        for place in Set(places) { own[place, default: (0, 0)].all += 1 }
        for place in places where !order.contains(place) { order.append(place) }
        for removal in attempt.details.removals ?? [] {
          let place = Place(kind: removal.kind, path: removal.path)
          own[place, default: (0, 0)].removed += 1
          wanted[place, default: [:]][removal.wanted, default: 0] += 1
        }
      }
      for (place, counts) in own {
        cases[place, default: (0, 0)].all += 1
        if counts.removed * 2 > counts.all { cases[place]?.removed += 1 }
      }
    }
    return order.compactMap { place in
      guard let counts = cases[place], counts.removed * 2 > counts.all,
        let most = wanted[place]?.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key
      else { return nil }
      return MaskFinding(
        slice: slice.key, sliceName: slice.name, path: place.path, cases: counts.all,
        removedCases: counts.removed, wanted: most)
    }
  }
}
