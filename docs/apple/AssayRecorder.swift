// Records answers of Apple's model for Assay. Copy this file into a test target of your app.
//
// It needs the SDKs of OS 27, and imports nothing but Foundation and FoundationModels. On Linux,
// Assay's module of that name takes the place of Apple's framework.

import Foundation
import FoundationModels

/// Sends prompts to the system's model, and writes one line of JSON for each attempt.
///
/// ```swift
/// // prompts.jsonl: assay list evals --prompts > prompts.jsonl
/// try await AssayRecorder().record(promptsFile, to: answersFile)
/// // assay import answers.jsonl --suites evals
/// ```
@available(iOS 27.0, macOS 27.0, visionOS 27.0, *)
struct AssayRecorder {
  /// The model that answers.
  var model = SystemLanguageModel.default
  /// Makes the session for a prompt with the given instructions, for example a session with tools;
  /// `nil` for a session of the model alone.
  var makeSession: ((_ instructions: String?) throws -> LanguageModelSession)?
  /// The number of sessions for each prompt, or `nil` for one session for each seed in the file.
  var sessions: Int?

  /// Sends the prompts of a file, each in sessions of its own, and appends a line to another file
  /// after each attempt.
  ///
  /// Attempts that the file already has are not made again, so a test that was interrupted
  /// continues where it stopped. For new attempts, write to a new file.
  ///
  /// - Returns: The number of attempts that were made.
  @discardableResult
  func record(_ prompts: URL, to answers: URL) async throws -> Int {
    if makeSession == nil, !model.isAvailable {
      throw Unavailable(availability: model.availability)
    }
    let known = Set(try Self.lines(of: answers, as: Attempt.self))
    let file = try Self.open(answers)
    defer { try? file.close() }
    var count = 0
    for prompt in try Self.lines(of: prompts, as: Prompt.self) {
      for index in 0..<(sessions ?? prompt.seeds.count) {
        if known.contains(prompt.attempt(index)) { continue }
        let seed = index < prompt.seeds.count ? prompt.seeds[index] : UInt64(index)
        let line = await answer(to: prompt, attempt: index, seed: seed)
        try file.write(contentsOf: JSONEncoder().encode(line) + Data("\n".utf8))
        count += 1
      }
    }
    return count
  }

  /// Writes the schemas of types to a folder, as `TYPE.schema.json`.
  ///
  /// `assay init TYPE.schema.json` then writes a first suite for the type.
  static func write(schemasOf types: [any Generable.Type], to folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    for type in types {
      let data = try encoder.encode(type.generationSchema) + Data("\n".utf8)
      try data.write(to: folder.appendingPathComponent("\(type).schema.json"))
    }
  }

  /// The error if the system has no model.
  struct Unavailable: Error, CustomStringConvertible {
    var availability: SystemLanguageModel.Availability
    var description: String { "the system's model can't be used: \(availability)" }
  }

  /// The error if a line of the prompts isn't one that `assay list --prompts` writes.
  struct BadLine: Error, CustomStringConvertible {
    var file: String
    var line: Int
    var reason: String
    var description: String {
      "\(file):\(line): this isn't a line of `assay list --prompts`: \(reason)"
    }
  }

  // MARK: One attempt

  private func answer(to prompt: Prompt, attempt: Int, seed: UInt64) async -> Answer {
    var answer = Answer(prompt, attempt: attempt, seed: seed)
    answer.model = model.variant.displayName
    answer.system = ProcessInfo.processInfo.operatingSystemVersionString
    answer.contextSize = model.contextSize
    answer.time = Date().formatted(.iso8601)
    var session: LanguageModelSession?
    let start = ContinuousClock.now
    do {
      let asked =
        try makeSession?(prompt.instructions)
        ?? LanguageModelSession(model: model, instructions: prompt.instructions)
      session = asked
      let response = try await asked.respond(
        to: prompt.prompt, schema: prompt.schema,
        includeSchemaInPrompt: prompt.includeSchemaInPrompt ?? true,
        options: prompt.options.generationOptions(seed: seed))
      answer.output = response.content.jsonString
      answer.usage = Usage(
        input: response.usage.input.totalTokenCount, output: response.usage.output.totalTokenCount)
    } catch {
      answer.failure = Failure(error)
    }
    let time = (ContinuousClock.now - start).components
    answer.seconds = Double(time.seconds) + Double(time.attoseconds) * 1e-18
    for case .response(let response) in session?.transcript ?? Transcript() {
      answer.assets = response.assetIDs
    }
    return answer
  }

  // MARK: Lines

  /// A line that `assay list --prompts` wrote.
  private struct Prompt: Decodable {
    var suite: String
    var variant: String
    var `case`: String
    var prompt: String
    var instructions: String?
    var schema: GenerationSchema
    var includeSchemaInPrompt: Bool?
    var options: Options
    var seeds: [UInt64]

    func attempt(_ index: Int) -> Attempt {
      Attempt(suite: suite, variant: variant, case: `case`, repeat: index, prompt: prompt)
    }
  }

  private struct Options: Codable {
    var greedy: Bool?
    var temperature: Double?
    var topK: Int?
    var probabilityThreshold: Double?
    var maximumResponseTokens: Int?
    var seed: UInt64?

    func generationOptions(seed: UInt64) -> GenerationOptions {
      let mode: GenerationOptions.SamplingMode =
        if greedy == true {
          .greedy
        } else if let topK {
          .random(top: topK, seed: seed)
        } else {
          .random(probabilityThreshold: probabilityThreshold ?? 1, seed: seed)
        }
      return GenerationOptions(
        samplingMode: mode, temperature: temperature, maximumResponseTokens: maximumResponseTokens)
    }
  }

  /// An attempt that a file of answers already has.
  private struct Attempt: Decodable, Hashable {
    var suite: String
    var variant: String
    var `case`: String
    var `repeat`: Int
    var prompt: String
  }

  /// A line for `assay import`.
  private struct Answer: Encodable {
    var suite: String
    var variant: String
    var `case`: String
    var `repeat`: Int
    var prompt: String
    var instructions: String?
    /// The answer as JSON text; `null` if there was none.
    var output: String?
    var failure: Failure?
    var options: Options
    var model: String?
    var system: String?
    var assets: [String] = []
    var contextSize: Int?
    var usage: Usage?
    var seconds: Double?
    var time: String?

    init(_ prompt: Prompt, attempt: Int, seed: UInt64) {
      suite = prompt.suite
      variant = prompt.variant
      `case` = prompt.case
      `repeat` = attempt
      self.prompt = prompt.prompt
      instructions = prompt.instructions
      options = prompt.options
      options.seed = seed
    }

    private enum CodingKeys: String, CodingKey {
      case suite, variant, `case`, `repeat`, prompt, instructions, output, failure, options, model
      case system, assets, contextSize, usage, seconds, time
    }

    func encode(to encoder: any Encoder) throws {
      var line = encoder.container(keyedBy: CodingKeys.self)
      try line.encode(suite, forKey: .suite)
      try line.encode(variant, forKey: .variant)
      try line.encode(`case`, forKey: .case)
      try line.encode(`repeat`, forKey: .repeat)
      try line.encode(prompt, forKey: .prompt)
      try line.encodeIfPresent(instructions, forKey: .instructions)
      // A line without `output` is no answer, so a missing answer is written as null.
      try line.encode(output, forKey: .output)
      try line.encodeIfPresent(failure, forKey: .failure)
      try line.encode(options, forKey: .options)
      try line.encodeIfPresent(model, forKey: .model)
      try line.encodeIfPresent(system, forKey: .system)
      try line.encode(assets, forKey: .assets)
      try line.encodeIfPresent(contextSize, forKey: .contextSize)
      try line.encodeIfPresent(usage, forKey: .usage)
      try line.encodeIfPresent(seconds, forKey: .seconds)
      try line.encodeIfPresent(time, forKey: .time)
    }
  }

  private struct Usage: Encodable {
    var input: Int
    var output: Int
  }

  /// An error of the framework, by its name there.
  private struct Failure: Encodable {
    var kind: String
    var message: String

    init(_ error: any Error) {
      if error is GeneratedContent.ParsingError {
        (kind, message) = ("invalidOutput", "\(error)")
      } else if let error = error as? LanguageModelError {
        (kind, message) = Self.facts(of: error)
      } else {
        (kind, message) = ("\(type(of: error))", "\(error)")
      }
    }

    private static func facts(of error: LanguageModelError) -> (String, String) {
      switch error {
      case .contextSizeExceeded(let it): ("contextSizeExceeded", it.debugDescription)
      case .rateLimited(let it): ("rateLimited", it.debugDescription)
      case .guardrailViolation(let it): ("guardrailViolation", it.debugDescription)
      case .refusal(let it): ("refusal", it.debugDescription)
      case .unsupportedCapability(let it): ("unsupportedCapability", it.debugDescription)
      case .unsupportedTranscriptContent(let it):
        ("unsupportedTranscriptContent", it.debugDescription)
      case .unsupportedGenerationGuide(let it):
        ("unsupportedGenerationGuide", it.debugDescription)
      case .unsupportedLanguageOrLocale(let it):
        ("unsupportedLanguageOrLocale", it.debugDescription)
      case .timeout(let it): ("timeout", it.debugDescription)
      @unknown default: ("unknown", "\(error)")
      }
    }
  }

  // MARK: Files

  /// Decodes the lines of a file.
  ///
  /// A file of answers may be missing, and may end with a part of a line.
  private static func lines<Line: Decodable>(of file: URL, as type: Line.Type) throws -> [Line] {
    let isAnswers = type == Attempt.self
    if isAnswers, !FileManager.default.fileExists(atPath: file.path) { return [] }
    let lines = try Data(contentsOf: file)
      .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return try lines.enumerated().compactMap { index, line in
      if line.allSatisfy({ $0 <= UInt8(ascii: " ") }) { return nil }
      do {
        return try JSONDecoder().decode(type, from: line)
      } catch {
        if isAnswers { return nil }
        throw BadLine(file: file.lastPathComponent, line: index + 1, reason: "\(error)")
      }
    }
  }

  /// Opens a file at the end of its last whole line.
  ///
  /// A test that was killed can leave a part of a line behind, which is removed.
  private static func open(_ file: URL) throws -> FileHandle {
    if !FileManager.default.fileExists(atPath: file.path) {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: file)
    }
    let newline = try Data(contentsOf: file).lastIndex(of: UInt8(ascii: "\n"))
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: UInt64(newline.map { $0 + 1 } ?? 0))
    try handle.seekToEnd()
    return handle
  }
}
