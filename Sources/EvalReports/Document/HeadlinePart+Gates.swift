import EvalRecords

extension HeadlinePart {
  private static let maximumFindings = 2

  /// How far an interrupted run came.
  static func interruption(_ summary: RunSummary) -> HeadlinePart {
    var part = HeadlinePart()
    let made = summary.tally.attempts
    // A merge knows the cases of the shares that it has, and not of those that are missing.
    guard summary.missing > 0 else {
      part.lead.text(
        "The run was not ended, or a share of it is missing; what ran is kept and is never a "
          + "baseline.")
      return part
    }
    part.lead.text(
      "The run stopped after \(NumberText.grouped(made)) of "
        + "\(NumberText.count(made + summary.missing, "planned attempt"));"
        + " what ran is kept and is never a baseline.")
    return part
  }

  /// Describes the gates, or the pass rate if there are none, and the largest failure.
  ///
  /// - Parameters:
  ///   - baseline: The run whose counts stand beside those of failures.
  ///   - listsFailures: Whether the most telling failures are told below; where a comparison says
  ///     what moved, they are not.
  static func gates(
    _ gates: [GateResultRecord], summary: RunSummary, baseline: RunSummary?, listsFailures: Bool
  ) -> HeadlinePart {
    var part = HeadlinePart()
    var clusters = telling(summary)
    let missed = gates.filter { !$0.isPassed }
    if let first = worst(missed) {
      let slice = SliceKey(suite: first.suite, variant: first.variant, backend: first.backend)
      let own = clusters.filter { $0.slice == slice }
      let causes = LargestCause.causes(own)
      // One failure of many tells nothing of the whole.
      let cause = causes.first { $0.count > 1 } ?? (causes.count == 1 ? causes.first : nil)
      let name =
        summary.slice(slice)?.name ?? "\(first.suite):\(first.variant) on \(first.backend)"
      part.miss(of: first, name: name, others: missed.count - 1, of: gates.count) { lead in
        guard let cause else { return }
        lead.text(": ")
        lead.cause(cause, summary: summary, baseline: baseline)
      }
      let told = Set(cause?.clusters.map(\.id) ?? [])
      clusters.removeAll { told.contains($0.id) }
    } else {
      part.reached(gates, summary: summary)
    }
    guard listsFailures else { return part }
    for cluster in clusters.prefix(maximumFindings) {
      part.rest.space()
      part.rest.text("In \(VisibleText.line(cluster.sliceName)), ")
      part.rest.failure(cluster, summary: summary, baseline: baseline)
      part.rest.text(".")
    }
    let more = clusters.dropFirst(maximumFindings).reduce(0) { $0 + $1.attempts.count }
    if more > 0 { part.rest.text(" \(NumberText.count(more, "more attempt")) did not pass.") }
    return part
  }

  /// The gate that is missed by most: the largest distance to the needed rate.
  private static func worst(_ missed: [GateResultRecord]) -> GateResultRecord? {
    func distance(_ gate: GateResultRecord) -> Double {
      let rate = gate.score ?? Double(gate.passed) / Double(max(1, gate.attempts))
      return gate.neededRate - rate
    }
    let worst = missed.enumerated().min { left, right in
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
    let reached =
      switch gates.count {
      case 0: ""
      case 1: "The gate is reached: "
      default: "All \(gates.count) gates are reached: "
      }
    lead.text("\(reached)\(share.passing("attempt")).")
    rest.text("\(share.percent) pass, 95\u{A0}% interval \(share.interval).")
  }

  private mutating func miss(
    of gate: GateResultRecord, name: String, others: Int, of count: Int,
    cause: (inout Sentence) -> Void
  ) {
    let share = Share(gate.passed, of: gate.attempts)
    let needed = NumberText.percent(gate.neededRate, decimals: Sentence.decimals(gate.neededRate))
    lead.code(name)
    lead.text(" passes ")
    lead.finding(share.counts, "suites")
    lead.text(" attempts and needs \(needed)")
    cause(&lead)
    for hit in gate.guardrailHits.prefix(2) {
      lead.text("; its guardrail ")
      lead.code(hit.assertion)
      lead.text(" failed \(NumberText.count(hit.count, "time"))")
    }
    for miss in gate.misses.prefix(2) { lead.text("; \(VisibleText.line(miss))") }
    if others > 0 {
      lead.text(
        "; \(NumberText.count(others, "more gate")) of \(count) \(others == 1 ? "is" : "are") missed"
      )
    }
    lead.text(".")
    rest.code(name)
    rest.text(": \(share.percent) pass, 95\u{A0}% interval \(share.interval).")
  }

  /// The failures of judged suites: what happened again and again first, then empty arrays before
  /// wrong branches before bounds.
  private static func telling(_ summary: RunSummary) -> [FailureCluster] {
    let hasGates = summary.slices.contains { $0.gate != nil }
    let judged = Set(summary.slices.filter { !hasGates || $0.gate != nil }.map(\.key))
    func rank(_ entry: (offset: Int, element: FailureCluster)) -> (Int, Int, Int) {
      (entry.element.attempts.count > 1 ? 0 : 1, entry.element.kind.rawValue, entry.offset)
    }
    return summary.clusters.filter { judged.contains($0.slice) }.enumerated()
      .sorted { rank($0) < rank($1) }.map(\.element)
  }
}

extension Sentence {
  /// The largest cause of failures: one group of attempts, or several of a kind with the largest
  /// named.
  fileprivate mutating func cause(
    _ cause: LargestCause, summary: RunSummary, baseline: RunSummary?
  ) {
    guard let largest = cause.clusters.first, cause.clusters.count > 1 else {
      if let only = cause.clusters.first { failure(only, summary: summary, baseline: baseline) }
      return
    }
    let count = summary.slice(largest.slice)?.tally.attempts ?? cause.count
    finding(cause.words, largest.id)
    text(" (\(NumberText.grouped(cause.count)) of \(NumberText.grouped(count))")
    if cause.namesLargest {
      text(
        "; most often: \(VisibleText.line(largest.title)), "
          + "\(NumberText.grouped(largest.attempts.count))")
    }
    text(")")
  }

  /// What went wrong in a group of attempts, as a clause: `craving was read as unclear (3 of 12)`.
  fileprivate mutating func failure(
    _ cluster: FailureCluster, summary: RunSummary, baseline: RunSummary?
  ) {
    let hits = cluster.attempts.count
    var count = summary.slice(cluster.slice)?.tally.attempts ?? hits
    switch cluster.kind {
    case .emptyArray:
      code(cluster.path)
      text(" came back ")
      finding(
        "empty " + (NumberText.oneTimeIn(hits, of: count) ?? NumberText.count(hits, "time")),
        cluster.id)
    case .wrongBranch where !cluster.actual.isEmpty:
      let confusion = summary.confusions.first {
        $0.slice == cluster.slice && $0.path == cluster.path
      }
      let row = confusion.flatMap { $0.branches.firstIndex(of: cluster.expected) }
      count = row.flatMap { confusion?.recall($0).count } ?? count
      code(cluster.expected)
      text(" was ")
      finding("read as \(cluster.actual)", cluster.id)
    case .cutOff, .error, .refusal, .malformed:
      finding(LargestCause(clusters: [cluster]).words, cluster.id)
    case .bounds where !cluster.actual.isEmpty:
      code(cluster.path)
      text(" had ")
      finding(cluster.actual, cluster.id)
    default:
      finding(
        cluster.kind == .vacuous ? "there was nothing to check" : "“\(cluster.assertion)” failed",
        cluster.id)
    }
    let was =
      baseline.map { run in
        let before = run.clusters.first { $0.identity == cluster.identity }
        return "; baseline \(NumberText.grouped(before?.attempts.count ?? 0))"
      } ?? ""
    text(" (\(NumberText.grouped(hits)) of \(NumberText.grouped(count))\(was))")
  }
}
