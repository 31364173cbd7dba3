import EvalRecords
import EvalStatistics

extension HeadlinePart {
  private static let maximumReason = 160

  /// Describes how far an interrupted run got, and why it stopped.
  static func interruption(_ summary: RunSummary) -> HeadlinePart {
    var part = HeadlinePart()
    let made = summary.tally.attempts
    if let origin = summary.run.details.recheckOf {
      part.lead.text(
        "Not all answers of run \(origin.run) were judged anew\(reason(of: summary.run)). This run "
          + "can't become a baseline.")
      return part
    }
    // If a shard is missing from a merged run, the run doesn't list that shard's test cases.
    guard summary.missing > 0 else {
      part.lead.text(
        "The run did not finish, or a shard of it is missing. Its attempts are kept, but it can't "
          + "become a baseline.")
      return part
    }
    part.lead.text(
      "The run stopped after \(NumberText.grouped(made)) of "
        + "\(NumberText.count(made + summary.missing, "planned attempt"))"
        + "\(reason(of: summary.run)). Its attempts are kept, but it can't become a baseline.")
    return part
  }

  /// Returns the reason why a run stopped early, as the end of a sentence, or an empty string if
  /// the reason is unknown.
  private static func reason(of run: RunRecord) -> String {
    guard run.status == .interrupted else { return "" }
    // A process stores the time at which its run ended, unless it crashes or is killed. If this
    // process crashed or was killed, a recorded reason is about an earlier part of a resumed run.
    guard run.finishedAt != nil else { return ", because its process ended (a crash, or kill -9)" }
    return run.details.ending.map {
      ", because \(ClippedText.line($0, limit: maximumReason))"
    } ?? ""
  }

  /// Says how many answers came from the cache instead of from the model.
  package static func cached(_ summary: RunSummary) -> Sentence {
    var sentence = Sentence()
    if let reuse = summary.run.details.reuse, reuse.reused > 0 {
      let runs = reuse.origins.map { "\($0.run)" }.joined(separator: ", ")
      sentence.text(
        "\(NumberText.grouped(reuse.reused)) of "
          + "\(NumberText.count(summary.tally.attempts, "answer")) "
          + "\(reuse.reused == 1 ? "is" : "are") reused from "
          + "\(reuse.origins.count == 1 ? "run" : "runs") \(runs); "
          + "as a check, \(NumberText.count(reuse.audited, "other stored answer")) (others on "
          + "other days) \(reuse.audited == 1 ? "was" : "were") computed again, with the same "
          + "results.")
    }
    let count = summary.attempts.count {
      $0.details.isCached == true && $0.details.reusedFrom == nil
    }
    guard count > 0 else { return sentence }
    let made = summary.tally.attempts
    sentence.add(
      count == made
        ? "\(made == 1 ? "The answer" : "All \(NumberText.grouped(made)) answers") came from the "
          + "cache, so no model was asked."
        : "\(NumberText.grouped(count)) of \(NumberText.count(made, "answer")) came from the cache."
    )
    return sentence
  }

  /// Says which stored answers differ from the same answers computed anew.
  package static func audit(_ run: RunRecord) -> HeadlinePart {
    var part = HeadlinePart()
    guard let reuse = run.details.reuse, let differences = reuse.differences,
      let first = differences.first
    else { return part }
    let place = ClippedText.line(first.attempt.address, limit: maximumName)
    part.lead.text(
      "\(NumberText.grouped(differences.count)) of "
        + "\(NumberText.count(reuse.audited, "stored answer")) that "
        + "\(reuse.audited == 1 ? "was" : "were") computed again "
        + "\(differences.count == 1 ? "differs" : "differ"), first "
        + "\(first.part.words) of \(place), which run \(first.origin.run) made. So no answer was "
        + "reused: this run computed all of them, and its results are right. Either the stored "
        + "answers were changed, or this machine doesn't compute the same twice.")
    return part
  }

  /// Describes a run without attempts.
  static func emptyRun(_ run: RunRecord) -> HeadlinePart {
    var part = HeadlinePart()
    part.lead.text("No attempt was made\(reason(of: run)).")
    return part
  }

  /// Describes the attempts in which Assay itself failed.
  static func defects(_ summary: RunSummary) -> HeadlinePart {
    var part = HeadlinePart()
    let count = summary.attempts.count(where: \.isDefect)
    part.lead.text(
      "Assay itself failed in \(NumberText.count(count, "attempt")), so the run judges nothing; "
        + "this is a defect of Assay, please report it.")
    return part
  }

  /// Says in how many attempts the backend failed, and in which ways.
  ///
  /// A comparison has rules of its own for backend errors, and says which of them it breaks.
  static func backendErrors(
    _ summary: RunSummary, _ gates: [GateResultRecord], _ comparisons: [ComparisonRecord]
  ) -> HeadlinePart {
    var part = HeadlinePart()
    let failed = summary.attempts.filter(\.isBackendError)
    var counts: [AttemptFailure.Kind: Int] = [:]
    for attempt in failed { counts[attempt.failure?.kind ?? .backend, default: 0] += 1 }
    let kinds = counts.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
      .prefix(3).map { "\(NumberText.grouped($0.value)) × \($0.key.words)" }
    part.lead.text("The backend failed in ")
    part.lead.finding(
      "\(Share(failed.count, of: summary.tally.attempts).counts) attempts", "failures")
    part.lead.text(
      " (\(kinds.joined(separator: ", ")))"
        + (comparisons.contains { $0.verdict == .broken }
          ? ", so the comparison says too little about the model."
          : gates.contains { !$0.isPassed }
            ? ". Above 1\u{A0}%, a missed gate says too little about the model."
            : ", so the run says too little about the model."))
    return part
  }

  /// Describes the gates, or the pass rate if there are none.
  ///
  /// The headline shows the failure counts of the baseline if the comparisons say that it was
  /// judged alike, names no cause for suites that it has already explained, and names the gates in
  /// `leading` first, because they aren't acknowledged.
  package static func gates(
    _ gates: [GateResultRecord], summary: RunSummary, baseline: RunSummary?,
    comparisons: [ComparisonRecord] = [], explained: Set<String> = [],
    first leading: [GateResultRecord] = []
  ) -> HeadlinePart {
    var part = HeadlinePart()
    // If a run stopped early, a gate without attempts isn't missed: nobody knows yet whether it
    // will be.
    let isOpen = summary.run.status != .complete
    let missed = gates.filter { !$0.isPassed && !(isOpen && $0.attempts == 0) }
    if let first = worst(missed.filter { leading.contains($0) }) ?? worst(missed) {
      part.miss(
        of: first, missed: missed.count, of: gates.count, summary,
        comparisons.allSatisfy { $0.isJudgedAlike(at: first.slice) } ? baseline : nil,
        namesCause: !explained.contains(first.suite))
    } else {
      part.reached(gates, summary: summary, compared: comparisons.comparedSlices)
    }
    let open = isOpen ? gates.count { $0.attempts == 0 } : 0
    if open > 0 {
      part.lead.text(
        " \(open) of \(NumberText.count(gates.count, "gate")) \(open == 1 ? "has" : "have") no "
          + "attempts yet.")
    }
    return part
  }

  /// Adds a clause about the largest cause of failures among the attempts that a gate judges.
  private mutating func cause(
    in gate: GateResultRecord, _ summary: RunSummary, _ baseline: RunSummary?
  ) {
    let own = summary.tree.causes(in: gate.slice)
    // If there are several causes, a cause with a single failure says little about the suite.
    guard let cause = own.first(where: { $0.failed > 1 }) ?? (own.count == 1 ? own.first : nil)
    else { return }
    lead.text("; ")
    lead.cause(cause, summary: summary, baseline: baseline)
  }

  private static func name(of gate: GateResultRecord, _ summary: RunSummary) -> String {
    ClippedText.line(
      summary.slice(gate.slice)?.name ?? "\(gate.suite):\(gate.variant) on \(gate.backend)",
      limit: maximumName)
  }

  /// The gate whose pass rate is furthest below the rate that it requires.
  private static func worst(_ missed: [GateResultRecord]) -> GateResultRecord? {
    func distance(_ gate: GateResultRecord) -> Double {
      let rate = gate.score ?? Double(gate.passed) / Double(max(1, gate.attempts))
      return gate.neededRate - rate
    }
    // A suite that ran and failed says more than a suite that didn't run.
    let ran = missed.filter { $0.attempts > 0 }
    return (ran.isEmpty ? missed : ran).min { distance($0) > distance($1) }
  }

  /// Says that the gates passed or, without gates, how many of the compared attempts succeeded.
  private mutating func reached(
    _ gates: [GateResultRecord], summary: RunSummary, compared: Set<SliceKey>
  ) {
    // A run that has not finished could still miss a gate.
    let count = summary.run.status == .complete ? gates.count : 0
    let strict = gates.filter(\.requiresRate)
    let lenient = count - strict.count
    if count > 0, lenient > 0, !strict.isEmpty {
      let others = succeeded(gates.filter { !$0.requiresRate }, summary, compared)
      if gates.areMostlyLenient {
        lead.text(
          "\(lenient) of \(count) gates require no pass rate: \(others) The other "
            + (strict.count == 1 ? "gate" : "\(strict.count) gates")
            + " passed: \(succeeded(strict, summary, compared))")
      } else {
        lead.text(
          "The \(strict.count == 1 ? "gate that requires" : "\(strict.count) gates that require") "
            + "a pass rate passed: \(succeeded(strict, summary, compared)) The other "
            + (lenient == 1 ? "gate requires" : "\(lenient) gates require") + " none: \(others)")
      }
    } else {
      let reached =
        switch (count, lenient) {
        case (0, _): ""
        case (1, 0): "The gate passed: "
        case (1, _): "The gate requires no pass rate: "
        case (_, 0): "All \(count) gates passed: "
        default: "None of the \(count) gates requires a pass rate: "
        }
      lead.text(reached + succeeded(gates, summary, compared))
    }
    if Self.hasOtherVariants(summary) {
      let all = Share(summary.tally.passed, of: summary.tally.attempts)
      lead.text(" With all variants, \(all.counts) attempts (\(all.percent)) succeeded.")
    }
  }

  /// Whether a suite has variants that no gate judges, in addition to a variant that a gate judges.
  private static func hasOtherVariants(_ summary: RunSummary) -> Bool {
    let judged = summary.slices.filter { $0.gate != nil }.map(\.key)
    return summary.slices.contains { slice in
      slice.gate == nil
        && judged.contains { $0.suite == slice.key.suite && $0.backend == slice.key.backend }
    }
  }

  /// Returns the pass rates of the attempts that the given gates judge, as a sentence with a full
  /// stop.
  private func succeeded(
    _ gates: [GateResultRecord], _ summary: RunSummary, _ compared: Set<SliceKey>
  ) -> String {
    let scope = Self.hasOtherVariants(summary) ? " of the first variants" : ""
    let shares = shares(gates, summary: summary, compared)
    let made = shares.enumerated().map { number, share in
      let noun = (share.share.count == 1 ? " attempt" : " attempts") + scope
      return share.share.counts + (number == 0 ? noun : "")
        + (share.backend.map { " on \(ClippedText.line($0, limit: Self.maximumName))" } ?? "")
    }
    let all = made.dropLast().joined(separator: ", ")
    // The intervals of several backends are in the figure and in the tables.
    let rate = shares.count == 1 ? shares.first.map { " (\($0.share.certainty))" } ?? "" : ""
    return "\(all)\(all.isEmpty ? "" : " and ")\(made.last ?? "")\(rate) succeeded."
  }

  /// Returns the pass rates, one for each backend, because a rate over several models says nothing
  /// about any of them.
  ///
  /// They count the attempts that gates judge. If there are no gates, they count the slices that
  /// were compared, or all attempts if none was.
  private func shares(
    _ gates: [GateResultRecord], summary: RunSummary, _ compared: Set<SliceKey>
  ) -> [(backend: String?, share: Share)] {
    let own = summary.slices.filter { compared.contains($0.key) }
    let slices =
      gates.isEmpty
      ? own.isEmpty ? summary.slices : own : gates.compactMap { summary.slice($0.slice) }
    var tallies: [(backend: String, tally: Tally)] = []
    for slice in slices {
      if let index = tallies.firstIndex(where: { $0.backend == slice.key.backend }) {
        tallies[index].tally = tallies[index].tally + slice.tally
      } else {
        tallies.append((slice.key.backend, slice.tally))
      }
    }
    let hasSeveral = tallies.count > 1 || summary.run.backends.count > 1
    return tallies.map { (hasSeveral ? $0.backend : nil, $0.tally.share) }
  }

  private mutating func miss(
    of gate: GateResultRecord, missed: Int, of count: Int, _ summary: RunSummary,
    _ baseline: RunSummary?, namesCause: Bool
  ) {
    let slice = summary.slice(gate.slice)
    let planned = slice.flatMap { gate.shareWithoutFresh(in: $0) }
    let share = planned ?? slice?.share ?? Share(gate.passed, of: gate.attempts)
    let needed = gate.neededWords
    lead.code(Self.name(of: gate, summary))
    if share.count == 0 {
      lead.text(" has no attempts; the gate requires \(needed)")
    } else {
      lead.text(": ")
      lead.finding(share.counts, "suites")
      lead.text(
        " \(share.count == 1 ? "attempt" : "attempts")"
          + (planned == nil ? "" : " without the fresh ones") + " passed "
          + "(\(share.certainty(gate.preciseRate ?? share.percent))); "
          + "the gate requires \(needed)"
          + (gate.missedScore(by: slice?.suite?.gate.reducer).map { ", but \($0)" } ?? ""))
    }
    if namesCause { cause(in: gate, summary, baseline) }
    for hit in gate.guardrailHits.prefix(2) {
      lead.text("; its guardrail ")
      lead.name(hit.assertion)
      lead.text(" failed \(NumberText.count(hit.count, "time"))")
    }
    for miss in gate.misses.prefix(2) { lead.text("; \(ClippedText.line(miss.words, limit: 120))") }
    lead.text(".")
    if missed > 1 { lead.text(" \(missed) of \(count) gates were missed.") }
  }
}

extension GateResultRecord {
  /// The slice that the gate judges.
  package var slice: SliceKey { SliceKey(suite: suite, variant: variant, backend: backend) }

  /// The share of the attempts without the fresh ones that passed, if only they missed the gate.
  package func shareWithoutFresh(in slice: SliceSummary) -> Share? {
    guard !isPassed, attempts > 0, attempts < slice.tally.attempts else { return nil }
    return Share(passed, of: attempts, atUnknown: slice.cases.count)
  }

  /// Whether the gate requires a pass rate; a gate that requires a rate of 0 passes whatever the
  /// answers are.
  package var requiresRate: Bool { neededRate > 0 }
}

extension [GateResultRecord] {
  /// Whether most of the gates require no pass rate, so that “passed” would say too much about a
  /// run that passed them.
  var areMostlyLenient: Bool { count { !$0.requiresRate } > count(where: \.requiresRate) }
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
    // The baseline says nothing about a suite that it lacks.
    let before = baseline.flatMap { run in
      (run.slice(place.slice)?.tally.attempts ?? 0) == 0
        ? nil
        : run.tree.causes(in: place.slice).first { $0.identity == cause.identity }?.failed ?? 0
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
        // The group is only a part of the failures, so count the same group in the baseline.
        if let baseline {
          let same = baseline.clusters.first {
            $0.slice == place.slice && $0.reason == largest.reason
          }
          let count = same?.attempts.count ?? 0
          notes.append("\(count == 0 ? "none" : NumberText.grouped(count)) in the baseline")
        }
      }
    }
    if notes.isEmpty, let before { notes.append("baseline \(NumberText.grouped(before))") }
    if !notes.isEmpty { text(" (\(notes.joined(separator: "; ")))") }
  }
}

extension ReuseRecord.Difference.Part {
  /// The part of an answer in words.
  package var words: String {
    switch self {
    case .output: "the output"
    case .stopReason: "the reason why it ended"
    case .tokens: "the number of tokens"
    case .decisions: "the decisions"
    case .pressure: "the constraint pressure"
    }
  }
}

extension [ComparisonRecord] {
  /// The slices that were compared: those of the candidates and, if both sides are variants of one
  /// run, those of the baselines.
  fileprivate var comparedSlices: Set<SliceKey> {
    Set(
      flatMap { record in
        record.effects.flatMap { effect in
          record.baseline.run == record.candidate.run && record.baseline.origin == nil
            ? [effect.place.baseline, effect.place.candidate] : [effect.place.candidate]
        }
      })
  }
}
