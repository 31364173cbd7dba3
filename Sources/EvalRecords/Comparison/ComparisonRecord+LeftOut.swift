extension ComparisonRecord {
  /// Returns whether both runs judged a slice's answers by the same rules, so that their counts of
  /// failures can stand side by side.
  package func isJudgedAlike(at slice: SliceKey) -> Bool {
    !differences.contains { difference in
      guard difference.place.map({ $0.candidate == slice }) ?? true else { return false }
      switch difference.fact {
      case .guardrails, .setting(.threshold, _, _, _), .assertions(.reweighted, _), .scoring,
        .judgedAnew:
        return true
      default: return false
      }
    }
  }

  /// Returns the test cases of a slice that the comparison leaves out, although both sides have
  /// them.
  package func leftOutCases(at slice: SliceKey) -> [String] {
    let own = differences.filter { $0.place.map { $0.candidate == slice } ?? true }
    return own.flatMap { difference -> [String] in
      switch difference.fact {
      case .cases(.input, let ids), .cases(.assertions, let ids): return ids
      case .setting(let name, _, _, let cases) where name != .repeats && !name.isOfJudging:
        return cases
      default: return []
      }
    }
  }
}
