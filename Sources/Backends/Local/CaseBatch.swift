import ConstrainedDecoding
import EvalRecords
import Tokenization

/// The repeats of one test case in a worker's batch.
///
/// A *lane* is a repeat that is being decoded. A *slot* is the part of the predictor
/// (`TokenPredictor`) that stores the keys and values of one token sequence. A *wish* is a request
/// to evaluate the tokens that one or more lanes need next. In each step, the worker collects the
/// wishes of all its test cases and evaluates them together, so it reads the weights only once.
/// Lanes with the same tokens so far share a slot and its evaluations, until they sample different
/// tokens:
///
/// ```
/// prompt ── {"cards":[ ──┬── {"question":"What …      repeat 0, 2
///   (one evaluation      ├── {"question":"Who …       repeat 1
///    for all)            └── ]}                       repeat 3: leaves the batch
/// ```
///
/// A lane whose answer is finished may stay for a few more steps. In these steps, the model
/// evaluates *asides*, which are not part of the answer: *open paths*, whose tokens count towards
/// the probabilities of its decisions, and beginnings of texts that the mask kept the model from
/// writing.
///
/// A repeat's result doesn't depend on the other repeats: its logits are independent of theirs, and
/// when the shared automaton is full, each repeat restarts with a separate automaton.
final class CaseBatch {
  /// A repeat that is being decoded, or whose open paths are still being evaluated.
  private struct Lane {
    let repeatSeed: RepeatSeed
    var session: DecodingSession
    /// The slot that holds the prompt and all tokens of the session except the last.
    var slot: Int
    /// Whether no other answer uses the session's automaton.
    var hasOwnAutomaton = false
    var stop: StopReason?
    var error: (any Error)?
    /// The texts that the mask kept the model from writing at decisions; `nil` until the decisions
    /// are resolved.
    var wanted: [WantedText]?
    /// The slots that hold the open paths evaluated last, the latest one last.
    var asides: [Int] = []
    var duration: Double
    /// The number of steps in which the lane took part.
    var steps = 0
    /// The number of lanes in the worker, summed over the steps in which this lane took part.
    var companions = 0
    /// Whether the lane has sampled the same tokens as its wish, as far as the step has processed
    /// them.
    var follows = true
    /// The number of decisions when the request's needs were last checked.
    var checkedDecisions = -1
    var trust = DraftTrust()
    /// The earlier runs' answers to the same repeat that begin with the whole current answer.
    var replay: DraftReplay

    /// The number of tokens of the answer that have been evaluated: all but the last.
    var evaluated: Int { max(0, session.tokens.count - 1) }

    var isDecoding: Bool { stop == nil && error == nil }
  }

  /// A request for evaluations that one or more lanes need.
  struct Wish {
    fileprivate var lanes: [Int]
    fileprivate(set) var slot: Int
    /// The number of the answer's tokens that the slot holds before the step.
    fileprivate var length: Int
    fileprivate(set) var tokens: [TokenID]
    /// The number of drafted tokens, which come last.
    fileprivate(set) var drafted = 0
    /// The aside to evaluate, or `nil` if the wish continues the answer itself.
    fileprivate(set) var aside: [TokenID]?

    /// The predictor's input for the wish.
    var input: PredictorInput {
      PredictorInput(slot: slot, tokens: tokens, wanted: aside == nil ? .all : .last)
    }

    /// Removes drafted tokens from the end.
    ///
    /// - Parameter excess: The number of tokens to remove. The method subtracts the number of
    ///   tokens that it has removed.
    mutating func shortenDraft(by excess: inout Int) {
      let removed = min(excess, drafted)
      tokens.removeLast(removed)
      drafted -= removed
      excess -= removed
    }
  }

  /// The maximum number of tokens to evaluate for one lane in a step.
  private static let longestRun = 64

  /// The limits on evaluating open paths.
  ///
  /// If tokens can spell a choice in several ways (`[]`, or `[` and then `]`), the choice's
  /// probability is exact only if the model also evaluates the spellings that were not sampled. The
  /// probability of the paths beyond these limits is reported as unresolved.
  ///
  /// With these limits, measuring decisions takes between 4 and 33 percent of a run's processor
  /// time. On the models that we tried, more evaluations make the unresolved share smaller, but
  /// hardly change the probabilities (docs/engine.md).
  private static let openPaths = OpenPathBudget(
    tolerance: 0.02, evaluations: 20, mostUnresolved: DecisionRecord.mostUnresolved,
    mostEvaluations: 64, perToken: 0.0625, together: LocalLimits.asidesTogether)

  let order: LocalOrder
  let prompt: LocalPrompt
  let held: HeldPrompt
  private let predictor: any TokenPredictor
  private let slots: SlotPool
  private let tokenization: TokenizationPolicy
  /// Returns the given automaton or, if it has grown too large, a new one.
  private let freshAutomaton: (TokenAutomaton) -> TokenAutomaton
  private var automaton: TokenAutomaton
  private let promptSeconds: Double
  /// The earlier answers to draft from, or `nil` to draft nothing.
  private let drafts: AnswerDrafts?
  private let earlier: [EarlierAnswer]
  /// Splits a text into tokens.
  private let encode: (String) -> [TokenID]
  /// Measures the time of each phase, or `nil` to measure nothing.
  private let timer: PhaseTimer?

  private var waiting: ArraySlice<RepeatSeed>
  private var lanes: [Lane] = []
  /// The tokens that each slot holds after the prompt.
  private var contents: [Int: [TokenID]]
  /// The spreads that the repeats share, and the automaton to which they belong.
  private var memory: (spreads: SpreadMemory, automaton: TokenAutomaton)?
  /// The model's most likely next token after the beginnings of wanted texts.
  private var likeliest: [[TokenID]: TokenID] = [:]
  private var use = EvaluationUse()

  private var settings: GenerationSettings { order.request.settings }

  /// Creates a batch without lanes.
  ///
  /// - Parameters:
  ///   - order: The request.
  ///   - prompt: The test case's prompt and compiled schema.
  ///   - held: The slot that holds the prompt. The batch only copies from this slot.
  ///   - promptSeconds: The time spent on the prompt, in seconds.
  ///   - predictor: The predictor.
  ///   - slots: The predictor's free slots.
  ///   - tokenization: The allowed segmentations.
  ///   - drafts: The earlier answers to draft from, or `nil` to draft nothing.
  ///   - encode: Splits a text into tokens.
  ///   - timer: Measures the time of each phase, or `nil` to measure nothing.
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
  }

  /// The number of repeats that have not begun.
  var waitingCount: Int { waiting.count }

  /// The number of repeats that are being decoded.
  var laneCount: Int { lanes.count }

  /// Whether every repeat is answered.
  var isDone: Bool { lanes.isEmpty && waiting.isEmpty }

  /// The maximum number of positions that the current lanes may still need; each position holds the
  /// keys and values of one token.
  var positionsToCome: Int {
    lanes.reduce(0) { $0 + positionsToCome(after: $1.session.tokens.count) }
  }

  /// The maximum number of positions that one more lane may need.
  var positionsOfLane: Int { positionsToCome(after: 0) }

  private func positionsToCome(after count: Int) -> Int {
    // Add two pages of 32 positions for partly filled pages, which a slot can't share: up to one
    // page before the answer, and up to one page after it. Open paths come after the answer, and
    // their few pages aren't counted.
    min(settings.maximumTokens, predictor.contextLength - prompt.tokens.count) - count + 64
  }

  /// Creates a lane for the next repeat.
  func begin() {
    guard let repeatSeed = waiting.popFirst() else { return }
    automaton = freshAutomaton(automaton)
    var lane = Lane(
      repeatSeed: repeatSeed, session: session(of: repeatSeed, automaton), slot: held.slot,
      duration: promptSeconds / Double(order.repeats.count), replay: replay(of: repeatSeed))
    start(&lane)
    lanes.append(lane)
  }

  private func session(of repeatSeed: RepeatSeed, _ automaton: TokenAutomaton) -> DecodingSession {
    let isWhole = order.show == nil
    if memory?.automaton !== automaton, order.repeats.count > 1 {
      memory = (SpreadMemory(), automaton)
    }
    return DecodingSession(
      automaton: automaton, settings: SamplingSettings(settings), seed: repeatSeed.seed,
      repeat: repeatSeed.repeatIndex, tokenization: tokenization, isMasked: settings.mask == .on,
      recording: DecodingRecording(decisions: isWhole, pressureKinds: isWhole, trace: isWhole),
      memory: memory?.spreads, timer: timer)
  }

  private func replay(of repeatSeed: RepeatSeed) -> DraftReplay {
    DraftReplay(
      of: earlier.filter { $0.repeatIndex == repeatSeed.repeatIndex }.map(\.bytes))
  }

  /// Chooses the first token.
  private func start(_ lane: inout Lane) {
    do {
      _ = try held.logits.withUnsafeBufferPointer { try lane.session.next(logits: $0) }
    } catch {
      lane.error = error
    }
  }

  /// Restarts a lane with a separate automaton if the shared automaton is full, so that the lane's
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
      companions: old.companions, replay: replay(of: old.repeatSeed))
    start(&lane)
    lanes[index] = lane
  }

  /// Sends the output so far to the order's receiver, if it has one.
  ///
  /// Only orders with a single repeat have a receiver.
  func showOutput() {
    if let show = order.show, let lane = lanes.first { show(lane.session.wholeText) }
  }

  // MARK: Wishes

  /// Returns the wishes of all lanes for this step, each with a separate slot.
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
      } else {
        for path in asides(of: index) {
          if let same = wishes.firstIndex(where: { $0.aside == path }) {
            wishes[same].lanes.append(index)
          } else {
            wishes.append(Wish(lanes: [index], slot: -1, length: 0, tokens: [], aside: path))
          }
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
    } else if hasDecided(index) {
      lanes[index].stop = .decided
    } else if lane.session.tokens.count >= settings.maximumTokens {
      lanes[index].stop = .tokenLimit
      lanes[index].session.cut()
    } else if prompt.tokens.count + lane.evaluated >= predictor.contextLength {
      lanes[index].stop = .contextFull
      lanes[index].session.cut()
    }
  }

  /// Returns whether a lane has made all decisions that its request needs.
  ///
  /// Open paths are followed as after any other end, so the probabilities are those of the whole
  /// answer.
  private func hasDecided(_ index: Int) -> Bool {
    guard let needs = order.request.needs else { return false }
    let decisions = lanes[index].session.decisions
    // The needs can only be met by a decision that is new since the last step.
    guard decisions.count != lanes[index].checkedDecisions else { return false }
    lanes[index].checkedDecisions = decisions.count
    return needs.areMet(by: decisions.lazy.map(DecisionRecord.init).map(\.asNeeded))
  }

  private func room(_ lane: Lane) -> Int {
    min(
      Self.longestRun, settings.maximumTokens - lane.session.tokens.count,
      predictor.contextLength - prompt.tokens.count - lane.evaluated)
  }

  /// Returns the sequences of tokens after which a finished lane needs logits; empty if it needs no
  /// more evaluations.
  private func asides(of index: Int) -> [[TokenID]] {
    guard lanes[index].error == nil else { return [] }
    func fits(_ path: [TokenID]) -> Bool {
      prompt.tokens.count + path.count < predictor.contextLength
    }
    let open = lanes[index].session.nextOpenPaths(Self.openPaths).filter(fits)
    // A comparison of decisions shows no texts that the mask forbade.
    if !open.isEmpty || lanes[index].stop == .decided { return open }
    return Array(wantedPaths(of: index).filter(fits).prefix(LocalLimits.asidesTogether))
  }

  /// Returns the beginnings of the texts that the mask kept the model from writing, as far as it
  /// isn't known yet how they continue.
  private func wantedPaths(of index: Int) -> [[TokenID]] {
    let session = lanes[index].session
    var wanted = lanes[index].wanted ?? self.wanted(in: session)
    for number in wanted.indices {
      while !wanted[number].isDone,
        let token = likeliest[wanted[number].path(after: session.tokens)]
      {
        wanted[number].add(token, predictor.vocabulary)
      }
    }
    lanes[index].wanted = wanted
    return wanted.filter { !$0.isDone }.map { $0.path(after: session.tokens) }
  }

  private func wanted(in session: DecodingSession) -> [WantedText] {
    let steps = MaskRemoval.steps(
      session.decisions.map(DecisionRecord.init),
      session.trace.map { TokenStep($0, vocabulary: predictor.vocabulary) })
    return steps.compactMap { step in
      session.trace[step].candidates.first { !$0.isLegal }
        .map { WantedText(step: step, token: $0.token) }
    }
  }

  /// Gives every wish a separate slot that holds the tokens before the wish.
  ///
  /// If several wishes name the same slot, the first wish that continues an answer keeps the slot,
  /// unless the slot holds the prompt. All other wishes get copies. The method makes the copies
  /// first, because the owner of a slot may remove tokens that a copy needs.
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

  /// Adds drafted tokens to the wishes.
  ///
  /// If an answer has matched an earlier run's answer to the same repeat so far, it usually matches
  /// the rest, too. If an answer repeats itself, it usually continues to do so. Drafts from
  /// these two sources are worth evaluating even in a wide step.
  ///
  /// - Parameters:
  ///   - wishes: The wishes of this step.
  ///   - roomForGuesses: The maximum number of tokens to draft for each wish from other answers or
  ///     from the prompt.
  func addDrafts(to wishes: inout [Wish], roomForGuesses: Int) {
    guard let drafts else { return }
    var sources: [[TokenID]]?
    for index in wishes.indices where wishes[index].aside == nil {
      guard let first = wishes[index].lanes.first else { continue }
      let limit = min(
        lanes[first].trust.limit, room(lanes[first]) - wishes[index].tokens.count)
      guard limit > 0 else { continue }
      let forced = wishes[index].tokens.dropFirst()
      let answer = lanes[first].session.tokens + forced
      var draft: [TokenID] = []
      if !lanes[first].replay.isOver {
        draft = lanes[first].replay.next(
          after: lanes[first].session.bytes
            + forced.flatMap { predictor.vocabulary.bytes(of: $0) }, limit: limit, encode: encode)
      }
      if draft.isEmpty {
        draft = DraftFinder.repetition(
          of: answer,
          length: roomForGuesses > 0 ? DraftFinder.shortRepetition : DraftFinder.longRepetition,
          limit: limit)
      }
      if draft.isEmpty, roomForGuesses > 0 {
        let found = sources ?? drafts.answers(to: order.request) + earlier.map(\.tokens)
        sources = found
        let others = lanes.map(\.session.tokens).filter { $0.count >= answer.count }
        draft = DraftFinder.continuation(
          of: answer, in: found + others + [prompt.tokens], limit: min(limit, roomForGuesses))
      }
      wishes[index].tokens += draft
      wishes[index].drafted = draft.count
    }
  }

  private func takeSlot(copyOf source: Int, length: Int) -> Int {
    // There are enough slots: see `LocalLimits.slots`.
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
  }

  /// Ends the lanes of a wish that the predictor can't evaluate.
  func fail(_ wish: Wish, _ error: any Error) {
    for lane in wish.lanes { lanes[lane].error = error }
    if wish.aside != nil { free(wish.slot) }
  }

  /// Records which tokens the wish's slot now holds, and how long the wish's lanes took.
  ///
  /// - Parameters:
  ///   - wish: The wish that was evaluated.
  ///   - companions: The number of lanes in the worker during the step.
  ///   - seconds: The time per evaluated token.
  func end(_ wish: Wish, companions: Int, seconds: Double) {
    let share = seconds * Double(wish.tokens.count) / Double(wish.lanes.count)
    var mostKept = 0
    for lane in wish.lanes {
      if wish.aside == nil {
        let sampled = lanes[lane].session.tokens.count - 1 - wish.length
        let kept = max(0, sampled - (wish.tokens.count - wish.drafted))
        mostKept = max(mostKept, kept)
        // The draft was made for the first lane, so judge it only by the tokens that this lane
        // sampled.
        if lane == wish.lanes[0] { lanes[lane].trust.learn(drafted: wish.drafted, kept: kept) }
      }
      lanes[lane].duration += share
      lanes[lane].steps += 1
      lanes[lane].companions += companions
    }
    if wish.drafted > 0 { use.addDraft(of: wish.drafted, kept: mostKept) }
    contents[wish.slot, default: []] += wish.tokens
    guard wish.aside != nil else { return }
    use.asideTokens += wish.tokens.count
    // The next open path often continues one of the last ones, so keep their slots.
    lanes[wish.lanes[0]].asides.append(wish.slot)
    if lanes[wish.lanes[0]].asides.count > LocalLimits.asideSlots {
      free(lanes[wish.lanes[0]].asides.removeFirst())
    }
  }

  private func take(
    _ logits: UnsafeBufferPointer<Float>, _ wish: Wish, _ index: Int
  ) {
    if let path = wish.aside {
      lanes[index].session.follow(path, logits: logits)
      if lanes[index].wanted != nil { likeliest[path] = WantedText.likeliest(logits) }
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

  /// Removes from the batch the lanes that need no more evaluations.
  ///
  /// - Returns: The answers of these lanes.
  func finished() -> [BackendAnswer] {
    var done: [Int] = []
    for index in lanes.indices {
      restartIfUsedUp(index)
      stopIfFull(index)
      if !lanes[index].isDecoding, asides(of: index).isEmpty { done.append(index) }
    }
    var answers: [BackendAnswer] = []
    for index in done { answers.append(answer(of: lanes[index])) }
    for index in done.reversed() { lanes.remove(at: index) }
    let used = Set(lanes.flatMap { $0.asides + [$0.slot] })
    for slot in contents.keys.sorted() where !used.contains(slot) { free(slot) }
    return answers
  }

  /// Releases the slots that hold open paths.
  ///
  /// - Returns: False if there are none.
  func dropAsides() -> Bool {
    let slots = lanes.flatMap(\.asides)
    for index in lanes.indices { lanes[index].asides = [] }
    for slot in slots { free(slot) }
    return !slots.isEmpty
  }

  /// Releases all slots except the prompt's.
  func close() {
    lanes.removeAll()
    for slot in contents.keys.sorted() { free(slot) }
  }

  /// Returns what the batch has evaluated since the last call of this method.
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
    answer.lookalikes = prompt.lookalikes
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
    for wanted in lane.wanted ?? [] {
      answer.trace[wanted.step].wanted = wanted.text(predictor.vocabulary)
    }
    answer.failure =
      if let error = lane.error {
        AttemptFailure(stoppedBy: error)
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

  /// Returns the number of drafted tokens that a step should leave out.
  ///
  /// A narrow pass takes much more time for each token than a full one. So drafts fill passes, but
  /// never begin a pass that they don't fill. Tokens that are left out can be drafted in the next
  /// step.
  ///
  /// - Parameters:
  ///   - drafted: The number of drafted tokens.
  ///   - others: The number of the step's other tokens.
  static func excess(ofDrafts drafted: Int, beside others: Int) -> Int {
    let passes = max(
      (others + tokensOfPass - 1) / tokensOfPass, (others + drafted) / tokensOfPass)
    return max(0, others + drafted - passes * tokensOfPass)
  }

  /// Counts the tokens that are evaluated in one call.
  mutating func add(tokens count: Int) {
    evaluatedTokens += count
    passes += (count + Self.tokensOfPass - 1) / Self.tokensOfPass
  }
}

extension AttemptFailure {
  /// Creates a failure for the error that stopped an answer.
  init(stoppedBy error: any Error) {
    var isDefect = false
    if case .defect? = error as? DecodingError { isDefect = true }
    self.init(kind: isDefect ? .defect : .backend, message: String(describing: error))
  }

  /// Creates a failure for the reason why an answer stopped, or returns `nil` if the answer is
  /// complete.
  fileprivate init?(_ reason: StopReason, _ session: DecodingSession, limit: Int) {
    switch reason {
    case .complete, .decided: return nil
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
