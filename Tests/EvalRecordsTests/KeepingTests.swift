import EvalRecords
import StructuredText
import Testing

@Suite("The data stored for attempts")
struct KeepingTests {
  private let schema = """
    {"type":"object","properties":{"mood":{"enum":["calm","unclear"]},"kind":{"const":"slip"}}}
    """

  private func attempt(
    _ number: Int, outcome: Outcome = .fail, steps: Int = 100
  ) -> AttemptRecord {
    AttemptRecord(
      key: AttemptKey(
        suite: "quiz", variant: "default", backend: "stub", caseID: "a", repeatIndex: number),
      seed: 1, outcome: outcome, stopReason: .complete, renderedPrompt: "Ann is 43.",
      output:
        #"{"mood":"calm","kind":"slip","cards":[{"q":"Ann?"},{"q":"Ann?"}],"age":43,"x":null}"#,
      verdicts: [
        VerdictRecord(
          assertion: "count", type: "count", path: "$.cards", verdict: .fail,
          expected: "3...8 elements", actual: "2 elements"),
        VerdictRecord(
          assertion: "branch", type: "branch", path: "$.mood", verdict: .pass,
          expected: "calm", actual: "calm"),
        VerdictRecord(
          assertion: "equals", type: "equals", path: "$.q", verdict: .fail,
          expected: "\"Bob?\"", actual: "\"Ann?\""),
      ],
      trace: (0..<steps).map { _ in
        TokenStep(
          text: "Ann", path: "$", isForced: false, legalCount: 2, keptMass: 1, candidates: [])
      })
  }

  private func suite(_ keeping: TextKeeping?) -> SuiteRecord {
    var details = SuiteDetails()
    details.store = keeping
    return SuiteRecord(
      id: "quiz", title: "", guards: "", file: "", schemaName: "Quiz",
      variants: [
        VariantRecord(
          id: "default", title: "", schema: schema, instructions: nil, promptTemplate: "",
          edits: [])
      ],
      cases: [
        CaseRecord(
          id: "a", title: "a", tags: [], variables: ["input": "Ann is 43.", "n": 43],
          expectedBranches: [], assertions: [])
      ], repeats: 1, seed: 1, options: GenerationSettings(), gate: GateRecord(), details: details)
  }

  @Test("digests keep the structure of a value and the names in its schema, but no other content")
  func digestsKeepTheForm() throws {
    var keeper = AttemptKeeper(suites: [suite(.digests)])
    var attempt = attempt(0)
    let places = ["$.mood", "$.cards[0].q"].map { ExpectedBranch(path: $0, branch: "x") }
    attempt.details.shape = AnswerShape(
      of: try JSONValue(parsing: attempt.output), expecting: places)
    attempt.details.cut = AnswerCut(limit: .tokens, tokens: 9, path: "$.cards", loop: "Ann Ann ")
    attempt.details.served = ServedAnswer()
    attempt.details.served?.originalText = #"{"q":"Ann?"}"#
    attempt.details.served?.brokenPromise = "$.q: \"Bob?\" is not allowed"
    let kept = keeper.kept(attempt)
    // The two questions are equal, so both have this digest, cut to 16 digits.
    let ann = Withholding.digest("Ann?", digits: 16)
    #expect(
      kept.output
        == #"{"mood":"calm","kind":"slip","cards":[{"q":"\#(ann)"},{"q":"\#(ann)"}],"#
        + #""age":"\#(Withholding.digest("43", digits: 16))","x":null}"#)
    #expect(kept.trace == [])
    #expect(
      kept.verdicts.map(\.actual) == [
        "2 elements", "calm", Withholding.digest("\"Ann?\"", digits: 16),
      ])
    #expect(kept.verdicts[0].expected == "3...8 elements")
    let words = "\(kept) \(suite(.digests).stored)"
    for secret in ["Ann", "Bob", "is 43"] { #expect(!words.contains(secret), "\(secret)") }
    #expect(
      suite(.digests).stored.cases[0].variables["input"]?.string?.hasPrefix("sha256:") == true)
    let shape = try #require(kept.details.shape)
    #expect(shape.lengths == ["$.cards": [2]])
    #expect(
      shape.branches == [
        "$.mood": "calm", "$.cards[0].q": Withholding.digest("Ann?", digits: 16),
      ])
    // The shape of the digests is the digest of the shape.
    #expect(shape == AnswerShape(of: try JSONValue(parsing: kept.output), expecting: places))
  }

  @Test("a text's digest is its SHA-256")
  func digestIsSHA256() {
    // printf 'abc' | sha256sum
    #expect(
      Withholding.digest("abc")
        == "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(Withholding(schema: nil).output("{\"cut").hasPrefix("sha256:"))
    #expect(Withholding(schema: nil).output("").isEmpty)
  }

  @Test(
    "texts are stored unchanged unless the suite asks for digests",
    arguments: [nil, TextKeeping.texts])
  func textsStay(keeping: TextKeeping?) {
    var keeper = AttemptKeeper(suites: [suite(keeping)])
    #expect(keeper.kept(attempt(0)) == attempt(0))
    #expect(suite(keeping).stored == suite(keeping))
  }

  @Test("traces are kept within a budget, and attempts that passed may use only half of it")
  func tracesHaveABudget() {
    let size = attempt(0).traceBytes
    var keeper = AttemptKeeper(suites: [suite(nil)], budget: 4 * size)
    let outcomes: [Outcome] = [.pass, .pass, .pass, .fail, .error, .fail, .fail]
    let kept = outcomes.enumerated().map { keeper.kept(attempt($0, outcome: $1)) }
    #expect(kept.map(\.trace.isEmpty) == [false, false, true, false, false, true, true])
    #expect(kept.map(\.details.droppedSteps) == [nil, nil, 100, nil, nil, 100, 100])
    #expect(keeper.use == TraceUse(budget: 4 * size, bytes: 4 * size, kept: 4, dropped: 3))
    // A resumed run counts the traces that it already has.
    let resumed = AttemptKeeper(suites: [suite(nil)], budget: 4 * size, done: kept)
    #expect(resumed.use == keeper.use)
    var none = AttemptKeeper(suites: [suite(nil)], budget: 0)
    #expect(none.kept(attempt(0)).details.droppedSteps == 100)
    #expect(none.kept(attempt(0, steps: 0)).details.droppedSteps == nil)
  }
}
