import EvalRecords
import Testing
import Tokenization

@testable import Backends

/// Tests the words that the mask kept the model from writing.
@Suite("Wanted texts") struct WantedTextTests {
  @Test("a text grows until its word is complete, or to six tokens")
  func words() {
    let spellings = ["D", "raft", "Set", " the", "1", "{", "_x", ""]
    let vocabulary = Vocabulary(
      tokens: spellings.map { Array($0.utf8) },
      kinds: spellings.map { $0.isEmpty ? .special : .text }, endTokens: [7])
    func check(_ next: [String], _ expected: String, isDone: Bool) {
      var text = WantedText(step: 2, token: 0)
      for token in next where !text.isDone {
        text.add(TokenID(spellings.firstIndex(of: token) ?? 0), vocabulary)
      }
      #expect(text.text(vocabulary) == expected)
      #expect(text.isDone == isDone)
    }
    check([], "D", isDone: false)
    check(["raft", "Set", " the", "1"], "DraftSet", isDone: true)
    check(["1", "{"], "D1", isDone: true)
    check([" the"], "D", isDone: true)
    check(["_x"], "D", isDone: true)
    check([""], "D", isDone: true)
    check(
      Array(repeating: "raft", count: 9), "D" + String(repeating: "raft", count: 5), isDone: true)
    #expect(WantedText(step: 2, token: 0).path(after: [5, 6, 7]) == [5, 6, 0])
  }

  @Test("an answer's steps name the words that the schema forbids, however the answers are batched")
  func answers() async throws {
    let tests = LocalBackendTests()
    let schema = """
      {"title":"Menu","type":"object","additionalProperties":false,"required":["soup"],
      "x-order":["soup"],"properties":{"soup":{"type":"string","enum":["Qqqqq","Zzzzz"]}}}
      """
    let request = tests.request(schema)
    let together = tests.facts(
      await tests.answers(of: try tests.backend(), to: request, repeats: 0..<4))
    var alone: [BackendAnswer] = []
    for number in 0..<4 {
      alone += await tests.answers(
        of: try tests.backend(), to: request, repeats: number..<(number + 1))
    }
    #expect(tests.facts(alone) == together)
    for answer in together {
      let steps = Set(MaskRemoval.steps(answer.decisions, answer.trace))
      #expect(!steps.isEmpty)
      for (number, step) in answer.trace.enumerated() {
        let likeliest = step.candidates.max { $0.raw < $1.raw }
        guard steps.contains(number), let likeliest else {
          #expect(step.wanted == nil)
          continue
        }
        #expect(!likeliest.isAllowed && step.wanted?.hasPrefix(likeliest.text) == true)
      }
      let wanted = MaskRemoval.removals(answer.decisions, answer.trace).map(\.wanted)
      #expect(wanted.contains("Pea"), "\(wanted)")
    }
  }
}
