import ConstrainedDecoding
import EvalRecords
import Tokenization

/// The repeats of one case, decoded together.
///
/// Each round asks every repeat what it wants to have evaluated, and evaluates all of it at once, so
/// that the weights are read once a round. Repeats that have written the same text so far share a
/// slot and its evaluations; they part where they first sample different tokens:
///
/// ```
/// prompt ── {"cards":[ ──┬── {"question":"What …      repeat 0, 2
///   (one evaluation      ├── {"question":"Who …       repeat 1
///    for all)            └── ]}                       repeat 3: leaves the batch
/// ```
///
/// A finished repeat stays for some rounds more, in which it follows what its decisions left open.
/// What a repeat gets does not depend on the others: the predictor's logits don't.
struct RepeatBatch {
  /// One repeat.
  private struct Lane {
    let repeatSeed: RepeatSeed
    var session: DecodingSession
    /// The slot that holds the prompt and all tokens of the session but the last.
    var slot: Int
    var stop: StopReason?
    var error: (any Error)?
    var evaluationsAside = 0
    var duration = 0.0

    var isDecoding: Bool { stop == nil && error == nil }
  }

  /// What some lanes want together.
  private struct Wish {
    var lanes: [Int]
    var slot: Int
    var tokens: [TokenID]
    /// The tokens of the answer whose logits are asked for aside; nil for the answer itself.
    var aside: [TokenID]?
  }

  /// The most tokens that are evaluated in one go for one repeat.
  private static let longestRun = 64

  /// The most evaluations that an answer's decisions may take beside the sampled tokens.
  ///
  /// A choice that is spread over several tokens (`[` and then `]`, beside `[]`) is exact only when
  /// the paths that were not sampled are followed too; what this leaves open is reported.
  static let evaluationsAside = 32

  let prompt: LocalPrompt
  let settings: GenerationSettings
  let predictor: any TokenPredictor
  /// Makes the session of a repeat.
  let makeSession: (RepeatSeed) -> DecodingSession

  private let promptSlot: Int
  private let promptLogits: [Float]
  private var lanes: [Lane] = []
  private var freeSlots: [Int]
  /// The tokens of the answer that a slot holds behind the prompt.
  private var contents: [Int: [TokenID]]
  private var asides: AsideMemory
  private(set) var use = EvaluationUse()

  /// - Parameters:
  ///   - promptSlot: The slot that holds the prompt; it is only read.
  ///   - promptLogits: The logits after the prompt.
  ///   - slots: Slots for the repeats, two for each that decodes at a time.
  init(
    prompt: LocalPrompt, settings: GenerationSettings, predictor: any TokenPredictor,
    promptSlot: Int, promptLogits: [Float], slots: Range<Int>,
    makeSession: @escaping (RepeatSeed) -> DecodingSession
  ) {
    self.prompt = prompt
    self.settings = settings
    self.predictor = predictor
    self.promptSlot = promptSlot
    self.promptLogits = promptLogits
    self.makeSession = makeSession
    freeSlots = slots.reversed()
    contents = [promptSlot: []]
    asides = AsideMemory(vocabularySize: predictor.vocabulary.count)
  }

  /// Decodes all repeats, a bounded number of them at a time.
  ///
  /// - Parameters:
  ///   - repeats: The repeats, in the order in which they are begun.
  ///   - width: The most repeats at a time.
  ///   - clock: Seconds since some moment.
  ///   - start: When the work for these repeats began, by the clock.
  ///   - isCancelled: Whether to stop; asked every round.
  ///   - show: Gets the output of a single repeat as far as it has come.
  ///   - finish: Gets the answers as they finish.
  mutating func run(
    _ repeats: [RepeatSeed], width: Int, clock: () -> Double, start: Double,
    isCancelled: () -> Bool, show: ((String) -> Void)? = nil, finish: (BackendAnswer) -> Void
  ) {
    func showOutput() {
      if let show, let lane = lanes.first { show(lane.session.wholeText) }
    }
    var waiting = repeats[...]
    var last = start
    while !isCancelled() {
      while lanes.count < width, let next = waiting.popFirst() { begin(next) }
      if lanes.isEmpty { break }
      showOutput()
      evaluate(wishes())
      let now = clock()
      let share = (now - last) / Double(lanes.count)
      last = now
      for index in lanes.indices { lanes[index].duration += share }
      for answer in finished() { finish(answer) }
    }
    for slot in contents.keys where slot != promptSlot { predictor.rewind(slot: slot, to: 0) }
  }

  private mutating func begin(_ repeatSeed: RepeatSeed) {
    var lane = Lane(
      repeatSeed: repeatSeed, session: makeSession(repeatSeed), slot: promptSlot)
    do {
      _ = try promptLogits.withUnsafeBufferPointer { try lane.session.next(logits: $0) }
    } catch {
      lane.error = error
    }
    lanes.append(lane)
  }

  // MARK: What is wanted

  private mutating func wishes() -> [Wish] {
    var wishes: [Wish] = []
    for index in lanes.indices {
      stopIfFull(index)
      if lanes[index].isDecoding {
        let tokens = lanes[index].session.tokensToEvaluate(limit: room(lanes[index]))
        let slot = lanes[index].slot
        if let same = wishes.firstIndex(where: {
          $0.aside == nil && $0.slot == slot && $0.tokens == tokens
        }) {
          wishes[same].lanes.append(index)
        } else {
          wishes.append(Wish(lanes: [index], slot: slot, tokens: tokens))
        }
      } else if let path = openPath(of: index) {
        if let same = wishes.firstIndex(where: { $0.aside == path }) {
          wishes[same].lanes.append(index)
        } else {
          wishes.append(Wish(lanes: [index], slot: -1, tokens: [], aside: path))
        }
      }
    }
    part(&wishes)
    return wishes
  }

  private mutating func stopIfFull(_ index: Int) {
    let lane = lanes[index]
    guard lane.isDecoding else { return }
    if lane.session.isFinished {
      lanes[index].stop = .complete
    } else if lane.session.tokens.count >= settings.maximumTokens {
      lanes[index].stop = .tokenLimit
    } else if predictor.length(ofSlot: lane.slot) >= predictor.contextLength {
      lanes[index].stop = .contextFull
    }
  }

  private func room(_ lane: Lane) -> Int {
    min(
      Self.longestRun, settings.maximumTokens - lane.session.tokens.count,
      predictor.contextLength - predictor.length(ofSlot: lane.slot))
  }

  /// What a finished lane's decisions still want to know; nil where that is all.
  private mutating func openPath(of index: Int) -> [TokenID]? {
    while lanes[index].error == nil, lanes[index].evaluationsAside < Self.evaluationsAside,
      let path = lanes[index].session.nextOpenPath()
    {
      guard let logits = asides.logits(after: path) else {
        return prompt.tokens.count + path.count < predictor.contextLength ? path : nil
      }
      lanes[index].evaluationsAside += 1
      logits.withUnsafeBufferPointer { lanes[index].session.follow(logits: $0) }
    }
    return nil
  }

  /// Gives every wish a slot of its own, with what is there already.
  ///
  /// Copies come first, while the slots still hold what the wishes begin with; then the first wish
  /// of a slot goes on in it.
  private mutating func part(_ wishes: inout [Wish]) {
    var taken: Set<Int> = [promptSlot]
    for index in wishes.indices where wishes[index].aside == nil {
      let slot = wishes[index].slot
      if taken.insert(slot).inserted { continue }
      let own = takeSlot(copyOf: slot, length: contents[slot]?.count ?? 0)
      wishes[index].slot = own
      for lane in wishes[index].lanes { lanes[lane].slot = own }
    }
    for index in wishes.indices {
      guard let path = wishes[index].aside else { continue }
      var (best, shared) = (promptSlot, 0)
      for (slot, tokens) in contents {
        let count = zip(tokens, path).prefix { $0 == $1 }.count
        if count > shared || count == shared && slot < best { (best, shared) = (slot, count) }
      }
      shared = min(shared, path.count - 1)
      wishes[index].slot = takeSlot(copyOf: best, length: shared)
      wishes[index].tokens = Array(path[shared...])
    }
  }

  private mutating func takeSlot(copyOf source: Int, length: Int) -> Int {
    // There are two slots for each lane: one of its own, and one for looking aside.
    let slot = freeSlots.removeLast()
    predictor.copy(fromSlot: source, toSlot: slot)
    predictor.rewind(slot: slot, to: prompt.tokens.count + length)
    contents[slot] = contents[source].map { Array($0.prefix(length)) }
    return slot
  }

  private mutating func free(_ slot: Int) {
    guard slot != promptSlot, contents.removeValue(forKey: slot) != nil else { return }
    predictor.rewind(slot: slot, to: 0)
    freeSlots.append(slot)
  }

  // MARK: One round

  private mutating func evaluate(_ wishes: [Wish]) {
    if wishes.isEmpty { return }
    let inputs = wishes.map { wish in
      PredictorInput(
        slot: wish.slot, tokens: wish.tokens, wanted: wish.aside == nil ? .all : .last)
    }
    use.add(tokens: inputs.reduce(0) { $0 + $1.tokens.count })
    do {
      try predictor.evaluate(inputs) { entry, _, logits in
        let wish = wishes[entry]
        for lane in wish.lanes { take(logits, wish, lane) }
        if let path = wish.aside { asides.keep(logits, after: path) }
      }
    } catch {
      for lane in wishes.flatMap(\.lanes) { lanes[lane].error = error }
    }
    for wish in wishes {
      if wish.aside == nil {
        contents[wish.slot, default: []] += wish.tokens
      } else {
        use.asideTokens += wish.tokens.count
        free(wish.slot)
      }
    }
  }

  private mutating func take(
    _ logits: UnsafeBufferPointer<Float>, _ wish: Wish, _ index: Int
  ) {
    if wish.aside != nil {
      lanes[index].evaluationsAside += 1
      lanes[index].session.follow(logits: logits)
      return
    }
    guard lanes[index].error == nil else { return }
    do {
      _ = try lanes[index].session.next(logits: logits)
    } catch {
      lanes[index].error = error
    }
  }

  // MARK: The end

  /// Takes the lanes that want nothing more out of the batch.
  private mutating func finished() -> [BackendAnswer] {
    var done: [Int] = []
    for index in lanes.indices {
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

  private mutating func answer(of lane: Lane) -> BackendAnswer {
    let session = lane.session
    var answer = BackendAnswer(
      repeatSeed: lane.repeatSeed, output: session.text, stopReason: lane.stop ?? .failed,
      renderedPrompt: prompt.text, promptTokens: prompt.tokens.count)
    answer.outputTokens = session.tokens.count
    answer.forcedTokens = session.forcedCount
    answer.duration = lane.duration
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
  /// The tokens that go through the layers together, at most.
  private static let tokensOfPass = 64

  /// Counts tokens that are evaluated in one call.
  mutating func add(tokens count: Int) {
    evaluatedTokens += count
    passes += (count + Self.tokensOfPass - 1) / Self.tokensOfPass
  }
}

extension AttemptFailure {
  /// What is wrong with an answer that stopped for a reason; nil where it is complete.
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
