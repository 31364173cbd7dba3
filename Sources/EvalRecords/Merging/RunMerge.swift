/// One of several runs to merge.
public struct RunShard: Sendable {
  /// The run's name in errors, for example `a.sqlite, run 3`.
  public var name: String
  /// The run.
  public var run: RunRecord
  /// The run's attempts.
  public var attempts: [AttemptRecord]

  /// Creates a shard.
  public init(name: String, run: RunRecord, attempts: [AttemptRecord]) {
    self.name = name
    self.run = run
    self.attempts = attempts
  }
}

/// The shards of a run, merged as if one machine had run all test cases.
///
/// The shards must have the same plan: the same version and commit, the same backends, and the same
/// suites except for the test cases. The merged test cases have the order of the whole suite, which
/// every shard records, and the attempts have the order of the test cases. If a shard is given
/// twice, its attempts are added only once.
public struct RunMerge: Sendable {
  /// The whole run; its id is 0.
  public let run: RunRecord
  /// The attempts of the run.
  public let attempts: [AttemptRecord]
  /// The test cases of the whole plan that no shard has, as `suite/case`.
  public let missingCases: [String]

  /// The reason why runs can't be merged.
  public enum Refusal: Error, Sendable, Hashable {
    /// There are no runs.
    case nothing
    /// Two runs differ in a property that must be the same; the associated values are the name of
    /// the property and both runs with their values.
    case different(String, first: Side, second: Side)
    /// Two runs have different results for the same attempt.
    case conflict(AttemptKey, first: String, second: String)

    /// One of the two runs, with its value.
    public struct Side: Sendable, Hashable {
      /// The run's name.
      public var name: String
      /// The value.
      public var value: String
    }
  }

  /// Creates a whole run from its shards.
  ///
  /// - Parameter shards: The runs; their order makes no difference.
  public init(_ shards: [RunShard]) throws(Refusal) {
    let shards = shards.sorted { ($0.run.startedAt, $0.name) < ($1.run.startedAt, $1.name) }
    guard let first = shards.first else { throw .nothing }
    for shard in shards.dropFirst() {
      for (what, values) in Self.identity(first.run, shard.run) where values.0 != values.1 {
        throw .different(
          what, first: .init(name: first.name, value: values.0),
          second: .init(name: shard.name, value: values.1))
      }
    }
    let suites = try Self.suites(shards)
    let attempts = try Self.attempts(shards, suites)
    var run = first.run
    run.id = 0
    run.suites = suites.map(\.record)
    run.details.shard = nil
    run.details.sources = Self.sources(shards)
    run.details.traces = shards.compactMap(\.run.details.traces).reduce(nil) { sum, use in
      guard var sum else { return use }
      sum.bytes += use.bytes
      sum.kept += use.kept
      sum.dropped += use.dropped
      return sum
    }
    run.details.earlyStops = shards.compactMap(\.run.details.earlyStops).reduce(nil) {
      ($0 ?? []) + $1
    }
    run.details.evaluations = shards.compactMap(\.run.details.evaluations).reduce(nil) {
      ($0 ?? [:]).merging($1, uniquingKeysWith: +)
    }
    run.details.profile = shards.compactMap(\.run.details.profile).reduce(nil) { sum, profile in
      sum.map { $0 + profile } ?? profile
    }
    run.details.reuse = shards.compactMap(\.run.details.reuse).reduce(nil) { sum, reuse in
      sum.map { $0.followed(by: reuse) } ?? reuse
    }
    // Durations of several machines say nothing about one of them.
    if Set(shards.map(\.run.details.machine)).count > 1 { run.details.machine = nil }
    if Set(shards.map(\.run.details.options)).count > 1 { run.details.options = nil }
    run.details.ending = shards.lazy.compactMap(\.run.details.ending).first
    // The merged run gets a reference of its own; a shard's comparison covers only its own part.
    run.details.baselineRule = nil
    run.details.references = nil
    run.details.judging = nil
    run.details.acknowledgements = nil
    let vanished = Set(shards.flatMap { $0.run.details.vanishedBaselines ?? [] })
      .subtracting(suites.map(\.record.id))
    run.details.vanishedBaselines = vanished.isEmpty ? nil : vanished.sorted()
    run.details.served = shards.compactMap(\.run.details.served).reduce(nil) { sum, use in
      (sum ?? [:]).merging(use) { $0.merged(with: $1) }
    }
    run.takeServedNames(from: attempts)
    missingCases = suites.flatMap { suite in
      suite.missing.map { "\(suite.record.id)/\($0)" }
    }
    let isComplete =
      missingCases.isEmpty && shards.allSatisfy { $0.run.status == .complete }
    run.status = isComplete ? .complete : .interrupted
    run.finishedAt = shards.compactMap(\.run.finishedAt).max()
    self.run = run
    self.attempts = attempts
  }

  /// Returns the locations of all suites, with the lines of every shard's test cases.
  private static func sources(_ shards: [RunShard]) -> [String: SuiteSource]? {
    var sources: [String: SuiteSource] = [:]
    for (id, source) in shards.flatMap({ Array($0.run.details.sources ?? [:]) }) {
      sources[id, default: source].lines.merge(source.lines) { first, _ in first }
    }
    return sources.isEmpty ? nil : sources
  }

  /// Returns the properties that two runs must have in common, with the values of both runs.
  private static func identity(
    _ first: RunRecord, _ second: RunRecord
  ) -> [(String, (String, String))] {
    func both(_ value: (RunRecord) -> String) -> (String, String) {
      (value(first), value(second))
    }
    var rows = [
      ("version of Assay", both(\.toolVersion)),
      ("measurement protocol", both { "\($0.measurementProtocol)" }),
      ("commit", both { $0.commit ?? "none" }),
      ("label", both(\.label)),
      ("compared variants", both { $0.comparison.map { "\($0)" } ?? "none" }),
      ("backends", both { $0.backends.map(\.id).joined(separator: ", ") }),
    ]
    for (one, other) in zip(first.backends, second.backends) {
      rows.append(("model of \(one.id)", (one.model, other.model)))
      rows.append(
        ("model file of \(one.id)", (one.modelDigest ?? "none", other.modelDigest ?? "none")))
      rows.append(("engine of \(one.id)", (one.engine, other.engine)))
      if one != other { rows.append(("backend \(one.id)", ("\(one)", "\(other)"))) }
    }
    return rows
  }

  /// One suite of the whole run.
  private struct WholeSuite {
    var record: SuiteRecord
    var missing: [String]
    var position: Int
  }

  private static func suites(_ shards: [RunShard]) throws(Refusal) -> [WholeSuite] {
    var ids: [String] = []
    var parts: [String: [(shard: RunShard, suite: SuiteRecord)]] = [:]
    for shard in shards {
      for suite in shard.run.suites {
        if parts[suite.id] == nil { ids.append(suite.id) }
        parts[suite.id, default: []].append((shard, suite))
      }
    }
    var whole: [WholeSuite] = []
    for id in ids {
      let parts = parts[id] ?? []
      guard let (first, suite) = parts.first else { continue }
      var cases: [String: (record: CaseRecord, shard: String)] = [:]
      var order: [String] = []
      for part in parts {
        let usesStub = part.shard.run.backends.contains(where: \.isStub)
        for (what, values) in identity(suite, part.suite, usesStub: usesStub)
        where values.0 != values.1 {
          throw .different(
            "\(what) of suite \(id)", first: .init(name: first.name, value: values.0),
            second: .init(name: part.shard.name, value: values.1))
        }
        for record in part.suite.cases {
          guard let known = cases[record.id] else {
            cases[record.id] = (record, part.shard.name)
            order.append(record.id)
            continue
          }
          guard known.record == record else {
            throw .different(
              "test case \(id)/\(record.id)",
              first: .init(name: known.shard, value: "\(known.record)"),
              second: .init(name: part.shard.name, value: "\(record)"))
          }
        }
      }
      let planned = suite.details.plan?.cases ?? order
      var record = suite
      record.cases = planned.compactMap { cases[$0]?.record }
      record.details.plan = nil
      whole.append(
        WholeSuite(
          record: record, missing: planned.filter { cases[$0] == nil },
          position: suite.details.plan?.position ?? Int.max))
    }
    // A stable sort: suites without a position stay in the order in which they were found.
    return whole.enumerated()
      .sorted { ($0.element.position, $0.offset) < ($1.element.position, $1.offset) }
      .map(\.element)
  }

  private static func identity(
    _ first: SuiteRecord, _ second: SuiteRecord, usesStub: Bool
  ) -> [(String, (String, String))] {
    func both(_ value: (SuiteRecord) -> String) -> (String, String) {
      (value(first), value(second))
    }
    var rows = [
      ("variants", both { $0.variants.map(\.id).joined(separator: ", ") }),
      ("repeats", both { "\($0.repeats)" }),
      ("seed", both { "\($0.seed)" }),
      ("options", both { "\($0.options)" }),
      (
        "number of selected test cases",
        both { $0.details.plan.map { "\($0.cases.count)" } ?? "all" }
      ),
    ]
    rows += first.judgingDifferences(to: second).map { ($0.rule, $0.values) }
    for (one, other) in zip(first.variants, second.variants) {
      rows.append(("schema of variant \(one.id)", (one.schema, other.schema)))
      rows.append(
        ("instructions of variant \(one.id)", (one.instructions ?? "", other.instructions ?? "")))
      rows.append(("prompt of variant \(one.id)", (one.promptTemplate, other.promptTemplate)))
    }
    rows += first.editedAssertions(second)
    func digest(_ value: String?) -> String { value.map { String($0.prefix(12)) } ?? "unknown" }
    rows.append(("digest of the inputs", both { digest($0.details.plan?.inputs) }))
    if usesStub {
      rows.append(
        ("digest of the stub's answers", both { digest($0.details.plan?.stubAnswers) }))
    }
    func plain(_ suite: SuiteRecord) -> SuiteRecord {
      var suite = suite
      suite.cases = []
      if !usesStub { suite.details.plan?.stubAnswers = nil }
      return suite
    }
    if plain(first) != plain(second) { rows.append(("record", ("\(first)", "\(second)"))) }
    return rows
  }

  private static func attempts(
    _ shards: [RunShard], _ suites: [WholeSuite]
  ) throws(Refusal) -> [AttemptRecord] {
    var known: [AttemptKey: (attempt: AttemptRecord, shard: String)] = [:]
    for shard in shards {
      for attempt in shard.attempts {
        guard let other = known[attempt.key], other.attempt.outcome != .skipped else {
          known[attempt.key] = (attempt, shard.name)
          continue
        }
        guard attempt == other.attempt || attempt.outcome == .skipped else {
          throw .conflict(attempt.key, first: other.shard, second: shard.name)
        }
      }
    }
    var ranks: [String: [String: Int]] = [:]
    for suite in suites {
      ranks[suite.record.id] = Dictionary(
        suite.record.cases.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { one, _ in one })
    }
    let order = Dictionary(
      suites.enumerated().map { ($1.record.id, $0) }, uniquingKeysWith: { one, _ in one })
    func rank(_ key: AttemptKey) -> (Int, Int, String, String, Int) {
      (
        order[key.suite] ?? .max, ranks[key.suite]?[key.caseID] ?? .max, key.backend,
        key.variant, key.repeatIndex
      )
    }
    return known.values.map(\.attempt).sorted { rank($0.key) < rank($1.key) }
  }
}

extension SuiteRecord {
  /// Returns the assertions that two records of the suite define differently, with the beginnings
  /// of both digests.
  fileprivate func editedAssertions(_ other: SuiteRecord) -> [(String, (String, String))] {
    guard let left = details.assertions, let right = other.details.assertions, left != right
    else { return [] }
    let ids = (details.plan?.cases ?? []) + cases.map(\.id) + other.cases.map(\.id)
    for id in ids {
      guard let name = left.differences(to: right, of: id).first else { continue }
      func digest(_ identities: AssertionIdentities) -> String {
        identities.assertions(of: id).first { $0.name == name }.map { String($0.digest.prefix(12)) }
          ?? "missing"
      }
      return [("assertion `\(name)`", (digest(left), digest(right)))]
    }
    return []
  }
}

extension RunMerge.Refusal: CustomStringConvertible {
  /// A description of the reason, with the names of the runs.
  public var description: String {
    switch self {
    case .nothing: return "there is no run to merge"
    case .different(let what, let first, let second):
      let (one, other) = Self.clipped(first.value, second.value)
      return "the runs are not shards of one run, because they differ in the \(what): "
        + "\(one) in \(first.name), \(other) in \(second.name)"
    case .conflict(let key, let first, let second):
      return "both \(first) and \(second) have \(key.address) "
        + "(\(key.variant) on \(key.backend)), with different results"
    }
  }

  /// Returns excerpts of two texts, which begin just before the first difference.
  private static func clipped(_ first: String, _ second: String) -> (String, String) {
    let common = zip(first.unicodeScalars, second.unicodeScalars).prefix { $0 == $1 }.count
    let start = max(0, common - 20)
    func part(_ text: String) -> String {
      let scalars = text.unicodeScalars.dropFirst(start)
      let shown = String(String.UnicodeScalarView(scalars.prefix(60)))
      return "`\(start > 0 ? "…" : "")\(shown)\(scalars.count > 60 ? "…" : "")`"
    }
    return (part(first), part(second))
  }
}
