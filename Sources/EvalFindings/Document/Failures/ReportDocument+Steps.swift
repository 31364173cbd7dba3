import EvalRecords
import StructuredText

extension ReportDocument {
  /// The next step for a cause of failures.
  ///
  /// The step depends on all failures of the cause, not only on the largest cluster. If fewer than
  /// ``NextStep/leastEvidence`` attempts support a change, the step is to inspect an attempt.
  package func nextStep(for cause: FailureCause) -> NextStep {
    let clusters = cause.places.flatMap { $0.clusters.map { summary.clusters[$0] } }
    guard let first = clusters.first else { return .inspect }
    switch cause.kind {
    case .error where cause.identity.subject == AttemptFailure.Kind.defect.rawValue:
      return .reportDefect(message: first.actual)
    case .error: return .checkBackend(reason: first.actual)
    case .refusal: return .readRefusal
    default: break
    }
    guard cause.failed >= NextStep.leastEvidence else { return .inspect }
    if let wanted = forbiddenWhitespace(first) { return wanted }
    switch cause.kind {
    case .cutOff: return cutStep(clusters)
    case .contextFull: return contextStep(clusters)
    case .emptyArray, .arrayLength: return arrayStep(clusters)
    case .wrongBranch: return branchStep(clusters, all: cause.failed)
    case .bounds, .assertion, .vacuous, .malformed, .error, .refusal: return .inspect
    }
  }

  /// Returns the next step for answers that were cut off: bounds in the schema for answers that
  /// repeat themselves, and a higher token limit for the others.
  private func cutStep(_ clusters: [FailureCluster]) -> NextStep {
    var ending: [SliceKey: (count: Int, longest: Int)] = [:]
    var repeating: [RepetitionBound.Kind: Int] = [:]
    for cluster in clusters {
      for index in cluster.attempts {
        let attempt = summary.attempts[index]
        if let loop = attempt.details.cut?.loop {
          repeating[bound(for: loop, cluster), default: 0] += 1
        } else {
          let (count, longest) = ending[cluster.slice] ?? (0, 0)
          ending[cluster.slice] = (count + 1, max(longest, attempt.outputTokens))
        }
      }
    }
    // All variants of a suite share one token limit.
    var ofSuite: [(suite: SuiteRecord, count: Int, longest: Int)] = []
    for slice in summary.slices {
      guard let (count, longest) = ending[slice.key], let suite = slice.suite else { continue }
      if let number = ofSuite.firstIndex(where: { $0.suite.id == suite.id }) {
        ofSuite[number].count += count
        ofSuite[number].longest = max(ofSuite[number].longest, longest)
      } else {
        ofSuite.append((suite, count, longest))
      }
    }
    let all = ofSuite.reduce(0) { $0 + $1.count }
    let limit = ofSuite.max { $0.count < $1.count }.map {
      TokenLimit(
        limit: max(
          $0.longest, $0.suite.distinctSettings.map(\.maximumTokens).max() ?? 0),
        file: file(of: $0.suite),
        failed: $0.count, all: all)
    }
    guard !repeating.isEmpty else { return limit.map { .raiseTokenLimit($0) } ?? .inspect }
    let bounds = repeating.map { RepetitionBound(kind: $0.key, answers: $0.value) }
    return .stopRepetition(
      bounds: bounds.sorted { ($1.answers, $0.words) < ($0.answers, $1.words) }, limit: limit)
  }

  /// Returns the next step for answers that filled the model's context: bounds in the schema for
  /// answers that repeat themselves, and shorter requests for the others.
  private func contextStep(_ clusters: [FailureCluster]) -> NextStep {
    guard case .stopRepetition(let bounds, nil) = cutStep(clusters) else { return .shortenRequest }
    return .stopRepetition(bounds: bounds, limit: nil)
  }

  /// Returns the bound to add to the schema so that a cluster's answers can't repeat `loop` until
  /// they reach the token limit.
  ///
  /// The result is `none` if the schema already has this bound, or if the place is unknown.
  private func bound(for loop: String, _ cluster: FailureCluster) -> RepetitionBound.Kind {
    // If the loop contains a quotation mark that ends a string, whole elements repeat.
    let text = loop.replacing(#"\\"#, with: "").replacing(#"\""#, with: "")
    let suite = run.suites.count > 1 ? cluster.slice.suite : nil
    guard text.contains("\"") else {
      return cluster.path == "$" ? .none : .length(path: cluster.path, suite: suite)
    }
    guard let path = JSONPlace.innermostArray(around: cluster.path) else { return .none }
    return array(at: path, cluster.slice)?.maximum == nil ? .items(path: path, suite: suite) : .none
  }

  private func array(at path: String, _ slice: SliceKey) -> SchemaDocument.ArrayPlace? {
    summary.slice(slice)?.variant.flatMap { SchemaDocument(schema: $0.schema).array(at: path) }
  }

  /// Returns the next step for arrays of a wrong length: the bound that would forbid the largest
  /// number of these arrays.
  private func arrayStep(_ clusters: [FailureCluster]) -> NextStep {
    var lacking: [ArrayBound.Place: (failed: Int, empty: Int, first: FailureCluster)] = [:]
    for cluster in clusters {
      let suite = summary.slice(cluster.slice)?.suite
      let least = suite?.arrayMinimums[cluster.path]
      // If test cases expect different lengths, no bound in the schema suits all of them.
      guard least ?? 0 <= suite?.details.arrayMaximums?[cluster.path] ?? .max else { continue }
      let array = array(at: cluster.path, cluster.slice)
      let name = run.suites.count > 1 ? cluster.slice.suite : nil
      for index in cluster.attempts {
        let fact = summary.attempts[index].details.counts?[cluster.assertion]
        let count = fact?.count ?? (cluster.kind == .emptyArray ? 0 : nil)
        var place: ArrayBound.Place?
        if let count, let minimum = fact?.minimum ?? least, count < minimum,
          minimum > array?.minimum ?? 0
        {
          place = .init(path: cluster.path, suite: name, bound: minimum, isMinimum: true)
        } else if let count, let maximum = fact?.maximum, maximum > 0, count > maximum,
          maximum < array?.maximum ?? .max
        {
          place = .init(path: cluster.path, suite: name, bound: maximum, isMinimum: false)
        }
        guard let place else { continue }
        lacking[place, default: (0, 0, cluster)].failed += 1
        if count == 0 { lacking[place]?.empty += 1 }
      }
    }
    let most = lacking.filter { place, found in
      !ArrayBoundConflict(place, of: found.first.slice.suite, in: summary).isFound
    }.max { left, right in
      (left.value.failed, right.value.first.id) < (right.value.failed, left.value.first.id)
    }
    guard let (place, found) = most, found.failed >= NextStep.leastEvidence else {
      return .inspect
    }
    return .addBound(
      ArrayBound(place: place, failed: found.failed, areEmpty: found.empty == found.failed),
      fixedBy: place.isMinimum ? bounded(found.first, place.bound) : nil)
  }

  /// Returns the name of a slice whose schema has the minimum and whose attempts don't have the
  /// cluster's failure, or `nil` if there is none.
  ///
  /// Only slices of the same suite on the same backend count.
  private func bounded(_ cluster: FailureCluster, _ minimum: Int) -> String? {
    summary.slices.first { slice in
      guard slice.key.suite == cluster.slice.suite, slice.key.backend == cluster.slice.backend,
        slice.key != cluster.slice, slice.tally.attempts > 0,
        array(at: cluster.path, slice.key)?.minimum ?? 0 >= minimum
      else { return false }
      return !summary.clusters.contains {
        $0.slice == slice.key && $0.kind == cluster.kind && $0.path == cluster.path
      }
    }?.name
  }

  /// Returns the next step for wrong branches: to separate the two enum cases that the model
  /// confuses most often.
  private func branchStep(_ clusters: [FailureCluster], all: Int) -> NextStep {
    struct Pair: Hashable {
      let expected: String
      let chosen: String
    }
    var order: [Pair] = []
    var counts: [Pair: Int] = [:]
    for cluster in clusters where !cluster.actual.isEmpty {
      let pair = Pair(expected: cluster.expected, chosen: cluster.actual)
      if counts[pair] == nil { order.append(pair) }
      counts[pair, default: 0] += cluster.attempts.count
    }
    let most = order.map { ($0, counts[$0] ?? 0) }.reduce(nil as (Pair, Int)?) { most, next in
      next.1 > most?.1 ?? 0 ? next : most
    }
    guard let (pair, failed) = most, failed >= NextStep.leastEvidence else { return .inspect }
    return .separateCases(
      expected: pair.expected, chosen: pair.chosen, failed: failed, all: all)
  }

  /// Returns the step to allow white space if the mask forbade white space that the model wanted at
  /// a decision, or `nil` if it didn't.
  private func forbiddenWhitespace(_ cluster: FailureCluster) -> NextStep? {
    for index in cluster.attempts.prefix(DrillDownPlan.perCluster) {
      let attempt = summary.attempts[index]
      let decided = Set(attempt.decisionsUnderFormatPressure.map(\.step))
      guard !decided.isEmpty else { continue }
      for number in decided.sorted() where attempt.trace.indices.contains(number) {
        let step = attempt.trace[number]
        let wanted = step.candidates.max { $0.raw < $1.raw }
        if let wanted, !wanted.isAllowed, wanted.raw >= 0.5, !wanted.text.isEmpty,
          wanted.text.allSatisfy(\.isWhitespace)
        {
          return .allowWhitespace(wanted: wanted.text, share: wanted.raw, path: step.path)
        }
      }
    }
    return nil
  }
}

extension NightView {
  /// The name and date of the run in which a slice got worse, or `nil` if the slice didn't get
  /// worse.
  package func worseSince(_ key: SliceKey) -> String? {
    fall(of: key).map { runName($0.first) }
  }
}
