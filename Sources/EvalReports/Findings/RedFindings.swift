import EvalRecords
import EvalStatistics

extension EffectRecord {
  /// The effect as a finding that can be acknowledged.
  ///
  /// The limit is twice the distance to the worse end of the interval of the change, and the margin
  /// of comparisons, beyond the value. Once the distance would not be enough: a later run is as
  /// noisy as this one, and would exceed the limit in one of twenty nights without any change. With
  /// twice the distance, that happens in fewer than one of 100 nights.
  public var redFinding: RedFinding {
    let isWorseHigher: Bool =
      switch quantity {
      case .passRate, .validOutput, .arrayLength: false
      default: true
      }
    let room =
      2 * max(0, isWorseHigher ? changeHigh - change : change - changeLow)
      + ComparisonRules().margin
    var named = self
    named.reference = .baseline
    return RedFinding(
      slice: place.candidate, name: named.title, value: candidate.value,
      isWorseHigher: isWorseHigher,
      limit: RedFinding.limit(candidate.value, room: room, isWorseHigher: isWorseHigher),
      isCertain: verdict == .regressed)
  }
}

extension RedFinding {
  /// Returns a limit between 0 and 1, rounded outwards to three decimals.
  fileprivate static func limit(_ value: Double, room: Double, isWorseHigher: Bool) -> Double {
    isWorseHigher
      ? min(1, ((value + room) * 1000).rounded(.up) / 1000)
      : max(0, ((value - room) * 1000).rounded(.down) / 1000)
  }
}

extension GateResultRecord {
  /// The reasons why the gate is missed as findings that can be acknowledged; empty if it passed,
  /// or `nil` if something is missing or broken, which nobody can acknowledge.
  public var redFindings: [RedFinding]? {
    guard !isPassed else { return [] }
    // Backend errors say nothing about the model.
    guard attempts > 0, errors * 100 <= attempts else { return nil }
    let margin = ComparisonRules().margin
    let slice = SliceKey(suite: suite, variant: variant, backend: backend)
    func finding(
      _ name: String, _ share: Share, _ value: Double? = nil, isWorseHigher: Bool
    ) -> RedFinding {
      let room = isWorseHigher ? share.high - share.value : share.value - share.low
      let value = value ?? share.value
      return RedFinding(
        slice: slice, name: "gate: \(name)", value: value, isWorseHigher: isWorseHigher,
        limit: RedFinding.limit(value, room: 2 * room + margin, isWorseHigher: isWorseHigher))
    }
    var findings: [RedFinding] = []
    let rate = score ?? Double(passed) / Double(attempts)
    if rate < neededRate || guardrailHits.isEmpty && misses.isEmpty {
      findings.append(
        finding("pass rate", Share(passed, of: attempts), rate, isWorseHigher: false))
    }
    for hit in guardrailHits {
      findings.append(
        finding(
          "guardrail \(hit.assertion)", Share(min(hit.count, attempts), of: attempts),
          isWorseHigher: true))
    }
    for miss in misses {
      switch miss {
      case .caseScore(let caseID, let passed, let attempts, let score, _, _):
        findings.append(
          finding(
            "test case \(caseID)", Share(passed, of: attempts), score, isWorseHigher: false))
      case .metricOutOfBounds(let metric, let value, _, _, let bound):
        // A metric has no interval, so it may move by half of its distance from the bound.
        let (limit, isWorseHigher) =
          switch bound {
          case .atLeast(let least): (value - (least - value) / 2, false)
          case .atMost(let most): (value + (value - most) / 2, true)
          }
        findings.append(
          RedFinding(
            slice: slice, name: "gate: metric \(metric)", value: value,
            isWorseHigher: isWorseHigher, limit: limit))
      case .uncheckedGuardrail, .tooFewRepeats, .metricWithoutData, .backendErrors,
        .missingAnswers, .metricWithoutValue:
        return nil
      }
    }
    return findings
  }
}

extension AcknowledgedFindings {
  /// Applies the acknowledgements that a run kept to its gates and comparisons.
  public init(_ run: RunRecord, gates: [GateResultRecord], comparisons: [ComparisonRecord]) {
    self.init(
      run, gates: gates.map { ($0, $0.redFindings) },
      comparisons: comparisons.map { ($0, { $0.redFinding }) })
  }

  /// Everything in a run that can be acknowledged, each once.
  public static func findings(
    gates: [GateResultRecord], comparisons: [ComparisonRecord]
  ) -> [RedFinding] {
    let regressed = comparisons.flatMap(\.effects)
      .filter { $0.isGating && $0.verdict == .regressed }.map(\.redFinding)
    let all = regressed + gates.flatMap { $0.redFindings ?? [] }
    return all.enumerated().filter { position, finding in
      !all[..<position].contains { $0.slice == finding.slice && $0.name == finding.name }
    }.map(\.element)
  }
}

extension HeadlinePart {
  /// The maximum number of acknowledged findings to name.
  private static let maximumMatches = 3

  /// Says which findings are acknowledged, and which no longer are.
  ///
  /// - Parameters:
  ///   - findings: The findings.
  ///   - namesDay: Whether to say since when they are acknowledged.
  static func acknowledged(_ findings: AcknowledgedFindings, namesDay: Bool) -> Sentence {
    var sentence = Sentence()
    func name(_ match: AcknowledgedFindings.Match) -> String {
      ClippedText.line(
        "\(match.finding.name) of \(match.finding.slice.suite)", limit: maximumName)
    }
    func add(
      _ matches: [AcknowledgedFindings.Match], _ words: (AcknowledgedFindings.Match) -> String
    ) {
      for match in matches.prefix(maximumMatches) {
        sentence.space()
        sentence.text(words(match))
      }
      let more = matches.count - maximumMatches
      if more > 0 { sentence.text(" The same holds for \(more.counted("more finding")).") }
    }
    add(findings.grown) {
      "The acknowledged finding \(name($0)) grew: \($0.finding.words(of: $0.finding.value)) now, "
        + "\($0.finding.bound) \($0.finding.words(of: $0.entry.limit)) was acknowledged."
    }
    add(findings.ended) {
      "The acknowledgement of \(name($0)) ended on \($0.entry.until)."
    }
    add(findings.covered) {
      let begin = namesDay ? "Acknowledged, since \($0.entry.since) and until" : "Until"
      return "\(begin) \($0.entry.until): \(name($0)) "
        + "(\(ClippedText.line($0.entry.reason, limit: maximumName)))."
    }
    return sentence
  }
}

extension RedFinding {
  /// The value and the limit in words: `43.3 %; at least 31.0 % from now on`.
  package var words: String {
    "\(words(of: value)); \(bound) \(words(of: limit)) from now on"
  }

  /// A value in words.
  fileprivate func words(of value: Double) -> String {
    name.hasPrefix("gate: metric") ? "\(value)" : NumberText.percent(value)
  }

  /// The words before a limit.
  fileprivate var bound: String { isWorseHigher ? "at most" : "at least" }
}
