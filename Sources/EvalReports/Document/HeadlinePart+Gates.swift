import EvalRecords

extension HeadlinePart {
  /// Describes how far an interrupted run got.
  static func interruption(_ summary: RunSummary) -> HeadlinePart {
    var part = HeadlinePart()
    let made = summary.tally.attempts
    // A merged run has the test cases of its own shares, but not of the missing shares.
    guard summary.missing > 0 else {
      part.lead.text(
        "The run did not finish, or a share of it is missing. Its attempts are kept, but it can't "
          + "become a baseline.")
      part.continuation(of: summary.run)
      return part
    }
    part.lead.text(
      "The run stopped after \(NumberText.grouped(made)) of "
        + "\(NumberText.count(made + summary.missing, "planned attempt")). "
        + "Its attempts are kept, but it can't become a baseline.")
    part.continuation(of: summary.run)
    return part
  }

  /// Describes a run without attempts, and what to do about it.
  static func emptyRun(_ summary: RunSummary) -> HeadlinePart {
    var part = HeadlinePart()
    part.lead.text("No attempt was made, so nothing is known.")
    if summary.run.status == .complete {
      part.rest.text(
        "Check the selected suites, test cases, tags and shares, and the budgets of the run.")
    } else {
      part.continuation(of: summary.run)
    }
    return part
  }

  /// Adds the command that makes the missing attempts.
  private mutating func continuation(of run: RunRecord) {
    rest.space()
    rest.text("To make the missing attempts, run ")
    rest.code("assay run --resume \(run.id)")
    rest.text(" with the options that you gave that run.")
  }

  /// Describes the gates, or the pass rate if there are none.
  ///
  /// - Parameter baseline: The run whose failure counts the headline shows for comparison.
  static func gates(
    _ gates: [GateResultRecord], summary: RunSummary, baseline: RunSummary?
  ) -> HeadlinePart {
    var part = HeadlinePart()
    let missed = gates.filter { !$0.isPassed }
    guard let first = worst(missed) else {
      part.reached(gates, summary: summary)
      return part
    }
    let slice = SliceKey(suite: first.suite, variant: first.variant, backend: first.backend)
    let own = summary.tree.causes(in: slice)
    // If there are several causes, a cause with a single failure says little about the suite.
    let cause = own.first { $0.failed > 1 } ?? (own.count == 1 ? own.first : nil)
    let name = summary.slice(slice)?.name ?? "\(first.suite):\(first.variant) on \(first.backend)"
    part.miss(of: first, name: name, missed: missed.count, of: gates.count) { lead in
      guard let cause else { return }
      lead.text("; ")
      lead.cause(cause, summary: summary, baseline: baseline)
    }
    return part
  }

  /// The missed gate whose pass rate is furthest below the rate that it requires.
  private static func worst(_ missed: [GateResultRecord]) -> GateResultRecord? {
    func distance(_ gate: GateResultRecord) -> Double {
      let rate = gate.score ?? Double(gate.passed) / Double(max(1, gate.attempts))
      return gate.neededRate - rate
    }
    // A suite that ran and failed says more than a suite that didn't run.
    let ran = missed.filter { $0.attempts > 0 }
    let worst = (ran.isEmpty ? missed : ran).enumerated().min { left, right in
      let (one, other) = (distance(left.element), distance(right.element))
      return one == other ? left.offset < right.offset : one > other
    }
    return worst?.element
  }

  private mutating func reached(_ gates: [GateResultRecord], summary: RunSummary) {
    // A run that has not finished could still miss a gate.
    let count = summary.run.status == .complete ? gates.count : 0
    // A gate that requires a rate of 0 passes whatever the answers are.
    let lenient = gates.count { $0.neededRate <= 0 }
    let reached =
      switch (count, count - lenient) {
      case (0, _): ""
      case (1, 0): "The gate requires no pass rate: "
      case (1, _): "The gate passed: "
      case (_, 0): "None of the \(count) gates requires a pass rate: "
      case (_, count): "All \(count) gates passed: "
      default:
        "All \(count) gates passed, but \(lenient) \(lenient == 1 ? "requires" : "require") "
          + "no pass rate: "
      }
    let judged = Set(summary.slices.filter { $0.gate != nil }.map(\.key.suite))
    let others = summary.slices.contains { $0.gate == nil && judged.contains($0.key.suite) }
    let shares = shares(gates, summary: summary)
    let made = shares.map { share in
      let noun = share.backend == shares.first?.backend ? attempts(share.share, others) : ""
      return share.share.counts + noun + (share.backend.map { " on \(VisibleText.line($0))" } ?? "")
    }
    let all = made.dropLast().joined(separator: ", ")
    lead.text("\(reached)\(all)\(all.isEmpty ? "" : " and ")\(made.last ?? "") succeeded.")
    // If there are several backends, the figure and the tables show their intervals.
    guard shares.count == 1, let share = shares.first?.share else { return }
    rest.text("\(share.percent) succeeded, 95\u{A0}% interval \(share.interval).")
  }

  private func attempts(_ share: Share, _ areFirstVariants: Bool) -> String {
    " \(share.count == 1 ? "attempt" : "attempts")"
      + (areFirstVariants ? " of the first variants" : "")
  }

  /// The pass rates, one for each backend: a rate over several models says nothing about any model.
  ///
  /// They count the attempts that gates judge, or all attempts if there are no gates.
  private func shares(
    _ gates: [GateResultRecord], summary: RunSummary
  ) -> [(backend: String?, share: Share)] {
    var tallies: [(backend: String, passed: Int, attempts: Int)] = []
    func add(_ backend: String, _ passed: Int, _ attempts: Int) {
      if let index = tallies.firstIndex(where: { $0.backend == backend }) {
        tallies[index].passed += passed
        tallies[index].attempts += attempts
      } else {
        tallies.append((backend, passed, attempts))
      }
    }
    for gate in gates { add(gate.backend, gate.passed, gate.attempts) }
    if gates.isEmpty {
      for slice in summary.slices {
        add(slice.key.backend, slice.tally.passed, slice.tally.attempts)
      }
    }
    return tallies.map { tally in
      (tallies.count > 1 ? tally.backend : nil, Share(tally.passed, of: tally.attempts))
    }
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
}

extension Sentence {
  /// Adds a clause about a cause of failures: `craving was read as unclear in 3 of 12 attempts`, or
  /// `6 of 60 attempts were cut off at the token limit`.
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
            + NumberText.count(largest.attempts.count, "time"))
      }
    }
    if let was { notes.append(was) }
    if !notes.isEmpty { text(" (\(notes.joined(separator: "; ")))") }
  }
}
