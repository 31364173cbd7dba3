import EvalRecords
import Testing

@testable import EvalFindings
@testable import EvalReports

@Suite("Wording of findings")
struct WordsTests {
  private static let method = EffectMethod(interval: .newcombe)

  @Test(
    "the reason of a failure names its kind once",
    arguments: [
      ("not JSON: 1:1: a value is expected", "not JSON: 1:1: a value is expected"),
      ("the model called a tool", "no JSON: the model called a tool"),
      ("no JSON came", "no JSON came"),
    ])
  func reasons(message: String, reason: String) {
    let key = AttemptKey(
      suite: "s", variant: "v", backend: "b", caseID: "c", repeatIndex: 0)
    var attempt = AttemptRecord(key: key, seed: 0, outcome: .fail, stopReason: .complete)
    attempt.failure = AttemptFailure(kind: .malformedOutput, message: message)
    #expect(attempt.failureWords == reason)
  }

  @Test(
    "the title of a quantity says whether the quantity was counted or measured",
    arguments: [
      (Quantity.passRate, Evidence.counted, "pass rate"),
      (.emptyArray(path: "$.cards"), .counted, "empty $.cards"),
      (.missingArray(path: "$.cards"), .counted, "missing $.cards"),
      (.emptyArray(path: "$.cards"), .measured, "P(empty) at $.cards"),
      (.shortArray(minimum: 3, path: "$.cards"), .measured, "P(fewer than 3) at $.cards"),
      (.wrongBranch(path: "$"), .counted, "wrong branch at $"),
      (.wrongBranch(path: "$"), .measured, "P(wrong branch) at $"),
      (.missedBranch("a at $", path: "$.x"), .counted, "missed a at $ at $.x"),
      (.missedBranch("unclear", path: "$"), .measured, "P(not unclear) at $"),
      (.failedAssertion(name: "short", path: "$.q"), .counted, "failures of short"),
    ])
  func titles(quantity: Quantity, evidence: Evidence, title: String) {
    let estimate = EstimateRecord(value: 0, count: 1, low: 0, high: 1)
    let effect = EffectRecord(
      place: ComparedPlace(SliceKey(suite: "s", variant: "v", backend: "b")),
      quantity: quantity, evidence: evidence, baseline: estimate, candidate: estimate, change: 0,
      changeLow: 0, changeHigh: 0, method: Self.method, verdict: .ok)
    #expect(effect.title == title)
  }

  @Test("places and sides name the parts that differ, and mention shared parts only once")
  func places() {
    func slice(_ variant: String, on backend: String = "local") -> SliceKey {
      SliceKey(suite: "cards", variant: variant, backend: backend)
    }
    #expect(ComparedPlace(slice("a")).words == "cards on local")
    #expect(ComparedPlace(slice("a"), hasVariants: true).words == "cards:a on local")
    #expect(
      ComparedPlace(baseline: slice("a"), candidate: slice("b", on: "stub")).words
        == "cards:a → b on local → stub")
    let side = SideRecord(suite: "cards", variant: "a", backend: "local", run: 3, origin: "main")
    #expect(side.words == "cards:a on local in run 3 of main")
    #expect(SideRecord(run: 4).words == "run 4")
    func sides(_ one: SideRecord, _ other: SideRecord) -> [String] {
      let words = ComparisonRecord(
        baseline: one, candidate: other, verdict: .ok, effects: [], alpha: 0.05
      ).sideWords
      return [words.before, words.after]
    }
    let (one, other) = (
      SideRecord(suite: "cards", variant: "a", run: 1),
      SideRecord(suite: "cards", variant: "b", run: 1)
    )
    #expect(sides(one, other) == ["cards:a", "cards:b"])
    let later = SideRecord(suite: "cards", variant: "a", run: 2)
    #expect(sides(one, later) == ["cards:a, run 1", "run 2"])
  }

  @Test("a method, a note and a difference each have a description in words")
  func sentences() {
    #expect(
      EffectMethod(
        test: .signFlip(cases: 20, draws: 9_999, margin: 0.01), direction: .worse,
        interval: .invertedPermutation, adjustment: .holm(tests: 3)
      ).words
        == "sign-flip permutation, 9,999 draws, over 20 test cases, mean shift beyond 0.01, "
        + "one-sided (worse); interval by inverting the permutation test; Holm over 3 tests")
    for (scale, words) in [
      (nil, "permutation test of the draws’ log odds within test cases, with 0.4 of the level"),
      (1.5, "permutation test of the draws within test cases, with 0.1 of the level"),
    ] as [(Double?, String)] {
      let test = EffectMethod.Test.measured(
        cases: 20, margin: 0.01, permutesDraws: true, fewCasesScale: scale)
      #expect(EffectMethod(test: test, interval: .boundedMean).words.hasPrefix(words))
    }
    #expect(
      EffectNote.undecided(until: .repeats(more: 1)).words
        .hasSuffix("1 more repeat of each test case"))
    #expect(
      EffectNote.unresolved(decisions: 12, lostCases: 6, cases: 20, limit: 0.05).words
        == "left out because more than 0.05 is unresolved: 12 decisions, and with them 6 of 20 "
        + "test cases")
    #expect(
      EffectNote.history(
        summary: HistorySummary(
          attempts: 104, runs: 6, duplicates: 40, runsBeforeChange: 1,
          omissions: [.otherRequest(runs: [7]), .otherJudgement(runs: [8, 9])])
      ).words
        == "104 attempts of 6 runs with the same guides, model and options, each seed counted once "
        + "(40 duplicates left out), without 1 run from before the rate changed, "
        + "run 7 left out (other guides, models or options), "
        + "2 runs left out (other assertions or inputs; the last is run 9)")
    let once = HistorySummary(attempts: 1, runs: 1, duplicates: 1)
    #expect(once.words.hasPrefix("1 attempt of 1 run with the same guides"))
    #expect(once.words.hasSuffix("(1 duplicate left out)"))
    let place = ComparedPlace(SliceKey(suite: "s", variant: "v", backend: "b"))
    let facts: [(ComparisonDifference.Fact, String)] = [
      (
        .setting(name: .option(.topK), before: .none, after: .integer(40)),
        "s on b: top-k none → 40"
      ),
      (
        .setting(name: .modelDigest, before: .text("0123456789abcdef"), after: .none),
        "s on b: model digest 0123456789ab → none"
      ),
      (
        .cases(change: .added, ids: (1...7).map { "c\($0)" }),
        "s on b: test cases only in the candidate: c1, c2, c3, c4, c5 and 2 more"
      ),
      (
        .notMade(side: .candidate, attempts: 1, planned: 20),
        "s on b: 1 of 20 attempts of the candidate was not made"
      ),
      (
        .stoppedEarly(side: .baseline, run: 3, attempts: 12, planned: 20),
        "s on b: run 3, the baseline, stopped early: 12 of 20 attempts were not made; "
          + "to make them, run again with `--resume 3` and the options that you gave that run"
      ),
    ]
    for (fact, words) in facts {
      #expect(ComparisonDifference(place: place, fact: fact).words == words)
    }
  }

  @Test(
    "a command quotes each word that a shell might change",
    arguments: [
      ("flashcards/octopus#0", "flashcards/octopus#0"), ("my reports", "'my reports'"),
      ("$(id)", "'$(id)'"), ("it's", "'it'\\''s'"), ("", "''"),
      ("it'\u{301}s", "'it'\\''\u{301}s'"), ("#1", "'#1'"), ("é", "'é'"),
      ("a;b", "'a;b'"), ("a\nb", "'a\nb'"), ("</b>", "'</b>'"),
    ])
  func shellWords(word: String, quoted: String) {
    #expect(ShellText.word(word) == quoted)
  }

  @Test("a marked part of a text begins with the visible form of its first character")
  func marking() {
    func check(_ text: String, _ parts: [String], _ expected: String) {
      let bytes = Array(text.utf8)
      let ranges = parts.map { part in
        let start = bytes.indices.first { bytes[$0...].starts(with: part.utf8) } ?? 0
        return start..<start + part.utf8.count
      }
      #expect(VisibleText.marking(ranges, in: text) == expected)
    }
    check("a <|end|> b", [], "a <|end|> b")
    check("é <|end|> b", ["<|end|>"], "é \\u{003C}|end|> b")
    check("<s>\r\n[INST]", ["<s>", "[INST]"], "\\u{003C}s>\r\n\\u{005B}INST]")
  }

  @Test(
    "a sign that is part of a larger character is escaped in Markdown and in CSV",
    arguments: [
      ("\u{600}<b>", "\u{600}&lt;b&gt;"), ("a |\u{301} b", "a \\|\u{301} b"),
      ("\u{600}@me", "\u{600}&#64;me"), ("x:\u{301} y", "x&#58;\u{301} y"),
    ])
  func checkEscapes(text: String, escaped: String) {
    #expect(MarkdownText.escaped(text) == escaped)
    var table = CSVText()
    table.row([.text("\"\u{301},")])
    #expect(table.text == "\"\"\"\u{301},\"\r\n")
  }
}
