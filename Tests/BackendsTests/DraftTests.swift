import EvalRecords
import Testing
import Tokenization

@testable import Backends

/// Tests drafts: the backend guesses the next tokens of an answer from earlier answers.
@Suite struct DraftTests {
  let batches = BatchTests()
  let helper = LocalBackendTests()

  private struct Lookup {
    var answer: [TokenID]
    var sources: [[TokenID]]
    var limit = 4
    var found: [TokenID]
  }

  @Test(
    "a draft continues a text that begins with the answer or, failing that, contains its end")
  func finding() {
    let table = [
      // The end of an answer consists of its last three tokens.
      Lookup(answer: [], sources: [[1, 2, 3]], found: []),
      Lookup(answer: [1], sources: [[1, 2, 3]], found: [2, 3]),
      Lookup(answer: [1, 2], sources: [[9], [1, 2, 3, 4, 5, 6, 7]], found: [3, 4, 5, 6]),
      Lookup(answer: [1, 2], sources: [[1, 2, 3]], limit: 0, found: []),
      Lookup(answer: [1, 2, 3], sources: [[1, 2, 3]], found: []),
      Lookup(answer: [7, 1, 2, 3], sources: [[1, 2, 3, 4, 5]], found: [4, 5]),
      Lookup(answer: [7, 2, 3], sources: [[1, 2, 3, 4, 5]], found: []),
      // Of several matches, the one whose position is closest to the answer's length counts.
      Lookup(
        answer: [0, 8, 1, 2, 3], sources: [[1, 2, 3, 4, 1, 2, 3, 5, 1, 2, 3, 6]], limit: 1,
        found: [4]),
      Lookup(
        answer: [0, 8, 8, 8, 8, 8, 8, 1, 2, 3],
        sources: [[1, 2, 3, 4, 1, 2, 3, 5, 1, 2, 3, 6]], limit: 1, found: [6]),
      // A text that begins with the whole answer takes precedence over an earlier text that
      // contains only the answer's end.
      Lookup(answer: [1, 2, 3, 4], sources: [[2, 3, 4, 8], [1, 2, 3, 4, 9]], found: [9]),
    ]
    for row in table {
      let found = DraftFinder.continuation(
        of: row.answer, in: row.sources, limit: row.limit)
      #expect(found == row.found, "\(row.answer) in \(row.sources)")
    }
  }

  @Test("a kept draft makes the next drafts longer, and a rejected draft pauses drafting")
  func trust() {
    var trust = DraftTrust()
    let first = trust.limit
    trust.learn(drafted: first, kept: first)
    #expect(trust.limit > first)
    trust.learn(drafted: trust.limit, kept: 0)
    #expect(trust.limit == 0)
    var steps = 0
    while trust.limit == 0, steps < 100 {
      trust.learn(drafted: 0, kept: 0)
      steps += 1
    }
    #expect((1..<100).contains(steps))
    #expect(trust.limit < first)
  }

  @Test(
    "drafts don't change a bit of an answer, whatever texts they come from",
    arguments: GenerationSettings.Tokenization.allCases)
  func bits(_ tokenization: GenerationSettings.Tokenization) async throws {
    for isGreedy in [false, true] {
      let request = batches.request {
        ($0.tokenization, $0.isGreedy, $0.maximumTokens) = (tokenization, isGreedy, 40)
      }
      let expected = await helper.answers(
        of: try batches.backend(drafts: nil), to: request, repeats: 0..<5)
      let outputs = expected.map(\.output)
      let spoilt = outputs.map { $0.replacing("e", with: "o") }
      for texts in [[], outputs, spoilt, ["", "{}", String(repeating: "red", count: 900)]] {
        let drafts = AnswerDrafts()
        for (index, text) in texts.enumerated() {
          drafts.add(
            text,
            of: AttemptKey(
              suite: request.suite, variant: request.variant, backend: "local",
              caseID: request.caseID, repeatIndex: index))
        }
        let backend = try batches.backend(drafts: drafts)
        // From the second round on, the backend can draft from the answers of the first.
        for repeats in [0..<5, 0..<5, 2..<3] {
          let answers = await helper.answers(of: backend, to: request, repeats: repeats)
          batches.checkSame(
            answers, expected.filter { repeats.contains($0.repeatSeed.repeatIndex) },
            "\(tokenization), greedy \(isGreedy), \(texts.count) texts")
        }
      }
    }
  }

  @Test("a replay continues only an earlier answer that begins with the whole current answer")
  func replays() {
    let long = String(repeating: "x", count: 100)
    let texts = ["9123", "12345", "128", "7é", "5" + long].map { Array($0.utf8) }
    // Each character is a token.
    func next(_ replay: inout DraftReplay, _ answer: String, _ limit: Int) -> String {
      let tokens = replay.next(after: Array(answer.utf8), limit: limit) { text in
        text.unicodeScalars.map { TokenID($0.value) }
      }
      return String(String.UnicodeScalarView(tokens.compactMap { Unicode.Scalar(UInt32($0)) }))
    }
    for (answer, limit, found) in [
      ("12", 2, "34"), ("128", 2, ""), ("1234", 9, "5"), ("23", 9, ""), ("", 9, ""), ("1", 0, ""),
      ("7", 4, "é"), ("5", 3, "xxx"),
    ] {
      var replay = DraftReplay(of: texts)
      #expect(next(&replay, answer, limit) == found, "\(answer), at most \(limit)")
    }
    // As the answer grows, it agrees with fewer and fewer earlier answers.
    var replay = DraftReplay(of: texts)
    for (answer, found) in [("1", "23"), ("12", "34"), ("128", ""), ("1284", "")] {
      #expect(next(&replay, answer, 2) == found, "\(answer)")
      #expect(replay.isOver == found.isEmpty)
    }
    // A tokenizer may return no tokens for a text.
    var untold = DraftReplay(of: texts)
    #expect(untold.next(after: [0x35], limit: 3) { _ in [] } == [])
  }

  @Test("if an answer repeats itself, the draft continues the repetition")
  func repetitions() {
    for (answer, length, limit, found) in [
      ([], 2, 4, []), ([1, 2, 3, 1, 2], 2, 0, []), ([1, 2, 3, 4, 5], 2, 4, []),
      ([1, 2], 2, 4, []), ([1, 2, 3, 1, 2], 3, 4, []), ([1, 2, 3, 1, 2], 2, 4, [3, 1, 2, 3]),
      ([7, 7, 7], 2, 2, [7, 7]),
      // Of two earlier occurrences, the later one counts.
      ([1, 2, 3, 1, 2, 4, 1, 2], 2, 1, [4]),
    ] as [([TokenID], Int, Int, [TokenID])] {
      let draft = DraftFinder.repetition(of: answer, length: length, limit: limit)
      #expect(draft == found, "\(answer), \(length) tokens, at most \(limit)")
    }
  }

  @Test("a step leaves out drafted tokens that would begin a pass over the weights but not fill it")
  func passesOfDrafts() {
    #expect(EvaluationUse.tokensOfPass == 64)
    for (drafted, others, excess) in [
      (0, 0, 0), (0, 70, 0), (20, 10, 0), (54, 10, 0), (55, 10, 1), (117, 10, 63), (118, 10, 0),
      (10, 64, 10), (50, 70, 0), (60, 70, 2), (121, 70, 63), (122, 70, 0),
    ] {
      #expect(
        EvaluationUse.excess(ofDrafts: drafted, beside: others) == excess,
        "\(drafted) beside \(others)")
    }
  }

  @Test("drafts halve the passes of a repetitive answer, even without earlier answers")
  func loop() async throws {
    let list = """
      {"title":"List","type":"array","minItems":40,"maxItems":40,
      "items":{"type":"string","enum":["red","green","blue"]}}
      """
    let settings = GenerationSettings(isGreedy: true, maximumTokens: 300)
    let request = helper.request(list, settings: settings)
    let (plain, drafting) = (try batches.backend(drafts: nil), try batches.backend())
    let expected = await helper.answers(of: plain, to: request, repeats: 0..<1)
    let answers = await helper.answers(of: drafting, to: request, repeats: 0..<1)
    batches.checkSame(answers, expected, "drafted")
    let (before, after) = (try #require(plain.evaluations), try #require(drafting.evaluations))
    // Drafts don't shorten the evaluation of open paths, each of which takes a pass.
    func passes(_ use: EvaluationUse) -> Int { use.passes - use.asideTokens }
    #expect(passes(after) * 2 < passes(before))
  }

  @Test("a wide batch drafts each repeat from its earlier answer, and no answer changes")
  func wideBatch() async throws {
    let request = batches.request()
    let count = DraftTrust.narrowStep + 8
    let plain = try batches.backend(drafts: nil)
    let expected = await helper.answers(of: plain, to: request, repeats: 0..<count)
    let drafts = AnswerDrafts()
    for answer in expected {
      drafts.add(
        answer.output,
        of: AttemptKey(
          suite: request.suite, variant: "earlier", backend: "other", caseID: request.caseID,
          repeatIndex: answer.repeatSeed.repeatIndex))
    }
    let drafting = try batches.backend(drafts: drafts)
    let answers = await helper.answers(of: drafting, to: request, repeats: 0..<count)
    batches.checkSame(answers, expected, "drafted")
    let (before, after) = (try #require(plain.evaluations), try #require(drafting.evaluations))
    // Drafts don't shorten the evaluation of open paths, some of which take passes of their own.
    #expect(after.passes * 10 < before.passes * 9, "\(before) \(after)")
    #expect((after.keptDraftTokens ?? 0) * 9 > after.outputTokens * 4)
  }

  @Test("an answer that repeats an earlier one takes fewer passes")
  func passes() async throws {
    let request = batches.request { $0.whitespace = .pretty }
    let backend = try batches.backend()
    func passes() async throws -> Int {
      let before = backend.evaluations?.passes ?? 0
      _ = await helper.answers(of: backend, to: request, repeats: 0..<1)
      return try #require(backend.evaluations).passes - before
    }
    // The prompt and the compiled schema are cached from now on.
    _ = await helper.answers(of: backend, to: request, repeats: 1..<2)
    let (first, second) = (try await passes(), try await passes())
    #expect(second < first)
  }
}
