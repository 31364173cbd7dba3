import ConstrainedDecoding
import EvalRecords
import LocalModels
import Tokenization

/// An order whose prompt has not been completely evaluated yet.
struct Arrival {
  let order: LocalOrder
  let prompt: LocalPrompt
  /// The prompt's slot, or `nil` until the prompt has one.
  var held: HeldPrompt?
  /// The time spent on the prompt so far, in seconds.
  var seconds: Double
}

/// The steps of a worker's batch; `CaseBatch` explains lanes, slots and wishes.
///
/// ```
/// step    take orders ─► begin repeats ─► wishes of all batches + a piece of the next prompt
///           ▲                                            │ one evaluation
///           └── finished answers ◄───────────────────────┘
/// ```
extension LocalWorker {
  /// Answers orders until there are none.
  ///
  /// - Parameters:
  ///   - take: Returns the orders to take before a step, given the number of repeats still to be
  ///     answered, or `nil` if there is nothing left to do.
  ///   - threads: Returns the number of threads for the next step.
  ///   - count: Receives the counts of the tokens that a step evaluated, before the orders receive
  ///     their answers.
  func work(
    _ take: (_ load: Int) -> [LocalOrder]?, threads: () -> Int, count: (EvaluationUse) -> Void
  ) {
    timer?.restart()
    while true {
      dropCancelled()
      guard let orders = take(load) else { break }
      for order in orders { accept(order) }
      // The timer measures only this thread, so a profiled worker computes alone.
      predictor.threads = timer == nil ? threads() : 1
      step(count)
    }
  }

  /// The number of repeats still to be answered.
  private var load: Int {
    arrivals.reduce(0) { $0 + $1.order.repeats.count }
      + batches.reduce(0) { $0 + $1.laneCount + $1.waitingCount }
  }

  private func dropCancelled() {
    for arrival in arrivals where arrival.order.isCancelled {
      if let held = arrival.held { prompts.release(held) }
      arrival.order.end()
    }
    arrivals.removeAll { $0.order.isCancelled }
    for batch in batches where batch.order.isCancelled { close(batch) }
    batches.removeAll { $0.order.isCancelled }
  }

  private func close(_ batch: CaseBatch) {
    batch.close()
    prompts.release(batch.held)
    batch.order.end()
  }

  private func accept(_ order: LocalOrder) {
    let start = time()
    guard !order.isCancelled, !order.repeats.isEmpty else { return order.end() }
    timer?.enter(.preparation)
    defer { timer?.enter(.batching) }
    switch prompt(of: order.request) {
    case .success(let prompt):
      arrivals.append(Arrival(order: order, prompt: prompt, seconds: time() - start))
    case .failure(let failure):
      order.fail(failure, renderedPrompt: order.request.prompt)
      order.end()
    }
  }

  // MARK: Joining

  /// Begins to decode repeats whose prompts are ready, as long as there is room.
  private func join() {
    while let arrival = arrivals.first, holdPrompt(), let held = arrivals[0].held, held.isReady {
      arrivals.removeFirst()
      batches.append(
        CaseBatch(
          arrival.order, prompt: arrival.prompt, held: held, promptSeconds: arrival.seconds,
          predictor: predictor, slots: slots,
          tokenization: TokenizationPolicy(
            arrival.order.request.settings.tokenization, model.tokenizer),
          drafts: drafts, encode: { [model] in model.tokenizer.encode($0) }, timer: timer
        ) { [unowned self] in automata.usable($0) })
    }
    for batch in batches {
      while batch.waitingCount > 0, laneCount < limits.width {
        guard makeRoom(for: batch.positionsOfLane) else {
          use.narrow(to: laneCount)
          return
        }
        batch.begin()
      }
    }
  }

  /// Gives the next prompt a slot, and copies the beginning that it shares with another prompt.
  ///
  /// - Returns: False if no prompt is waiting, or if there is no room for the prompt while attempts
  ///   are being decoded.
  private func holdPrompt() -> Bool {
    guard let arrival = arrivals.first else { return false }
    if arrival.held != nil { return true }
    guard makeRoom(for: arrival.prompt.tokens.count + 64) else { return false }
    arrivals[0].held = prompts.hold(arrival.prompt.tokens)
    return true
  }

  private var laneCount: Int { batches.reduce(0) { $0 + $1.laneCount } }

  /// Removes open paths and unused prompts until there is room for the given number of positions,
  /// in addition to the positions that the current attempts may still need.
  ///
  /// - Returns: True if there is room, or if no attempt is being decoded, because a single attempt
  ///   gets whatever it needs.
  private func makeRoom(for positions: Int) -> Bool {
    let toCome = batches.reduce(0) { $0 + $1.positionsToCome }
    while !limits.hasRoom(for: positions + toCome, beside: predictor.bytesInUse) {
      if batches.contains(where: { $0.dropAsides() }) { continue }
      guard prompts.dropOldest() else { return laneCount == 0 }
    }
    return true
  }

  // MARK: One step

  private func step(_ count: (EvaluationUse) -> Void) {
    let start = time()
    join()
    for batch in batches { batch.showOutput() }
    var wishes = batches.map { $0.wishes() }
    addDrafts(to: &wishes)
    var inputs: [PredictorInput] = []
    var owners: [(batch: Int, wish: Int)] = []
    for (batch, wishes) in wishes.enumerated() {
      for (number, wish) in wishes.enumerated() {
        inputs.append(wish.input)
        owners.append((batch, number))
      }
    }
    let piece = pieceOfPrompt(beside: inputs.reduce(0) { $0 + $1.tokens.count })
    if let piece { inputs.append(piece) }
    timer?.enter(.model)
    let failures = evaluate(inputs) { entry, logits in
      if entry == owners.count {
        arrivals[0].held?.logits = Array(logits)
      } else {
        batches[owners[entry].batch].take(
          logits, for: wishes[owners[entry].batch][owners[entry].wish])
      }
    }
    timer?.enter(.batching)
    let total = inputs.reduce(0) { $0 + $1.tokens.count }
    let seconds = total == 0 ? 0 : (time() - start) / Double(total)
    let lanes = laneCount
    for (entry, owner) in owners.enumerated() {
      let wish = wishes[owner.batch][owner.wish]
      if let error = failures[entry] {
        batches[owner.batch].fail(wish, error)
      } else {
        batches[owner.batch].end(wish, companions: lanes, seconds: seconds)
      }
    }
    if let piece { endPiece(piece, failures[owners.count], seconds: seconds) }
    use.addStep(answers: lanes)
    addTimes(
      tokens: total, prompt: piece?.tokens.count ?? 0,
      aside: wishes.joined().reduce(0) { $0 + ($1.aside == nil ? 0 : $1.tokens.count) },
      answers: lanes, from: start)
    handOver(count)
  }

  /// Adds the processor time since the last step to the profile, if time is measured.
  ///
  /// The model evaluates all tokens of a step together, so the method divides the model's time
  /// among prompts, alternatives and answers in proportion to their tokens.
  ///
  /// - Parameters:
  ///   - tokens: The number of tokens that the step evaluated.
  ///   - prompt: The number of these tokens that belong to a prompt.
  ///   - aside: The number of these tokens that belong to alternatives.
  ///   - answers: The number of answers that were being decoded.
  ///   - start: The time at which the step began.
  private func addTimes(tokens: Int, prompt: Int, aside: Int, answers: Int, from start: Double) {
    guard let timer else { return }
    let seconds = timer.takeSeconds()
    var profile = TimeProfile()
    let perToken = tokens == 0 ? 0 : (seconds[.model] ?? 0) / Double(tokens)
    profile[.prompts] = perToken * Double(prompt)
    profile[.alternatives] = perToken * Double(aside)
    profile[.answers] = perToken * Double(tokens - prompt - aside)
    profile[.preparation] = seconds[.preparation] ?? 0
    profile[.masks] = seconds[.masks] ?? 0
    profile[.sampling] = seconds[.sampling] ?? 0
    profile[.decisions] = seconds[.decisions] ?? 0
    profile[.batching] = seconds[.batching] ?? 0
    var widths = BatchWidths()
    widths.add(answers: answers, from: start, to: time())
    profile.widths = widths
    use.profile = use.profile.map { $0 + profile } ?? profile
  }

  /// Adds drafts to a step.
  ///
  /// Drafts that are usually right go into every step. Other drafts go only into narrow steps, and
  /// only if no prompt is waiting.
  private func addDrafts(to wishes: inout [[CaseBatch.Wish]]) {
    guard drafts != nil else { return }
    let count = wishes.joined().count
    let tokens = wishes.joined().reduce(0) { $0 + $1.tokens.count }
    let isNarrow = arrivals.isEmpty && count > 0 && tokens < DraftTrust.narrowStep
    let room = isNarrow ? (DraftTrust.narrowStep - tokens) / count : 0
    for index in batches.indices {
      batches[index].addDrafts(to: &wishes[index], roomForGuesses: room)
    }
    var excess = EvaluationUse.excess(
      ofDrafts: wishes.joined().reduce(0) { $0 + $1.drafted }, beside: tokens)
    // Shorten the drafts of the newest batches first. The oldest batches usually need the most
    // steps, so they keep their drafts.
    for index in wishes.indices.reversed() where excess > 0 {
      for wish in wishes[index].indices.reversed() {
        wishes[index][wish].shortenDraft(by: &excess)
      }
    }
  }

  /// Returns the next piece of the first prompt that isn't completely evaluated, or `nil` if there
  /// is none.
  private func pieceOfPrompt(beside tokens: Int) -> PredictorInput? {
    guard holdPrompt(), let held = arrivals[0].held, !held.isReady else { return nil }
    // Fill the step up to a multiple of the tokens that pass through the layers together. If that
    // leaves room for only a few tokens, add another full pass.
    let columns = EvaluationUse.tokensOfPass
    let rest = columns - tokens % columns
    let length = rest < columns / 4 ? rest + columns : rest
    let end = min(held.tokens.count, held.evaluated + length)
    return PredictorInput(
      slot: held.slot, tokens: Array(held.tokens[held.evaluated..<end]),
      wanted: end == held.tokens.count ? .last : .none)
  }

  private func endPiece(_ piece: PredictorInput, _ error: PredictorError?, seconds: Double) {
    guard let held = arrivals[0].held else { return }
    if let error {
      let arrival = arrivals.removeFirst()
      prompts.release(held)
      arrival.order.fail(
        AttemptFailure(kind: .backend, message: String(describing: error)),
        renderedPrompt: arrival.prompt.text)
      arrival.order.end()
    } else {
      held.evaluated += piece.tokens.count
      arrivals[0].seconds += seconds * Double(piece.tokens.count)
    }
  }

  /// Evaluates inputs together, or one by one if the predictor rejects one of them.
  ///
  /// - Returns: The errors, keyed by the index of the input.
  private func evaluate(
    _ inputs: [PredictorInput],
    receive: (_ entry: Int, _ logits: UnsafeBufferPointer<Float>) -> Void
  ) -> [Int: PredictorError] {
    if inputs.isEmpty { return [:] }
    use.add(tokens: inputs.reduce(0) { $0 + $1.tokens.count })
    do {
      try predictor.evaluate(inputs) { entry, _, logits in receive(entry, logits) }
      return [:]
    } catch {
      // Nothing has been evaluated, because the predictor checks all inputs first.
    }
    var failures: [Int: PredictorError] = [:]
    for (number, input) in inputs.enumerated() {
      do {
        try predictor.evaluate([input]) { _, _, logits in receive(number, logits) }
      } catch {
        failures[number] = error
      }
    }
    return failures
  }

  /// Delivers the finished answers.
  private func handOver(_ count: (EvaluationUse) -> Void) {
    let answers = batches.map { $0.finished() }
    for batch in batches { use = use + batch.takeUse() }
    count(use)
    use = EvaluationUse()
    for (batch, answers) in zip(batches, answers) {
      for answer in answers {
        let isMasked = batch.order.request.settings.mask == .on
        batch.order.finish(isMasked ? answer : answer.checked(against: batch.prompt.schema))
      }
    }
    for batch in batches where batch.isDone { close(batch) }
    batches.removeAll { $0.isDone }
  }
}
