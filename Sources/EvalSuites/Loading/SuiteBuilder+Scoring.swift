import EvalRecords
import GuidedGeneration
import StructuredText

extension SuiteBuilder {
  /// Builds the suite's metrics, with the bounds that the gate sets on them.
  mutating func metrics(_ root: SourceNode, _ schema: GenerationSchema?) -> [Metric] {
    guard let node = root["metrics"], format.isSound(node) else { return [] }
    let bounds = root["gate"].flatMap { format.isSound($0) ? $0["metrics"] : nil }
    return node.members.compactMap { member in
      guard let source = source(of: member.node, schema) else { return nil }
      let limits = bounds?[member.key]
      var formula: String?
      if case .derived(let expression) = source {
        formula = expression.text
        checkNames(in: expression, member.node, among: node)
      }
      return Metric(
        record: MetricRecord(
          name: member.key, words: source.words, unit: member.node["unit"]?.text ?? source.unit,
          minimum: limits?["min"]?.value.double, maximum: limits?["max"]?.value.double,
          formula: formula),
        source: source)
    }
  }

  /// Reports paths in a derived metric's formula that don't name a metric, or that name a derived
  /// metric.
  private mutating func checkNames(
    in expression: Expression, _ node: SourceNode, among metrics: SourceNode
  ) {
    let measured = metrics.members.filter { $0.node["derived"] == nil }.map(\.key)
    for read in expression.paths {
      if case .name(let name)? = read.path.steps.first, read.path.steps.count == 1,
        measured.contains(name)
      {
        continue
      }
      let name = read.path.description
      format.problems.add(
        node["derived"]?.location ?? node.location,
        "`\(name)` is not a metric with a value for each attempt",
        allowed: NearestName.hint(for: name, among: measured.map { "$.\($0)" }, what: "metrics"))
    }
  }

  /// Returns the names of the test case's variables that the formulas of metrics read.
  func metricVariables(_ root: SourceNode) -> [String] {
    (root["metrics"]?.members ?? []).flatMap { member in
      member.node["expression"]?.text.flatMap { try? Expression(parsing: $0) }?.variables ?? []
    }
  }

  /// Builds the source of a metric, or returns `nil` if there are problems.
  private mutating func source(
    of node: SourceNode, _ schema: GenerationSchema?
  ) -> Metric.Source? {
    let view = schema.map { SchemaView($0) }
    if let name = node["of"]?.text {
      return Metric.AttemptNumber(rawValue: name).map { .attempt($0) }
    }
    var reader = CheckReader(problems: format.problems, root: view)
    defer { format.problems = reader.problems }
    if let text = node["derived"]?.text {
      return (try? Expression(parsing: text)).map { .derived($0) }
    }
    if let formula = node["expression"] {
      return reader.expression(formula, view).map { .expression($0) }
    }
    guard let place = node["value"] ?? node["count"], let text = place.text,
      let path = try? JSONPlace(parsing: text)
    else { return nil }
    do throws(SchemaView.DeadEnd) {
      _ = try view?.following(path)
    } catch {
      reader.problems.add(place.location, "`\(text)`: \(error.problem)", allowed: error.allowed)
      return nil
    }
    if node["count"] != nil { return .count(path) }
    if path.isSingular { return .value(path) }
    reader.problems.add(
      place.location, "`\(text)` selects several places",
      allowed: "one place, or `expression: mean(\(text))`")
    return nil
  }

  /// Returns a metric for each `boundHugging` assertion in a list.
  static func hugging(_ assertions: [Assertion], caseID: String?) -> [Metric] {
    assertions.compactMap { assertion in
      let (check, isNegated) = assertion.check.withoutNegations
      guard let hugging = (check as? HuggingCheck)?.hugging else { return nil }
      var record = MetricRecord(
        name: caseID.map { "\($0): \(assertion.name)" } ?? assertion.name,
        words: "attempts with \(hugging.path) at \(hugging.limits)", caseID: caseID, isShare: true)
      if isNegated {
        record.minimum = hugging.share
      } else {
        record.maximum = hugging.share
      }
      return Metric(record: record, source: .hugging(hugging))
    }
  }

  /// Reports bounds on unknown metrics, and metric names that are used twice.
  mutating func checkMetricNames(_ metrics: [Metric], _ root: SourceNode) {
    let names = metrics.map(\.record.name)
    for member in root["metrics"]?.members ?? [] where names.count(where: { $0 == member.key }) > 1
    {
      format.problems.add(
        member.keyLocation, "the metric `\(member.key)` has the name of an assertion",
        allowed: "names must be unique")
    }
    guard let gate = root["gate"], format.isSound(gate) else { return }
    let declared = (root["metrics"]?.members ?? []).map(\.key)
    for member in gate["metrics"]?.members ?? [] where !declared.contains(member.key) {
      format.problems.add(
        member.keyLocation, "there is no metric `\(member.key)`",
        allowed: NearestName.hint(for: member.key, among: declared, what: "metrics"))
    }
  }

  /// Returns the settings that a test case overrides; the threshold is the suite's unless the test
  /// case sets one.
  func settings(of node: SourceNode, in root: SourceNode) -> CaseSettings {
    var settings = CaseSettings()
    settings.repeats = node["repeats"]?.value.int
    if let own = node["options"] {
      settings.options = options(own, over: options(root["options"]))
    }
    let aliases = node.texts("aliases")
    settings.aliases = aliases.isEmpty ? nil : aliases
    settings.threshold = (node["threshold"] ?? root["threshold"])?.value.double
    if let gate = node["gate"] {
      settings.passRate = gate["passRate"]?.value.double ?? 1
      settings.reducer = gate["reducer"]?.text.flatMap { CaseReducer($0) }
    }
    return settings
  }

  /// Builds the rules that turn the verdicts on an attempt at a test case into an outcome.
  mutating func scoring(
    of node: SourceNode, in root: SourceNode, _ assertions: [Assertion],
    _ custom: [CustomAssertion]
  ) -> AttemptScoring {
    var scoring = AttemptScoring()
    let weights =
      assertions.map { ($0.name, $0.weight) } + custom.map { ($0.name, $0.weight) }
    for (name, weight) in weights where weight != 1 { scoring.weights[name] = weight }
    if !weights.isEmpty, weights.allSatisfy({ $0.1 == 0 }) {
      format.problems.add(
        node.location, "every assertion of the test case has weight 0",
        allowed: "at least one `weight` must be above 0")
    }
    checkThreshold(node["threshold"])
    scoring.threshold = (node["threshold"] ?? root["threshold"])?.value.double
    let shared = root["assertions"]?.elements.count ?? 0
    for entry in root["gate"]?["guardrail"]?.elements ?? [] {
      if let name = entry.text {
        scoring.guardrails.insert(name)
      } else if let index = entry.value.int, index >= 0, index < shared,
        assertions.indices.contains(index)
      {
        scoring.guardrails.insert(assertions[index].name)
      }
    }
    return scoring
  }

  /// Reports a threshold of 0, which every attempt would reach.
  mutating func checkThreshold(_ node: SourceNode?) {
    guard let node, node.value.double == 0 else { return }
    format.problems.add(
      node.location, "a threshold of 0 lets every attempt pass",
      allowed: "it must be above 0 and at most 1; for an assertion that decides nothing, use "
        + "`weight: 0`")
  }

  // MARK: Environment

  /// Reads the declared environment variables, and reports those that aren't set.
  mutating func checkEnvironment(_ node: SourceNode?) {
    guard let node, format.isSound(node) else { return }
    for entry in node.elements {
      guard let name = entry.text else { continue }
      declaredNames.append(name)
      if environment[name] == nil {
        format.problems.add(
          entry.location, "the environment variable `\(name)` is not set",
          allowed: "the suite declares it under `environment`")
      }
    }
  }
}

extension Metric.Source {
  /// A description of what the metric measures.
  fileprivate var words: String {
    switch self {
    case .value(let path): "the number at \(path)"
    case .count(let path): "the count at \(path)"
    case .expression(let expression), .derived(let expression): expression.text
    case .attempt(let number): number.rawValue
    case .hugging(let hugging): "on a bound of \(hugging.path)"
    }
  }

  /// The unit, or `nil` if it isn't known.
  fileprivate var unit: String? {
    switch self {
    case .attempt(.latency): "ms"
    case .attempt(.pressure), .attempt(.formatPressure), .attempt(.contentPressure): "nats"
    case .attempt(.outputTokens), .attempt(.promptTokens): "tokens"
    default: nil
    }
  }
}

extension Suite {
  /// Adds the metrics, and the settings that test cases override, to the suite's details.
  mutating func describeOwnSettings() {
    let records = (metrics + cases.flatMap(\.metrics)).map(\.record)
    details.metrics = records.isEmpty ? nil : records
    details.cases = ownSettings
    details.assertions = assertionIdentities
    details.expectedLengths = expectedLengths
    casesWithVaryingStub = cases.filter { $0.stub?.isFixed == false }.map(\.id)
    casesWithStubTurns = cases.filter { $0.stub?.takesTurns == true }.map(\.id)
    // A formula may read the test case's variables, so each test case gets its own copy of the
    // metrics, with the values of its variables filled in.
    for index in cases.indices {
      cases[index].metrics =
        metrics.map { $0.resolved(with: cases[index].variables) } + cases[index].metrics
    }
  }

  /// The identities of the assertions of all test cases, or `nil` if an assertion has none.
  private var assertionIdentities: AssertionIdentities? {
    let shared = assertions.compactMap(\.identity)
    guard shared.count == assertions.count else { return nil }
    var own: [(caseID: String, assertions: [AssertionIdentity])] = []
    for suiteCase in cases {
      let rest = suiteCase.assertions.dropFirst(assertions.count)
      let identities = rest.compactMap(\.identity)
      guard identities.count == rest.count else { return nil }
      own.append((suiteCase.id, identities + suiteCase.customAssertions.map(\.identity)))
    }
    return AssertionIdentities(shared: shared, own: own)
  }

  /// The settings that test cases override, keyed by test case id, or `nil` if there are none.
  private var ownSettings: [String: CaseSettings]? {
    var own: [String: CaseSettings] = [:]
    for suiteCase in cases where suiteCase.settings != CaseSettings() {
      own[suiteCase.id] = suiteCase.settings
    }
    return own.isEmpty ? nil : own
  }

  /// Removes the test cases' own repeat counts, so that `--repeats` applies to all test cases.
  package mutating func dropOwnRepeats() { setOwnRepeats { _ in nil } }

  /// Sets the numbers of repeats that test cases set themselves.
  ///
  /// The details keep the settings of other shards' test cases, so that the shards can be merged.
  ///
  /// - Parameter repeats: Returns the number of the test case with an id, or `nil` for the suite's
  ///   number.
  package mutating func setOwnRepeats(_ repeats: (String) -> Int?) {
    for index in cases.indices { cases[index].settings.repeats = repeats(cases[index].id) }
    var own = details.cases ?? [:]
    for id in Array(own.keys) { own[id]?.repeats = repeats(id) }
    for suiteCase in cases { own[suiteCase.id] = suiteCase.settings }
    own = own.filter { $0.value != CaseSettings() }
    details.cases = own.isEmpty ? nil : own
  }

  /// The greatest number of repeats of the selected test cases, including those of other shards.
  package var mostRepeats: Int {
    let selected = details.plan?.cases ?? cases.map(\.id)
    return selected.map { details.cases?[$0]?.repeats ?? repeats }.max() ?? repeats
  }

  /// Whether the suite runs external programs.
  public var usesCommands: Bool { cases.contains(where: \.usesCommands) }
}

extension SuiteCase {
  /// Whether the test case runs external programs.
  package var usesCommands: Bool { assertions.contains { $0.check.usesCommands } }
}
