import EvalRecords
import EvalRunner
import EvalStatistics
import EvalSuites

/// A stored run, judged anew by the suites as they are now.
///
/// The new run has the same draws as the stored run: the same answers, seeds, decisions and
/// measurements. Only the verdicts, outcomes, scores and metrics are new. `RunDetails.recheckOf`
/// names the run that made the attempts, so that no statistic counts them twice.
package struct Recheck {
  /// The new run, ready to be stored; its id is 0.
  package private(set) var run: RunRecord
  /// The attempts of the new run.
  package private(set) var attempts: [AttemptRecord] = []
  /// The verdicts that changed, in the order of the suites' test cases.
  package private(set) var changes: [Change] = []
  /// The number of attempts whose outcome changed.
  package private(set) var changedOutcomes = 0
  /// The parts of the run or of the suites that could not be judged.
  package private(set) var leftOut: [LeftOut] = []
  /// The judge, which also judges the references of the new run.
  package let judge: StoredAnswerJudge

  /// A changed verdict of one attempt.
  package struct Change: Sendable, Hashable {
    /// The attempt.
    package var key: AttemptKey
    /// The verdict.
    package var verdict: ChangedVerdict
  }

  /// A part that could not be judged.
  package enum LeftOut: Sendable, Hashable {
    /// A suite that no longer exists, with the number of its test cases in the run.
    case suiteGone(String, cases: Int)
    /// A suite that was not asked for.
    case notNamed(String)
    /// Test cases of the run that the suite no longer has.
    case casesGone(suite: String, cases: [String])
    /// Test cases that the run doesn't have, so there is no answer to them.
    case newCases(suite: String, cases: [String])
    /// Test cases whose request has changed since the run, so the stored answers answer another
    /// question.
    case otherRequests(suite: String, cases: [String])
    /// Test cases some of whose answers are not stored or don't fit the suite's schema.
    case unreadable(suite: String, cases: [String])

    /// Whether the run answered test cases that the recheck should judge but can't.
    package var isIncomplete: Bool {
      switch self {
      case .suiteGone, .casesGone, .otherRequests, .unreadable: true
      case .notNamed, .newCases: false
      }
    }
  }

  /// Judges a stored run anew.
  ///
  /// - Parameters:
  ///   - stored: The run.
  ///   - attempts: Its attempts.
  ///   - suites: The loaded suites.
  ///   - places: The files and folders from which the suites were loaded, or an empty array for the
  ///     folder of suites.
  ///   - commands: The permission to run external programs, or `nil` if they are not allowed.
  ///   - context: The context of the evaluation.
  /// - Throws: `SessionFailure` if the run can't be judged anew at all.
  package init(
    of stored: RunRecord, _ attempts: [AttemptRecord], by suites: [Suite], at places: [String],
    commands: CommandAccess?, in context: EvaluationContext
  ) throws(SessionFailure) {
    let name = "run \(stored.id)"
    if stored.comparison != nil || stored.details.lab != nil || stored.details.secondLookOf != nil {
      throw SessionFailure(
        .usage, "\(name) compares variants; only runs that gates judge can be judged anew")
    }
    guard stored.status != .running else {
      throw SessionFailure(.usage, "\(name) is still in progress")
    }
    run = stored
    let local = stored.backends.filter { $0.modelDigest != nil }.map(\.id)
    let suites = suites.filter { suite in stored.suites.contains { $0.id == suite.id } }.map {
      var suite = $0
      suite.gate.nameModels(local)
      return suite
    }
    for suite in stored.suites {
      guard let loaded = suites.first(where: { $0.id == suite.id }) else { continue }
      guard suite.details.store != .digests, loaded.details.store != .digests else {
        throw SessionFailure(
          .usage,
          "\(suite.id) keeps only digests (`store: digests`), so the answers of \(name) "
            + "can't be judged anew")
      }
      guard commands != nil || !loaded.usesCommands else {
        throw SessionFailure(
          .usage,
          "\(loaded.path): the suite runs external programs; --allow-commands permits it")
      }
    }
    judge = StoredAnswerJudge(
      RunPlan(suites: suites, backends: ["stored"]), commands: commands)
    run.suites = []
    let search = VanishedSuites(from: [], at: places, in: context.workingDirectory)
    for suite in stored.suites {
      guard let loaded = suites.first(where: { $0.id == suite.id }) else {
        let isAskedFor =
          search.isWhole || search.isInScope(stored.details.sources?[suite.id]?.file)
        leftOut.append(
          isAskedFor ? .suiteGone(suite.id, cases: suite.cases.count) : .notNamed(suite.id))
        continue
      }
      add(suite, of: stored, attempts.filter { $0.key.suite == suite.id }, by: loaded)
    }
    guard !self.attempts.isEmpty else {
      throw SessionFailure(
        .usage,
        ["\(name) has no attempt that the suites can judge anew"]
          + leftOut.map(\.words))
    }
    complete(stored, in: context)
  }

  /// Adds a suite with its attempts.
  private mutating func add(
    _ before: SuiteRecord, of stored: RunRecord, _ attempts: [AttemptRecord], by loaded: Suite
  ) {
    let id = before.id
    let newIDs = loaded.newIDs(of: before)
    let before = before.renamingCases(newIDs)
    var stored = stored
    if let index = stored.suites.firstIndex(where: { $0.id == id }) {
      stored.suites[index] = before
    }
    let attempts = attempts.map { attempt in
      var attempt = attempt
      attempt.key.caseID = newIDs[attempt.key.caseID] ?? attempt.key.caseID
      return attempt
    }
    let own = Dictionary(grouping: attempts, by: \.key.caseID)
    let schemas = before.answerSchemas
    let current = Dictionary(
      loaded.cases.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var (gone, other, unreadable): ([String], [String], [String]) = ([], [], [])
    var judged: [String: [AttemptRecord]] = [:]
    for record in before.cases {
      guard let suiteCase = current[record.id] else {
        gone.append(record.id)
        continue
      }
      guard loaded.asksTheSame(suiteCase, as: stored, before) else {
        other.append(record.id)
        continue
      }
      do throws(StoredAnswerJudge.Obstacle) {
        judged[record.id] = try judge.judged(
          own[record.id] ?? [], schemas: schemas, suite: id, caseID: record.id)
      } catch {
        unreadable.append(record.id)
      }
    }
    let known = Set(before.details.plan?.cases ?? before.cases.map(\.id))
    let new = loaded.cases.map(\.id).filter { !known.contains($0) }
    if !gone.isEmpty { leftOut.append(.casesGone(suite: id, cases: gone)) }
    if !other.isEmpty { leftOut.append(.otherRequests(suite: id, cases: other)) }
    if !unreadable.isEmpty { leftOut.append(.unreadable(suite: id, cases: unreadable)) }
    if !new.isEmpty, !stored.details.isPart {
      leftOut.append(.newCases(suite: id, cases: new))
    }
    guard !judged.isEmpty else { return }
    let after = loaded.record(cases: Set(judged.keys)).asking(as: before)
    noteChanges(attempts, judged, from: before, to: after)
    let now = Dictionary(
      judged.values.joined().map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    self.attempts += attempts.compactMap { now[$0.key] }
    run.suites.append(after)
  }

  private mutating func noteChanges(
    _ attempts: [AttemptRecord], _ judged: [String: [AttemptRecord]], from before: SuiteRecord,
    to after: SuiteRecord
  ) {
    let edits = JudgementEdits(from: before, attempts, to: after)
    var found: [Change] = []
    let old = Dictionary(
      attempts.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    for attempt in judged.values.joined() {
      guard let former = old[attempt.key] else { continue }
      if former.outcome != attempt.outcome { changedOutcomes += 1 }
      found += attempt.changedVerdicts(from: former, names: edits.names[attempt.key.caseID]).map {
        Change(key: attempt.key, verdict: $0)
      }
    }
    let order = Dictionary(
      before.cases.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    func rank(_ key: AttemptKey) -> (Int, String, String, Int) {
      (order[key.caseID] ?? 0, key.variant, key.backend, key.repeatIndex)
    }
    changes += found.sorted { rank($0.key) < rank($1.key) }
  }

  /// Sets the facts of the new run that differ from the stored run's.
  private mutating func complete(_ stored: RunRecord, in context: EvaluationContext) {
    let copy = WorkingCopy(around: context.workingDirectory, environment: context.environment)
    run.id = 0
    run.startedAt = context.timestamp
    run.finishedAt = context.timestamp
    run.toolVersion = ToolVersion.current
    run.commit = copy.commit
    run.details.branch = copy.branch
    run.details.recheckOf = stored.origin
    run.details.references = nil
    run.details.acceptances = nil
    run.details.baselineRule = nil
    run.details.judging = nil
    run.details.vanishedBaselines = nil
    run.details.profile = nil
    run.details.earlyStops = stored.details.earlyStops?.filter { stop in
      run.suites.contains { $0.id == stop.suite }
    }
    let missing = leftOut.filter(\.isIncomplete).reduce(0) { $0 + $1.count }
    guard missing > 0 else { return }
    run.status = .interrupted
    run.details.ending =
      "the stored answers to \(missing.counted("test case")) can't be judged anew"
  }
}

extension Suite {
  /// Returns the ids of the test cases that were renamed since a stored run, keyed by the old ids.
  fileprivate func newIDs(of before: SuiteRecord) -> [String: String] {
    let old = Set(before.cases.map(\.id))
    let current = Set(cases.map(\.id))
    var newIDs: [String: String] = [:]
    for suiteCase in cases where !old.contains(suiteCase.id) {
      let alias = suiteCase.settings.aliases?.last { old.contains($0) && !current.contains($0) }
      if let alias { newIDs[alias] = suiteCase.id }
    }
    return newIDs
  }

  /// Returns whether the requests for a test case are the same as in a stored run.
  fileprivate func asksTheSame(
    _ suiteCase: SuiteCase, as stored: RunRecord, _ record: SuiteRecord
  ) -> Bool {
    record.variants.allSatisfy { variant in
      guard let current = variants.first(where: { $0.id == variant.id }) else { return false }
      let key = AttemptKey(
        suite: id, variant: variant.id, backend: "", caseID: suiteCase.id, repeatIndex: 0)
      guard let before = stored.request(for: key) else { return false }
      var now = request(suiteCase, current)
      // Neither is part of what a model is asked.
      now.stubScript = before.stubScript
      now.judgedSchema = before.judgedSchema
      return now == before
    }
  }
}

extension SuiteRecord {
  /// Returns the record with other ids of test cases.
  ///
  /// - Parameter newIDs: The new ids, keyed by the old ones.
  fileprivate func renamingCases(_ newIDs: [String: String]) -> SuiteRecord {
    guard !newIDs.isEmpty else { return self }
    var record = self
    for index in record.cases.indices {
      let id = record.cases[index].id
      record.cases[index].id = newIDs[id] ?? id
    }
    record.details.plan?.cases = (details.plan?.cases ?? []).map { newIDs[$0] ?? $0 }
    if let settings = details.cases {
      record.details.cases = Dictionary(
        settings.map { (newIDs[$0.key] ?? $0.key, $0.value) },
        uniquingKeysWith: { first, _ in first })
    }
    record.details.effectiveSettings?.renameCases(newIDs)
    record.details.assertions?.renameCases(newIDs)
    return record
  }

  /// Returns the record of the suite as it is now, with the requests and draws of an older record.
  fileprivate func asking(as before: SuiteRecord) -> SuiteRecord {
    var record = self
    record.variants = before.variants
    record.options = before.options
    record.repeats = before.repeats
    record.seed = before.seed
    record.details.plan = before.details.plan
    record.details.fresh = before.details.fresh
    record.details.variantOptions = before.details.variantOptions
    record.details.effectiveSettings = before.details.effectiveSettings
    var settings = record.details.cases ?? [:]
    for id in Set(settings.keys).union(before.details.cases?.keys ?? [:].keys) {
      settings[id, default: CaseSettings()].repeats = before.details.cases?[id]?.repeats
      settings[id]?.options = before.details.cases?[id]?.options
    }
    settings = settings.filter { $0.value != CaseSettings() }
    record.details.cases = settings.isEmpty ? nil : settings
    return record
  }
}
