import EvalRecords
import StructuredText

/// What a check says of an attempt.
package struct CheckResult: Sendable, Hashable {
  /// The verdict.
  package var verdict: Verdict
  /// What was expected, in words.
  package var expected: String
  /// What was there, in words.
  package var actual: String
}

/// What is said of one of the places that a path selects.
private struct Finding {
  var verdict: Verdict
  var place: ValuePath
  var actual: String
}

extension Check {
  /// Evaluates the check.
  ///
  /// - Parameters:
  ///   - facts: What is known of the attempt.
  ///   - value: The value in which paths begin; nil for the attempt's own.
  ///   - base: Where that value is.
  ///   - negated: Whether the check stands under an odd number of `not`.
  package func evaluate(
    _ facts: AttemptFacts, in value: JSONValue? = nil, at base: ValuePath = .root,
    negated: Bool = false
  ) -> CheckResult {
    let value = value ?? facts.value
    switch self {
    case .not(let check):
      return check.evaluate(facts, in: value, at: base, negated: !negated)
    case .values(let path, let rule):
      let findings = path.matches(in: value, at: base).map { rule.finding($0, negated: negated) }
      return Self.result(
        of: findings, path: path, expected: rule.expectation(negated: negated))
    case .present(let path):
      return Self.presence(of: path, in: value, at: base, wanted: !negated)
    case .absent(let path):
      return Self.presence(of: path, in: value, at: base, wanted: negated)
    case .unique(let path, let normalized):
      return Self.uniqueness(
        of: path, in: value, at: base, normalized: normalized, negated: negated)
    case .sorted(let path, let descending):
      return Self.order(of: path, in: value, at: base, descending: descending, negated: negated)
    case .attempt(let rule):
      let expected = rule.expectation(negated: negated)
      switch rule.judge(facts) {
      case nil: return CheckResult(verdict: .vacuous, expected: expected, actual: "no decision")
      case .holds(let actual)?:
        return CheckResult(verdict: negated ? .fail : .pass, expected: expected, actual: actual)
      case .fails(let actual)?:
        return CheckResult(verdict: negated ? .pass : .fail, expected: expected, actual: actual)
      case .notApplicable(let actual)?:
        return CheckResult(verdict: .fail, expected: expected, actual: actual)
      }
    case .quantified(let quantifier, let path, let checks):
      return Self.quantified(
        quantifier, path, checks, facts: facts, in: value, at: base, negated: negated)
    case .combined(let combination, let checks):
      return Self.combined(
        combination, checks, facts: facts, in: value, at: base, negated: negated)
    }
  }

  /// One result of what was found at each place: one failure fails it, and without places, or where
  /// every place is vacuous, it is vacuous.
  private static func result(
    of findings: [Finding], path: ValuePath, expected: String
  ) -> CheckResult {
    func words(_ finding: Finding) -> String {
      path.isSingular ? finding.actual : "\(finding.actual) at \(finding.place)"
    }
    let failures = findings.filter { $0.verdict == .fail }
    if let first = failures.first {
      let more = failures.count > 1 ? " and \(failures.count - 1) more" : ""
      return CheckResult(verdict: .fail, expected: expected, actual: words(first) + more)
    }
    let passes = findings.filter { $0.verdict == .pass }
    guard let first = passes.first else {
      return CheckResult(
        verdict: .vacuous, expected: expected,
        actual: findings.first.map(words) ?? "no values at \(path)")
    }
    let actual = passes.count == 1 ? words(first) : "so at all \(passes.count) places"
    return CheckResult(verdict: .pass, expected: expected, actual: actual)
  }

  private static func presence(
    of path: ValuePath, in value: JSONValue, at base: ValuePath, wanted: Bool
  ) -> CheckResult {
    let findings = path.matches(in: value, at: base).map { match in
      Finding(
        verdict: (match.value != nil) == wanted ? .pass : .fail, place: match.path,
        actual: match.value.map(ValueWords.short) ?? "nothing")
    }
    return result(of: findings, path: path, expected: wanted ? "present" : "absent")
  }

  private static func quantified(
    _ quantifier: Quantifier, _ path: ValuePath, _ checks: [Check], facts: AttemptFacts,
    in value: JSONValue, at base: ValuePath, negated: Bool
  ) -> CheckResult {
    let places = path.matches(in: value, at: base)
    let expected = Check.quantified(quantifier, path, checks).expectation(negated: negated)
    guard !places.isEmpty else {
      return CheckResult(
        verdict: .vacuous, expected: expected, actual: "no values at \(path)")
    }
    var findings: [Finding] = []
    for place in places {
      guard let element = place.value else {
        findings.append(Finding(verdict: .fail, place: place.path, actual: "nothing"))
        continue
      }
      let results = checks.map { $0.evaluate(facts, in: element, at: place.path) }
      let failure = results.first { $0.verdict == .fail }
      let isVacuous = results.allSatisfy { $0.verdict == .vacuous }
      findings.append(
        Finding(
          verdict: failure != nil ? .fail : isVacuous ? .vacuous : .pass, place: place.path,
          actual: failure?.actual ?? results.first?.actual ?? ""))
    }
    if findings.allSatisfy({ $0.verdict == .vacuous }) {
      return CheckResult(
        verdict: .vacuous, expected: expected, actual: findings.first?.actual ?? "")
    }
    let passing = findings.filter { $0.verdict == .pass }
    let failing = findings.filter { $0.verdict == .fail }
    let holds =
      switch quantifier {
      case .each: failing.isEmpty
      case .any: !passing.isEmpty
      case .none: passing.isEmpty
      }
    let telling = (quantifier == .none ? passing.first : failing.first) ?? findings.first
    let example = telling.map { "; \($0.actual) at \($0.place)" } ?? ""
    return CheckResult(
      verdict: holds != negated ? .pass : .fail, expected: expected,
      actual: "\(passing.count) of \(findings.count)" + example)
  }

  private static func combined(
    _ combination: Combination, _ checks: [Check], facts: AttemptFacts, in value: JSONValue,
    at base: ValuePath, negated: Bool
  ) -> CheckResult {
    let results = checks.map { $0.evaluate(facts, in: value, at: base) }
    let expected = Check.combined(combination, checks).expectation(negated: negated)
    if results.allSatisfy({ $0.verdict == .vacuous }) {
      return CheckResult(
        verdict: .vacuous, expected: expected, actual: results.first?.actual ?? "no checks")
    }
    let failing = results.indices.filter { results[$0].verdict == .fail }
    let holds =
      switch combination {
      case .all: failing.isEmpty
      case .anyOf: results.contains { $0.verdict == .pass }
      }
    let actual = results.indices.map { "\(checks[$0].path) \(results[$0].actual)" }
    return CheckResult(
      verdict: holds != negated ? .pass : .fail, expected: expected,
      actual: (holds || failing.isEmpty ? actual : failing.map { actual[$0] })
        .prefix(3).joined(separator: "; "))
  }

  /// What the check expects, in words.
  package var expectation: String { expectation(negated: false) }

  /// What the check expects, in words.
  package func expectation(negated: Bool) -> String {
    switch self {
    case .not(let check): check.expectation(negated: !negated)
    case .values(_, let rule): rule.expectation(negated: negated)
    case .present: negated ? "absent" : "present"
    case .absent: negated ? "present" : "absent"
    case .unique: negated ? "two equal values" : "no two equal values"
    case .sorted(_, let descending):
      (negated ? "not in " : "in ") + (descending ? "descending order" : "ascending order")
    case .attempt(let rule): rule.expectation(negated: negated)
    case .quantified(let quantifier, let path, let checks):
      (negated ? "not " : "") + "\(quantifier.rawValue) of \(path): "
        + checks.map { "\($0.path.relativeDescription) \($0.expectation)" }
        .joined(separator: " and ")
    case .combined(let combination, let checks):
      (negated ? "not " : "") + (combination == .all ? "all of: " : "one of: ")
        + checks.map { "\($0.path) \($0.expectation)" }.joined(separator: "; ")
    }
  }
}

extension ValueRule {
  /// What the rule says of one place.
  ///
  /// Nothing there fails a rule, and leaves its negation without
  /// anything to say: vacuous. Null counts as nothing for a negation.
  fileprivate func finding(_ match: PathMatch, negated: Bool) -> Finding {
    guard let value = match.value else {
      return Finding(
        verdict: negated ? .vacuous : .fail, place: match.path,
        actual: "nothing at \(match.path)")
    }
    switch judge(value) {
    case .holds(let actual):
      return Finding(verdict: negated ? .fail : .pass, place: match.path, actual: actual)
    case .fails(let actual):
      return Finding(verdict: negated ? .pass : .fail, place: match.path, actual: actual)
    case .notApplicable(let actual):
      let verdict: Verdict = negated && value == .null ? .vacuous : .fail
      return Finding(verdict: verdict, place: match.path, actual: actual)
    }
  }
}
