import Backends
import EvalRecords
import Foundation
import LocalModels
import Tokenization

/// `assay-benchmark model`: measures the cost of a model file on one thread, or on several, and
/// prints one JSON object.
///
/// Each rate is the best of several rounds, because other work on the machine can only make rates
/// worse. The benchmark reports each rate twice: per second of wall time, and per second of
/// processor time, which other work hardly affects.
struct ModelBenchmark {
  static let usage =
    "--model FILE [--prompt TOKENS] [--decode TOKENS] [--batch N] [--rounds N] [--threads N] "
    + "[--answers YES|NO]"

  private let path: String
  private let promptLength: Int
  private let decodeLength: Int
  private let batch: Int
  private let rounds: Int
  private let threads: Int
  private let measuresAnswers: Bool

  init(_ arguments: [String]) throws {
    let usage = BenchmarkError.usage("assay-benchmark model \(Self.usage)")
    let values = try ModelProbes.options(arguments, usage)
    let names = [
      "--model", "--prompt", "--decode", "--batch", "--rounds", "--threads", "--answers",
    ]
    func number(_ name: String, _ fallback: Int, _ range: ClosedRange<Int>) throws -> Int {
      guard let text = values[name] else { return fallback }
      guard let number = Int(text), range.contains(number) else { throw usage }
      return number
    }
    guard let path = values["--model"], values.keys.allSatisfy(names.contains) else { throw usage }
    self.path = path
    promptLength = try number("--prompt", 256, 1...8192)
    decodeLength = try number("--decode", 48, 1...4096)
    batch = try number("--batch", 8, 1...32)
    rounds = try number("--rounds", 3, 1...100)
    threads = try number("--threads", 1, 1...64)
    measuresAnswers = values["--answers"] != "NO"
  }

  /// Tokens per second of wall time and of processor time.
  private struct Rate {
    var wall = 0.0
    var processor = 0.0

    mutating func best(_ tokens: Int, _ body: () throws -> Void) rethrows {
      let (start, startProcessor) = (Measuring.now(), Measuring.processorTime())
      try body()
      let (end, endProcessor) = (Measuring.now(), Measuring.processorTime())
      wall = max(wall, Double(tokens) * 1e9 / Double(max(1, end - start)))
      processor = max(
        processor, Double(tokens) * 1e9 / Double(max(1, endProcessor - startProcessor)))
    }

    var json: String {
      String(format: "{\"wall\": %.2f, \"processor\": %.2f}", wall, processor)
    }
  }

  func run() async throws {
    let (start, startProcessor) = (Measuring.now(), Measuring.processorTime())
    let model = try LocalModel(path: path)
    let context = promptLength + decodeLength
    let predictor = model.makePredictor(slots: batch + 1, contextLength: context)
    predictor.threads = threads
    let load = (Measuring.now() - start, Measuring.processorTime() - startProcessor)
    guard !model.tokenizer.encode(Self.firstPrompt).isEmpty else {
      throw BenchmarkError.malformed(file: path, offset: 0, expected: "tokens of a prompt")
    }
    let ready = (Measuring.now() - start, Measuring.processorTime() - startProcessor)
    guard context <= predictor.contextLength else {
      throw BenchmarkError.usage(
        "--prompt and --decode: together at most \(predictor.contextLength) tokens")
    }
    let limit = TokenID(model.info.vocabularySize)
    // Any tokens will do, because the arithmetic is the same for all tokens.
    let tokens = (0..<context).map { TokenID($0) &* 7919 % limit }
    var prompt = Rate()
    var decode = Rate()
    var together = Rate()
    var known = Rate()
    for _ in 0..<rounds {
      for slot in 0...batch { predictor.rewind(slot: slot, to: 0) }
      try prompt.best(promptLength) {
        try predictor.evaluate(
          [PredictorInput(slot: 0, tokens: Array(tokens[..<promptLength]), wanted: .last)]
        ) { _, _, _ in }
      }
      for slot in 1...batch { predictor.copy(fromSlot: 0, toSlot: slot) }
      try decode.best(decodeLength) {
        for token in tokens[promptLength...] {
          try predictor.evaluate([PredictorInput(slot: 0, tokens: [token], wanted: .last)]) {
            _, _, _ in
          }
        }
      }
      try together.best(decodeLength * batch) {
        for token in tokens[promptLength...] {
          let inputs = (1...batch).map {
            PredictorInput(slot: $0, tokens: [(token + TokenID($0)) % limit], wanted: .last)
          }
          try predictor.evaluate(inputs) { _, _, _ in }
        }
      }
      // Evaluate the same answers again, but with all their tokens at once. Drafts can't be faster
      // than this.
      for slot in 1...batch { predictor.rewind(slot: slot, to: promptLength) }
      try known.best(decodeLength * batch) {
        let inputs = (1...batch).map { slot in
          PredictorInput(
            slot: slot, tokens: tokens[promptLength...].map { ($0 + TokenID(slot)) % limit },
            wanted: .all)
        }
        try predictor.evaluate(inputs) { _, _, _ in }
      }
    }
    // Read the peak before the backend below allocates workers.
    let peak = Measuring.peakMemory()
    var parts = [
      "\"program\": \"assay\"", "\"model\": \"\(model.info.name)\"",
      "\"quantization\": \"\(model.info.quantization)\"",
      "\"instructions\": \"\(InstructionSet.best.rawValue)\"",
      "\"promptTokens\": \(promptLength)", "\"decodeTokens\": \(decodeLength)",
      Self.seconds("load", load), Self.seconds("ready", ready), "\"peakKiB\": \(peak)",
      "\"prompt\": \(prompt.json)", "\"decode\": \(decode.json)",
      "\"batch\": {\"width\": \(batch), \"rate\": \(together.json)}",
      "\"known\": \(known.json)",
    ]
    if measuresAnswers {
      parts.append("\"answers\": \(try await answers(model))")
    }
    print("{" + parts.joined(separator: ", ") + "}")
  }

  /// The text that the benchmark tokenizes right after loading the model, so that the `ready` time
  /// includes what the tokenizer postpones until its first use.
  ///
  /// `scripts/measure/llama-peer.c` uses the same text.
  private static let firstPrompt =
    "You turn a passage into study cards. A lighthouse is a tower with a lamp, built in 1611."

  private static func seconds(_ name: String, _ time: (UInt64, UInt64)) -> String {
    "\"\(name)\": "
      + String(
        format: "{\"wall\": %.5f, \"processor\": %.5f}", Double(time.0) * 1e-9,
        Double(time.1) * 1e-9)
  }

  // MARK: Whole answers

  private static let schema = """
    {"title":"CardSet","type":"object","additionalProperties":false,"required":["cards"],
    "x-order":["cards"],"properties":{"cards":{"type":"array","minItems":2,"maxItems":4,
    "items":{"title":"Card","type":"object","additionalProperties":false,
    "required":["question","answer","level"],"x-order":["question","answer","level"],
    "properties":{"question":{"type":"string","maxLength":60},
    "answer":{"type":"string","maxLength":60},
    "level":{"type":"string","enum":["easy","medium","hard"]}}}}}}
    """

  /// Decodes a test case's repeats first one by one, and then together.
  ///
  /// Both ways must give the same answers.
  private func answers(_ model: LocalModel) async throws -> String {
    let request = BackendRequest(
      suite: "benchmark", variant: "default", caseID: "case", schema: Self.schema,
      instructions: "You turn a passage into study cards. Make from two to four, no two alike.",
      prompt: "A lighthouse is a tower with a lamp. It shows ships the way, and warns of rocks.",
      settings: GenerationSettings(temperature: 1, maximumTokens: 96))
    func run(
      width: Int
    ) async throws -> (seconds: Double, processor: Double, [BackendAnswer], passes: Int) {
      let backend = try LocalBackend(
        model: model, digest: nil, toolVersion: "benchmark", isToy: true, width: width)
      // Answer once before measuring, so that the times don't include evaluating the prompt and
      // compiling the schema.
      let seeds = (0..<batch).map { RepeatSeed(repeatIndex: $0, seed: UInt64($0)) }
      for await _ in backend.answers(to: request, repeats: [seeds[0]]) {}
      let before = backend.evaluations?.passes ?? 0
      let (start, startProcessor) = (Measuring.now(), Measuring.processorTime())
      var answers: [BackendAnswer] = []
      for await answer in backend.answers(to: request, repeats: seeds) { answers.append(answer) }
      let seconds = Double(Measuring.now() - start) * 1e-9
      let processor = Double(Measuring.processorTime() - startProcessor) * 1e-9
      answers.sort { $0.repeatSeed.repeatIndex < $1.repeatSeed.repeatIndex }
      return (seconds, processor, answers, (backend.evaluations?.passes ?? 0) - before)
    }
    var best: [Int: Double] = [:]
    var bestProcessor: [Int: Double] = [:]
    var passes: [Int: Int] = [:]
    var texts: Set<[String]> = []
    var tokens = 0
    for _ in 0..<rounds {
      for width in [1, batch] {
        let (seconds, processor, answers, count) = try await run(width: width)
        best[width] = min(best[width] ?? .infinity, seconds)
        bestProcessor[width] = min(bestProcessor[width] ?? .infinity, processor)
        passes[width] = count
        texts.insert(answers.map(\.output))
        tokens = answers.reduce(0) { $0 + $1.outputTokens }
      }
    }
    guard let alone = best[1], let together = best[batch], texts.count == 1 else {
      throw BenchmarkError.malformed(
        file: path, offset: 0, expected: "the same answers one by one and together")
    }
    return String(
      format: "{\"repeats\": %d, \"tokens\": %d, \"oneByOne\": %.3f, \"together\": %.3f, "
        + "\"processorOneByOne\": %.3f, \"processorTogether\": %.3f, "
        + "\"passesOneByOne\": %d, \"passesTogether\": %d}",
      batch, tokens, alone, together, bestProcessor[1] ?? 0, bestProcessor[batch] ?? 0,
      passes[1] ?? 0, passes[batch] ?? 0)
  }
}
