public import EvalRecords

/// The capabilities of a served model, tested with four tiny requests.
public struct ServedProbe: Sendable, Hashable {
  /// The answer to one question about a server.
  public enum Finding: Sendable, Hashable {
    case yes
    case no
    /// The experiment gave no answer, for the stated reason.
    case unknown(String)
  }

  /// Whether an answer keeps to its schema even if the prompt asks for prose.
  public var enforcesSchema: Finding
  /// Whether equal seeds give equal answers and different seeds don't.
  public var repeatsSeeds: Finding
  /// Whether decisions can be measured from listed tokens.
  public var measuresDecisions: Finding
  /// The stage of sampling at which the listed probabilities are computed; nil if none are listed.
  public var probabilities: ServedAnswer.ProbabilityStage?
  /// Whether the server writes white space between the parts of a value.
  public var writesWhitespace: Finding
  /// The options that the server doesn't apply.
  public var unapplied: [String]

  private static let moodSchema = """
    {"title":"Mood","type":"object","properties":{"mood":{"type":"string","enum":["calm","loud"]},\
    "words":{"type":"array","items":{"type":"string","enum":["rain","wind","sun"]}}},\
    "required":["mood","words"],"x-order":["mood","words"],"additionalProperties":false}
    """
  private static let nameSchema = """
    {"title":"Town","type":"object","properties":{"name":{"type":"string"}},"required":["name"],\
    "x-order":["name"],"additionalProperties":false}
    """

  /// Tests a server.
  ///
  /// - Parameter backend: The served model.
  public init(_ backend: ServedBackend) async {
    let contrary = await Self.answers(
      of: backend, Self.moodSchema, "Write a line of prose about rain, and no JSON.", seeds: [7])
    enforcesSchema = Self.enforces(contrary.first)
    let towns = await Self.answers(
      of: backend, Self.nameSchema, "Invent the name of a town, an unusual one.", seeds: [7, 7, 8])
    repeatsSeeds = Self.repeats(towns)
    let decisions = contrary.flatMap(\.decisions)
    probabilities = contrary.compactMap { $0.served?.probabilities }.first
    measuresDecisions =
      decisions.isEmpty ? .no : decisions.contains { !$0.isResolved } ? .unknown(Self.open) : .yes
    let text = contrary.first.map { $0.served?.originalText ?? $0.output } ?? ""
    writesWhitespace =
      text.isEmpty
      ? .unknown("there was no answer")
      : text.contains(where: \.isWhitespace) ? .yes : .no
    unapplied = backend.served?.unapplied ?? []
  }

  private static let open = "the token lists are too short, so some decisions are only bounded"

  private static func enforces(_ answer: BackendAnswer?) -> Finding {
    guard let answer else { return .unknown("the server stopped answering") }
    switch answer.failure?.kind {
    case nil: return .yes
    case .malformedOutput, .schemaMismatch: return .no
    default: return .unknown(answer.failure?.message ?? "")
    }
  }

  private static func repeats(_ answers: [BackendAnswer]) -> Finding {
    if let failure = answers.compactMap(\.failure).first { return .unknown(failure.message) }
    guard answers.count == 3 else { return .unknown("the server stopped answering") }
    if answers[0].output != answers[1].output { return .no }
    return answers[0].output != answers[2].output
      ? .yes : .unknown("another seed gave the same answer")
  }

  private static func answers(
    of backend: ServedBackend, _ schema: String, _ prompt: String, seeds: [UInt64]
  ) async -> [BackendAnswer] {
    let request = BackendRequest(
      suite: "probe", variant: "default", caseID: "probe", schema: schema, instructions: nil,
      prompt: prompt, settings: GenerationSettings(temperature: 1, maximumTokens: 64))
    var answers: [BackendAnswer] = []
    // One after the other, because a server may give different answers to concurrent requests.
    for (index, seed) in seeds.enumerated() {
      let repeatSeed = RepeatSeed(repeatIndex: index, seed: seed)
      for await answer in backend.answers(to: request, repeats: [repeatSeed]) {
        answers.append(answer)
      }
    }
    return answers
  }
}
