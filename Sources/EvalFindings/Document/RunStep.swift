import EvalRecords
import EvalStatistics
import StructuredText

/// The next step after a run or its comparisons; it comes before the steps for single causes of
/// failures.
package enum RunStep: Sendable, Hashable {
  /// The run stopped early: make the missing attempts.
  case resume(command: String)
  /// Test cases have no recorded answer: import a complete log.
  case importMissing
  /// Requests have changed since a stored run was made, so its answers can't be judged anew: run
  /// the suites.
  case runSuites
  /// The run selected nothing: check its options.
  case checkSelection
  /// The answer of a lab: what to do about its mutations or edits.
  case lab(words: String)
  /// The run has no reference yet: accept it as the first baseline, if its answers are good enough.
  case acceptFirst(command: String)
  /// Nothing can be accepted yet, because the stub gave the answers or because inputs are still
  /// the placeholders that `assay init` wrote: replace these inputs, and run a model.
  ///
  /// `placeholders` names the test cases with such inputs.
  case runModel(placeholders: [String])
  /// The sides can't be compared: accept the run as the new baseline, or run it again differently.
  ///
  /// `hasOtherRequests` says whether the models or the options of the requests differ. The command
  /// is `nil` if the run can't be accepted.
  case replaceBaseline(hasOtherRequests: Bool, command: String?)
  /// The baseline was measured under an older protocol: renew it.
  case renewBaseline(command: String)
  /// One text differs between the sides: undo or reword the edit.
  ///
  /// `change` says what the edit added and removed.
  case reviseEdit(place: String, change: String)
  /// Several texts differ between two variants: find the one that causes the change.
  case findEdit(count: Int, command: String)
  /// Several texts differ between two runs: undo the edits one at a time.
  case reviseOneOf(places: [String])
  /// No text differs: look at an answer.
  case inspect(command: String)
  /// A test case newly fails or fails more often: look at an answer.
  case inspectFailure(command: String)
  /// The sample is too small to tell: find out how large it must be.
  case planSample(command: String)
  /// The candidate is better than the baseline: accept it as the new baseline.
  case acceptBaseline(command: String)
  /// No suite got worse than its baseline: nothing is urgent, although attempts may fail as before.
  case rest
  /// Two variants hardly differ: keep either of them.
  case keepEither
  /// The edited variant is better: keep the edits.
  case keepEdits(places: [String])
}

extension ReportDocument {
  /// The next step after the run, or `nil` if nothing needs to be done or if only single causes of
  /// failures have a next step.
  package var runStep: RunStep? {
    if let lab { return labStep(lab) }
    let verdict: ComparisonVerdict
    switch headline.state {
    case .interrupted: return resumption
    case .empty: return run.status == .complete ? .checkSelection : resumption
    case .passed where hasNoReference && alternativeStep == nil:
      if !isGoodReference { return nil }
      return isRehearsal
        ? .runModel(placeholders: placeholders) : .acceptFirst(command: acceptCommand)
    case .notComparable:
      if let command = renewCommand { return .renewBaseline(command: command) }
      let isOtherRun =
        run.details.references?.contains { $0.remark?.preventsComparison == true } == true
        || comparisons.contains { !$0.record.isWithinRun }
      return isOtherRun && isGoodReference
        ? .replaceBaseline(
          hasOtherRequests: hasOtherRequests, command: isRehearsal ? nil : acceptCommand) : nil
    case .unchanged:
      if let step = newFailureStep { return step }
      return comparisons.contains { !$0.record.isWithinRun } ? .rest : .keepEither
    case .regressed: verdict = .regressed
    case .improved: verdict = .improved
    case .inconclusive: verdict = .inconclusive
    default: return nil
    }
    if verdict != .regressed, let step = newFailureStep { return step }
    let effects = comparisons.flatMap(\.record.effects)
    // Take the effect that the headline names.
    let first = HeadlinePart.telling(effects).first { $0.verdict == verdict }
    guard let effect = first ?? effects.first(where: { $0.verdict == verdict }),
      let comparison = comparisons.first(where: { $0.record.effects.contains(effect) })
    else { return nil }
    return step(after: effect, of: comparison)
  }

  /// The alternative to the steps for the causes of failures, or `nil` if there is none.
  ///
  /// Readers may accept a first run as the baseline although attempts failed, because their gate
  /// requires no pass rate.
  package var alternativeStep: RunStep? {
    guard lab == nil, hasNoReference, isGoodReference, !isRehearsal, summary.tree.failed > 0,
      headline.state == .passed || headline.state == .notJudged,
      gates.contains(where: { !$0.requiresRate && $0.passed < $0.attempts })
    else { return nil }
    return .acceptFirst(command: acceptCommand)
  }

  /// The step to look at an answer of the first test case that newly fails or clearly fails more
  /// often, or `nil` if there is none.
  private var newFailureStep: RunStep? {
    for flipped in comparisons.flatMap(\.record.flips) {
      let slice = flipped.place.candidate
      let cases = Set(flipped.newlyFailing + (flipped.oftenFailing ?? []))
      let attempt = summary.attempts.first {
        $0.key.slice == slice && $0.outcome == .fail && cases.contains($0.key.caseID)
      }
      if let attempt { return .inspectFailure(command: showCommand(for: attempt)) }
    }
    return nil
  }

  private func labStep(_ lab: LabSummary) -> RunStep? {
    if let words = LabWords.step(of: lab.result) { return .lab(words: words) }
    guard lab.result.question == .culprit else { return nil }
    switch lab.result.together?.verdict {
    case .ok: return .lab(words: "keep either wording, because this suite notices no difference")
    case .inconclusive: return run.suites.first.map { .planSample(command: powerCommand($0)) }
    default: return nil
    }
  }

  /// Whether the answers say nothing about a model, so that no report advises to accept them: the
  /// stub gave them, or inputs are still placeholders.
  private var isRehearsal: Bool { BaselineKind(of: run) == .stub || !placeholders.isEmpty }

  /// The test cases whose inputs are still the placeholders that `assay init` wrote.
  private var placeholders: [String] {
    run.suites.flatMap { suite in
      suite.cases.filter(\.hasPlaceholder).map { "\(suite.id)/\($0.id)" }
    }
  }

  /// Whether a model or an option of the requests differs from a baseline's.
  private var hasOtherRequests: Bool {
    comparisons.flatMap(\.record.differences).contains { difference in
      switch difference.fact {
      case .setting, .changedModel: difference.fact.consequence == .notComparable
      default: false
      }
    }
  }

  /// The command that renews the baselines that were measured under another protocol, or `nil` if
  /// there are none.
  private var renewCommand: String? {
    let suites = comparisons.filter { comparison in
      !comparison.record.isWithinRun
        && comparison.record.differences.contains { difference in
          if case .setting(.measurementProtocol, _, _, _) = difference.fact { true } else { false }
        }
    }.compactMap(\.record.candidate.suite)
    return suites.isEmpty ? nil : renewCommand(suites)
  }

  private var resumption: RunStep {
    if BaselineKind(of: run) == .recorded { return .importMissing }
    if run.details.recheckOf != nil { return .runSuites }
    return .resume(command: resumeCommand)
  }

  private func step(after effect: EffectRecord, of comparison: ReportComparison) -> RunStep? {
    let record = comparison.record
    let side = effect.place.candidate
    let suite = run.suites.first { $0.id == side.suite }
    let own = edits(at: side, of: record)
    let places = own.map(\.place)
    switch effect.verdict {
    case .regressed:
      let count = comparison.separateEdits(in: suite) ?? own.count
      if count == 1, let only = own.first {
        return .reviseEdit(place: only.place, change: only.edit.summary)
      }
      if let command = labCommand(record, suite, on: side.backend), count > 1 {
        return .findEdit(count: count, command: command)
      }
      if !places.isEmpty { return .reviseOneOf(places: places) }
      if let step = newFailureStep { return step }
      let failed = summary.clusters.first {
        $0.slice.suite == side.suite && $0.slice.variant == side.variant
      }?.attempts.first
      return failed.map {
        .inspect(command: showCommand(for: summary.attempts[$0]))
      }
    case .improved:
      if record.isWithinRun { return .keepEdits(places: places) }
      return isGoodReference && !isRehearsal ? .acceptBaseline(command: acceptCommand) : nil
    case .inconclusive:
      return suite.map { .planSample(command: powerCommand($0)) }
    default: return nil
    }
  }

  /// The edits between the sides of an effect, at most one for each place.
  private func edits(at side: SliceKey, of record: ComparisonRecord) -> [GuideEdit] {
    var own: [GuideEdit] = []
    for edit in edits where !own.contains(where: { $0.place == edit.place }) {
      switch edit.scope {
      case .comparison(record.baseline, record.candidate): own.append(edit)
      case .suite(let suite, let variant)
      where suite == side.suite && (variant == nil || variant == side.variant):
        own.append(edit)
      default: break
      }
    }
    return own
  }
}

extension ReportComparison {
  /// Returns the number of edits that `assay lab` would try separately, or `nil` if the variants
  /// are unknown or don't differ.
  ///
  /// One such edit can change several places: without an enum case, its guide is gone too.
  fileprivate func separateEdits(in suite: SuiteRecord?) -> Int? {
    guard let old = baselineVariant, let new = candidateVariant,
      let before = try? JSONValue(parsing: old.schema),
      let after = try? JSONValue(parsing: new.schema)
    else { return nil }
    var count = SchemaDifference(from: before, to: after).edits.count
    count += old.instructions == new.instructions ? 0 : 1
    count += old.promptTemplate == new.promptTemplate ? 0 : 1
    if old.id != new.id, let options = suite?.details.variantOptions {
      let (left, right) = (options[old.id] ?? SettingsEdit(), options[new.id] ?? SettingsEdit())
      count += GenerationSetting.allCases.count { left[$0] != right[$0] }
    }
    return count == 0 ? nil : count
  }
}

extension ComparisonRecord {
  /// Whether the comparison is between two variants of one run.
  fileprivate var isWithinRun: Bool { baseline.isOfSameRun(as: candidate) }
}
