import EvalRecords

extension HeadlinePart {
  private static let maximumFindings = 2

  /// Describes how far an interrupted run got.
  static func interruption(_ summary: RunSummary) -> HeadlinePart {
    var part = HeadlinePart()
    let made = summary.tally.attempts
    // A merge knows the test cases of the shares that it has, but not those of the missing shares.
    guard summary.missing > 0 else {
      part.lead.text(
        "The run did not finish, or a share of it is missing. Its attempts are kept, but it can't "
          + "become a baseline.")
      return part
    }
    part.lead.text(
      "The run stopped after \(NumberText.grouped(made)) of "
        + "\(NumberText.count(made + summary.missing, "planned attempt")). "
        + "Its attempts are kept, but it can't become a baseline.")
    return part
  }

  /// Describes the gates (or the pass rate if there are none) and the most telling failures.
  ///
  /// - Parameters:
  ///   - baseline: The run whose failure counts the headline shows for comparison.
  ///   - listsFailures: Whether the details list the most telling failures; false if comparisons
  ///     describe the changes instead.
  static func gates(
    _ gates: [GateResultRecord], summary: RunSummary, baseline: RunSummary?, listsFailures: Bool
  ) -> HeadlinePart {
    var part = HeadlinePart()
    var causes = telling(summary)
    let missed = gates.filter { !$0.isPassed }
    if let first = worst(missed) {
      let slice = SliceKey(suite: first.suite, variant: first.variant, backend: first.backend)
      let own = summary.tree.causes(in: slice)
      // If there are several causes, one with a single failure says little about the suite.
      let cause = own.first { $0.failed > 1 } ?? (own.count == 1 ? own.first : nil)
      let name =
        summary.slice(slice)?.name ?? "\(first.suite):\(first.variant) on \(first.backend)"
      part.miss(of: first, name: name, missed: missed.count, of: gates.count) { lead in
        guard let cause else { return }
        lead.text("; ")
        lead.cause(cause, summary: summary, baseline: baseline)
      }
      causes.removeAll { $0.identity == cause?.identity && $0.places.first?.slice == slice }
    } else {
      part.reached(gates, summary: summary)
    }
    guard listsFailures else { return part }
    for cause in causes.prefix(maximumFindings) {
      part.rest.space()
      part.rest.text("In \(VisibleText.line(cause.places.first?.name ?? "")), ")
      part.rest.cause(cause, summary: summary, baseline: baseline)
      part.rest.text(".")
    }
    let more = causes.dropFirst(maximumFindings).reduce(0) { $0 + $1.failed }
    if more > 0 { part.rest.text(" \(NumberText.count(more, "other attempt")) failed.") }
    return part
  }

  /// The missed gate whose pass rate is furthest below the required one.
  private static func worst(_ missed: [GateResultRecord]) -> GateResultRecord? {
    func distance(_ gate: GateResultRecord) -> Double {
      let rate = gate.score ?? Double(gate.passed) / Double(max(1, gate.attempts))
      return gate.neededRate - rate
    }
    // A suite that ran and failed says more than one that didn't run.
    let ran = missed.filter { $0.attempts > 0 }
    let worst = (ran.isEmpty ? missed : ran).enumerated().min { left, right in
      let (one, other) = (distance(left.element), distance(right.element))
      return one == other ? left.offset < right.offset : one > other
    }
    return worst?.element
  }

  private mutating func reached(_ gates: [GateResultRecord], summary: RunSummary) {
    let share =
      gates.isEmpty
      ? Share(summary.tally.passed, of: summary.tally.attempts)
      : Share(gates.reduce(0) { $0 + $1.passed }, of: gates.reduce(0) { $0 + $1.attempts })
    // A required rate of 0 is reached whatever the answers are.
    let asksNothing = gates.allSatisfy { $0.neededRate <= 0 }
    // The attempts that were not made could still change the result of a gate.
    let isWhole = summary.run.status == .complete
    let reached =
      switch (isWhole ? gates.count : 0, asksNothing) {
      case (0, _): ""
      case (1, false): "The gate passed: "
      case (1, true): "The gate requires no pass rate: "
      case (_, false): "All \(gates.count) gates passed: "
      case (_, true): "None of the \(gates.count) gates requires a pass rate: "
      }
    let judged = Set(summary.slices.filter { $0.gate != nil }.map(\.key.suite))
    let others = summary.slices.contains { $0.gate == nil && judged.contains($0.key.suite) }
    lead.text(
      "\(reached)\(share.counts) \(share.count == 1 ? "attempt" : "attempts")"
        + "\(others ? " of the first variants" : "") succeeded.")
    rest.text("\(share.percent) succeeded, 95\u{A0}% interval \(share.interval).")
  }

  private mutating func miss(
    of gate: GateResultRecord, name: String, missed: Int, of count: Int,
    cause: (inout Sentence) -> Void
  ) {
    let share = Share(gate.passed, of: gate.attempts)
    let needed = NumberText.percent(gate.neededRate, decimals: Sentence.decimals(gate.neededRate))
    lead.code(name)
    lead.text(": ")
    lead.finding(share.counts, "suites")
    lead.text(
      " \(share.count == 1 ? "attempt" : "attempts") passed (\(share.percent)); "
        + "the gate requires \(needed)")
    cause(&lead)
    for hit in gate.guardrailHits.prefix(2) {
      lead.text("; its guardrail ")
      lead.code(hit.assertion)
      lead.text(" failed \(NumberText.count(hit.count, "time"))")
    }
    for miss in gate.misses.prefix(2) { lead.text("; \(VisibleText.line(miss.words))") }
    lead.text(".")
    if missed > 1 { lead.text(" \(missed) of \(count) gates were missed.") }
    rest.code(name)
    rest.text(": \(share.percent) passed, 95\u{A0}% interval \(share.interval).")
  }

  /// The causes of the failures in the slices that gates judge, separately for each slice.
  ///
  /// Causes with several failures come first, then those with one. Both groups are in the order of
  /// `FailureKind`: empty arrays, wrong branches, lengths and so on.
  private static func telling(_ summary: RunSummary) -> [FailureCause] {
    let hasGates = summary.slices.contains { $0.gate != nil }
    let judged = summary.slices.filter { !hasGates || $0.gate != nil }
    let causes = judged.flatMap { summary.tree.causes(in: $0.key) }
    return causes.enumerated().sorted { left, right in
      func rank(_ entry: (offset: Int, element: FailureCause)) -> (Int, FailureKind, Int, Int) {
        let cause = entry.element
        return (cause.failed > 1 ? 0 : 1, cause.kind, -cause.failed, entry.offset)
      }
      return rank(left) < rank(right)
    }.map(\.element)
  }
}

extension Sentence {
  /// A cause of failures in one slice, as a clause: `craving was read as unclear in 3 of 12
  /// attempts`, `6 of 60 attempts were cut off at the token limit`.
  fileprivate mutating func cause(
    _ cause: FailureCause, summary: RunSummary, baseline: RunSummary?
  ) {
    guard let place = cause.places.first,
      let largest = place.clusters.first.map({ summary.clusters[$0] })
    else { return }
    let was =
      baseline.map { run in
        let before = run.tree.causes(in: place.slice).first { $0.identity == cause.identity }
        return "baseline \(NumberText.grouped(before?.failed ?? 0))"
      }
    var notes = [String]()
    if place.clusters.count == 1, cause.kind == .emptyArray {
      code(largest.path)
      text(" was ")
      finding("empty", largest.id)
      text(" in \(place.share.counts) attempts")
    } else if place.clusters.count == 1, cause.kind == .wrongBranch, !largest.actual.isEmpty {
      let confusion = summary.confusions.first {
        $0.slice == place.slice && $0.path == largest.path
      }
      let row = confusion.flatMap { $0.branches.firstIndex(of: largest.expected) }
      let expecting = row.flatMap { confusion?.recall($0).count } ?? place.attempts
      code(largest.expected)
      text(" was ")
      finding("read as \(largest.actual)", largest.id)
      text(" in \(Share(cause.failed, of: expecting).counts) attempts")
    } else {
      finding(cause.clause(of: place.attempts), largest.id)
      if place.clusters.count > 1, cause.namesDetail {
        notes.append(
          "most often: \(VisibleText.line(largest.title)), "
            + NumberText.grouped(largest.attempts.count))
      }
    }
    if let was { notes.append(was) }
    if !notes.isEmpty { text(" (\(notes.joined(separator: "; ")))") }
  }
}
