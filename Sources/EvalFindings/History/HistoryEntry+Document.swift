import EvalRecords
import EvalStatistics
import StructuredText

extension ReportDocument {
  /// The first step that the report advises: that of the run or, if there is none, that of the
  /// first cause of failures.
  var firstStep: HistoryEntry.Step? {
    if let step = runStep { return .init(words: step.words, command: step.command) }
    return ofCandidates(shownCauses(1).causes).first.map { cause in
      let step = nextStep(for: cause)
      return .init(words: step.words, command: step == .inspect ? command(for: cause) : nil)
    }
  }
}

extension HistoryEntry {
  /// Returns the run and the counts of a suite in words: `run 41, 58 of 60 attempts pass`.
  public func words(of suite: String) -> String {
    let own = slices.filter { $0.key.suite == suite }
    return "run \(run), \(Share(pooling: own.map(\.share)).passing("attempt"))"
  }

  /// Creates an entry for a document's run.
  ///
  /// - Parameters:
  ///   - document: The run with its counts.
  ///   - exitStatus: The exit status of the command that made the run.
  public init(_ document: ReportDocument, exitStatus: Int) {
    let run = document.run
    self.init(
      run: run.id, label: run.label, startedAt: run.startedAt, finishedAt: run.finishedAt,
      status: run.status, exitStatus: exitStatus, verdict: document.headline.text,
      state: document.headline.state,
      commit: run.commit, branch: run.details.branch, toolVersion: run.toolVersion,
      backends: run.backends.map {
        Backend(
          id: $0.id, model: $0.model, digest: $0.modelDigest, engine: $0.engine, isToy: $0.isToy)
      }, slices: [], texts: [:])
    acknowledgedSince = document.headline.since
    step = document.firstStep
    causes = document.causeSentences(3)
    variants = run.details.variants ?? []
    let rates = document.rates
    let findings = document.sliceFindings
    for slice in document.summary.slices where slice.tally.attempts > 0 {
      let guides = slice.variant.map(GuideText.texts) ?? []
      let key = GuideText.key(of: guides)
      texts[key] = guides
      slices.append(
        Slice(
          key: slice.key, schemaName: slice.suite?.schemaName ?? "",
          needed: slice.gate?.neededRate, guides: key,
          cases: slice.cases.map { counted in
            CaseCount(
              id: counted.id, passed: counted.tally.passed, made: counted.tally.attempts,
              tags: Self.tags(of: counted, in: slice),
              basis: counted.record.flatMap {
                slice.suite?.basis(
                  of: $0, in: slice.key.variant, measured: run.measurementProtocol)
              })
          },
          measures: rates.filter { $0.slice == slice.key }.map {
            Measure(
              quantity: $0.quantity, hits: $0.now.hits, count: $0.now.count,
              interval: $0.now.low...$0.now.high)
          }, medianSeconds: slice.duration.p50, p95Seconds: slice.duration.p95,
          medianTokens: slice.tokens.p50,
          medianPromptTokens: slice.promptTokens.p50, verdict: findings[slice.key]?.verdict,
          isReached: slice.gate?.isPassed,
          isPart: !run.details.isWhole(slice.key.suite, on: slice.key.backend),
          hasBaseline: run.details.references?.contains {
            $0.suite == slice.key.suite && $0.acceptedAt != nil
          },
          errors: document.summary.attempts.count {
            $0.key.slice == slice.key && $0.isBackendError
          },
          reference: document.counterpart(of: slice.key).flatMap { other in
            other.run.slice(other.key).map {
              Total(passed: $0.share.hits, made: $0.share.count)
            }
          },
          results: slice.results(
            findings[slice.key], rates: rates.filter { $0.slice == slice.key })))
    }
  }

  /// Returns the tags of a test case and of its suite: a filter by any of these tags finds the test
  /// case.
  private static func tags(of testCase: CaseSummary, in slice: SliceSummary) -> [String] {
    let own = testCase.record?.tags ?? []
    return own + (slice.suite?.tags ?? []).filter { !own.contains($0) }
  }
}
