import ConstrainedDecoding
import Foundation
import GuidedGeneration
import StructuredText
import Tokenization

/// Measures how long it takes to compute masks, accept tokens and compile schemas on a workload.
///
/// `scripts/measure/compare-decoding` compares the results with those of a peer, a program that
/// measures another engine on the same workload.
///
/// Each repeat recompiles each schema and makes two passes over all instances. In the first pass
/// (cold), the automaton reaches most states for the first time. In the second pass (warm), it
/// knows all of them. The time for a mask includes writing the mask into a buffer. The results are
/// medians over the repeats.
struct DecodingBenchmark {
  private struct Step {
    var maskTimes: [[UInt32]] = [[], []]
    var acceptTimes: [[UInt32]] = [[], []]
    var referenceTimes: [UInt32] = []
    var count = 0
    var allowsEnd = false
    var hash: UInt64 = 0
  }

  private let arguments: DecodingArguments
  private let vocabulary: Vocabulary
  private let schemas: [Workload.Schema]
  private let overhead: UInt64
  private let isText: [UInt64]
  private let buffer: UnsafeMutableBufferPointer<UInt64>

  init(_ arguments: DecodingArguments) throws {
    self.arguments = arguments
    vocabulary = try Workload.vocabulary(ofFile: arguments.vocabulary)
    let all = try Workload.schemas(ofFile: arguments.suite)
    schemas = all.filter { arguments.only == nil || $0.id == arguments.only }
    overhead = Measuring.clockOverhead()
    let wordCount = (vocabulary.count + 63) / 64
    var isText = [UInt64](repeating: 0, count: wordCount)
    for (token, kind) in vocabulary.kinds.enumerated() where kind == .text {
      isText[token >> 6] |= 1 << UInt64(token & 63)
    }
    self.isText = isText
    buffer = .allocate(capacity: wordCount)
    buffer.initialize(repeating: 0)
  }

  func run() throws {
    let memoryBefore = Measuring.residentMemory()
    let begin = Measuring.now()
    let table = TokenTable(vocabulary: vocabulary, dialect: .llguidance)
    let setup = Double(Measuring.now() - begin) / 1e6
    let memory = Measuring.residentMemory() - memoryBefore
    var report = DecodingReport(arguments: arguments)
    for schema in schemas { try measure(schema, table, &report) }
    try report.write(
      setup: setup, memoryBefore: memoryBefore, memoryAdded: memory, clock: overhead,
      tokenCount: vocabulary.count, floors: MaskFloors(wordCount: buffer.count, table: table))
    buffer.deallocate()
  }

  private func measure(
    _ schema: Workload.Schema, _ table: TokenTable, _ report: inout DecodingReport
  ) throws {
    let options = GrammarOptions(
      whitespace: arguments.whitespace, dialect: .llguidance)
    let memoryBefore = Measuring.residentMemory()
    var steps = schema.instances.map { [Step](repeating: Step(), count: $0.tokens.count + 1) }
    var rejections = schema.instances.map { _ in -1 }
    var compileTimes: [UInt64] = []
    var firstMaskTimes: [UInt64] = []
    for number in 0..<arguments.repeats {
      let begin = Measuring.now()
      let automaton: TokenAutomaton
      do {
        let json = try JSONValue(parsing: schema.text)
        let compiled = try CompiledGrammar(
          schema: try GenerationSchema(json: json), table: table, options: options)
        automaton = compiled.makeAutomaton()
      } catch {
        report.addFailure(schema: schema.id, "\(error)")
        return
      }
      compileTimes.append(Measuring.now() - begin)
      for pass in 0..<2 {
        for (index, instance) in schema.instances.enumerated() {
          let rejection = follow(
            instance, automaton, pass: pass, isFirst: number == 0 && pass == 0, &steps[index])
          if index == 0, pass == 0, let first = steps[0].first?.maskTimes[0].last {
            firstMaskTimes.append(UInt64(first))
          }
          rejections[index] = rejection
        }
      }
    }
    report.addSchema(
      schema.id, compile: compileTimes, firstMask: firstMaskTimes,
      memory: Measuring.residentMemory() - memoryBefore,
      instances: schema.instances.count,
      tokens: schema.instances.reduce(0) { $0 + $1.tokens.count })
    for (index, instance) in schema.instances.enumerated() {
      report.addInstance(instance, rejectedAt: rejections[index])
      for (number, step) in steps[index].enumerated() where step.hash != 0 {
        for pass in 0..<2 where pass == 0 || !step.maskTimes[1].isEmpty {
          report.addStep(
            schema: schema.id, instance: instance.id, number, pass: pass,
            mask: Measuring.median(step.maskTimes[pass]),
            accept: Measuring.median(step.acceptTimes[pass]),
            reference: Measuring.median(step.referenceTimes), count: step.count,
            allowsEnd: step.allowsEnd, hash: step.hash)
        }
      }
    }
  }

  /// Feeds an instance's tokens to an automaton, and records the times.
  ///
  /// - Returns: The step at which the automaton rejected the instance, or -1 if it accepted the
  ///   whole instance.
  private func follow(
    _ instance: Workload.Instance, _ automaton: TokenAutomaton, pass: Int, isFirst: Bool,
    _ steps: inout [Step]
  ) -> Int {
    var matcher = Matcher(automaton)
    for (number, token) in instance.tokens.enumerated() {
      let begin = Measuring.now()
      matcher.mask.fill(buffer)
      let filled = Measuring.now()
      if isFirst { describe(&steps[number]) }
      guard token >= 0, Int(token) < vocabulary.count,
        buffer[Int(token) >> 6] >> UInt64(token & 63) & 1 == 1
      else { return number }
      if pass == 1 {
        let first = Measuring.now()
        let count = matcher.mask.count
        let time = Measuring.now() - first
        if count >= 0 { steps[number].referenceTimes.append(net(time)) }
      }
      let before = Measuring.now()
      let isAccepted = matcher.accept(token)
      let after = Measuring.now()
      if !isAccepted { return number }
      steps[number].maskTimes[pass].append(net(filled - begin))
      steps[number].acceptTimes[pass].append(net(after - before))
    }
    matcher.mask.fill(buffer)
    if isFirst { describe(&steps[instance.tokens.count]) }
    return matcher.isComplete ? -1 : instance.tokens.count
  }

  private func net(_ time: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: min(time - min(time, overhead), UInt64(UInt32.max)))
  }

  /// Records facts about the mask in the buffer: how many text tokens it has, its hash, and whether
  /// it allows an end token.
  private func describe(_ step: inout Step) {
    step.allowsEnd = vocabulary.endTokens.contains {
      buffer[Int($0) >> 6] >> UInt64($0 & 63) & 1 == 1
    }
    var hash: UInt64 = 1_469_598_103_934_665_603
    var count = 0
    for index in 0..<(vocabulary.count + 31) / 32 {
      let word = buffer[index / 2] & isText[index / 2]
      let half = UInt32(truncatingIfNeeded: word >> UInt64(32 * (index & 1)))
      hash = (hash ^ UInt64(half)) &* 1_099_511_628_211
      count += half.nonzeroBitCount
    }
    step.hash = hash
    step.count = count
    if let path = arguments.dump {
      MaskDump.append(hash: hash, words: buffer, isText: isText, path: path)
    }
  }
}

/// Writes the distinct masks to a file, each preceded by its hash.
enum MaskDump {
  nonisolated(unsafe) private static var seen: Set<UInt64> = []

  static func append(
    hash: UInt64, words: UnsafeMutableBufferPointer<UInt64>, isText: [UInt64], path: String
  ) {
    if seen.isEmpty { _ = FileManager.default.createFile(atPath: path, contents: nil) }
    guard seen.insert(hash).inserted, let file = FileHandle(forWritingAtPath: path) else { return }
    file.seekToEndOfFile()
    var data = Data()
    withUnsafeBytes(of: hash.littleEndian) { data.append(contentsOf: $0) }
    for (word, text) in zip(words, isText) {
      withUnsafeBytes(of: (word & text).littleEndian) { data.append(contentsOf: $0) }
    }
    file.write(data)
    file.closeFile()
  }
}
