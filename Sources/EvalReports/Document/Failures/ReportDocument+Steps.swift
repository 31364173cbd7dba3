import EvalRecords

extension ReportDocument {
  /// Returns the next step for a cluster of failures.
  func nextStep(for cluster: FailureCluster) -> NextStep {
    let slice = summary.slice(cluster.slice)
    if let wanted = forbiddenWhitespace(cluster) { return wanted }
    switch cluster.kind {
    case .cutOff: return cutStep([cluster])
    case .emptyArray, .arrayLength: return arrayStep(cluster, slice)
    case .wrongBranch where !cluster.actual.isEmpty:
      return .separateCases(expected: cluster.expected, chosen: cluster.actual)
    case .error: return .checkBackend(reason: cluster.actual)
    case .refusal: return .readRefusal
    case .wrongBranch, .bounds, .assertion, .vacuous, .malformed: return .inspect
    }
  }

  /// Returns the next step for answers that were cut off: a bound in the schema if any answer
  /// repeats itself, and a higher token limit for the other answers.
  ///
  /// The bound is the one that would end the most repetitive answers. The limit is that of the
  /// suite with the most other answers.
  func cutStep(_ clusters: [FailureCluster]) -> NextStep {
    var ending: [(slice: SliceKey, count: Int, longest: Int)] = []
    var repeating: [(bound: RepetitionBound, count: Int)] = []
    for cluster in clusters {
      for index in cluster.attempts {
        let attempt = summary.attempts[index]
        // Earlier versions of Assay didn't record the loop.
        let cut = attempt.details.cut
        if let loop = cut == nil ? AnswerCut.loop(atEndOf: attempt.output) : cut?.loop {
          let bound = bound(for: loop, cluster)
          let number = repeating.firstIndex { $0.bound == bound } ?? repeating.count
          if number == repeating.count { repeating.append((bound, 0)) }
          repeating[number].count += 1
        } else {
          let number = ending.firstIndex { $0.slice == cluster.slice } ?? ending.count
          if number == ending.count { ending.append((cluster.slice, 0, 0)) }
          ending[number].count += 1
          ending[number].longest = max(ending[number].longest, attempt.outputTokens)
        }
      }
    }
    let most = ending.max { $0.count < $1.count }
    let suite = most.flatMap { summary.slice($0.slice)?.suite }
    let limit = max(most?.longest ?? 0, suite?.options.maximumTokens ?? 0)
    let file = suite.map { self.file(of: $0) } ?? ""
    guard let (bound, bounded) = repeating.max(by: { $0.count < $1.count }) else {
      return .raiseTokenLimit(limit: limit, file: file)
    }
    return .stopRepetition(
      repeating: repeating.reduce(0) { $0 + $1.count }, bounded: bounded,
      others: ending.reduce(0) { $0 + $1.count }, bound: bound, limit: limit, file: file)
  }

  /// The bound in the schema that would have ended a loop in the answers of a cluster.
  private func bound(for loop: String, _ cluster: FailureCluster) -> RepetitionBound {
    // If the loop contains a quotation mark that ends a string, whole elements repeat.
    let text = loop.replacing(#"\\"#, with: "").replacing(#"\""#, with: "")
    let suite = run.suites.count > 1 ? cluster.slice.suite : nil
    guard text.contains("\"") else {
      return cluster.path == "$" ? .none : .length(path: cluster.path, suite: suite)
    }
    let parts = cluster.path.split(separator: "[*]", omittingEmptySubsequences: false)
    guard parts.count > 1 else { return .none }
    let path = parts.dropLast().joined(separator: "[*]")
    let array = summary.slice(cluster.slice)?.variant.flatMap {
      SchemaDocument(schema: $0.schema).array(at: path)
    }
    return array?.maximum == nil ? .items(path: path, suite: suite) : .none
  }

  private func arrayStep(_ cluster: FailureCluster, _ slice: SliceSummary?) -> NextStep {
    // If test cases expect different lengths, no bound in the schema suits all of them.
    let suite = slice?.suite
    guard
      suite?.arrayMinimums[cluster.path] ?? 0
        <= suite?.details.arrayMaximums?[cluster.path] ?? .max
    else { return .inspect }
    let fact = cluster.attempts.first.flatMap {
      summary.attempts[$0].details.counts?[cluster.assertion]
    }
    let array = slice?.variant.flatMap {
      SchemaDocument(schema: $0.schema).array(at: cluster.path)
    }
    if let minimum = fact?.minimum ?? slice?.suite?.arrayMinimums[cluster.path],
      minimum > array?.minimum ?? 0,
      cluster.kind == .emptyArray || fact.map({ $0.count < minimum }) ?? false
    {
      return .addMinimum(minimum: minimum, path: cluster.path, fixedBy: bounded(cluster, minimum))
    }
    if let fact, let maximum = fact.maximum, maximum > 0, maximum < array?.maximum ?? .max,
      fact.count > maximum
    {
      return .addMaximum(maximum: maximum, path: cluster.path)
    }
    return .inspect
  }

  /// Returns the name of a slice that has the minimum but not the cluster's failure, or `nil` if
  /// there is none.
  ///
  /// Only slices of the same suite on the same backend count.
  private func bounded(_ cluster: FailureCluster, _ minimum: Int) -> String? {
    summary.slices.first { slice in
      guard slice.key.suite == cluster.slice.suite, slice.key.backend == cluster.slice.backend,
        slice.key != cluster.slice, slice.tally.attempts > 0, let variant = slice.variant,
        let array = SchemaDocument(schema: variant.schema).array(at: cluster.path),
        array.minimum ?? 0 >= minimum
      else { return false }
      return !summary.clusters.contains {
        $0.slice == slice.key && $0.kind == cluster.kind && $0.path == cluster.path
      }
    }?.name
  }

  /// Returns the next step if the mask forbade white space that the model wanted at a decision, or
  /// `nil` if it didn't.
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
  func worseSince(_ key: SliceKey) -> String? {
    guard let last = stretches(key).last, last.stretch.direction < 0 else { return nil }
    let name = axis.names[last.first]
    guard axis.hasNumbers else { return name }
    return "run \(name) (\(NightAxis.shortDate(history.entries[last.first].startedAt)))"
  }
}
