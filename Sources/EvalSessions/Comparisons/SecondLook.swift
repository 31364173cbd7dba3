import EvalRecords
import EvalStatistics
import EvalSuites

/// A second look at a suite in which a comparison suspects a regression.
///
/// It runs the accepted and the current request again, on the same test cases with new seeds, and
/// compares only the new draws.
///
/// ```
/// accepted request ─► 3 × repeats (at least 9), new seeds ┐
///                                                         ├─► regressed, or not confirmed
/// current request ──► 3 × repeats (at least 9), new seeds ┘
/// ```
/// A comparison of all suites of a run has to be strict, so it misses much of what a comparison of
/// one suite would find. The second look costs draws only for suspected suites. These draws are
/// independent of the first comparison, so the result needs no correction for that comparison;
/// docs/research/statistics-design.md has the simulation.
///
/// Both requests run on the current model. So a second look doesn't help if only the model or the
/// engine has changed: it would compare the new model with itself.
package struct SecondLook: Sendable {
  /// The id of the variant with the accepted request.
  package static let accepted = "accepted"
  /// The id of the variant with the current request.
  package static let tonight = "tonight"

  /// The suite with the two requests as its variants.
  package let suite: Suite
  /// The ids of the backends that draw again: those with a suspected effect and with answers that
  /// can differ from draw to draw.
  package let backends: [String]
  /// The variants that the second look compares.
  package let comparison: VariantComparison

  /// Creates a second look.
  ///
  /// - Parameters:
  ///   - baseline: The accepted baseline of the suite.
  ///   - comparison: The first comparison of the run with the baseline.
  ///   - suites: The loaded suites.
  ///   - run: The run that was compared.
  ///   - attempts: The run's attempts.
  /// - Returns: The second look, or `nil` if nothing is suspected, if a regression is already
  ///   certain, if either run is partial, if the accepted request can't be restored, or if new
  ///   draws would add no information.
  package init?(
    _ baseline: SuiteBaseline, _ comparison: ComparisonRecord, suites: [Suite], run: RunRecord,
    _ attempts: [AttemptRecord]
  ) {
    let suspects = Set(comparison.suspectedEffects.map(\.place.candidate.backend))
    guard !suspects.isEmpty, comparison.verdict != .regressed,
      baseline.run.details.isPart == false, !run.details.isPart,
      let current = suites.first(where: { $0.id == baseline.suite }),
      let record = baseline.run.suites.first(where: { $0.id == baseline.suite }),
      let before = record.variants.first, let after = current.variants.first,
      record.details.store != .digests,
      let accepted = current.restoring(before, of: record)
    else { return nil }
    var (left, right) = (accepted, after)
    left.id = Self.accepted
    left.title = "The accepted request"
    right.id = Self.tonight
    right.title = "The current request"
    // If both requests are the same, the answers of the current model can differ only by chance.
    guard !left.asksTheSame(as: right) else { return nil }
    var suite = current
    suite.variants = [left, right]
    suite.repeats = SecondLookRule.repeats(after: current.repeats)
    suite.dropOwnRepeats()
    suite.seed = StableHash.seed(
      suiteSeed: current.seed, caseID: "second look", repeatIndex: run.id)
    let common = Set(record.cases.map(\.id))
    suite.cases = suite.cases.filter { common.contains($0.id) }
    // The stub ignores the requests, so its answers show nothing about the edit. Where nothing is
    // sampled, every repeat would be the same draw.
    let planned = suite.record()
    backends = run.backends.filter { backend in
      suspects.contains(backend.id) && !backend.isStub
        && (planned.samples(on: backend, in: run)
          || Self.answersVary(of: current.id, on: backend, in: run, attempts))
    }.map(\.id)
    guard !backends.isEmpty else { return nil }
    self.suite = suite
    let rules = ComparisonRules()
    self.comparison = VariantComparison(
      baseline: Self.accepted, candidates: [Self.tonight], margin: rules.margin,
      alpha: SecondLookRule.alpha(of: rules.alpha))
  }
}

extension SecondLook {
  /// Returns whether answers of the run differ although nothing should be sampled, as they can on a
  /// server.
  private static func answersVary(
    of suite: String, on backend: BackendRecord, in run: RunRecord, _ attempts: [AttemptRecord]
  ) -> Bool {
    let slices = Dictionary(
      grouping: attempts.filter {
        $0.key.suite == suite && $0.key.backend == backend.id && $0.outcome != .skipped
      }, by: \.key.variant)
    return slices.contains { variant, attempts in
      run.sampling(suite: suite, variant: variant, backend: backend.id).map { sampling in
        Draws.vary(attempts.map { DrawnAttempt($0, run: run.id, sampling: sampling) })
      } ?? false
    }
  }
}

extension SuiteRecord {
  /// Returns whether any request of the suite samples on a backend, according to its settings.
  fileprivate func samples(on backend: BackendRecord, in run: RunRecord) -> Bool {
    variants.contains { variant in
      let sampling = SliceSampling(run: run, suite: self, variant: variant.id, backend: backend)
      return !cases.map(\.id).allSatisfy(sampling.samplesNothing)
    }
  }
}

extension SuiteVariant {
  /// Returns whether two variants send the same request.
  fileprivate func asksTheSame(as other: SuiteVariant) -> Bool {
    schema == other.schema && instructions == other.instructions
      && prompt.text == other.prompt.text && options == other.options
  }
}
