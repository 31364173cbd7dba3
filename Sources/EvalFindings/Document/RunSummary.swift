import EvalRecords
import EvalStatistics

/// A run's attempts in order, and everything that reports count in them.
///
/// The type is a class because every section of a report holds an instance. The code that copies a
/// structure of this size would make up a large part of the program.
package final class RunSummary: Sendable {
  package let run: RunRecord
  /// The attempts in the run's order.
  package let attempts: [AttemptRecord]
  package let slices: [SliceSummary]
  package let tally: Tally
  /// The number of planned attempts that were not made.
  package let missing: Int
  package let lengths: [LengthSummary]
  package let confusions: [ConfusionSummary]
  package let decisions: [DecisionSummary]
  /// The decisions before which the mask removed most of the probability.
  package let maskFindings: [MaskFinding]
  package let clusters: [FailureCluster]
  /// The clusters by cause, then by slice.
  package let tree: FailureTree
  /// The index of each attempt's cluster, or -1 for attempts that passed or were skipped.
  package let clusterOfAttempt: [Int32]
  /// The length of the schema's first array in each attempt's answer, or -1 if the answer doesn't
  /// have the array.
  package let lengthOfAttempt: [Int32]
  /// The index in `branchPairs` of each attempt's expected and chosen branch.
  ///
  /// The index is -1 if the test case expects no branch, or if the run has too many different
  /// pairs.
  package let branchOfAttempt: [Int32]
  /// The different pairs of an expected and a chosen branch, as `expected>chosen`.
  package let branchPairs: [String]

  init(run: RunRecord, attempts unordered: [AttemptRecord], gates: [GateResultRecord]) {
    self.run = run
    let attempts = AttemptOrder(run: run).sorted(unordered)
    self.attempts = attempts
    let slices = Self.slices(run: run, attempts: attempts, gates: gates)
    self.slices = slices
    tally = slices.reduce(Tally()) { $0 + $1.tally }
    let planned = slices.reduce(0) { $0 + ($1.suite.map { $0.plannedAttempts } ?? 0) }
    missing = max(0, planned - tally.attempts)
    var lengths: [LengthSummary] = []
    var confusions: [ConfusionSummary] = []
    var decisions: [DecisionSummary] = []
    var lengthOfAttempt = [Int32](repeating: -1, count: attempts.count)
    var branchOfAttempt = lengthOfAttempt
    var branchPairs: [String] = []
    for slice in slices {
      let shapes = SliceShapes(slice: slice, attempts: attempts)
      for (index, length) in shapes.lengthOfAttempt { lengthOfAttempt[index] = length }
      for (index, pair) in shapes.pairOfAttempt {
        var number = branchPairs.firstIndex(of: pair)
        if number == nil, branchPairs.count < 2000 {
          number = branchPairs.count
          branchPairs.append(pair)
        }
        branchOfAttempt[index] = Int32(number ?? -1)
      }
      lengths += shapes.lengths
      confusions += shapes.confusions
      decisions.append(DecisionSummary(slice: slice, attempts: attempts, run: run))
    }
    self.lengthOfAttempt = lengthOfAttempt
    self.branchOfAttempt = branchOfAttempt
    self.branchPairs = branchPairs
    self.lengths = lengths
    self.confusions = confusions
    self.decisions = decisions.filter { !$0.isEmpty }
    maskFindings = slices.flatMap { MaskFinding.findings($0, attempts: attempts) }
    let (clusters, ofAttempt) = FailureCluster.clusters(slices: slices, attempts: attempts)
    (self.clusters, clusterOfAttempt) = (clusters, ofAttempt)
    tree = FailureTree(clusters: clusters, slices: slices) { numbers in
      Set(numbers.map { attempts[$0].key.caseID }).count
    }
  }

  /// The names of the slices.
  package var names: SliceNames { SliceNames(slices.map(\.key)) }

  /// The slice with a key, or `nil` if the run doesn't have it.
  package func slice(_ key: SliceKey) -> SliceSummary? { slices.first { $0.key == key } }

  /// Counts a run's attempts by slice, with an empty slice for each suite without attempts.
  private static func slices(
    run: RunRecord, attempts: [AttemptRecord], gates: [GateResultRecord]
  ) -> [SliceSummary] {
    let suites = Dictionary(first: run.suites.map { ($0.id, $0) })
    var groups: [(key: SliceKey, range: Range<Int>)] = []
    for (index, attempt) in attempts.enumerated() {
      let key = attempt.key.slice
      if groups.last?.key == key {
        groups[groups.count - 1].range = groups[groups.count - 1].range.lowerBound..<(index + 1)
      } else {
        groups.append((key, index..<(index + 1)))
      }
    }
    let seen = Set(groups.map(\.key.suite))
    for suite in run.suites where !seen.contains(suite.id) {
      let key = SliceKey(
        suite: suite.id, variant: suite.variants.first?.id ?? "default",
        backend: run.backends.first?.id ?? "–")
      groups.append((key, attempts.count..<attempts.count))
    }
    let names = SliceNames(groups.map(\.key))
    return groups.map { key, range in
      let suite = suites[key.suite]
      // Numbers of attempts, because a list of the attempts themselves would copy them.
      let made = range.filter { attempts[$0].outcome != .skipped }
      let measures = made.map { attempts[$0].measures }
      var tally = Tally()
      for attempt in attempts[range] { tally.add(attempt) }
      return SliceSummary(
        key: key, suite: suite, variant: suite?.variants.first { $0.id == key.variant },
        range: range, tally: tally,
        cases: cases(
          of: suite, attempts: attempts, range: range, run: run.id,
          sampling: run.sampling(suite: key.suite, variant: key.variant, backend: key.backend)),
        gate: gates.first { $0.slice == key },
        duration: Quantiles(measures.compactMap(\.seconds)),
        tokens: Quantiles(measures.compactMap { $0.outputTokens.map(Double.init) }),
        promptTokens: Quantiles(measures.compactMap { $0.promptTokens.map(Double.init) }),
        name: names.name(key))
    }
  }

  private static func cases(
    of suite: SuiteRecord?, attempts: [AttemptRecord], range: Range<Int>, run: Int,
    sampling: SliceSampling?
  ) -> [CaseSummary] {
    let records = Dictionary(first: (suite?.cases ?? []).map { ($0.id, $0) })
    var cases: [CaseSummary] = []
    var start = range.lowerBound
    while start < range.upperBound {
      let id = attempts[start].key.caseID
      var tally = Tally()
      var end = start
      while end < range.upperBound, attempts[end].key.caseID == id {
        tally.add(attempts[end])
        end += 1
      }
      let made = (start..<end).filter { attempts[$0].outcome != .skipped }
      var draws = Draws()
      let separate = sampling.map { sampling in
        draws.add(made.map { DrawnAttempt(attempts[$0], run: run, sampling: sampling) })
          .count(where: \.isNew)
      }
      cases.append(
        CaseSummary(
          id: id, record: records[id], range: start..<end, tally: tally,
          draws: separate ?? made.count))
      start = end
    }
    let seen = Set(cases.map(\.id))
    for record in suite?.cases ?? [] where !seen.contains(record.id) {
      cases.append(
        CaseSummary(
          id: record.id, record: record, range: range.upperBound..<range.upperBound,
          tally: Tally(), draws: 0))
    }
    return cases
  }
}
