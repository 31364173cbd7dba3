import StructuredText

extension [AttemptRecord] {
  /// Returns the attempts with the facts about their answers that version 0.1 didn't store.
  ///
  /// Every reader of stored attempts calls this method, so nothing else needs to know that the
  /// facts can be missing. Attempts that have the facts stay unchanged.
  ///
  /// - Parameter suites: The suites of the attempts' run.
  package func withFacts(of suites: [SuiteRecord]) -> [AttemptRecord] {
    guard contains(where: \.lacksFacts) else { return self }
    var expected: [String: [String: [ExpectedBranch]]] = [:]
    for suite in suites {
      for record in suite.cases where !record.expectedBranches.isEmpty {
        expected[suite.id, default: [:]][record.id] = record.expectedBranches
      }
    }
    return withFacts { expected[$0.suite]?[$0.caseID] ?? [] }
  }

  /// Returns the attempts with the facts that version 0.1 didn't store.
  ///
  /// - Parameter expected: Returns the branches that the test case of an attempt expects.
  package func withFacts(
    expecting expected: (AttemptKey) -> [ExpectedBranch]
  ) -> [AttemptRecord] {
    map { attempt in
      guard attempt.lacksFacts else { return attempt }
      var attempt = attempt
      attempt.addFacts(expecting: expected(attempt.key))
      return attempt
    }
  }
}

extension AttemptRecord {
  /// Whether the answer was cut off before its value was complete.
  package var isCutOff: Bool {
    switch failure?.kind {
    case .truncated, .contextSizeExceeded: true
    case nil: stopReason == .tokenLimit || stopReason == .contextFull
    default: false
    }
  }

  /// Whether the answer was cut off because the model's context was full.
  package var hasFullContext: Bool {
    isCutOff && (failure?.kind == .contextSizeExceeded || stopReason == .contextFull)
  }

  /// Whether the answer has a fact that a new record would have.
  package var lacksFacts: Bool {
    guard outcome != .skipped, !output.isEmpty else { return false }
    if isCutOff { return details.cut == nil }
    switch failure?.kind {
    case nil: return outcome != .error && details.shape == nil
    case .schemaMismatch: return details.shape == nil
    default: return false
    }
  }

  /// Derives the facts about the answer from its text.
  fileprivate mutating func addFacts(expecting expected: [ExpectedBranch]) {
    if isCutOff {
      details.cut = AnswerCut(
        limit: hasFullContext ? .context : .tokens, tokens: outputTokens,
        path: Self.place(atEndOf: output),
        loop: AnswerCut.loop(atEndOf: output))
    } else if let value = try? JSONValue(parsing: output) {
      details.shape = AnswerShape(of: value, expecting: expected)
    }
  }

  /// Returns the place at which a text ends, or `$` if it is nested too deeply.
  private static func place(atEndOf text: String) -> String {
    var tracker = JSONPlaceTracker()
    for byte in text.utf8 {
      tracker.feed(byte)
      if tracker.depth > 64 { return "$" }
    }
    return tracker.path
  }
}
