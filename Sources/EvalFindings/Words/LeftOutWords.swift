import EvalRecords
import EvalStatistics

extension ComparisonRecord {
  /// The maximum number of suites, variants and backends to list by name.
  private static let listedParts = 3

  /// The parts that the comparison leaves out, such as `2 new cases, 1 only in the baseline`, or
  /// `nil` if there are none.
  ///
  /// A test case or assertion counts once, even if it is left out in several places.
  package var leftOutWords: String? { leftOutWords(besides: unmatchedSuites) }

  /// The suites that only one side has, such as `the suite tone of the baseline`.
  package var unmatchedSuites: [String] {
    unmatchedWords { $0 == .suite }
  }

  /// Returns the parts that the comparison leaves out, with the given suites; `nil` if there are
  /// none.
  package func leftOutWords(besides suites: [String]) -> String? {
    var parts: [String] = []
    let facts = differences.map(\.fact)
    func ids(_ change: ComparisonDifference.CaseChange) -> Int {
      addresses { fact in
        guard case .cases(change, let ids) = fact else { return [] }
        return ids
      }
    }
    func cases(_ count: Int, _ before: String, _ after: String) {
      guard count > 0 else { return }
      let noun = parts.isEmpty ? " case\(count == 1 ? "" : "s")" : ""
      parts.append(
        before.isEmpty ? "\(count)\(noun) \(after)" : "\(count) \(before)\(noun)")
    }
    cases(ids(.added), "new", "")
    cases(ids(.removed), "", "only in the baseline")
    cases(ids(.input), "", "with a different input")
    cases(ids(.assertions), "", "that the shared assertions can't judge")
    cases(otherSettings, "", "with a different request")
    for change in ComparisonDifference.AssertionChange.allCases where change != .reweighted {
      let names = Set(
        facts.flatMap { fact -> [String] in
          guard case .assertions(change, let names) = fact else { return [] }
          return names
        })
      if !names.isEmpty { parts.append(change.leftOutWords(names.sorted())) }
    }
    if let draws = repeatWords(facts) { parts.append(draws) }
    for fact in facts {
      switch fact {
      case .arraysOnlyIn(let side, let paths):
        parts.append(
          "\(paths.count.counted("array")) that only the \(side.rawValue)'s answers have"
            + ComparisonDifference.AssertionChange.listed(paths))
      case .measuredOnlyIn(let side, let quantities):
        parts.append(
          "\(quantities.count.counted("probability", plural: "probabilities")) measured only in "
            + "the \(side.rawValue)"
            + ComparisonDifference.AssertionChange.listed(
              quantities.map { $0.title(.measured) }))
      default: break
      }
    }
    parts += Self.listed(suites + unmatchedWords { $0 != .suite })
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// Returns the first of the parts that only one side has, and the number of the others.
  package static func listed(_ unmatched: [String]) -> [String] {
    let more = unmatched.count - listedParts
    return unmatched.prefix(listedParts)
      + (more > 0 ? ["\(more.counted("other part")) that only one side has"] : [])
  }

  private func unmatchedWords(
    _ isIncluded: (ComparisonDifference.RunPart) -> Bool
  ) -> [String] {
    differences.compactMap { difference in
      guard case .unmatched(let side, let part, let id) = difference.fact, isIncluded(part) else {
        return nil
      }
      return "the \(part.rawValue) \(VisibleText.line(id)) of the \(side.rawValue)"
    }
  }

  /// The number of test cases whose requests differ in a setting.
  private var otherSettings: Int {
    addresses { fact in
      guard case .setting(let name, _, _, let cases) = fact, name != .repeats,
        !name.isOfJudging
      else { return [] }
      return cases
    }
  }

  /// Counts test cases by suite and id, because two suites may have test cases with the same id.
  private func addresses(_ ids: (ComparisonDifference.Fact) -> [String]) -> Int {
    Set(
      differences.flatMap { difference in
        ids(difference.fact).map { [difference.place?.candidate.suite ?? "", $0] }
      }
    ).count
  }

  /// The repeats that only one side has, such as `2 of the candidate's 5 repeats`, or `nil` if
  /// there are none.
  private func repeatWords(_ facts: [ComparisonDifference.Fact]) -> String? {
    for case .setting(.repeats, .integer(let before), .integer(let after), let cases) in facts {
      guard cases.isEmpty else { return "repeats that one side lacks" }
      let (least, most) = (min(before, after), max(before, after))
      let side = after > before ? "candidate" : "baseline"
      return "\(most - least) of the \(side)'s \(most.counted("repeat"))"
    }
    return nil
  }
}

extension ComparisonDifference.AssertionChange {
  func leftOutWords(_ names: [String]) -> String {
    switch self {
    case .added: "\(names.count.counted("new assertion"))\(Self.listed(names))"
    case .removed: "\(names.count.counted("assertion")) gone\(Self.listed(names))"
    case .changed: "\(names.count.counted("edited assertion"))\(Self.listed(names))"
    case .reweighted:
      "\(names.count.counted("assertion")) with another weight\(Self.listed(names))"
    case .uncounted:
      "\(names.count.counted("assertion")) with weight 0 that only one side has"
        + Self.listed(names)
    }
  }

  /// Returns up to three names after a colon: `: short answers`.
  package static func listed(_ names: [String]) -> String {
    ": " + names.map { "“\(VisibleText.line($0))”" }.listed(3)
  }
}
