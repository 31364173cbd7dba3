import EvalRecords

extension Novelty {
  /// The maximum number of findings that a sentence names.
  private static let maximumNames = 3

  /// Says what is new, what is known and what is fixed.
  ///
  /// The result is `nil` if there is nothing to say. An example: `New since run 59 (27 Nov):
  /// recipes. Known since run 12 (3 Oct), for 48 runs: the gate of symptoms.`
  package func words(in view: NightView) -> String? {
    guard let previous, !isEmpty else { return nil }
    // Each run is named with its date once.
    var dated: Set<Int> = []
    func name(_ run: Int) -> String { view.runName(run, withDate: dated.insert(run).inserted) }
    var sentences: [String] = []
    if !new.isEmpty { sentences.append("New since \(name(previous)): \(names(new, view)).") }
    if !moved.isEmpty {
      let suites = Self.list(moved.map { Self.name($0, view) })
      sentences.append("Other test cases fail than in \(name(previous)): \(suites).")
    }
    if isOld {
      let all = broken.flatMap(\.cases)
      sentences.append(
        all.isEmpty
          ? "Nothing is new since \(name(previous))."
          : "No finding is new since \(name(previous)), but "
            + NumberText.count(all.count, "test case")
            + (all.count == 1 ? " fails" : " fail") + " that passed then: "
            + Self.list(
              broken.map { slice, cases in
                (cases.count == 1 ? Self.clipped(cases[0]) : NumberText.grouped(cases.count))
                  + " of \(Self.name(slice, view))"
              }) + ".")
    }
    // Findings that began in the same run share a sentence.
    var starts: [Int: [Known]] = [:]
    for known in known { starts[known.first, default: []].append(known) }
    for first in starts.keys.sorted().prefix(Self.maximumNames) {
      let group = starts[first] ?? []
      let runs = group.map(\.runs).max() ?? 0
      sentences.append(
        "Known since \(name(first)), for \(NumberText.count(runs, "run")): "
          + "\(names(group.map(\.finding), view)).")
    }
    if !fixed.isEmpty { sentences.append("Fixed since \(name(previous)): \(names(fixed, view)).") }
    return sentences.joined(separator: " ")
  }

  /// The names of some findings; a pass rate that regressed needs no second mention for its gate,
  /// and several test cases of a suite that newly fail share a name.
  private func names(_ all: [Finding], _ view: NightView) -> String {
    let regressed = Set(all.filter { $0.kind == .regression && $0.isAboutPassing }.map(\.slice))
    let failing = Dictionary(grouping: all.filter { $0.kind == .newlyFailing }, by: \.slice)
    let names = all.filter {
      $0.kind != .gate || !$0.isAboutPassing || !regressed.contains($0.slice)
    }.map { finding in
      let cases = finding.kind == .newlyFailing ? failing[finding.slice] ?? [] : []
      guard cases.count > 1 else { return name(of: finding, view) }
      return "\(NumberText.count(cases.count, "test case")) of \(Self.name(finding.slice, view))"
    }.distinct
    // The names of suites come first: "a case of a, b" would be about two suites.
    let suites = Set(all.map { Self.name($0.slice, view) })
    return Self.list(names.filter(suites.contains) + names.filter { !suites.contains($0) })
  }

  /// The name of a finding: `recipes`, `empty $.steps in recipes`, `the gate of symptoms`.
  ///
  /// A suite's name alone stands for its pass rate, and its gate for the pass rate that the gate
  /// requires, unless something else about the suite or its gate is new, known or fixed as well.
  private func name(of finding: Finding, _ view: NightView) -> String {
    let suite = Self.name(finding.slice, view)
    let all = new + known.map(\.finding) + fixed
    let isOnly = all.allSatisfy {
      $0.slice != finding.slice || $0.kind != finding.kind || $0 == finding
    }
    switch finding.criterion {
    case nil: return finding.kind == .gate ? "the gate of \(suite)" : suite
    case .quantity(.passRate): return isOnly ? suite : "the pass rate of \(suite)"
    case .quantity(let quantity): return "\(Self.clipped(quantity.title(.counted))) in \(suite)"
    case .gateRate: return isOnly ? "the gate of \(suite)" : "the gate’s pass rate in \(suite)"
    case .guardrail(let name): return "the guardrail “\(Self.clipped(name))” of \(suite)"
    case .metric(let name): return "the metric “\(Self.clipped(name))” of \(suite)"
    case .testCase(let id): return "the gate of \(Self.clipped(id)) in \(suite)"
    case .backendErrors: return "the backend errors in \(suite)"
    case .recordedAnswers: return "the missing answers in \(suite)"
    case .newlyFailing(let id): return "the test case \(Self.clipped(id)) of \(suite)"
    }
  }

  private static func name(_ slice: SliceKey, _ view: NightView) -> String {
    clipped(view.name(slice))
  }

  private static func clipped(_ text: String) -> String { ClippedText.line(text, limit: 60) }

  private static func list(_ names: [String]) -> String {
    let rest = names.count - maximumNames
    return names.prefix(maximumNames).joined(separator: ", ")
      + (rest > 0 ? ", and \(rest) more" : "")
  }
}

extension Novelty.Finding {
  /// Whether the finding is about a pass rate, or, in a line of an older version, about a suite as
  /// a whole.
  fileprivate var isAboutPassing: Bool { criterion?.isAboutPassing != false }
}
