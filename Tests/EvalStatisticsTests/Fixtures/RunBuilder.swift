import EvalRecords
import EvalStatistics
import StructuredText

/// A small run for comparisons: test cases `c0`, `c1`, … of one suite on one backend, with one seed
/// for each repeat.
struct RunBuilder {
  var id = 1
  var cases = 20
  var repeats = 1
  /// The number of fresh repeats, which come after the fixed ones, and their seed.
  var fresh: (repeats: Int, seed: UInt64)?
  var seed: UInt64 = 100
  var variant = "default"
  var suite = "cards"
  /// The variant's schema.
  var schema = "{}"
  var backend = BackendRecord(
    id: "local", model: "toy", modelDigest: "abc", engine: "assay 0.1.0", isDeterministic: true)
  var options = GenerationSettings()
  /// The options that every test case sets itself.
  var ownOptions: GenerationSettings?
  /// The options that the variant itself sets.
  var edit = SettingsEdit()
  /// The variant's stub script.
  var stub: StubScript?
  /// Whether the record lacks the effective settings, as in version 0.1.
  var isOfVersion01 = false
  var minimums = ["$.cards": 3]
  /// The places of fixed decisions, or `nil` for a record without them, as in version 0.1.
  var fixed: [String]? = ["$", "$.cards"]
  var branches: [ExpectedBranch] = []
  /// Returns the branch that a test case expects at `$`; if set, it replaces `branches`.
  var branchOfCase: ((_ caseIndex: Int) -> String)?
  /// The beginning of each request fingerprint.
  var fingerprint = "asked"
  var status = RunRecord.Status.complete
  var measurementProtocol = 1
  /// Returns the outcome, output, verdicts and decisions of an attempt.
  var answer: (_ caseIndex: Int, _ repeatIndex: Int) -> Answer = { _, _ in Answer() }

  struct Answer {
    var outcome = Outcome.pass
    var output = #"{"cards":[1,2,3]}"#
    var verdicts: [VerdictRecord] = []
    var decisions: [DecisionRecord] = []
  }

  var record: RunRecord {
    var details = SuiteDetails()
    details.fresh = fresh.map {
      FreshBlock(firstRepeat: repeats, repeats: $0.repeats, seed: $0.seed)
    }
    if let ownOptions {
      var own = CaseSettings()
      own.options = ownOptions
      details.cases = Dictionary(
        uniqueKeysWithValues: (0..<cases).map { ("c\($0)", own) })
    }
    if !edit.isEmpty { details.variantOptions = [variant: edit] }
    if !isOfVersion01 {
      details.effectiveSettings = EffectiveSettings(
        options, cases: details.cases ?? [:],
        variants: [EffectiveSettings.Variant(id: variant, edit: edit, stub: stub)])
    }
    details.fixedDecisions = fixed.map { FixedDecisionPlaces([variant: $0]) }
    var runDetails = RunDetails()
    runDetails.measurementProtocol = measurementProtocol
    return RunRecord(
      id: id, label: "", startedAt: "2026-11-20T00:00:00Z", status: status, toolVersion: "0.1.0",
      backends: [backend],
      suites: [
        SuiteRecord(
          id: suite, title: suite, guards: "", file: "", schemaName: "Cards",
          variants: [
            VariantRecord(
              id: variant, title: "", schema: schema, instructions: nil, promptTemplate: "",
              edits: [])
          ],
          cases: (0..<cases).map { index in
            CaseRecord(
              id: "c\(index)", title: "", tags: [], variables: .string("input \(index)"),
              expectedBranches: branchOfCase.map {
                [ExpectedBranch(path: "$", branch: $0(index))]
              } ?? branches, assertions: ["count"])
          },
          repeats: repeats, seed: seed, options: options, gate: GateRecord(),
          arrayMinimums: minimums, details: details)
      ], details: runDetails)
  }

  var attempts: [AttemptRecord] {
    let attempts = (0..<cases).flatMap { index in
      (0..<repeats + (fresh?.repeats ?? 0)).map { repeatIndex in
        let answer = answer(index, repeatIndex)
        var attempt = AttemptRecord(
          key: AttemptKey(
            suite: suite, variant: variant, backend: backend.id, caseID: "c\(index)",
            repeatIndex: repeatIndex),
          seed: (repeatIndex < repeats ? seed : fresh?.seed ?? seed) + UInt64(repeatIndex),
          outcome: answer.outcome,
          stopReason: answer.outcome == .error ? .failed : .complete, output: answer.output,
          verdicts: answer.verdicts, decisions: answer.decisions)
        attempt.details.fingerprint = "\(fingerprint)-\(index)"
        return attempt
      }
    }
    return attempts.withFacts(of: record.suites)
  }

  func side(_ selection: ComparisonSelection = .init()) -> ComparisonSide {
    ComparisonSide(run: record, attempts: attempts, selection: selection)
  }
}

/// Returns a decision on an array with the probability that it ends after `index` elements.
func end(
  _ probability: Double, after index: Int, at path: String = "$.cards", unresolved: Double = 0
) -> DecisionRecord {
  DecisionRecord(
    kind: .array, path: path, index: index,
    options: [
      OptionProbability(
        .element, raw: 0, masked: 0, sampled: 1 - probability),
      OptionProbability(.end, raw: 0, masked: 0, sampled: probability),
    ], chosen: .element, step: index, unresolved: unresolved)
}

/// Returns a decision on a branch with the probability of each option.
func branch(
  _ options: [(String, Double)], at path: String = "$", unresolved: Double = 0
) -> DecisionRecord {
  DecisionRecord(
    kind: .branch, path: path, index: 0,
    options: options.map {
      OptionProbability(.branch($0.0), raw: $0.1, masked: $0.1, sampled: $0.1)
    }, chosen: .branch(options[0].0), step: 0, unresolved: unresolved)
}
