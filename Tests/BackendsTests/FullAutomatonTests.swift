import ConstrainedDecoding
import EvalRecords
import LocalModels
import Synchronization
import Testing

@testable import Backends

/// Tests answers that use up the automaton that they share.
@Suite struct FullAutomatonTests {
  /// An enum of long words, each of which takes up memory of its own in the automaton.
  private static let words: String = {
    let words = "abcdefghijklmnop".map { #""\#($0)\#(String(repeating: "ox\($0)", count: 20))""# }
    return """
      {"title":"Word","type":"object","additionalProperties":false,"required":["word"],
      "properties":{"word":{"type":"string","enum":[\(words.joined(separator: ","))]}}}
      """
  }()

  private static let request: BackendRequest = {
    var settings = GenerationSettings(temperature: 2, maximumTokens: 100)
    settings.outline = .none
    return LocalBackendTests().request(words, prompt: "Say a word.", settings: settings)
  }()

  private func worker(_ automatonBytes: Int) throws -> LocalWorker {
    let model = try LocalModel(path: LocalBackendTests.modelPath)
    var grammarLimits = GrammarLimits()
    grammarLimits.automatonBytes = automatonBytes
    return LocalWorker(
      model: model, writer: PromptWriter(template: ChatTemplate(.plain), cue: nil),
      table: VocabularyTables(of: model).table,
      limits: LocalLimits(
        contextLength: model.usualContextLength, width: 8, bytes: 512 << 20,
        bytesPerToken: model.info.bytesPerToken),
      grammarLimits: grammarLimits, drafts: nil, time: { 0 }, timer: nil)
  }

  /// Lets a new worker answer repeats together.
  ///
  /// - Returns: The answers, and whether their shared automaton is used up.
  private func answers(
    to repeats: Range<Int>, automatonBytes: Int
  ) throws -> (answers: [BackendAnswer], isUsedUp: Bool) {
    let worker = try worker(automatonBytes)
    let answers = Mutex<[BackendAnswer]>([])
    let order = LocalOrder(
      request: Self.request,
      repeats: repeats.map { RepeatSeed(repeatIndex: $0, seed: UInt64(1000 + $0)) },
      finish: { answer in answers.withLock { $0.append(answer) } }, end: {})
    let automaton = try worker.prompt(of: Self.request).get().automaton
    var orders = [order]
    worker.work(
      { load in
        defer { orders = [] }
        return load == 0 && orders.isEmpty ? nil : orders
      }, threads: { 1 }, count: { _ in })
    return (LocalBackendTests().facts(answers.withLock { $0 }), automaton.isUsedUp)
  }

  private struct Row: Sendable {
    var automatonBytes: Int
    /// Whether eight answers together, and a single answer, use up their automaton.
    var isUsedUpTogether: Bool
    var isUsedUpAlone: Bool
    var stopReason: StopReason
  }

  private static let rows = [
    Row(
      automatonBytes: 64 << 20, isUsedUpTogether: false, isUsedUpAlone: false,
      stopReason: .complete),
    Row(
      automatonBytes: 300 << 10, isUsedUpTogether: true, isUsedUpAlone: false,
      stopReason: .complete),
    Row(
      automatonBytes: 100 << 10, isUsedUpTogether: true, isUsedUpAlone: true, stopReason: .failed),
  ]

  @Test(
    "an answer is the same alone and beside answers that use up their shared automaton",
    arguments: 0..<3)
  func checkSame(row: Int) throws {
    let row = Self.rows[row]
    let together = try answers(to: 0..<8, automatonBytes: row.automatonBytes)
    #expect(together.isUsedUp == row.isUsedUpTogether)
    #expect(together.answers.map(\.stopReason) == Array(repeating: row.stopReason, count: 8))
    #expect(Set(together.answers.map(\.output)).count > 1)
    for index in 0..<8 {
      let alone = try answers(to: index..<index + 1, automatonBytes: row.automatonBytes)
      #expect(alone.isUsedUp == row.isUsedUpAlone)
      #expect(alone.answers == [together.answers[index]])
    }
  }
}
