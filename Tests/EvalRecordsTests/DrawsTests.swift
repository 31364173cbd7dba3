import EvalRecords
import Testing

@Suite("Draws")
struct DrawsTests {
  private static func attempts(
    _ answers: [(run: Int, answer: String)], samplesNothing: Bool = true
  ) -> [DrawnAttempt] {
    answers.enumerated().map { index, attempt in
      DrawnAttempt(
        caseID: "a", fingerprint: "f", run: attempt.run, seed: UInt64(index), isCached: false,
        sampling: SliceSampling(samplesNothing: samplesNothing), answer: attempt.answer)
    }
  }

  @Test(
    "if nothing is sampled, equal answers are one draw, unless answers differ within one run",
    arguments: [
      // Each row has the runs and their answers, whether the answers vary, and which are new draws.
      ([(1, "x"), (1, "x"), (2, "x")], false, [true, false, false]),
      // The second run has another model or engine.
      ([(1, "x"), (2, "y"), (2, "y")], false, [true, true, false]),
      ([(1, "x"), (1, "y"), (2, "x")], true, [true, true, true]),
    ] as [([(Int, String)], Bool, [Bool])])
  func checkVarying(_ answers: [(Int, String)], varies: Bool, areNew: [Bool]) {
    let drawn = Self.attempts(answers.map { (run: $0.0, answer: $0.1) })
    #expect(Draws.vary(drawn) == varies)
    var draws = Draws()
    #expect(draws.add(drawn).map(\.isNew) == areNew)
  }

  @Test("if answers are sampled, each seed is a draw, whatever the answers are")
  func sampled() {
    let drawn = Self.attempts([(1, "x"), (1, "x"), (2, "x")], samplesNothing: false)
    #expect(!Draws.vary(drawn))
    var draws = Draws()
    #expect(draws.add(drawn).map(\.isNew) == [true, true, true])
    #expect(draws.add(drawn).map(\.isNew) == [false, false, false])
  }
}
