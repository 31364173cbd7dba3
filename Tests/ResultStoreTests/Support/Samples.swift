import EvalRecords
import Foundation
import ResultStore
import StructuredText
import TestSupport

extension TemporaryFolder {
  var database: String { path("results.sqlite") }
}

/// Returns a run with two suites whose fields have values that are easy to lose in storage.
func sampleRun(label: String = "nightly", cases: Int = 3) -> RunRecord {
  let caseRecords = (0..<cases).map { index in
    CaseRecord(
      id: "case-\(index)", title: "Ebbe & Flut \(index) 🌊", tags: ["short", "it's"],
      variables: .object([
        "input": .string("line\nbreak \u{0}nul"), "z": .number(JSONNumber(unchecked: "1e400")),
        "a": .number(JSONNumber(unchecked: "9007199254740993")), "deep": [1, nil, ["x": true]],
      ]),
      expectedBranches: [ExpectedBranch(path: "$.mood", branch: "unclear")],
      assertions: ["count $.cards 3...8"])
  }
  let variants = [
    VariantRecord(
      id: "bounded", title: "states the bound", schema: #"{"type":"object"}"#,
      instructions: "", promptTemplate: "{{input}}", edits: []),
    VariantRecord(
      id: "naive", title: "", schema: #"{"type":"object"}"#, instructions: nil,
      promptTemplate: "{{input}}", edits: ["guide of DraftCardSet.cards"]),
  ]
  func suite(_ id: String) -> SuiteRecord {
    var details = SuiteDetails()
    details.store = .texts
    return SuiteRecord(
      id: id, title: "Cards", guards: "Empty arrays", file: "evals/\(id)/suite.yaml",
      schemaName: "DraftCardSet", tags: ["arrays"], variants: variants, cases: caseRecords,
      repeats: 3, seed: .max, options: GenerationSettings(isGreedy: true, temperature: 0.1),
      gate: GateRecord(passRate: 0.9, passRateByBackend: ["local": 0.5], guardrails: ["x"]),
      arrayMinimums: ["$.cards": 3], details: details)
  }
  var runDetails = RunDetails()
  runDetails.shard = "2/5"
  runDetails.traces = TraceUse(budget: 1 << 26, bytes: 7, kept: 1, dropped: 2)
  return RunRecord(
    id: 0, label: label, startedAt: "2026-11-20T01:00:00Z", status: .running,
    toolVersion: "0.1.0", commit: "abc",
    backends: [
      BackendRecord(
        id: "local", model: "toy", modelDigest: "00ff", parameterCount: 700_000, isToy: true,
        engine: "assay 0.1.0, avx2", isDeterministic: true),
      BackendRecord(id: "stub", model: "stub", engine: "assay 0.1.0", isDeterministic: true),
    ],
    suites: [suite("zebra"), suite("ants")], details: runDetails)
}

/// Returns an attempt with nearly every field set; `number` selects the test case and the repeat.
func sampleAttempt(
  _ number: Int, suite: String = "zebra", variant: String = "bounded", backend: String = "local",
  cases: Int = 3, outcome: Outcome = .fail, output: String? = nil, hasTrace: Bool = true
) -> AttemptRecord {
  var details = AttemptDetails()
  if number.isMultiple(of: 3) {
    details.metrics = ["tokens / s": 31.5, "limit": .infinity]
    details.isCached = true
    details.earlierTries = [
      AttemptTry(failure: AttemptFailure(kind: .rateLimited, message: "429"), duration: 0.5)
    ]
  }
  let attempt = AttemptRecord(
    key: AttemptKey(
      suite: suite, variant: variant, backend: backend, caseID: "case-\(number % cases)",
      repeatIndex: number / cases),
    seed: .max - UInt64(number), outcome: outcome, stopReason: .tokenLimit,
    failure: number.isMultiple(of: 2)
      ? AttemptFailure(kind: .truncated, message: "at \u{0} token 41") : nil,
    renderedPrompt: "prompt \u{1F30A} e\u{301}",
    output: output ?? #"{"cards":[],"mood":"slip","n":\#(number)}"#, promptTokens: 120,
    outputTokens: 7, forcedTokens: 3, duration: 0.1 + 0.2, constraintPressure: .infinity,
    verdicts: [
      VerdictRecord(
        assertion: "count $.cards", type: "count", path: "$.cards", verdict: .fail,
        expected: "3...8 elements", actual: "0 elements"),
      VerdictRecord(
        assertion: "words", type: "words", path: "$.cards[*].answer", verdict: .vacuous,
        expected: "", actual: ""),
    ],
    decisions: [
      DecisionRecord(
        kind: .array, path: "$.cards", index: 0,
        options: [
          OptionProbability(.element, raw: 1e-300, masked: 0.9, sampled: 1.0 / 3),
          OptionProbability(.end, raw: 0, masked: -0.0, sampled: .leastNonzeroMagnitude),
        ], chosen: .end, step: 4, unresolved: 0.001),
      DecisionRecord(
        kind: .choice, path: "$.mood", index: 0, options: [], chosen: .branch("slip"), step: 9,
        unresolved: 0),
      // A limit cut the answer off before this decision.
      DecisionRecord(
        kind: .choice, path: "$.color", index: 0,
        options: [OptionProbability(.branch("red"), raw: 0.25, masked: 0.5, sampled: 0.5)],
        chosen: nil, step: 12, unresolved: 0),
    ],
    trace: hasTrace
      ? [
        TokenStep(
          text: "{\"", path: "$", isForced: true, legalCount: 1, keptMass: 1e-9, candidates: []),
        TokenStep(
          text: "\u{FFFD}", path: "$.cards", isForced: false, legalCount: 12, keptMass: 0.5,
          rawEntropy: 2.25, maskedEntropy: 0,
          candidates: [
            TokenCandidate(text: "[", raw: 0.25, sampled: 0.5, isAllowed: true),
            TokenCandidate(text: "]", raw: .infinity, sampled: 0, isAllowed: false),
          ]),
      ] : [], details: details)
  // A judge would have stored these facts.
  return [attempt].withFacts(of: sampleRun(cases: cases).suites)[0]
}

/// Stores a reference of one suite with a run, and returns the text of the copy.
@discardableResult
func keepReference(
  of suite: String, reason: String, comparedRun: Int = 1, inRun id: Int, _ store: ResultStore
) throws -> String {
  let copy =
    #"{"acceptedAt":"2026-11-12T08:00:00Z","assay":"baseline","reason":"\#(reason)","#
    + #""run":{"id":\#(comparedRun),"startedAt":"2026-11-11T01:00:00Z"}}"# + "\n{}\n"
  var run = try store.run(id)
  run.details.references = [
    ReferenceRecord(
      suite: suite, digest: SHA256.hexDigest(of: copy), acceptedAt: "2026-11-12T08:00:00Z")
  ]
  try store.keepReferences(of: run, copies: [suite: copy])
  return copy
}

extension ResultStore {
  func append(_ attempts: [AttemptRecord], run: Int) throws {
    for attempt in attempts { try append(attempt, run: run) }
  }
}
