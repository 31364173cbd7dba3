import EvalRecords
import LocalModels
import StructuredText
import Testing

@testable import Backends

/// Tests repeats that the bundled model decodes together.
@Suite struct BatchTests {
  static let shelf = """
    {"title":"Shelf","type":"object","additionalProperties":false,"required":["books","room"],
    "x-order":["books","room"],"properties":{"books":{"type":"array","maxItems":3,
    "items":{"type":"string","enum":["red","green","blue","black"]}},
    "room":{"type":"string","maxLength":12}}}
    """

  let helper = LocalBackendTests()

  func backend(
    workers: Int = 1, width: Int = 32, cacheLimit: Int = 512 << 20,
    drafts: AnswerDrafts? = AnswerDrafts()
  ) throws -> LocalBackend {
    try LocalBackend(
      model: try LocalModel(path: LocalBackendTests.modelPath), digest: nil, toolVersion: "test",
      isToy: true, workers: workers, width: width, cacheLimit: cacheLimit,
      drafts: drafts)
  }

  func request(
    _ prompt: String = "Which books are there?",
    _ change: (inout GenerationSettings) -> Void = { _ in }
  ) -> BackendRequest {
    var settings = GenerationSettings(temperature: 1.2, maximumTokens: 48)
    change(&settings)
    return helper.request(Self.shelf, prompt: prompt, settings: settings)
  }

  /// Checks that answers are equal, down to the last bit of every probability.
  func checkSame(
    _ answers: [BackendAnswer], _ expected: [BackendAnswer], _ comment: Comment
  ) {
    #expect(
      helper.facts(answers) == helper.facts(expected), comment)
  }

  @Test(
    "a repeat's answer is the same bit for bit alone, in a batch of any width and with two workers",
    arguments: GenerationSettings.Tokenization.allCases)
  func batches(_ tokenization: GenerationSettings.Tokenization) async throws {
    let request = request { $0.tokenization = tokenization }
    var alone: [BackendAnswer] = []
    for index in 0..<6 {
      alone += await helper.answers(
        of: try backend(width: 1, drafts: nil), to: request, repeats: index..<index + 1)
    }
    // The repeats must differ, or the test would prove little.
    #expect(Set(alone.map(\.output)).count > 1)
    for width in [1, 2, 6] {
      let together = await helper.answers(
        of: try backend(width: width), to: request, repeats: 0..<6)
      checkSame(together, alone, "\(width) at a time")
    }
    let shared = try backend(workers: 2)
    async let first = helper.answers(of: shared, to: request, repeats: 0..<3)
    async let second = helper.answers(of: shared, to: request, repeats: 3..<6)
    checkSame(await first + second, alone, "two workers")
  }

  @Test("answers that are cut off are the same in a batch as alone")
  func cuts() async throws {
    for limit in [1, 2, 5, 11] {
      let request = request { $0.maximumTokens = limit }
      let alone = await helper.answers(of: try backend(width: 1), to: request, repeats: 0..<4)
      let together = await helper.answers(of: try backend(), to: request, repeats: 0..<4)
      checkSame(together, alone, "\(limit) tokens")
      #expect(alone.allSatisfy { $0.outputTokens <= limit })
    }
  }

  @Test("repeats that write the same text share every evaluation")
  func sharing() async throws {
    let request = request {
      ($0.isGreedy, $0.whitespace) = (true, .compact)
    }
    let one = try backend()
    let single = await helper.answers(of: one, to: request, repeats: 0..<1)
    let eight = try backend()
    let answers = await helper.answers(of: eight, to: request, repeats: 0..<8)
    #expect(Set(answers.map(\.output)) == Set(single.map(\.output)))
    let (few, many) = (try #require(one.evaluations), try #require(eight.evaluations))
    #expect(many.evaluatedTokens == few.evaluatedTokens)
    #expect(many.passes == few.passes)
    #expect(many.tokensWithoutReuse == 8 * few.tokensWithoutReuse)
    #expect(many.savedShare > 0.75)
  }

  @Test("a prompt is evaluated only from the point where it differs from an earlier prompt")
  func prefixes() async throws {
    let backend = try backend()
    let start = "The shelf has many books. "
    let first = request(start + "One is red.") { $0.maximumTokens = 1 }
    let second = request(start + "One is green.") { $0.maximumTokens = 1 }
    let answers = await helper.answers(of: backend, to: first, repeats: 0..<1)
    let before = try #require(backend.evaluations)
    _ = await helper.answers(of: backend, to: second, repeats: 0..<1)
    let after = try #require(backend.evaluations)
    let prompt = try #require(answers.first).promptTokens
    func evaluated(_ use: EvaluationUse) -> Int { use.evaluatedTokens - use.asideTokens }
    #expect(evaluated(before) >= prompt)
    #expect(evaluated(after) - evaluated(before) < prompt / 2)
    // The first prompt is still cached completely.
    _ = await helper.answers(of: backend, to: first, repeats: 0..<1)
    #expect(evaluated(try #require(backend.evaluations)) == evaluated(after))
  }

  @Test("forced tokens in a row are evaluated in one pass, which records each token's probability")
  func forcedRuns() async throws {
    let backend = try backend()
    let answers = await helper.answers(of: backend, to: request(), repeats: 0..<1)
    let answer = try #require(answers.first)
    let use = try #require(backend.evaluations)
    #expect(answer.forcedTokens > 0)
    #expect(use.forcedTokens == answer.forcedTokens)
    let forced = answer.trace.filter(\.isForced)
    #expect(forced.count == answer.forcedTokens)
    #expect(forced.allSatisfy { (0...1).contains($0.keptMass) && $0.legalCount == 1 })
    // If each forced token took a pass, there would be one pass for every token except the first,
    // and more for the prompt.
    let passes = use.passes - use.asideTokens
    #expect(passes < answer.outputTokens)
  }

  @Test("with little memory, the backend narrows the batch, which changes no answer")
  func narrowing() async throws {
    let alone = await helper.answers(of: try backend(width: 1), to: request(), repeats: 0..<4)
    let info = try LocalModel(path: LocalBackendTests.modelPath).info
    let wide = try backend()
    checkSame(await helper.answers(of: wide, to: request(), repeats: 0..<4), alone, "all")
    #expect(wide.evaluations?.widestStep == 4)
    #expect(wide.evaluations?.narrowedTo == nil)
    let prompt = try #require(alone.first).promptTokens
    // This memory suffices for the prompt and two answers of 48 tokens, each with two spare pages
    // of 32 tokens.
    let two = (prompt + 64 + 2 * (48 + 64)) * info.bytesPerToken
    for (limit, width) in [(1, 1), (two, 2)] {
      let narrow = try backend(cacheLimit: limit)
      checkSame(
        await helper.answers(of: narrow, to: request(), repeats: 0..<4), alone, "\(limit) bytes")
      #expect(narrow.evaluations?.widestStep == width)
      #expect(narrow.evaluations?.narrowedTo == width)
    }
  }
}
