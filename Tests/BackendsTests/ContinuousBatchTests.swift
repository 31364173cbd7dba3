import EvalRecords
import LocalModels
import TestSupport
import Testing

@testable import Backends

/// Tests attempts at several test cases that are decoded in one batch.
@Suite struct ContinuousBatchTests {
  let batches = BatchTests()
  let helper = LocalBackendTests()

  /// A test case with some of its repeats.
  struct Asked: Sendable {
    var request: BackendRequest
    var repeats: [RepeatSeed]
  }

  /// Returns test cases that differ in schema, settings and number of repeats; some share a prompt.
  func cases() -> [Asked] {
    let schemas = [BatchTests.shelf, LocalBackendTests.tags, LocalBackendTests.soups]
    let prompts = [
      "Which books are there?", "Which books are there? One is red.", "The cook made pea soup.",
    ]
    return (0..<14).map { number in
      let settings = GenerationSettings(
        isGreedy: number % 5 == 4, temperature: 1.3, topK: number % 4 == 1 ? 40 : 0,
        maximumTokens: [48, 5, 30][number % 3],
        whitespace: GenerationSettings.Whitespace.allCases[number / 3 % 4],
        tokenization: GenerationSettings.Tokenization.allCases[number / 2 % 3])
      return Asked(
        request: helper.request(
          schemas[number % 3], prompt: prompts[number / 2 % 3], settings: settings),
        repeats: (0..<1 + number % 4).map { repeatIndex in
          RepeatSeed(repeatIndex: repeatIndex, seed: UInt64(77 * number + repeatIndex))
        })
    }
  }

  func answers(of backend: LocalBackend, to asked: Asked) async -> [BackendAnswer] {
    var answers: [BackendAnswer] = []
    for await answer in backend.answers(to: asked.request, repeats: asked.repeats) {
      answers.append(answer)
    }
    return helper.facts(answers)
  }

  /// Requests test cases in a random order, a limited number at a time, and compares the answers
  /// with those that the same test cases got alone.
  func checkSchedule(
    _ backend: LocalBackend, _ cases: [Asked], atATime count: Int, _ expected: [[BackendAnswer]],
    using generator: inout SeededGenerator
  ) async {
    let order = Array(cases.indices).shuffled(using: &generator)
    let seed = generator.next()
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<count {
        group.addTask {
          var pauses = SeededGenerator(seed: seed &+ UInt64(task))
          for index in stride(from: task, to: order.count, by: count).map({ order[$0] }) {
            for _ in 0..<pauses.next() % 8 { await Task.yield() }
            let answers = await self.answers(of: backend, to: cases[index])
            #expect(answers == expected[index], "test case \(index), \(count) at a time")
          }
        }
      }
    }
  }

  @Test("attempts give the same answers together, in any order and batch width, as they do alone")
  func schedules() async throws {
    let cases = cases()
    var alone: [[BackendAnswer]] = []
    for asked in cases {
      alone.append(await answers(of: try batches.backend(width: 1, drafts: nil), to: asked))
    }
    #expect(Set(alone.flatMap { $0 }.map(\.output)).count > 10)
    #expect(alone.flatMap { $0 }.contains { !$0.decisions.isEmpty && !$0.trace.isEmpty })
    var generator = SeededGenerator(seed: 20)
    for (workers, width, cacheLimit, count) in [
      (1, 32, 1 << 30, 14), (1, 3, 1 << 30, 5), (2, 5, 1 << 30, 14), (3, 32, 3 << 20, 9),
      (2, 32, 1, 4),
    ] {
      let backend = try batches.backend(workers: workers, width: width, cacheLimit: cacheLimit)
      for _ in 0..<2 {
        await checkSchedule(backend, cases, atATime: count, alone, using: &generator)
      }
    }
  }

  @Test("concurrent test cases are decoded together, and their answers record the batch's width")
  func together() async throws {
    let backend = try batches.backend()
    let cases = Array(cases().prefix(6))
    let widths = await withTaskGroup(of: [Double].self) { group in
      for asked in cases {
        group.addTask {
          var widths: [Double] = []
          for await answer in backend.answers(to: asked.request, repeats: asked.repeats) {
            widths.append(answer.batchWidth ?? 0)
          }
          return widths
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(widths.count == cases.reduce(0) { $0 + $1.repeats.count })
    #expect(widths.allSatisfy { $0 >= 1 })
    let use = try #require(backend.evaluations)
    let widest = try #require(use.widestStep)
    #expect(widest > cases.map(\.repeats.count).max() ?? 0)
    #expect(widths.contains { $0 > 1 })
    let single = try batches.backend()
    for await answer in single.answers(to: cases[0].request, repeats: [cases[0].repeats[0]]) {
      #expect(answer.batchWidth == 1)
    }
  }

  @Test("an overlong prompt fails only its test case, and cancelling a test case frees its place")
  func faults() async throws {
    let backend = try batches.backend(width: 4)
    let good = cases()[0]
    let alone = await answers(of: try batches.backend(width: 1), to: good)
    let long = helper.request(
      LocalBackendTests.soups, prompt: String(repeating: "many words here ", count: 2000))
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask { #expect(await self.answers(of: backend, to: good) == alone) }
        group.addTask {
          let failed = await self.helper.answers(of: backend, to: long, repeats: 0..<2)
          #expect(failed.map(\.failure?.kind) == [.promptTooLong, .promptTooLong])
        }
        group.addTask {
          // Read one of many answers and then stop.
          let many = (0..<40).map { RepeatSeed(repeatIndex: $0, seed: UInt64($0)) }
          for await _ in backend.answers(to: good.request, repeats: many) { break }
        }
      }
    }
    #expect(await answers(of: backend, to: good) == alone)
  }
}
