import EvalRecords
import EvalStatistics

/// One run in the history: the facts that the dashboard needs, without the attempts.
///
/// An entry is one line of `history.jsonl`. A job without a database can keep its trends by passing
/// that file from night to night.
public struct HistoryEntry: Sendable, Hashable {
  /// A backend and its model.
  struct Backend: Sendable, Hashable {
    var id: String
    var model: String
    /// The SHA-256 of the model file.
    var digest: String?
    var engine: String
    var isToy: Bool
  }

  /// The number of attempts at a test case, and how many of them passed.
  struct CaseCount: Sendable, Hashable {
    var id: String
    var passed: Int
    var made: Int
    /// The test case's tags, or an empty array if an older version of Assay wrote the line.
    var tags: [String] = []
    /// The digest of what the counts rest on (``SuiteRecord/basis(of:in:measured:)``), or `nil` if
    /// it is unknown.
    var basis: String? = nil
  }

  /// How many attempts were made, and how many of them passed.
  struct Total: Sendable, Hashable {
    var passed: Int
    var made: Int
  }

  /// The first step that a run's report advises.
  struct Step: Sendable, Hashable {
    /// The step as an imperative sentence without a full stop, with names between backticks.
    var words: String
    /// The command that carries out the step, or `nil` if there is none.
    var command: String?
  }

  /// A rate other than the pass rate.
  struct Measure: Sendable, Hashable {
    /// The counted quantity, as in `RateRow`.
    var quantity: Quantity
    var hits: Int
    var count: Int
    /// The 95 % interval, or `nil` if an older version of Assay wrote the line.
    var interval: ConfidenceInterval?
  }

  /// A suite in one variant on one backend.
  struct Slice: Sendable, Hashable {
    var key: SliceKey
    var schemaName: String
    /// The pass rate that the slice's gate requires, or `nil` if no gate judges the slice.
    var needed: Double?
    /// The key of the guides' texts in `texts`.
    var guides: String
    var cases: [CaseCount]
    var measures: [Measure]
    /// The median time of an attempt, in seconds.
    var medianSeconds: Double
    var p95Seconds: Double
    /// The median number of output tokens of an attempt.
    var medianTokens: Double
    var medianPromptTokens: Double
    /// The verdict against the reference, or `nil` if there was no reference or if an older version
    /// of Assay wrote the line.
    var verdict: ComparisonVerdict?
    /// Whether the slice passed its gate, or `nil` if no gate judges the slice or if an older
    /// version of Assay wrote the line.
    var isReached: Bool?
    /// Whether the run stopped before it had made all attempts, because their results had decided
    /// the gate; such a rate is no fair sample.
    var isPart = false
    /// Whether the suite was compared with an accepted baseline, or `nil` if no comparison was
    /// requested or if an older version of Assay wrote the line.
    var hasBaseline: Bool? = nil
    /// The number of attempts that ended with a backend error, or `nil` if an older version of
    /// Assay wrote the line.
    var errors: Int? = nil
    /// The attempts of the reference that the suite was compared with, or `nil` if there was none
    /// or if an older version of Assay wrote the line.
    var reference: Total? = nil

    var passed: Int { cases.reduce(0) { $0 + $1.passed } }
    var made: Int { cases.reduce(0) { $0 + $1.made } }
    var share: Share { Share(caseCounts) }

    /// The counts at each test case.
    var caseCounts: [Share.CaseKey: EvalStatistics.CaseCount] {
      Dictionary(
        cases.map {
          (Share.CaseKey(suite: key.suite, caseID: $0.id), .init(hits: $0.passed, count: $0.made))
        }, uniquingKeysWith: +)
    }

    /// Returns the rate of a quantity, or `nil` if the slice doesn't have it.
    func share(of quantity: Quantity) -> Share? {
      measures.first { $0.quantity == quantity }.map { measure in
        measure.interval.map { Share(measure.hits, of: measure.count, in: $0) }
          ?? Share(measure.hits, of: measure.count, atUnknown: cases.count)
      }
    }
  }

  /// The run's number.
  public internal(set) var run: Int
  /// The run's label.
  public internal(set) var label: String
  /// The time when the run began, as ISO 8601 in UTC.
  public internal(set) var startedAt: String
  /// The time when the run ended, or `nil` if the run didn't end.
  public internal(set) var finishedAt: String?
  /// The status of the run.
  public internal(set) var status: RunRecord.Status
  /// The exit status of the command that made the run.
  public internal(set) var exitStatus: Int
  /// The headline of the run's report.
  public internal(set) var verdict: String
  /// The state that the headline begins with, or `nil` if an older version of Assay wrote the line.
  var state: ReportHeadline.State?
  /// The day since when the run's findings are acknowledged, or `nil` if they aren't.
  var acknowledgedSince: String? = nil
  /// The first step of the run's report, or `nil` if there is none or if an older version of Assay
  /// wrote the line.
  var step: Step? = nil
  /// The causes of failures that the report lists first, as sentences without a full stop; empty if
  /// there are none or if an older version of Assay wrote the line.
  var causes: [String] = []
  /// The commit, if it is known.
  public internal(set) var commit: String?
  /// The branch, if it is known.
  public internal(set) var branch: String?
  /// The version of Assay that made the run.
  public internal(set) var toolVersion: String
  var backends: [Backend]
  var slices: [Slice]
  /// The texts of guides by key; a line of the file leaves out texts that an earlier line has.
  var texts: [String: [GuideText]]

  /// The slices that a gate judges, and all slices of the backends that no gate judges.
  var judged: [Slice] {
    let gated = Set(slices.filter { $0.needed != nil }.map(\.key.backend))
    return slices.filter { $0.needed != nil || !gated.contains($0.key.backend) }
  }

  /// The share of the judged slices' attempts that passed.
  var share: Share {
    Share(pooling: judged.map(\.share))
  }

  /// Whether pages can draw the run's rates together with the rates of other nights.
  ///
  /// The run must be complete and have attempts. Its command must not have ended with exit status
  /// 3, which means that no attempt could run, or that a file could not be written.
  package var isMeasured: Bool {
    status == .complete && exitStatus != 3 && judged.contains { $0.made > 0 }
  }

  /// How the run ended.
  enum Ending {
    /// The run passed: every gate and comparison that was asked for is in order.
    case passed
    /// The command ended with exit status 0, but its report doesn't say that the run passed.
    case open
    /// The command ended with another exit status.
    case failed
  }

  /// How the run ended, as its report says it.
  ///
  /// For a line of an older version of Assay, only the exit status decides.
  var ending: Ending {
    guard exitStatus == 0 else { return .failed }
    switch state {
    case nil, .passed, .improved, .unchanged: return .passed
    default: return .open
    }
  }

  /// The slice with a key.
  func slice(_ key: SliceKey) -> Slice? { slices.first { $0.key == key } }

  /// Returns whether the run has a slice, measured on the same model as in another run.
  func has(_ key: SliceKey, onModelOf other: HistoryEntry) -> Bool {
    func model(_ entry: HistoryEntry) -> [String?]? {
      entry.backends.first { $0.id == key.backend }.map { [$0.model, $0.digest] }
    }
    return slice(key) != nil && model(self) == model(other)
  }

  /// The identity of a run: the number alone is not enough, because each new database begins at 1.
  var identity: [String] { ["\(run)", startedAt] }

  /// The number and the start of the run, which decide its place in the order of runs.
  var moment: RunOrder.Moment { RunOrder.Moment(run: run, startedAt: startedAt) }

  /// Returns the tags of a test case and of its suite: a filter by any of these tags finds the test
  /// case.
  private static func tags(of testCase: CaseSummary, in slice: SliceSummary) -> [String] {
    let own = testCase.record?.tags ?? []
    return own + (slice.suite?.tags ?? []).filter { !own.contains($0) }
  }

  /// Returns the run and the counts of a suite in words: `run 41, 58 of 60 attempts pass`.
  public func words(of suite: String) -> String {
    let own = slices.filter { $0.key.suite == suite }
    let share = Share(own.reduce(0) { $0 + $1.passed }, of: own.reduce(0) { $0 + $1.made })
    return "run \(run), \(share.passing("attempt"))"
  }

  /// Returns whether the entry describes the run of a record.
  public func isOf(_ record: RunRecord) -> Bool {
    run == record.id && startedAt == record.startedAt
  }
}

extension ReportDocument {
  /// The first step that the report advises: that of the run or, if there is none, that of the
  /// first cause of failures.
  var firstStep: HistoryEntry.Step? {
    if let step = runStep { return .init(words: step.words, command: step.command) }
    return shownCauses(1).causes.first.map { cause in
      let step = nextStep(for: cause)
      return .init(words: step.words, command: step == .inspect ? command(for: cause) : nil)
    }
  }
}

/// A text that an edit can change: a text of the schema, the instructions, or the prompt.
struct GuideText: Sendable, Hashable {
  /// The place of the text: `DraftCardSet.cards`, `instructions`.
  var place: String
  var text: String
  var isProse: Bool
}

extension HistoryEntry {
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
              interval: ConfidenceInterval(low: $0.now.low, high: $0.now.high))
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
          }))
    }
  }
}

extension GuideText {
  /// The texts of a variant.
  static func texts(_ variant: VariantRecord) -> [GuideText] {
    var texts = SchemaDocument(schema: variant.schema).guides.map {
      GuideText(place: $0.place, text: $0.text, isProse: $0.isProse)
    }
    if let instructions = variant.instructions {
      texts.append(GuideText(place: "instructions", text: instructions, isProse: true))
    }
    texts.append(GuideText(place: "prompt", text: variant.promptTemplate, isProse: true))
    return texts
  }
}
