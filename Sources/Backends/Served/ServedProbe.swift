import EvalRecords
import ModelServers
import StructuredText

/// A test of a served model's capabilities with a few tiny requests.
struct ServedProbe {
  private let backend: ServedBackend
  private let admission: RequestAdmission

  /// Creates a probe.
  ///
  /// - Parameters:
  ///   - backend: A backend for the served model that sends no other requests.
  ///   - admission: Admits the requests.
  init(_ backend: ServedBackend, _ admission: RequestAdmission = .unlimited) {
    self.backend = backend
    self.admission = admission
  }

  /// A schema whose properties are not in alphabetical order, so that an answer shows whether the
  /// server keeps their order.
  private static let moodSchema = """
    {"title":"Mood","type":"object","properties":{"words":{"type":"array","items":\
    {"type":"string","enum":["rain","wind","sun"]},"maxItems":3},"mood":{"type":"string",\
    "enum":["calm","loud"]}},"required":["words","mood"],"x-order":["words","mood"],\
    "additionalProperties":false}
    """
  private static let nameSchema = """
    {"title":"Town","type":"object","properties":{"name":{"type":"string","maxLength":24}},\
    "required":["name"],"x-order":["name"],"additionalProperties":false}
    """
  private static let townPrompt = "Invent the name of a town, an unusual one."

  /// Sends the requests, and returns the capabilities that the answers show.
  ///
  /// The method sends one request after the other, because a server may give different answers to
  /// equal concurrent requests. The test ends early if the first answer has no usable text, or if
  /// the backend stops sending requests.
  func capabilities() async -> ServerCapabilities {
    var found = ServerCapabilities(unknown: "the server stopped answering")
    let contrary = await answer(
      Self.moodSchema, "Write a line of prose about rain, and no JSON.", seed: 7)
    if let contrary { describe(contrary, in: &found) }
    if let contrary, Self.firstFailure([contrary]) == nil {
      let warm = await pairs()
      found.repeatsSeeds = Self.repeats(warm)
      if warm.count >= 2 {
        var cold: [BackendAnswer] = []
        for seed: UInt64 in [7, 8] {
          guard
            let town = await answer(Self.nameSchema, Self.townPrompt, seed: seed, temperature: 0)
          else { break }
          cold.append(town)
        }
        found.appliesTemperature = Self.applies(warm, cold)
      }
    }
    found.unapplied = backend.served?.unapplied ?? []
    found.requests = backend.served?.requests ?? 0
    return found
  }

  /// Returns the failure of the first answer without usable text, or `nil` if all texts are usable.
  ///
  /// A text that violates the schema or was cut off is usable, because it can still be compared.
  private static func firstFailure(_ answers: [BackendAnswer]) -> AttemptFailure? {
    answers.compactMap(\.failure).first { failure in
      switch failure.kind {
      case .malformedOutput, .schemaMismatch, .truncated: false
      default: true
      }
    }
  }

  /// Records the capabilities that are visible in the answer to a prompt that contradicts its
  /// schema.
  private func describe(_ answer: BackendAnswer, in found: inout ServerCapabilities) {
    switch answer.failure?.kind {
    case nil: found.enforcesSchema = .yes
    case .malformedOutput, .schemaMismatch: found.enforcesSchema = .no
    default: found.enforcesSchema = .unknown(answer.failure?.message ?? "")
    }
    let decisions = answer.decisions
    found.listedTokens = answer.served?.listedTokens ?? 0
    found.measuresDecisions =
      decisions.isEmpty
      ? .no
      : !backend.name.interface.continuesPrefixes && decisions.contains { !$0.isResolved }
        ? .unknown("the token lists are too short to measure every decision") : .yes
    found.listsBeforeMask =
      decisions.isEmpty
      ? .unknown("the server listed no tokens")
      : decisions.contains(where: Self.leavesOutMass) ? .yes : .no
    let text = answer.served?.originalText ?? answer.output
    guard let value = try? JSONValue(parsing: text) else {
      found.keepsKeyOrder = .unknown("the answer is not JSON")
      found.writesWhitespace = .unknown("the answer is not JSON")
      return
    }
    found.writesWhitespace = text.contains(where: \.isWhitespace) ? .yes : .no
    found.keepsKeyOrder = value.object?.keys.first == "words" ? .yes : .no
  }

  /// Returns whether the texts that the schema forbids have more than 1 % of a decision's
  /// probability.
  private static func leavesOutMass(_ decision: DecisionRecord) -> Bool {
    decision.options.reduce(decision.unresolved) { $0 + $1.raw } < 0.99
  }

  /// The number of different answers that show that seeds determine the answers.
  ///
  /// A server that ignores seeds can give equal answers by chance, above all if it nearly always
  /// gives the same one. But if it gives two equal answers for each of several seeds, these are
  /// rarely three different pairs: for every distribution of its answers, the chance is below 2 %.
  private static let neededAnswers = 3
  private static let maximumSeeds = 4

  /// Asks twice with each of a few seeds, until the answers show whether seeds determine them.
  private func pairs() async -> [BackendAnswer] {
    var answers: [BackendAnswer] = []
    for seed in 7..<UInt64(7 + Self.maximumSeeds) {
      for _ in 0..<2 {
        guard let town = await answer(Self.nameSchema, Self.townPrompt, seed: seed) else {
          return answers
        }
        answers.append(town)
      }
      if case .unknown = Self.repeats(answers), Self.firstFailure(answers) == nil { continue }
      break
    }
    return answers
  }

  private static func repeats(_ answers: [BackendAnswer]) -> ServerCapabilities.Finding {
    if let failure = firstFailure(answers) { return .unknown(failure.message) }
    let outputs = answers.map(\.output)
    for first in stride(from: 0, to: outputs.count - 1, by: 2)
    where outputs[first] != outputs[first + 1] {
      return .no
    }
    guard outputs.count.isMultiple(of: 2), !outputs.isEmpty else {
      return .unknown("the server stopped answering")
    }
    return Set(outputs).count >= neededAnswers
      ? .yes : .unknown("different seeds gave too few different answers")
  }

  private static func applies(
    _ warm: [BackendAnswer], _ cold: [BackendAnswer]
  ) -> ServerCapabilities.Finding {
    if let failure = firstFailure(warm + cold) { return .unknown(failure.message) }
    guard cold.count == 2 else { return .unknown("the server stopped answering") }
    if cold[0].output != cold[1].output { return .no }
    return Set(warm.map(\.output)).count > 1
      ? .yes : .unknown("the answers at temperature 0 and 1 were equal")
  }

  private func answer(
    _ schema: String, _ prompt: String, seed: UInt64, temperature: Double = 1
  ) async -> BackendAnswer? {
    var settings = GenerationSettings(temperature: 1, maximumTokens: 64)
    if temperature == 0 { settings.isGreedy = true }
    let request = BackendRequest(
      suite: "probe", variant: "default", caseID: "probe", schema: schema, instructions: nil,
      prompt: prompt, settings: settings)
    for await answer in backend.answers(
      to: request, repeats: [RepeatSeed(repeatIndex: 0, seed: seed)], admission: admission)
    {
      return answer
    }
    return nil
  }
}
