public import StructuredText

/// A backend that answers requests.
///
/// This protocol is the only interface between evaluation and generation.
///
/// A request contains everything as text and JSON, so a backend doesn't depend on suites, and the
/// harness doesn't depend on models. All repeats of a test case come in one call, so a backend can
/// evaluate their common prompt once.
public protocol EvalBackend: Sendable {
  /// The identity of the backend, which is stored with the run.
  var record: BackendRecord { get }
  /// The work of the backend's model so far, or `nil` if the model doesn't run in this process.
  var evaluations: EvaluationUse? { get }
  /// The requests to the server so far, or `nil` if the backend doesn't use a server.
  var served: ServedUse? { get }
  /// The reason why the backend can't answer any more requests, or `nil` while it can.
  var ending: String? { get }
  /// The maximum number of test cases that the backend accepts at a time, or `nil` if only the
  /// number of the run's workers sets a limit.
  var caseLimit: Int? { get }
  /// Whether the backend handles timeouts and retries itself.
  var hasOwnManners: Bool { get }
  /// Whether the backend asks for admission before each of its requests.
  ///
  /// For all other backends, the runner waits before it asks for answers, and stops reading their
  /// answers when a budget is used up.
  var asksForAdmission: Bool { get }
  /// The build of the engine and the instruction set that it uses, or `nil` if the record is all
  /// that is known of the engine.
  ///
  /// The name of an engine (`BackendRecord.engine`) doesn't change with each edit of its code, but
  /// an answer is only certain to stay the same if the code is the same.
  var engineBuild: String? { get }
  /// The number of attempts in progress at which the runner stops starting further test cases.
  ///
  /// Only a backend that computes attempts together has this limit. The limit is nil if each worker
  /// handles one test case at a time.
  var attemptsInWork: Int? { get }

  /// Returns the reason why the backend can't apply the settings or enforce the schema of a
  /// request, or `nil` if nothing is in the way.
  ///
  /// Runs ask before they begin, once for each schema and its settings.
  func obstacle(to request: BackendRequest) -> String?

  /// Returns a text that contains everything in a request that shapes its answer, as the backend
  /// would send it.
  ///
  /// The cache keys its answers by this text, so requests with equal texts share an answer.
  ///
  /// - Parameters:
  ///   - request: The request for a test case.
  ///   - repeatSeed: The repeat, with its seed.
  func sentText(of request: BackendRequest, repeat repeatSeed: RepeatSeed) -> String

  /// Answers a request once per repeat.
  ///
  /// - Parameters:
  ///   - request: The request for a test case.
  ///   - repeats: The repeats to make, each with its seed.
  /// - Returns: The answers in the order in which they finish, one per repeat, including failures.
  ///   The stream ends early only if the task is cancelled.
  func answers(
    to request: BackendRequest, repeats: [RepeatSeed]
  ) -> AsyncStream<BackendAnswer>

  /// Answers a request once per repeat, as far as the run's limits admit the requests.
  ///
  /// - Parameters:
  ///   - request: The request for a test case.
  ///   - repeats: The repeats to make, each with its seed.
  ///   - admission: Admits each request that the backend sends, if the backend asks for admission.
  /// - Returns: The answers in the order in which they finish; none to a repeat whose request isn't
  ///   admitted.
  func answers(
    to request: BackendRequest, repeats: [RepeatSeed], admission: RequestAdmission
  ) -> AsyncStream<BackendAnswer>

  /// Answers a request once, and reports the output while it is being generated.
  ///
  /// Sessions use this function for streaming. The output is the same as from
  /// `answers(to:repeats:)`, but the data that only the harness records (decisions and trace) may
  /// be missing.
  ///
  /// - Parameters:
  ///   - request: The request for a test case.
  ///   - repeatSeed: The repeat to make, with its seed.
  /// - Returns: The output so far, repeatedly, and the answer at the end. The stream ends without
  ///   an answer only if the task is cancelled.
  func progress(
    on request: BackendRequest, repeat repeatSeed: RepeatSeed
  ) -> AsyncStream<AnswerProgress>
}

extension EvalBackend {
  /// Nil by default.
  public var evaluations: EvaluationUse? { nil }

  /// Returns an obstacle to `mask: off`, `outline: jsonSchema` and `outline: example`, which only
  /// Assay's own engine supports.
  public func obstacle(to request: BackendRequest) -> String? {
    let settings = request.settings
    if settings.mask == .off { return "can't answer with `mask: off`" }
    return settings.outline == .typescript || settings.outline == .none
      ? nil : "can't show the schema with `outline: \(settings.outline.rawValue)`"
  }
  /// Nil by default, for backends that don't use a server.
  public var served: ServedUse? { nil }
  /// Nil by default, so the backend can always answer.
  public var ending: String? { nil }
  /// Nil by default, so only the number of the run's workers limits the concurrent test cases.
  public var caseLimit: Int? { nil }
  /// False by default, so the runner handles timeouts and retries.
  public var hasOwnManners: Bool { false }
  /// False by default, so the runner holds back the backend's answers.
  public var asksForAdmission: Bool { false }

  /// Answers a request once per repeat, without asking for admission.
  public func answers(
    to request: BackendRequest, repeats: [RepeatSeed], admission: RequestAdmission
  ) -> AsyncStream<BackendAnswer> {
    answers(to: request, repeats: repeats)
  }

  /// Nil by default, because only Assay's own engine knows its build.
  public var engineBuild: String? { nil }

  /// Nil by default, so each worker handles one test case at a time.
  public var attemptsInWork: Int? { nil }

  /// Returns all members of the request except the names of the suite, the variant and the test
  /// case, for backends that send nothing.
  public func sentText(of request: BackendRequest, repeat repeatSeed: RepeatSeed) -> String {
    request.unnamedText
  }
}

/// A request to a backend for one test case.
public struct BackendRequest: Sendable, Hashable {
  /// The suite's id.
  public var suite: String
  /// The variant's id.
  public var variant: String
  /// The test case's id.
  public var caseID: String
  /// The schema as JSON in Apple's dialect.
  public var schema: String
  /// The schema by which answers are judged, as JSON, or `nil` if it is `schema`.
  ///
  /// It may accept keys that the model can't generate. It doesn't affect the request that a model
  /// receives.
  public var judgedSchema: String?
  /// The system instructions, or `nil` if there are none.
  public var instructions: String?
  /// The conversation before the prompt.
  public var history: [ConversationTurn]
  /// The prompt.
  public var prompt: String
  /// The settings for sampling the answer.
  public var settings: GenerationSettings
  /// Whether the prompt describes the schema; the answer follows the schema either way.
  public var includesSchemaInPrompt: Bool
  /// The stub's answers to this test case; other backends ignore them.
  public var stubScript: StubScript?
  /// The decisions after which the answer may stop, or `nil` for a whole answer.
  ///
  /// Only Assay's own engine stops; other backends ignore the needs.
  public var needs: DecisionNeeds?
  /// The variables of the test case, including its expectations.
  ///
  /// Assay's own models never see them; a program that is evaluated does.
  public var variables: JSONObject

  /// Creates a request.
  public init(
    suite: String, variant: String, caseID: String, schema: String, instructions: String?,
    history: [ConversationTurn] = [], prompt: String, settings: GenerationSettings,
    includesSchemaInPrompt: Bool = true,
    stubScript: StubScript? = nil, judgedSchema: String? = nil, variables: JSONObject = [:]
  ) {
    self.variables = variables
    self.judgedSchema = judgedSchema
    self.suite = suite
    self.variant = variant
    self.caseID = caseID
    self.schema = schema
    self.instructions = instructions
    self.history = history
    self.prompt = prompt
    self.settings = settings
    self.includesSchemaInPrompt = includesSchemaInPrompt
    self.stubScript = stubScript
  }
}

extension BackendRequest {
  /// The schema by which answers are judged, as JSON.
  public var answerSchema: String { judgedSchema ?? schema }

  /// All members of the request as text, except the names of the suite, the variant and the test
  /// case.
  fileprivate var unnamedText: String {
    var unnamed = self
    unnamed.suite = ""
    unnamed.variant = ""
    unnamed.caseID = ""
    // The reflection of a structure contains every stored property, so none can be forgotten.
    return String(reflecting: unnamed)
  }

  /// The request as text for a backend that doesn't read the variables: see
  /// `EvalBackend.sentText`.
  package var textWithoutVariables: String {
    var request = self
    request.variables = [:]
    return request.unnamedText
  }
}

/// One earlier turn of a conversation.
public struct ConversationTurn: Sendable, Hashable {
  /// The speaker of a turn.
  public enum Speaker: Sendable, Hashable {
    /// The user, or the app on the user's behalf.
    case user
    /// The model.
    case model
  }

  /// The speaker.
  public var speaker: Speaker
  /// The text.
  public var text: String

  /// Creates a turn.
  public init(_ speaker: Speaker, _ text: String) {
    self.speaker = speaker
    self.text = text
  }
}

/// One repeat and the seed of its random stream.
public struct RepeatSeed: Sendable, Hashable, Codable {
  /// The repeat, counted from zero.
  public var repeatIndex: Int
  /// The seed.
  ///
  /// The local engine computes each random number from the seed, the repeat, the token that the
  /// number is for, and the token's place in the answer.
  public var seed: UInt64

  /// Creates a repeat.
  public init(repeatIndex: Int, seed: UInt64) {
    self.repeatIndex = repeatIndex
    self.seed = seed
  }
}

/// One answer from a backend.
public struct BackendAnswer: Sendable, Hashable, Codable {
  /// The repeat, with its seed.
  public var repeatSeed: RepeatSeed
  /// The output text; incomplete if generation ended early.
  public var output: String
  /// The reason why generation stopped.
  public var stopReason: StopReason
  /// The failure, or `nil` if the backend returned a complete value.
  public var failure: AttemptFailure?
  /// The prompt as the model received it.
  public var renderedPrompt: String
  /// The parts of the prompt that look like control tokens but are ordinary text, as ranges of
  /// UTF-8 bytes; `nil` if there are none.
  public var lookalikes: [Range<Int>]?
  /// The number of tokens in the prompt.
  public var promptTokens: Int
  /// The number of tokens in the output.
  public var outputTokens: Int
  /// The number of output tokens that the schema forced.
  public var forcedTokens: Int
  /// The duration in seconds.
  public var duration: Double
  /// The constraint pressure in nats: −ln of the probability that the mask keeps, summed over all
  /// steps.
  public var constraintPressure: Double
  /// The constraint pressure by kind, or `nil` if the backend doesn't measure it.
  public var pressure: PressureRecord?
  /// The probabilities at every decision.
  public var decisions: [DecisionRecord]
  /// The decoding steps.
  public var trace: [TokenStep]
  /// Details from the server in addition to the answer, or `nil` if the model is not served.
  public var served: ServedAnswer?
  /// The failed tries that the backend itself made before the answer.
  public var earlierTries: [AttemptTry]?
  /// Whether the answer came from the cache of an earlier run.
  public var isCached = false
  /// The average number of answers that the backend computed together in each step, or `nil` if
  /// unknown.
  ///
  /// The average includes this answer, so it is 1 if the answer was computed alone.
  public var batchWidth: Double?

  /// Creates an answer.
  public init(
    repeatSeed: RepeatSeed, output: String, stopReason: StopReason,
    failure: AttemptFailure? = nil, renderedPrompt: String = "", promptTokens: Int = 0,
    outputTokens: Int = 0, forcedTokens: Int = 0, duration: Double = 0,
    constraintPressure: Double = 0, decisions: [DecisionRecord] = [], trace: [TokenStep] = []
  ) {
    self.repeatSeed = repeatSeed
    self.output = output
    self.stopReason = stopReason
    self.failure = failure
    self.renderedPrompt = renderedPrompt
    self.promptTokens = promptTokens
    self.outputTokens = outputTokens
    self.forcedTokens = forcedTokens
    self.duration = duration
    self.constraintPressure = constraintPressure
    self.decisions = decisions
    self.trace = trace
  }
}
