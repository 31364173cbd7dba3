import StructuredText
import Tokenization

/// The data that a session records in addition to the output.
package struct DecodingRecording: Sendable, Hashable {
  /// Whether to record the probabilities of decisions.
  package var decisions: Bool
  /// Whether to record pressures by kind, if the automaton supports it.
  package var pressureKinds: Bool
  /// Whether to record every step with its most likely candidates.
  package var trace: Bool

  /// Creates a selection of data to record.
  package init(decisions: Bool = true, pressureKinds: Bool = true, trace: Bool = false) {
    self.decisions = decisions
    self.pressureKinds = pressureKinds
    self.trace = trace
  }
}

/// The result of a step.
package enum DecodingStep: Sendable, Hashable {
  /// A text token, which is part of the output.
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

/// A way in which the engine can contradict itself.
///
/// Without these errors, the answer would just end there.
package enum EngineDefect: Sendable, Hashable, CustomStringConvertible {
  /// The value isn't complete, but no byte can follow.
  case deadEnd
  /// The mask contains a token whose bytes don't fit.
  case misfit(TokenID)

  /// The defect in one line.
  package var description: String {
    switch self {
    case .deadEnd: "the value is not complete, but nothing can follow"
    case .misfit(let token): "the mask contains token \(token), but its bytes don't fit"
    }
  }
}

/// The reason why a session can't continue.
package enum DecodingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The number of logits differs from the number of tokens in the vocabulary.
  case logitCount(Int, expected: Int)
  /// The model gave no legal token a finite logit.
  case noFiniteLogit(path: String)
  /// The value is complete and nothing can follow.
  case finished
  /// No token of the vocabulary fits, because the vocabulary lacks the necessary bytes.
  case vocabularyTooPoor(path: String)
  /// A token that the caller forced is not legal.
  case refusedToken(TokenID, path: String)
  /// The engine contradicts itself.
  case defect(EngineDefect, path: String)
  /// A limit of the automaton stops the answer.
  case limit(AutomatonLimit, path: String)

  /// The error in one line.
  package var description: String {
    switch self {
    case .logitCount(let count, let expected):
      "the model gave \(count) logits, but the vocabulary has \(expected) tokens"
    case .noFiniteLogit(let path): "\(path): the model gave no legal token a finite logit"
    case .finished: "the value is complete, so no token can follow"
    case .vocabularyTooPoor(let path):
      "\(path): no token of the vocabulary spells the text that must come next"
    case .refusedToken(let token, let path):
      "\(path): token \(token) is not legal here"
    case .defect(let defect, let path):
      "\(path): \(defect); this is a defect of Assay, please report it"
    case .limit(let limit, let path): "\(path): \(limit)"
    }
  }
}

/// Decodes one answer: takes logits, returns tokens, and records how it chose them.
///
/// ```
/// while !session.isFinished {
///   logits = model(prompt + session.tokens)
///   step = try session.next(logits: logits)
/// }
/// ```
///
/// If only one token is legal, the session knows it without the model, and may also know the tokens
/// after it. The model evaluates these forced tokens together with the last token and returns
/// logits at every position. So the session learns the mass (the total probability) that the mask
/// keeps at every forced step:
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
/// Every call of `next` for a batch, except the last call, returns the token that comes next in the
/// batch.
///
/// A session is a value, so a copy is a snapshot.
package struct DecodingSession {
  /// The position in the text if there is a mask; without a mask, the position doesn't advance.
  package private(set) var matcher: Matcher
  /// The tokens of the output so far, without the end token.
  package private(set) var tokens: [TokenID] = []
  /// The bytes of the output so far.
  package private(set) var bytes: [UInt8] = []
  /// Whether the answer has ended, so that no token can follow.
  package private(set) var isFinished = false
  /// The number of steps at which only one token was legal.
  package private(set) var forcedCount = 0
  /// The natural logarithm of ΠZ, the product of the masses that the mask kept.
  package private(set) var logKeptMass = 0.0
  /// The constraint pressure, -ln Z, of each JSON path, in order of first use.
  package private(set) var pressures: [(path: String, pressure: Double)] = []
  /// The pressure by kind, or nil if the session doesn't measure it.
  package private(set) var pressureKinds: PressureKinds?
  /// Every step; empty if the session records no trace.
  package private(set) var trace: [TracedStep] = []

  private let settings: SamplingSettings
  private let random: RandomStream
  private let recording: DecodingRecording
  private let narrowing: MaskNarrowing
  private var canonical: CanonicalRuns? { narrowing.runs }
  /// The remaining tokens of the current canonical run.
  private var pendingRun: ArraySlice<TokenID> = []
  /// Whether the next token continues a canonical run that began at an earlier token.
  private var isInsideRun = false
  /// Whether the recorder shares its spreads with other answers.
  private let sharesSpreads: Bool
  private var recorder: DecisionRecorder?
  private var tracker = JSONPlaceTracker()
  /// For each path, the number of tokens that began there, not counting white space between parts,
  /// and the path's index in `pressures`.
  private var steps: [String: (count: Int, pressure: Int)] = [:]
  /// For each path, the number of steps at which white space between parts could come.
  private var layoutSteps: [String: Int] = [:]
  /// The position in the free automaton (`TokenAutomaton.free`), which allows the same values
  /// with any white space; nil if the session doesn't measure format pressure.
  private var free: Matcher?
  private var stepCount = 0
  /// The state of an answer without a mask, or nil if there is a mask.
  private var freeText: FreeText?
  /// The timer that measures the phases of decoding, or nil to measure nothing.
  private let timer: PhaseTimer?

  /// Creates a session for one answer.
  ///
  /// - Parameters:
  ///   - automaton: The schema's automaton; the sessions of one worker may share it.
  ///   - settings: The sampling settings.
  ///   - seed: The seed of the repeat.
  ///   - number: The number of the repeat.
  ///   - tokenization: The policy on segmentations.
  ///   - isMasked: Whether a mask enforces the schema; without a mask, the session records neither
  ///     decisions nor pressures.
  ///   - recording: The data to record in addition to the output.
  ///   - memory: The spreads that answers to the same prompt with the same automaton and settings
  ///     share, or nil to share none.
  ///   - timer: The timer that measures the phases of decoding, or nil to measure nothing.
  package init(
    automaton: TokenAutomaton, settings: SamplingSettings, seed: UInt64, repeat number: Int,
    tokenization: TokenizationPolicy = .allSegmentations, isMasked: Bool = true,
    recording: DecodingRecording = DecodingRecording(), memory: SpreadMemory? = nil,
    timer: PhaseTimer? = nil
  ) {
    self.timer = timer
    freeText = isMasked ? nil : FreeText(automaton.table)
    matcher = Matcher(automaton)
    self.settings = settings
    self.recording = recording
    narrowing = MaskNarrowing(tokenization)
    free = isMasked && recording.pressureKinds ? automaton.free.map { Matcher($0) } : nil
    pressureKinds = free == nil ? nil : PressureKinds()
    random = RandomStream(seed: seed, repeat: number)
    // The mask of an answer's own step can be narrower than that of an open path: a session
    // excludes repeated keys and, if the policy is about pairs of tokens, unlikely tokens that it
    // has drawn. Then an answer's spreads don't hold for open paths.
    sharesSpreads = memory != nil && narrowing.pairs == nil && !automaton.grammar.hasFreeKeys
    recorder =
      isMasked && recording.decisions
      ? DecisionRecorder(
        automaton, measuresFormat: free != nil, memory: sharesSpreads ? memory : nil) : nil
  }

  /// The decisions so far, in the order in which they were made.
  package var decisions: [Decision] { recorder?.decisions ?? [] }

  /// Returns the sequences of tokens to evaluate next to resolve decisions; empty if no further
  /// evaluation is worthwhile.
  ///
  /// The tokens lead along the open paths (`OpenPath`) with the largest shares of decisions. Call
  /// this method after the answer is finished or cut off, alternating with `follow` for each path.
  /// This way, several sessions can request their logits together.
  ///
  /// - Parameter budget: The limits on following open paths.
  package mutating func nextOpenPaths(_ budget: OpenPathBudget = OpenPathBudget()) -> [[TokenID]] {
    let outer = timer?.enter(.decisions)
    defer { outer.map { _ = timer?.enter($0) } }
    return matcher.automaton.exceeded == nil
      ? recorder?.nextOpenPaths(tokens: tokens, budget: budget) ?? [] : []
  }

  /// Records the decisions that are still open because a limit cuts the answer off here.
  ///
  /// No token may follow. Call the method once.
  package mutating func cut() {
    guard !isFinished, matcher.automaton.exceeded == nil else { return }
    let outer = timer?.enter(.decisions)
    defer { outer.map { _ = timer?.enter($0) } }
    recorder?.cut(at: matcher.configuration, step: tokens.count, tracker: tracker)
  }

  /// Takes the logits after an open path.
  ///
  /// - Parameters:
  ///   - path: One of the sequences of tokens that `nextOpenPaths` returned.
  ///   - logits: The logits.
  ///   - unlisted: The total probability of the tokens with unknown logits.
  /// - Returns: The probability that the mask kept, or nil if there was no such path to follow.
  @discardableResult
  package mutating func follow(
    _ path: [TokenID], logits: UnsafeBufferPointer<Float>, unlisted: Double = 0
  ) -> Double? {
    let outer = timer?.enter(.decisions)
    defer { outer.map { _ = timer?.enter($0) } }
    recorder?.unlisted = unlisted
    return recorder?.follow(
      path, tokens: tokens, settings: settings, narrowing: narrowing, logits: logits)
  }

  /// The output as text.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The output as text, without an incomplete last character.
  package var wholeText: String {
    String(decoding: bytes.prefix(CanonicalRuns.wholeCharacters(in: bytes[...])), as: UTF8.self)
  }

  /// The path in the value at which the next token begins.
  package var path: String { tracker.path }

  /// Returns the tokens that the model should evaluate next, with logits at every position.
  ///
  /// These are the last token and the tokens that it forces, without the token that finishes the
  /// value. The list is empty before the first token and after the session is finished.
  ///
  /// - Parameter limit: The maximum number of tokens, at least one.
  package func tokensToEvaluate(limit: Int = 64) -> [TokenID] {
    guard !isFinished, let last = tokens.last else { return [] }
    let outer = timer?.enter(.masks)
    defer { outer.map { _ = timer?.enter($0) } }
    if freeText != nil { return [last] }
    let ahead = lookAhead(limit: limit - 1)
    return [last] + (ahead.isFinished ? ahead.run.dropLast() : ahead.run)
  }

  /// Returns the tokens that must come next, because at each step, the policy on segmentations
  /// allows only one token.
  ///
  /// Forced *text* does not mean forced *tokens*: `"cards":` can be split in dozens of ways.
  ///
  /// ```
  /// text so far {      must follow: "cards":[      then { or ]
  ///
  ///   allSegmentations       "   "c   "card   "cards   …   all legal: no run, the model chooses
  ///   canonicalForcedRuns    "   cards                     a run: what the tokenizer would write;
  ///                                                        ":[ stays open, see `CanonicalRuns`
  /// ```
  ///
  /// - Parameter limit: The maximum number of tokens.
  /// - Returns: The tokens, and whether they finish the value.
  func lookAhead(limit: Int) -> (run: [TokenID], isFinished: Bool) {
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

  /// Returns the mask, narrowed to the next token of a canonical run if there is one.
  private mutating func narrowedMask() -> TokenMask {
    isInsideRun = !pendingRun.isEmpty
    if pendingRun.isEmpty, let canonical {
      pendingRun =
        canonical.run(
          in: matcher.automaton, at: matcher.configuration, after: tokens)[...]
    }
    return pendingRun.first.map { matcher.automaton.mask(of: $0) } ?? matcher.mask
  }

  /// Chooses the next token.
  ///
  /// - Parameters:
  ///   - logits: The model's logits after the output so far; the session doesn't keep them.
  ///   - forced: The token that the caller has chosen, or nil to let the session choose one.
  ///   - unlisted: The total probability of the tokens with unknown logits; in decisions, it counts
  ///     as unresolved.
  /// - Throws: `DecodingError`. After `logitCount` and `noFiniteLogit`, the session can continue
  ///   with other logits.
  package mutating func next(
    logits: UnsafeBufferPointer<Float>, forcing forced: TokenID? = nil, unlisted: Double = 0
  ) throws(DecodingError) -> DecodingStep {
    let outer = timer?.enter(.masks)
    defer { outer.map { _ = timer?.enter($0) } }
    let automaton = matcher.automaton
    if isFinished { throw .finished }
    guard logits.count == automaton.table.tokenCount else {
      throw .logitCount(logits.count, expected: automaton.table.tokenCount)
    }
    if freeText != nil { return try nextFree(logits) }
    let whole = narrowedMask()
    let path = tracker.path
    // Don't use a mask whose computation a limit has cut short.
    if let limit = matcher.exceeded { throw .limit(limit, path: path) }
    if whole.count == 0 {
      throw matcher.legalBytes.isEmpty
        ? .defect(.deadEnd, path: path) : .vocabularyTooPoor(path: path)
    }
    timer?.enter(.sampling)
    guard
      var mask = narrowing.fill(
        automaton, whole, after: tokens, logits: logits, settings: settings)
    else { throw .noFiniteLogit(path: path) }
    let distribution = automaton.distribution
    if let forced, !distribution.isLegal(forced) { throw .refusedToken(forced, path: path) }
    recorder?.unlisted = unlisted
    let token = forced ?? chooseCanonical(&mask, path: path, logits)
    timer?.enter(.decisions)
    let kinds = kinds(distribution, mask)
    count(distribution, kinds, path: path, isForced: mask.count == 1)
    if !isLayout(token) { steps[path]?.count += 1 }
    if recording.trace {
      trace.append(
        TracedStep(
          token: token, path: path, isForced: mask.count == 1, legalCount: mask.count,
          keptMass: distribution.keptMass, entropies: distribution.entropies,
          candidates: TracedStep.candidates(
            chosen: token, within: matcher.mask, distribution, logits)))
    }
    let step = try append(token, distribution, kinds, path: path)
    if let limit = automaton.exceeded { throw .limit(limit, path: path) }
    return step
  }

  /// Chooses the next token of an answer without a mask.
  private mutating func nextFree(
    _ logits: UnsafeBufferPointer<Float>
  ) throws(DecodingError) -> DecodingStep {
    timer?.enter(.sampling)
    let table = matcher.automaton.table
    let distribution = matcher.automaton.distribution
    guard let mask = freeText?.mask,
      distribution.fill(logits: logits, mask: mask, settings: settings)
    else { throw .noFiniteLogit(path: path) }
    let token = distribution.choose(key: random.key(path: path, step: stepCount))
    stepCount += 1
    if recording.trace {
      trace.append(
        TracedStep(
          token: token, path: path, isForced: false, legalCount: mask.count,
          keptMass: distribution.keptMass, entropies: distribution.entropies,
          candidates: TracedStep.candidates(chosen: token, within: mask, distribution, logits)))
    }
    if table.endTokens.contains(token) {
      isFinished = true
      return .end(token)
    }
    let added = table.tokens.bytes(of: token)
    bytes += added
    tokens.append(token)
    freeText?.feed(added)
    isFinished = freeText?.isClosed ?? false
    return .token(token)
  }

  /// Chooses a token that the policy on segmentations allows.
  ///
  /// If the chosen token is unlikely and the policy excludes it, the method removes the token from
  /// the mask and chooses again, unless no other token is possible.
  private mutating func chooseCanonical(
    _ mask: inout TokenMask, path: String, _ logits: UnsafeBufferPointer<Float>
  ) -> TokenID {
    let automaton = matcher.automaton
    let distribution = automaton.distribution
    let before = layoutSteps[path]
    while true {
      let token = choose(distribution, mask, path: path)
      guard let pairs = narrowing.pairs, mask.count > 1, !pairs.wasSeen(token, in: distribution),
        !pairs.isCanonical(token, after: tokens.last, automaton)
      else { return token }
      let narrowed = mask.without([token], tokenCount: automaton.table.tokenCount)
      guard distribution.fill(logits: logits, mask: narrowed, settings: settings) else {
        _ = distribution.fill(logits: logits, mask: mask, settings: settings)
        return token
      }
      mask = narrowed
      layoutSteps[path] = before
    }
  }

  private mutating func choose(
    _ distribution: TokenDistribution, _ mask: TokenMask, path: String
  ) -> TokenID {
    if let only = mask.onlyToken { return only }
    let key = random.key(path: random.path(tracker, path), step: steps[path]?.count ?? 0)
    switch chooseLayout(distribution, mask, path: path) {
    case .impossible: return distribution.choose(key: key)
    case .absent: return distribution.choose(key: key, without: matcher.automaton.table.blank)
    case .token(let token): return token
    }
  }

  /// The result of choosing white space between the parts of a value.
  private enum LayoutChoice {
    /// No white-space token is legal.
    case impossible
    /// A token other than white space comes next.
    case absent
    case token(TokenID)
  }

  /// Chooses whether a white-space token comes next, and which one.
  ///
  /// Each white-space token races against the others, as in `TokenDistribution.choose`, and against
  /// one more competitor, which stands for all remaining tokens.
  private mutating func chooseLayout(
    _ distribution: TokenDistribution, _ mask: TokenMask, path: String
  ) -> LayoutChoice {
    guard tracker.isOutsideStrings else { return .impossible }
    let legal = matcher.automaton.table.spaced.blank.filter { distribution.isLegal($0) }
    guard let first = legal.first else { return .impossible }
    let step = layoutSteps[path] ?? 0
    layoutSteps[path] = step + 1
    let key = random.layoutKey(path: random.path(tracker, path), step: step)
    func time(_ token: TokenID, _ probability: Double) -> Double {
      guard probability > 0 else { return .infinity }
      return -ExactMath.log(RandomStream.uniform(key: key, token: token)) / probability
    }
    var best = first
    var earliest = Double.infinity
    var sum = 0.0
    for token in legal {
      let probability = distribution.sampledProbability(of: token)
      sum += probability
      let time = time(token, probability)
      if time < earliest { (best, earliest) = (token, time) }
    }
    let isAbsent = legal.count < mask.count && time(-1, max(0, 1 - sum)) < earliest
    return isAbsent || earliest == .infinity && legal.count < mask.count ? .absent : .token(best)
  }

  /// Returns whether a token is white space between the parts of a value.
  private func isLayout(_ token: TokenID) -> Bool {
    tracker.isOutsideStrings && token >= 0 && Int(token) < matcher.automaton.table.tokenCount
      && matcher.automaton.table.blank.contains(token)
  }

  /// Returns the pressures of a step by kind, or nil if the session doesn't measure them.
  private mutating func kinds(
    _ distribution: TokenDistribution, _ mask: TokenMask
  ) -> PressureKinds? {
    guard let free, free.automaton.exceeded == nil else {
      pressureKinds = nil
      return nil
    }
    return PressureKinds(
      distribution, mask: mask, exact: matcher.mask, free: free.mask,
      starts: bytes.isEmpty ? matcher.automaton.table.valueStarts : nil)
  }

  private mutating func count(
    _ distribution: TokenDistribution, _ kinds: PressureKinds?, path: String, isForced: Bool
  ) {
    if isForced { forcedCount += 1 }
    logKeptMass += distribution.logKeptMass
    if let kinds { pressureKinds? += kinds }
    if steps[path] == nil {
      steps[path] = (0, pressures.count)
      pressures.append((path, 0))
    }
    guard let entry = steps[path] else { return }
    pressures[entry.pressure].pressure -= distribution.logKeptMass
  }

  private mutating func append(
    _ token: TokenID, _ distribution: TokenDistribution, _ kinds: PressureKinds?, path: String
  ) throws(DecodingError) -> DecodingStep {
    defer { stepCount += 1 }
    let place = matcher.configuration
    timer?.enter(.masks)
    let isAccepted = matcher.accept(token)
    timer?.enter(.decisions)
    guard isAccepted else {
      if let limit = matcher.automaton.exceeded { throw .limit(limit, path: path) }
      guard matcher.automaton.table.endTokens.contains(token) else {
        throw .defect(.misfit(token), path: path)
      }
      recorder?.recordEnd(
        token: token, at: place, after: tokens, distribution: distribution)
      isFinished = true
      return .end(token)
    }
    let added = matcher.automaton.table.tokens.bytes(of: token)
    if recorder != nil {
      // An open path has no run that began earlier, so it has the same mask only if the run could
      // begin here as well.
      let isShareable =
        !sharesSpreads || !isInsideRun
        || canonical?.run(in: matcher.automaton, at: place, after: tokens).first == token
      recorder?.isShareable = isShareable
      recorder?.record(
        token: token, from: place, after: tokens, distribution: distribution,
        formatPressure: kinds.map { $0.whitespace + $0.segmentation } ?? 0, tracker: &tracker)
    } else {
      for byte in added { tracker.feed(byte) }
    }
    bytes += added
    tokens.append(token)
    if free?.accept(token) == false { free = nil }
    _ = pendingRun.popFirst()
    if matcher.isFinished {
      recorder?.finish(step: stepCount)
      isFinished = true
    }
    return .token(token)
  }
}
