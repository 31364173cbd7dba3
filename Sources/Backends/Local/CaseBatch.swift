import ConstrainedDecoding
import EvalRecords
import Tokenization

/// The repeats of one test case in the batch of a worker.
///
/// In each step, the batch collects the tokens to evaluate for every repeat (`wishes`). The worker
/// evaluates the tokens of all test cases at once, so it reads the weights once per step. Repeats
/// with the same text so far share a slot and its evaluations; they separate when they first sample
/// different tokens:
///
/// ```
/// prompt ── {"cards":[ ──┬── {"question":"What …      repeat 0, 2
///   (one evaluation      ├── {"question":"Who …       repeat 1
///    for all)            └── ]}                       repeat 3: leaves the batch
/// ```
///
/// A finished repeat stays for a few more steps to follow the paths that its decisions left open.
/// The result of a repeat doesn't depend on the others: the predictor's logits don't depend on
/// them, and once the answers have filled the shared automaton, each repeat starts again with a
/// separate one.
final class CaseBatch {
  /// One repeat.
  private struct Lane {
    let repeatSeed: RepeatSeed
    var session: DecodingSession
    /// The slot that holds the prompt and all tokens of the session except the last.
    var slot: Int
    /// True if no other answer uses the session's automaton.
    var hasOwnAutomaton = false
    var stop: StopReason?
    var error: (any Error)?
    var evaluationsAside = 0
    var duration: Double
    /// The number of steps that the lane took part in.
    var steps = 0
    /// The sum, over those steps, of the numbers of lanes in the worker's batch.
    var companions = 0
    /// Whether the lane has sampled every token of its wish so far in this step.
    var follows = true
    var trust = DraftTrust()

    /// The number of tokens of the answer that have been evaluated: all but the last.
    var evaluated: Int { max(0, session.tokens.count - 1) }

    var isDecoding: Bool { stop == nil && error == nil }
  }

  /// A request for evaluations that one or more lanes need.
  struct Wish {
    fileprivate var lanes: [Int]
    fileprivate(set) var slot: Int
    /// The number of tokens of the answer that the slot holds at the beginning.
    fileprivate var length: Int
    fileprivate(set) var tokens: [TokenID]
    /// The number of tokens at the end that are only a draft.
    fileprivate var drafted = 0
    /// The tokens after which logits are needed only for decisions; nil if the wish continues the
    /// answer itself.
    fileprivate(set) var aside: [TokenID]?

    /// The request as an input of the predictor.
    var input: PredictorInput {
      PredictorInput(slot: slot, tokens: tokens, wanted: aside == nil ? .all : .last)
    }
  }

  /// The maximum number of tokens of one repeat that are evaluated at once.
  private static let longestRun = 64

  /// The maximum number of evaluations for an answer's decisions, in addition to the sampled
  /// tokens.
  ///
  /// If a choice can also be written with several tokens (`[` and then `]` instead of `[]`), its
  /// probability is exact only if the paths that were not sampled are evaluated too. The mass of
  /// the paths that this limit leaves unevaluated is reported as unresolved.
  static let evaluationsAside = 64
  /// The unresolved probability below which a decision needs no more evaluations.
  private static let unresolvedShare = 0.005

  let order: LocalOrder
  let prompt: LocalPrompt
  let held: HeldPrompt
  private let predictor: any TokenPredictor
  private let slots: SlotPool
  private let tokenization: TokenizationPolicy
  /// Returns an automaton for the next repeat, ready for another answer.
  private let freshAutomaton: (TokenAutomaton) -> TokenAutomaton
  private var automaton: TokenAutomaton
  private let promptSeconds: Double
  /// Earlier answers to draft from; nil to draft nothing.
  private let drafts: AnswerDrafts?
  /// The answers of earlier runs.
  private let earlier: [EarlierAnswer]
  /// Turns a text into tokens.
  private let encode: (String) -> [TokenID]
  /// Measures the time of the phases; nil to measure nothing.
  private let timer: PhaseTimer?

  private var waiting: ArraySlice<RepeatSeed>
  private var lanes: [Lane] = []
  /// The tokens that each slot holds after the prompt.
  private var contents: [Int: [TokenID]]
  private var asides: AsideMemory
  private var use = EvaluationUse()

  private var settings: GenerationSettings { order.request.settings }

  /// Creates a batch in which no repeat has begun yet.
  ///
  /// - Parameters:
  ///   - order: The request.
  ///   - prompt: The prompt with the compiled schema.
  ///   - held: The slot with the prompt, from which the batch only reads.
  ///   - promptSeconds: The time for evaluating the prompt.
  ///   - predictor: The predictor.
  ///   - slots: The predictor's free slots; a repeat takes at most two.
  ///   - tokenization: The allowed segmentations.
  ///   - drafts: Earlier answers to draft from; nil to draft nothing.
  ///   - encode: Turns a text into tokens.
  ///   - timer: Measures the time of the phases; nil to measure nothing.
  ///   - freshAutomaton: Returns the given automaton, or a new one if it has grown too large.
  init(
    _ order: LocalOrder, prompt: LocalPrompt, held: HeldPrompt, promptSeconds: Double,
    predictor: any TokenPredictor, slots: SlotPool, tokenization: TokenizationPolicy,
    drafts: AnswerDrafts?, encode: @escaping (String) -> [TokenID], timer: PhaseTimer?,
    freshAutomaton: @escaping (TokenAutomaton) -> TokenAutomaton
  ) {
    self.order = order
    self.prompt = prompt
    self.held = held
    self.promptSeconds = promptSeconds
    self.predictor = predictor
    self.slots = slots
    self.tokenization = tokenization
    self.drafts = drafts
    self.encode = encode
    earlier = drafts?.earlierAnswers(to: order.request, encode: encode) ?? []
    self.timer = timer
    self.freshAutomaton = freshAutomaton
    automaton = prompt.automaton
    waiting = order.repeats[...]
    contents = [held.slot: []]
    asides = AsideMemory(vocabularySize: predictor.vocabulary.count)
  }

  /// The number of repeats that have not begun.
  var waitingCount: Int { waiting.count }

  /// The number of repeats that are being decoded.
  var laneCount: Int { lanes.count }

  /// True if every repeat is answered.
  var isDone: Bool { lanes.isEmpty && waiting.isEmpty }

  /// The number of positions of keys and values that the current lanes may still need.
  var positionsToCome: Int {
    lanes.reduce(0) { $0 + positionsToCome(after: $1.session.tokens.count) }
  }

  /// The number of positions that one more lane may need.
  var positionsOfLane: Int { positionsToCome(after: 0) }

  private func positionsToCome(after count: Int) -> Int {
    // The last pages of a slot aren't shared: up to one page before the answer and one after it.
    min(settings.maximumTokens, predictor.contextLength - prompt.tokens.count) - count + 64
  }

  /// Begins the next repeat.
  func begin() {
    guard let repeatSeed = waiting.popFirst() else { return }
    automaton = freshAutomaton(automaton)
    var lane = Lane(
      repeatSeed: repeatSeed, session: session(of: repeatSeed, automaton), slot: held.slot,
      duration: promptSeconds / Double(order.repeats.count))
    start(&lane)
    lanes.append(lane)
  }

  private func session(of repeatSeed: RepeatSeed, _ automaton: TokenAutomaton) -> DecodingSession {
    let isWhole = order.show == nil
    return DecodingSession(
      automaton: automaton, settings: SamplingSettings(settings), seed: repeatSeed.seed,
      repeat: repeatSeed.repeatIndex, tokenization: tokenization, isMasked: settings.mask == .on,
      recording: DecodingRecording(decisions: isWhole, pressureKinds: isWhole, trace: isWhole),
      timer: timer)
  }

  /// Chooses the first token.
  private func start(_ lane: inout Lane) {
    do {
      _ = try held.logits.withUnsafeBufferPointer { try lane.session.next(logits: $0) }
    } catch {
      lane.error = error
    }
  }

  /// Restarts a lane with a separate automaton if the shared one is used up, so that the lane's
  /// result doesn't depend on other answers.
  private func restartIfUsedUp(_ index: Int) {
    guard !lanes[index].hasOwnAutomaton, lanes[index].session.matcher.automaton.isUsedUp else {
      return
    }
    let old = lanes[index]
    var lane = Lane(
      repeatSeed: old.repeatSeed,
      session: session(of: old.repeatSeed, old.session.matcher.automaton.unused()),
      slot: held.slot, hasOwnAutomaton: true, duration: old.duration, steps: old.steps,
      companions: old.companions)
    start(&lane)
    lanes[index] = lane
  }

  /// Shows the output so far, if the order asks for it; such an order has a single repeat.
  func showOutput() {
    if let show = order.show, let lane = lanes.first { show(lane.session.wholeText) }
  }

  // MARK: Wishes

  /// Returns the evaluations that the lanes need next, each in a separate slot.
  func wishes() -> [Wish] {
    var wishes: [Wish] = []
    for index in lanes.indices {
      restartIfUsedUp(index)
      stopIfFull(index)
      if lanes[index].isDecoding {
        let tokens = lanes[index].session.tokensToEvaluate(limit: room(lanes[index]))
        let (slot, length) = (lanes[index].slot, lanes[index].evaluated)
        lanes[index].follows = true
        if let same = wishes.firstIndex(where: {
          $0.aside == nil && $0.slot == slot && $0.length == length && $0.tokens == tokens
        }) {
          wishes[same].lanes.append(index)
        } else {
          wishes.append(Wish(lanes: [index], slot: slot, length: length, tokens: tokens))
        }
      } else if let path = openPath(of: index) {
        if let same = wishes.firstIndex(where: { $0.aside == path }) {
          wishes[same].lanes.append(index)
        } else {
          wishes.append(Wish(lanes: [index], slot: -1, length: 0, tokens: [], aside: path))
        }
      }
    }
    part(&wishes)
    return wishes
  }

  private func stopIfFull(_ index: Int) {
    let lane = lanes[index]
    guard lane.isDecoding else { return }
    if lane.session.isFinished {
      lanes[index].stop = .complete
    } else if lane.session.tokens.count >= settings.maximumTokens {
      lanes[index].stop = .tokenLimit
    } else if prompt.tokens.count + lane.evaluated >= predictor.contextLength {
      lanes[index].stop = .contextFull
    }
  }

  private func room(_ lane: Lane) -> Int {
    min(
      Self.longestRun, settings.maximumTokens - lane.session.tokens.count,
      predictor.contextLength - prompt.tokens.count - lane.evaluated)
  }

  /// Returns the path to evaluate next for a finished lane's decisions; nil if they need none.
  private func openPath(of index: Int) -> [TokenID]? {
    while lanes[index].error == nil, lanes[index].evaluationsAside < Self.evaluationsAside,
      let path = lanes[index].session.nextOpenPath(tolerance: Self.unresolvedShare)
    {
      guard let logits = asides.logits(after: path) else {
        return prompt.tokens.count + path.count < predictor.contextLength ? path : nil
      }
      lanes[index].evaluationsAside += 1
      _ = logits.withUnsafeBufferPointer { lanes[index].session.follow(logits: $0) }
    }
    return nil
  }

  /// Gives every wish a separate slot with the evaluations so far.
  ///
  /// The first wish that continues an answer in a slot keeps the slot, unless it is the prompt's;
  /// all other wishes get copies. The method makes the copies first, because a copy may need tokens
  /// that the slot then forgets.
  private func part(_ wishes: inout [Wish]) {
    var taken: Set<Int> = [held.slot]
    for index in wishes.indices where wishes[index].aside == nil {
      let slot = wishes[index].slot
      if taken.insert(slot).inserted { continue }
      let own = takeSlot(copyOf: slot, length: wishes[index].length)
      wishes[index].slot = own
      for lane in wishes[index].lanes { lanes[lane].slot = own }
    }
    for index in wishes.indices {
      guard let path = wishes[index].aside else { continue }
      var (best, shared) = (held.slot, 0)
      for (slot, tokens) in contents {
        let count = zip(tokens, path).prefix { $0 == $1 }.count
        if count > shared || count == shared && slot < best { (best, shared) = (slot, count) }
      }
      shared = min(shared, path.count - 1)
      wishes[index].slot = takeSlot(copyOf: best, length: shared)
      wishes[index].tokens = Array(path[shared...])
    }
    for wish in wishes where wish.aside == nil { forgetDraft(in: wish.slot, after: wish.length) }
  }

  /// Removes from a slot the tokens that were drafted but not sampled.
  private func forgetDraft(in slot: Int, after length: Int) {
    guard let held = contents[slot]?.count, held > length else { return }
    predictor.rewind(slot: slot, to: prompt.tokens.count + length)
    contents[slot]?.removeLast(held - length)
  }

  /// Adds drafts to the wishes: tokens that the answers may sample next.
  ///
  /// An answer that has repeated an earlier answer to the same repeat so far usually repeats the
  /// rest too, so its drafts are worth evaluating even in a wide step.
  ///
  /// - Parameters:
  ///   - wishes: The wishes of this step.
  ///   - roomForGuesses: The maximum number of tokens for each wish that are drafted from other
  ///     answers or the prompt.
  func addDrafts(to wishes: inout [Wish], roomForGuesses: Int) {
    guard let drafts else { return }
    var sources: [[TokenID]]?
    for index in wishes.indices where wishes[index].aside == nil {
      guard let first = wishes[index].lanes.first else { continue }
      let lane = lanes[first]
      let limit = min(lane.trust.limit, self.room(lane) - wishes[index].tokens.count)
      guard limit > 0 else { continue }
      let answer = lane.session.tokens + wishes[index].tokens.dropFirst()
      let same = earlier.filter { $0.repeatIndex == lane.repeatSeed.repeatIndex }.map(\.bytes)
      var draft = DraftFinder.replay(
        of: same.isEmpty ? [] : answer.flatMap { predictor.vocabulary.bytes(of: $0) }, in: same,
        limit: limit, encode: encode)
      if draft.isEmpty, roomForGuesses > 0 {
        let found = sources ?? drafts.answers(to: order.request) + earlier.map(\.tokens)
        sources = found
        let others = lanes.map(\.session.tokens).filter { $0.count > lane.session.tokens.count }
        draft = DraftFinder.continuation(
          of: answer, in: found + others + [prompt.tokens], limit: min(limit, roomForGuesses))
      }
      wishes[index].tokens += draft
      wishes[index].drafted = draft.count
    }
  }

  private func takeSlot(copyOf source: Int, length: Int) -> Int {
    // Each lane has two slots: one for its answer, and one for measuring decisions.
    let slot = slots.take()
    predictor.copy(fromSlot: source, toSlot: slot)
    predictor.rewind(slot: slot, to: prompt.tokens.count + length)
    contents[slot] = contents[source].map { Array($0.prefix(length)) }
    return slot
  }

  private func free(_ slot: Int) {
    guard slot != held.slot, contents.removeValue(forKey: slot) != nil else { return }
    predictor.rewind(slot: slot, to: 0)
    slots.give(slot)
  }

  // MARK: One step

  /// Processes the logits for a wish.
  func take(_ logits: UnsafeBufferPointer<Float>, for wish: Wish) {
    for lane in wish.lanes { take(logits, wish, lane) }
    if let path = wish.aside { asides.keep(logits, after: path) }
  }

  /// Ends the lanes of a wish that can't be evaluated.
  func fail(_ wish: Wish, _ error: any Error) {
    for lane in wish.lanes { lanes[lane].error = error }
    if wish.aside != nil { free(wish.slot) }
  }

  /// Records the result of a step: the contents of the wish's slot, and the time of its lanes.
  ///
  /// - Parameters:
  ///   - wish: The wish that was evaluated.
  ///   - companions: The number of the worker's lanes in the step.
  ///   - seconds: The time per evaluated token.
  func end(_ wish: Wish, companions: Int, seconds: Double) {
    let share = seconds * Double(wish.tokens.count) / Double(wish.lanes.count)
    var mostKept = 0
    for lane in wish.lanes {
      if wish.aside == nil {
        let sampled = lanes[lane].session.tokens.count - 1 - wish.length
        let kept = max(0, sampled - (wish.tokens.count - wish.drafted))
        mostKept = max(mostKept, kept)
        // The draft was made for the first lane; that the others part from it says nothing.
        if lane == wish.lanes[0] { lanes[lane].trust.learn(drafted: wish.drafted, kept: kept) }
      }
      lanes[lane].duration += share
      lanes[lane].steps += 1
      lanes[lane].companions += companions
    }
    if wish.drafted > 0 { use.addDraft(of: wish.drafted, kept: mostKept) }
    if wish.aside == nil {
      contents[wish.slot, default: []] += wish.tokens
    } else {
      use.asideTokens += wish.tokens.count
      free(wish.slot)
    }
  }

  private func take(
    _ logits: UnsafeBufferPointer<Float>, _ wish: Wish, _ index: Int
  ) {
    if wish.aside != nil {
      lanes[index].evaluationsAside += 1
      lanes[index].session.follow(logits: logits)
      return
    }
    guard lanes[index].error == nil, lanes[index].follows else { return }
    do {
      let step = try lanes[index].session.next(logits: logits)
      let place = lanes[index].session.tokens.count - 1 - wish.length
      lanes[index].follows =
        !lanes[index].session.isFinished && wish.tokens.indices.contains(place)
        && wish.tokens[place] == step.token
    } catch {
      lanes[index].error = error
    }
  }

  // MARK: The end

  /// Removes lanes from the batch if they need no further evaluations.
  ///
  /// - Returns: Their answers.
  func finished() -> [BackendAnswer] {
    var done: [Int] = []
    for index in lanes.indices {
      restartIfUsedUp(index)
      stopIfFull(index)
      if !lanes[index].isDecoding, openPath(of: index) == nil { done.append(index) }
    }
    var answers: [BackendAnswer] = []
    for index in done { answers.append(answer(of: lanes[index])) }
    for index in done.reversed() { lanes.remove(at: index) }
    let used = Set(lanes.map(\.slot))
    for slot in contents.keys.sorted() where !used.contains(slot) { free(slot) }
    return answers
  }

  /// Releases all slots except the prompt's.
  func close() {
    lanes.removeAll()
    for slot in contents.keys.sorted() { free(slot) }
  }

  /// Returns the counts since the last call.
  func takeUse() -> EvaluationUse {
    defer { use = EvaluationUse() }
    return use
  }

  private func answer(of lane: Lane) -> BackendAnswer {
    let session = lane.session
    drafts?.add(session.tokens, to: order.request)
    var answer = BackendAnswer(
      repeatSeed: lane.repeatSeed, output: session.text, stopReason: lane.stop ?? .failed,
      renderedPrompt: prompt.text, promptTokens: prompt.tokens.count)
    answer.outputTokens = session.tokens.count
    answer.forcedTokens = session.forcedCount
    answer.duration = lane.duration
    answer.batchWidth = lane.steps == 0 ? 1 : Double(lane.companions) / Double(lane.steps)
    answer.constraintPressure = -session.logKeptMass
    answer.pressure = session.pressureKinds.map {
      PressureRecord($0, session.decisions.map { $0.formatPressure ?? 0 })
    }
    answer.decisions = session.decisions.map(DecisionRecord.init)
    answer.trace = session.trace.map { TokenStep($0, vocabulary: predictor.vocabulary) }
    answer.failure =
      if let error = lane.error {
        AttemptFailure(kind: .backend, message: String(describing: error))
      } else {
        AttemptFailure(answer.stopReason, session, limit: settings.maximumTokens)
      }
    use.promptTokens += answer.promptTokens
    use.outputTokens += answer.outputTokens
    use.forcedTokens += answer.forcedTokens
    return answer
  }
}

extension EvaluationUse {
  /// The maximum number of tokens that pass through the layers together.
  static let tokensOfPass = 64

  /// Counts the tokens that are evaluated in one call.
  mutating func add(tokens count: Int) {
    evaluatedTokens += count
    passes += (count + Self.tokensOfPass - 1) / Self.tokensOfPass
  }
}

extension AttemptFailure {
  /// Creates the failure of an answer that stopped for a reason; nil if the answer is complete.
  fileprivate init?(_ reason: StopReason, _ session: DecodingSession, limit: Int) {
    switch reason {
    case .complete: return nil
    case .tokenLimit:
      self.init(
        kind: .truncated,
        message: "the answer was not complete after \(limit) tokens, at \(session.path)")
    case .contextFull:
      self.init(
        kind: .contextSizeExceeded,
        message: "the context was full before the answer was complete, at \(session.path)")
    case .refusal, .failed:
      self.init(kind: .backend, message: "stopped at \(session.path)")
    }
  }
}
