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
struct Finding {
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
      case nil:
        return CheckResult(verdict: .vacuous, expected: expected, actual: rule.absence(facts))
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
    case .found(let path, let conditions, let checks):
      return Self.found(
        path, where: conditions, checks, facts: facts, in: value, at: base, negated: negated)
    case .expression(let expression):
      return Self.formula(expression, facts: facts, in: value, negated: negated)
    case .command(let command): return command.evaluate(facts, negated: negated)
    case .hugging(let hugging):
      let found = hugging.path.values(in: facts.value).first?.value
      let number = found.flatMap(BoundHugging.number)?.text ?? "nothing to count"
      return CheckResult(
        verdict: .vacuous, expected: self.expectation(negated: negated),
        actual: hugging.isAtLimit(in: facts.value) == true ? "\(number), a limit" : number)
    case .combined(let combination, let checks):
      return Self.combined(
        combination, checks, facts: facts, in: value, at: base, negated: negated)
    }
  }

  /// One result of what was found at each place: one failure fails it, and without places, or where
  /// every place is vacuous, it is vacuous.
  static func result(
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
        + Self.relative(checks)
    case .found(let path, let conditions, let checks):
      (negated ? "none" : "one") + " of \(path) with " + Self.relative(conditions) + ", and it has "
        + Self.relative(checks)
    case .expression(let expression):
      (negated ? "not " : "") + "`\(ValueWords.cut(expression.text))`"
    case .command(let command): (negated ? "not " : "") + command.words
    case .hugging(let hugging):
      (negated ? "at least " : "at most ") + ValueWords.number(hugging.share * 100)
        + " % of all runs at \(hugging.limits)"
    case .combined(let combination, let checks):
      (negated ? "not " : "") + (combination == .all ? "all of: " : "one of: ")
        + checks.map { "\($0.path) \($0.expectation)" }.joined(separator: "; ")
    }
  }

  /// What nested checks expect of an element, in words.
  private static func relative(_ checks: [Check]) -> String {
    checks.map { "\($0.path.relativeDescription) \($0.expectation)" }.joined(separator: " and ")
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
