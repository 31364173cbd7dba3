import EvalRecords
import EvalStatistics

extension HistoryEntry {
  /// Returns the counts of one suite as a run, for a comparison with a run whose attempts are lost.
  ///
  /// The line of a history has no answers and no seeds. So the attempts have only an outcome each,
  /// the order of the outcomes within a test case means nothing, and no seed equals one of the
  /// other run's. The requests are those of the other run, because the line doesn't have its own.
  ///
  /// - Parameters:
  ///   - suite: The suite's id.
  ///   - run: The run that will be compared with this one.
  /// - Returns: The run with its attempts, or `nil` if the line has no counts of the suite.
  func reference(
    for suite: String, like run: RunRecord
  ) -> (run: RunRecord, attempts: [AttemptRecord])? {
    guard var record = run.suites.first(where: { $0.id == suite }),
      var variant = record.variants.first
    else { return nil }
    let own = slices.filter { $0.key.suite == suite && $0.made > 0 }
    guard let first = own.first else { return nil }
    variant.id = first.key.variant
    let counts = own.flatMap(\.cases).filter { $0.made > 0 }
    let repeats =
      counts.map { min($0.made, record.plannedRepeats(of: $0.id)) }.min() ?? 0
    guard repeats > 0 else { return nil }
    // Test cases that the suite no longer has stay, so that the comparison can say so.
    let known = Dictionary(record.cases.map { ($0.id, $0) }, uniquingKeysWith: { one, _ in one })
    var ids: [String] = []
    for count in counts where !ids.contains(count.id) { ids.append(count.id) }
    record.cases = ids.map { known[$0] ?? CaseRecord(id: $0) }
    record.variants = [variant]
    record.repeats = repeats
    record.details.fresh = nil
    record.details.cases = record.details.cases?.mapValues {
      var settings = $0
      settings.repeats = nil
      return settings
    }
    var reference = RunRecord(
      id: self.run, label: label, startedAt: startedAt, finishedAt: finishedAt, status: .complete,
      toolVersion: toolVersion, commit: commit,
      backends: run.backends.filter { backend in own.contains { $0.key.backend == backend.id } },
      suites: [record])
    reference.details.branch = branch
    reference.details.measurementProtocol = run.details.measurementProtocol
    reference.details.served = run.details.served
    var attempts: [AttemptRecord] = []
    for slice in own {
      for count in slice.cases where count.made > 0 {
        // Round half up, so that a test case that always passed does so in fewer attempts too.
        let passed = (2 * count.passed * repeats + count.made) / (2 * count.made)
        attempts += (0..<repeats).map { index in
          AttemptRecord(
            key: AttemptKey(
              suite: suite, variant: variant.id, backend: slice.key.backend, caseID: count.id,
              repeatIndex: index),
            seed: UInt64.max - UInt64(index), outcome: index < passed ? .pass : .fail,
            stopReason: .complete)
        }
      }
    }
    return (reference, attempts)
  }

  /// Returns whether the counts of a suite rest on other inputs, assertions, thresholds or options
  /// than those of a run, at any test case that both have, or `nil` if that is unknown.
  ///
  /// - Parameters:
  ///   - suite: The suite's id.
  ///   - run: The run that would be compared with the counts.
  func isEdited(_ suite: String, since run: RunRecord) -> Bool? {
    guard let record = run.suites.first(where: { $0.id == suite }),
      let variant = record.variants.first?.id
    else { return nil }
    let known = Dictionary(record.cases.map { ($0.id, $0) }, uniquingKeysWith: { one, _ in one })
    var isUnknown = false
    for count in slices.lazy.filter({ $0.key.suite == suite }).flatMap(\.cases) {
      guard let testCase = known[count.id] else { continue }
      let now = record.basis(of: testCase, in: variant, measured: run.measurementProtocol)
      if let basis = count.basis, let now {
        if basis != now { return true }
      } else {
        isUnknown = true
      }
    }
    return isUnknown ? nil : false
  }

  /// The names of the backends and their models.
  var modelNames: [String] {
    backends.map {
      BackendRecord.name(id: $0.id, model: $0.model, digest: $0.digest)
    }
  }

  /// Whether the entry has the numbers of backend errors.
  var knowsErrors: Bool { slices.allSatisfy { $0.errors != nil } }

  /// Whether the answers were imported.
  var isRecorded: Bool { backends.contains { $0.engine.hasPrefix("recorded") } }

  /// The ids of the suites.
  var suites: [String] {
    slices.map(\.key.suite).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// Returns whether a suite was compared with an accepted baseline, or `nil` if that is unknown or
  /// if the run ended with exit status 4.
  func hadBaseline(of suite: String) -> Bool? {
    exitStatus == 4
      ? nil : slices.lazy.filter { $0.key.suite == suite }.compactMap(\.hasBaseline).first
  }

  /// The number of backends.
  var backendCount: Int { backends.count }

  /// Whether a run is a part of the order before this entry.
  func isAfter(_ run: RunRecord) -> Bool {
    let moments = [RunOrder.Moment(run: run.id, startedAt: run.startedAt), moment]
    return RunOrder(moments).positions.first == 0
  }

  /// Whether later runs may be compared with the run's results of a suite.
  ///
  /// The run must be complete, and its branch must be one of `branches`. A run outside a repository
  /// has no branch and counts on every branch; a run on a detached HEAD whose branch nobody knows
  /// counts on none. A run of chosen variants isn't like a night, so it doesn't count. A run that
  /// ended with exit status 4 doesn't count, because its user was asked to look at what changed.
  /// Neither does a run whose suite regressed or was judged by acknowledgements, or has so many
  /// backend errors that every comparison with it would be broken, or whose suite no gate judged,
  /// because the gate was written for another model.
  ///
  /// - Parameters:
  ///   - suite: The suite's id.
  ///   - branches: The names of the branches.
  func canBeReference(of suite: String, on branches: [String]) -> Bool {
    let own = slices.filter { $0.key.suite == suite }
    let judged = own.filter { $0.needed != nil }.map(\.key.backend)
    return isMeasured && isOfFirstVariants && own.allSatisfy { judged.contains($0.key.backend) }
      && exitStatus != 4 && state != .acknowledged && !own.isEmpty
      && RunRecord.isOn(branches, branch: branch, commit: commit)
      && own.allSatisfy {
        !$0.isPart && $0.verdict != .regressed && $0.verdict != .broken
          && !ComparisonRules().isBroken(errors: $0.errors ?? 0, of: $0.made)
      }
  }
}
