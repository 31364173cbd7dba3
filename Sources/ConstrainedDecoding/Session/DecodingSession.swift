import Tokenization

/// What a session records beside the output.
package struct DecodingRecording: Sendable, Hashable {
  /// Whether the probabilities of decisions are recorded.
  package var decisions: Bool
  /// Whether every step is recorded with its likeliest candidates.
  package var trace: Bool

  /// Makes a choice.
  package init(decisions: Bool = true, trace: Bool = false) {
    self.decisions = decisions
    self.trace = trace
  }
}

/// What a step led to.
package enum DecodingStep: Sendable, Hashable {
  /// A text token, which belongs to the output.
  case token(TokenID)
  /// A token that ends the text and adds nothing.
  case end(TokenID)

  /// The token.
  package var token: TokenID {
    switch self {
    case .token(let token), .end(let token): token
    }
  }
}

/// Why a session cannot go on.
package enum DecodingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// As many logits as the vocabulary has tokens are needed.
  case logitCount(Int, expected: Int)
  /// The model gave no legal token a finite logit.
  case noFiniteLogit(path: String)
  /// The value is complete and nothing can follow.
  case finished
  /// No token of the vocabulary fits, since it lacks the bytes.
  case vocabularyTooPoor(path: String)
  /// The mask holds a token whose bytes don't fit: an error of the engine, told instead of an
  /// answer that would be cut off there.
  case refusedToken(TokenID, path: String)
  /// The schema takes more than an automaton may remember.
  case limit(AutomatonLimit, path: String)

  /// The error in words.
  package var description: String {
    switch self {
    case .logitCount(let count, let expected): "\(count) logits for \(expected) tokens"
    case .noFiniteLogit(let path): "\(path): the model gave no legal token a finite logit"
    case .finished: "the value is complete"
    case .vocabularyTooPoor(let path): "\(path): no token of the vocabulary spells what must come"
    case .refusedToken(let token, let path): "\(path): token \(token) is legal, but does not fit"
    case .limit(let limit, let path): "\(path): \(limit)"
    }
  }
}

/// Decodes one answer: takes logits, gives tokens, and records how they came about.
///
/// ```
/// while !session.isFinished {
///   logits = model(prompt + session.tokens)
///   step = try session.next(logits: logits)
/// }
/// ```
///
/// Where only one token is legal (see `forcedRun`), it is known before the model has spoken, and so
/// may be the ones after it. They are evaluated together with the last token, with logits at every
/// position, so that the mass that the mask keeps is known at every forced step too:
///
/// ```
/// _ = try session.next(logits: logits after the prompt)
/// while !session.isFinished {
///   let batch = session.tokensToEvaluate()          // the last token, and what it forces
///   for each position of batch, in order {
///     _ = try session.next(logits: logits after that position)
///   }
/// }
/// ```
///
/// All but the last `next` of a batch give the batch's own following token.
///
/// A session is a value: a copy is a snapshot.
package struct DecodingSession {
  /// The place in the text.
  package private(set) var matcher: Matcher
  /// The tokens of the output so far, without the end token.
  package private(set) var tokens: [TokenID] = []
  /// The bytes of the output so far.
  package private(set) var bytes: [UInt8] = []
  /// Whether the value is complete and ended.
  package private(set) var isFinished = false
  /// The number of steps at which only one token was legal.
  package private(set) var forcedCount = 0
  /// The natural logarithm of ΠZ, the product of the masses that the mask kept.
  package private(set) var logKeptMass = 0.0
  /// Constraint pressure, -ln Z summed by JSON path, in order of first use.
  package private(set) var pressures: [(path: String, pressure: Double)] = []
  /// Every step, where a trace is recorded.
  package private(set) var trace: [TracedStep] = []

  private let settings: SamplingSettings
  private let random: RandomStream
  private let recording: DecodingRecording
  private let canonical: CanonicalRuns?
  /// What is left of the canonical run that began before the last token.
  private var pendingRun: ArraySlice<TokenID> = []
  private var recorder: DecisionRecorder?
  private var tracker = PathTracker()
  /// By path the number of tokens that began there, and the position of its pressure.
  private var steps: [String: (count: Int, pressure: Int)] = [:]
  private var stepCount = 0

  /// Begins an answer.
  ///
  /// - Parameters:
  ///   - automaton: The compiled schema; sessions of one worker may share it.
  ///   - settings: How tokens are sampled.
  ///   - seed: The case's seed.
  ///   - number: The number of the repeat.
  ///   - tokenization: Which segmentations are allowed.
  ///   - recording: What is recorded beside the output.
  package init(
    automaton: TokenAutomaton, settings: SamplingSettings, seed: UInt64, repeat number: Int,
    tokenization: TokenizationPolicy = .allSegmentations,
    recording: DecodingRecording = DecodingRecording()
  ) {
    matcher = Matcher(automaton)
    self.settings = settings
    self.recording = recording
    canonical = CanonicalRuns(tokenization)
    random = RandomStream(seed: seed, repeat: number)
    recorder = recording.decisions ? DecisionRecorder(automaton) : nil
  }

  /// The decisions so far, in the order in which they fell.
  package var decisions: [Decision] { recorder?.decisions ?? [] }

  /// Makes the decisions' probabilities exact, or closer, by further evaluations.
  ///
  /// Tokens that left a decision open and were not sampled are followed, the heaviest first, until
  /// no path of at least 0.0001 is left or the budget ends; what is then still open stays in
  /// `Decision.unresolved`. To be called when the answer is finished.
  ///
  /// - Parameters:
  ///   - budget: The most evaluations.
  ///   - evaluate: The model's logits after the prompt and some tokens; nil gives up.
  /// - Returns: The number of evaluations.
  @discardableResult
  package mutating func resolveDecisions(
    budget: Int, evaluate: ([TokenID]) -> [Float]?
  ) -> Int {
    var used = 0
    while used < budget, let path = nextOpenPath(), let logits = evaluate(path),
      logits.count == matcher.automaton.table.tokenCount
    {
      used += 1
      logits.withUnsafeBufferPointer { follow(logits: $0) }
    }
    return used
  }

  /// The tokens after which the model's logits would tell most about what a decision left open.
  ///
  /// To be called when the answer is finished, in turns with `follow`; so several sessions can ask
  /// for theirs together.
  ///
  /// - Returns: The tokens, or nil where nothing of weight is open.
  package mutating func nextOpenPath() -> [TokenID]? {
    matcher.automaton.exceeded == nil ? recorder?.nextOpenPath(tokens: tokens) : nil
  }

  /// Takes in the logits after the tokens that `nextOpenPath` gave.
  package mutating func follow(logits: UnsafeBufferPointer<Float>) {
    recorder?.follow(tokens: tokens, settings: settings, canonical: canonical, logits: logits)
  }

  /// The output as text.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The output as text, without a last character whose bytes have not all come.
  package var wholeText: String {
    String(decoding: bytes.prefix(CanonicalRuns.wholeCharacters(in: bytes[...])), as: UTF8.self)
  }

  /// Where in the value the next token begins.
  package var path: String { tracker.path }

  /// The tokens that must come next, each the only legal one under the policy.
  ///
  /// Forced *text* is not forced *tokens*: `"cards":` can be cut in dozens of ways.
  ///
  /// ```
  /// text so far {      must follow: "cards":[      then { or ]
  ///
  ///   allSegmentations       "   "c   "card   "cards   …   all legal: no run, the model chooses
  ///   canonicalForcedRuns    "   cards                     a run: what the tokenizer would write;
  ///                                                        ":[ stays open, see `CanonicalRuns`
  /// ```
  ///
  /// - Parameter limit: The most tokens.
  package func forcedRun(limit: Int = 64) -> [TokenID] { lookAhead(limit: limit).run }

  /// What the model is to evaluate next, with logits at every position.
  ///
  /// The last token and the run that it forces, without a token after which the value is finished.
  /// Empty before the first token and when the session is finished.
  ///
  /// - Parameter limit: The most tokens, at least one.
  package func tokensToEvaluate(limit: Int = 64) -> [TokenID] {
    guard !isFinished, let last = tokens.last else { return [] }
    let ahead = lookAhead(limit: limit - 1)
    return [last] + (ahead.isFinished ? ahead.run.dropLast() : ahead.run)
  }

  private func lookAhead(limit: Int) -> (run: [TokenID], isFinished: Bool) {
    var place = matcher
    var pending = pendingRun
    var known = tokens
    while known.count - tokens.count < limit, !isFinished, !place.isFinished {
      if pending.isEmpty, let canonical {
        pending = canonical.run(in: place.automaton, at: place.configuration, after: known)[...]
      }
      guard let token = pending.popFirst() ?? place.mask.onlyToken, place.accept(token) else {
        break
      }
      known.append(token)
    }
    return (Array(known[tokens.count...]), place.isFinished)
  }

  /// The legal tokens under the policy.
  private mutating func narrowedMask() -> TokenMask {
    if pendingRun.isEmpty, let canonical {
      pendingRun =
        canonical.run(
          in: matcher.automaton, at: matcher.configuration, after: tokens)[...]
    }
    return pendingRun.first.map { matcher.automaton.mask(of: $0) } ?? matcher.mask
  }

  /// Chooses the next token.
  ///
  /// - Parameter logits: The model's logits after the output so far; not kept.
  /// - Throws: `DecodingError`; only after `refusedToken` and `limit` the session can't go on.
  package mutating func next(
    logits: UnsafeBufferPointer<Float>
  ) throws(DecodingError) -> DecodingStep {
    let automaton = matcher.automaton
    if isFinished { throw .finished }
    guard logits.count == automaton.table.tokenCount else {
      throw .logitCount(logits.count, expected: automaton.table.tokenCount)
    }
    let mask = narrowedMask()
    let path = tracker.path
    // A mask that was cut short is not used.
    if let limit = automaton.exceeded { throw .limit(limit, path: path) }
    if mask.count == 0 { throw .vocabularyTooPoor(path: path) }
    let distribution = automaton.distribution
    guard distribution.fill(logits: logits, mask: mask, settings: settings) else {
      throw .noFiniteLogit(path: path)
    }
    let token = choose(distribution, mask, path: path)
    count(distribution, path: path, isForced: mask.count == 1)
    if recording.trace {
      trace.append(
        TracedStep(
          token: token, path: path, isForced: mask.count == 1, legalCount: mask.count,
          keptMass: distribution.keptMass, entropies: distribution.entropies,
          candidates: TracedStep.candidates(chosen: token, distribution, logits)))
    }
    let step = try append(token, distribution, path: path)
    if let limit = automaton.exceeded { throw .limit(limit, path: path) }
    return step
  }

  private func choose(
    _ distribution: TokenDistribution, _ mask: TokenMask, path: String
  ) -> TokenID {
    if let only = mask.onlyToken { return only }
    return distribution.choose(key: random.key(path: path, step: steps[path]?.count ?? 0))
  }

  private mutating func count(
    _ distribution: TokenDistribution, path: String, isForced: Bool
  ) {
    if isForced { forcedCount += 1 }
    logKeptMass += distribution.logKeptMass
    if steps[path] == nil {
      steps[path] = (0, pressures.count)
      pressures.append((path, 0))
    }
    guard let entry = steps[path] else { return }
    steps[path] = (entry.count + 1, entry.pressure)
    pressures[entry.pressure].pressure -= distribution.logKeptMass
  }

  private mutating func append(
    _ token: TokenID, _ distribution: TokenDistribution, path: String
  ) throws(DecodingError) -> DecodingStep {
    defer { stepCount += 1 }
    let place = matcher.configuration
    guard matcher.accept(token) else {
      if let limit = matcher.automaton.exceeded { throw .limit(limit, path: path) }
      guard matcher.automaton.table.endTokens.contains(token) else {
        throw .refusedToken(token, path: path)
      }
      recorder?.recordEnd(
        token: token, at: place, step: stepCount, distribution: distribution)
      isFinished = true
      return .end(token)
    }
    let added = matcher.automaton.table.tokens.bytes(of: token)
    if recorder != nil {
      recorder?.record(
        token: token, from: place, position: bytes.count, step: stepCount,
        distribution: distribution, tracker: &tracker)
    } else {
      for byte in added { tracker.feed(byte) }
    }
    bytes += added
    tokens.append(token)
    _ = pendingRun.popFirst()
    if matcher.isFinished {
      recorder?.finish(step: stepCount)
      isFinished = true
    }
    return .token(token)
  }
}
