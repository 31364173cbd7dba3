import StructuredText
import Tokenization

/// Records the decisions of one answer, token by token.
///
/// A decision is made at a byte, but the tokens that make it may begin before that byte. So the
/// recorder keeps a *lane* for each decision, which collects the probabilities of the options over
/// several steps. A lane begins at the first step at which the text up to the decision is settled
/// (see `Decision`) or some legal token can pass the decision:
///
/// ```
/// text so far {"cards     the array's decision comes after ":[
///
///   step   token   mass   its effect on the lane
///   4                     missing bytes: ":[
///          ":[]    0.2    passes the place with ]: decides end              0.2
///          ":[{    0.3    passes it with {: decides element                 0.3
///          ":[     0.1    ends at the place: open
///          ":      0.4    ends before it: open, and sampled
///   5                     missing byte: [
///          []      0.5    decides end                         0.4 · 0.5  =  0.2
///          [{      0.5    decides element, and sampled        0.4 · 0.5  =  0.2
///
///   end 0.4   element 0.5   open 0.1     masked: 0.44 and 0.56, unresolved 0.1
/// ```
///
/// Any tokens, with any optional white space, may spell the missing bytes (`DecisionApproach`). So
/// a decision's probabilities don't depend on the tokens and the white space that this answer
/// happened to use. `followed` is the mass of the tokens sampled since the lane began (0.4 after
/// step 4). If the text continues with a byte other than the lane's next missing byte, the recorder
/// drops the lane.
struct DecisionRecorder {
  private struct Lane {
    var site: UInt32
    /// The number of output bytes before the lane, not counting optional white space.
    var start: Int
    /// The number of output bytes before the decision, not counting optional white space.
    var position: Int
    /// The number of bytes since the lane began before each of the answer's tokens, not counting
    /// optional white space.
    var lengths: [Int] = []
    /// The text's progress toward or through the decision.
    var state: DecisionProgress
    var path = ""
    var index = 0
    /// The mass of each option so far.
    var decided: [Mass]
    var open = Mass()
    /// The heaviest paths that were not sampled and that leave the decision open.
    var paths = OpenPaths()
    /// The mass of the whole sequence of tokens that was sampled since the lane began.
    var followed = Mass.one
    /// The format pressure since the lane began.
    var formatPressure = 0.0

    var isReached: Bool { !state.isApproaching }

    /// The share of the masked or of the sampled mass that belongs to no option, whichever is
    /// larger.
    var unresolved: Double { open.share(of: whole) }

    /// The mass of all ways to the decision.
    var whole: Mass {
      var sum = open
      for mass in decided { sum.add(mass, times: .one) }
      return sum
    }

    /// Returns the likely number of evaluations until a path settles the decision: as many as the
    /// answer needed for the rest of the way.
    func evaluations(after path: OpenPath) -> Int {
      max(1, lengths.count { $0 >= path.length })
    }
  }

  /// The total probability of the tokens with unknown logits.
  ///
  /// The caller sets it before each call of `record` (for the step to record) and of `follow` (for
  /// the token after an open path).
  var unlisted = 0.0

  /// Whether an open path with the same tokens would have the same mask as the step to record; the
  /// caller sets it before each call of `record`.
  var isShareable = true

  private let automaton: TokenAutomaton
  private var lanes: [Lane] = []
  private(set) var decisions: [Decision] = []
  /// The lanes of past decisions that still have open paths, keyed by index in `decisions`.
  private var closed: [Int: Lane] = [:]
  /// The open paths that are followed together; empty if none are.
  private var round: [OpenPathRequest] = []
  /// The number of open paths followed so far.
  private var followedCount = 0
  /// The known spreads, or nil to remember none.
  private let memory: SpreadMemory?
  /// The number of output bytes so far, not counting optional white space.
  private var position = 0
  private let measuresFormat: Bool

  /// Creates a recorder.
  ///
  /// - Parameters:
  ///   - automaton: The automaton.
  ///   - measuresFormat: Whether the caller passes the format pressure of each step.
  ///   - memory: The known spreads, or nil to remember none.
  init(
    _ automaton: TokenAutomaton, measuresFormat: Bool = false, memory: SpreadMemory? = nil
  ) {
    self.automaton = automaton
    self.measuresFormat = measuresFormat
    self.memory = memory
    addLanes(at: automaton.start, tracker: JSONPlaceTracker())
  }

  /// Records one step.
  ///
  /// - Parameters:
  ///   - token: The chosen token.
  ///   - configuration: The configuration before the token.
  ///   - tokens: The answer's tokens before the token.
  ///   - distribution: The probabilities at the step.
  ///   - formatPressure: The format pressure of the step.
  ///   - tracker: The path tracker before the token; the method advances it past the token.
  mutating func record(
    token: TokenID, from configuration: TokenAutomaton.Configuration, after tokens: [TokenID],
    distribution: TokenDistribution, formatPressure: Double, tracker: inout JSONPlaceTracker
  ) {
    let bytes = automaton.table.tokens.bytes(of: token)
    let step = tokens.count
    let measure = Measure(distribution: distribution)
    let point = Point(place: configuration, step: step, token: token)
    addCrossedLanes(point)
    addLanesBehind(bytes, point)
    for index in lanes.indices {
      collect(&lanes[index], point, after: tokens, measure)
      lanes[index].formatPressure += formatPressure
    }
    var place = configuration
    for byte in bytes {
      tracker.feed(byte)
      if !automaton.isLayout(byte, at: place) { position += 1 }
      place = automaton.successor(place, byte)
      advance(byte, step: step, tracker: tracker)
    }
    addLanes(at: place, tracker: tracker)
  }

  /// Records a step that chose an end token.
  ///
  /// - Parameters:
  ///   - token: The end token.
  ///   - configuration: The configuration before the token.
  ///   - tokens: The answer's tokens before the end token.
  ///   - distribution: The probabilities at the step.
  mutating func recordEnd(
    token: TokenID, at configuration: TokenAutomaton.Configuration, after tokens: [TokenID],
    distribution: TokenDistribution
  ) {
    let measure = Measure(distribution: distribution)
    let point = Point(place: configuration, step: tokens.count, token: token)
    for index in lanes.indices { collect(&lanes[index], point, after: tokens, measure) }
    closeAll(step: tokens.count)
  }

  /// Ends the recording.
  ///
  /// If a decision is still open, no text can tell its options apart any more. In that case, the
  /// first complete option counts as taken.
  mutating func finish(step: Int) {
    for index in lanes.indices where lanes[index].isReached {
      if let option = optionAtEnd(lanes[index]) {
        lanes[index].decided[option].add(.one, times: lanes[index].followed)
      }
    }
    closeAll(step: step)
  }

  /// Records the decisions that a limit left open: those that the text has reached, and those that
  /// it must reach next.
  ///
  /// They have no chosen option.
  /// Without them, the recorded decisions would be a biased sample, because an option that takes
  /// fewer tokens is decided more often before the limit. At each place, only the first decision
  /// counts, because the others may depend on it.
  ///
  /// - Parameters:
  ///   - configuration: The configuration after the answer's last token.
  ///   - step: The number of the answer's tokens.
  ///   - tracker: The path tracker after the last token.
  mutating func cut(
    at configuration: TokenAutomaton.Configuration, step: Int, tracker: JSONPlaceTracker
  ) {
    var positions: Set<Int> = []
    for var lane in lanes {
      if case .approaching(let approach) = lane.state {
        guard let text = automaton.settledText(at: configuration),
          text.sites.contains(lane.site), text.bytes.count == approach.missing.count
        else { continue }
        var ahead = tracker
        for byte in approach.missing { ahead.feed(byte) }
        place(&lane, automaton.site(lane.site), ahead)
      }
      guard positions.insert(lane.position).inserted else { continue }
      lane.open.add(lane.followed, times: .one)
      lane.paths.add(lane.followed) {
        OpenPath(
          step: step, tokens: [], mass: lane.followed, length: position - lane.start,
          place: configuration, state: lane.state)
      }
      close(lane, chosen: nil, step: step)
    }
    lanes = []
  }

  private mutating func closeAll(step: Int) {
    for lane in lanes where lane.isReached {
      guard let option = optionAtEnd(lane) else { continue }
      close(lane, chosen: option, step: step)
    }
    lanes = []
  }

  // MARK: Collecting mass

  private struct Measure {
    let distribution: TokenDistribution

    func mass(of token: TokenID, rawScale: Double) -> Mass {
      let masked = distribution.maskedProbability(of: token)
      return Mass(
        raw: masked * distribution.keptMass * rawScale, masked: masked,
        sampled: distribution.sampledProbability(of: token))
    }

    func mass(of tokens: [TokenID], rawScale: Double) -> Mass {
      var sum = Mass()
      for token in tokens { sum.add(mass(of: token, rawScale: rawScale), times: .one) }
      return sum
    }

    /// Returns the factor that turns the raw probabilities of tokens that begin before a decision
    /// into probabilities given that the text reaches the decision.
    func rawScale(_ classification: Classification, _ state: DecisionProgress) -> Double {
      guard state.isApproaching else { return 1 }
      var sum = 0.0
      func add(_ tokens: [TokenID]) {
        for token in tokens { sum += distribution.rawProbability(of: token) }
      }
      add(classification.open)
      for tokens in classification.deciding { add(tokens) }
      add(classification.beyond)
      return sum > 0 ? 1 / sum : 0
    }
  }

  /// One step: its number, the configuration before the step, and the chosen token.
  private struct Point {
    var place: TokenAutomaton.Configuration
    var step: Int
    var token: TokenID
  }

  private func optionAtEnd(_ lane: Lane) -> Int? { optionAtEnd(lane.state) }

  private func optionAtEnd(_ state: DecisionProgress) -> Int? {
    if case .open(let front) = state { automaton.optionAtEnd(of: front) } else { nil }
  }

  private func collect(
    _ lane: inout Lane, _ point: Point, after tokens: [TokenID], _ measure: Measure
  ) {
    let length = position - lane.start
    let way = OpenPath(
      step: point.step, tokens: [], mass: lane.followed, length: length, place: point.place,
      state: lane.state)
    lane.lengths.append(length)
    let spread = spread(lane.site, lane.state, measure, keeping: point.token)
    if isShareable { memory?.add(spread, after: tokens, site: lane.site, lane.state) }
    add(spread, after: way, to: &lane, without: point.token)
    lane.open.add(unlistedMass(measure), times: lane.followed)
    lane.followed.multiply(by: measure.mass(of: point.token, rawScale: spread.scale))
  }

  /// Returns the mass of the tokens with unknown logits.
  private func unlistedMass(_ measure: Measure) -> Mass {
    guard unlisted > 0, measure.distribution.keptMass > 0 else { return Mass() }
    // Masked probabilities are relative to the legal mass of the known logits, so divide the
    // unlisted probability by the same mass.
    let amount = unlisted / measure.distribution.keptMass
    return Mass(raw: 0, masked: amount, sampled: amount)
  }

  /// Returns the mass of each token that can come next, by its effect on a decision.
  ///
  /// - Parameter chosen: A token to list even if it is unlikely, or nil if there is none.
  private func spread(
    _ site: UInt32, _ state: DecisionProgress, _ measure: Measure, keeping chosen: TokenID? = nil
  ) -> Spread {
    let classification = automaton.classification(of: site, from: state)
    let scale = measure.rawScale(classification, state)
    var result = Spread(
      decided: classification.deciding.map { measure.mass(of: $0, rawScale: scale) }, scale: scale)
    if let option = optionAtEnd(state) {
      result.decided[option].add(
        measure.mass(of: automaton.table.endTokens, rawScale: scale), times: .one)
    }
    for token in classification.open {
      let mass = measure.mass(of: token, rawScale: scale)
      if mass.weight >= OpenPaths.leastWeight || token == chosen {
        result.open.append((token, mass))
      } else {
        result.rest.add(mass, times: .one)
      }
    }
    return result
  }

  /// Adds to a lane the mass of each token that can come after a path.
  ///
  /// If a token settles the decision, the token's mass goes to the option that the token selects.
  /// Otherwise, it goes to `lane.open`, the mass that belongs to no option yet.
  ///
  /// - Parameter chosen: The sampled token, or nil if there is none. If this token leaves the
  ///   decision open, its mass isn't added to `lane.open`, because the tokens sampled after it will
  ///   settle the decision.
  private func add(
    _ spread: Spread, after way: OpenPath, to lane: inout Lane, without chosen: TokenID?
  ) {
    for (option, mass) in spread.decided.enumerated() {
      lane.decided[option].add(mass, times: way.mass)
    }
    lane.open.add(spread.rest, times: way.mass)
    let site = automaton.site(lane.site)
    for (token, share) in spread.open where token != chosen {
      var mass = Mass()
      mass.add(share, times: way.mass)
      lane.open.add(mass, times: .one)
      lane.paths.add(mass) {
        var (place, state, length) = (way.place, way.state, way.length)
        for byte in automaton.table.tokens.bytes(of: token) {
          if !automaton.isLayout(byte, at: place) { length += 1 }
          place = automaton.successor(place, byte)
          state = automaton.advance(state, byte, site)
        }
        return OpenPath(
          step: way.step, tokens: way.tokens + [token], mass: mass, length: length, place: place,
          state: state)
      }
    }
  }

  // MARK: Lanes

  /// Returns whether the decision at a position already has a lane.
  private func hasLane(_ site: UInt32, at position: Int) -> Bool {
    lanes.contains { $0.site == site && $0.position == position }
  }

  /// Begins a lane for a decision that comes after some more bytes, unless the decision already has
  /// a lane.
  ///
  /// - Parameters:
  ///   - missing: The bytes before the decision that are still to come, without optional white
  ///     space.
  ///   - configuration: The configuration before the missing bytes.
  private mutating func addLane(
    _ site: UInt32, missing: [UInt8], from configuration: TokenAutomaton.Configuration
  ) {
    guard !missing.isEmpty, !hasLane(site, at: position + missing.count) else { return }
    let approach = DecisionApproach(missing: missing[...], configuration: configuration)
    let names = automaton.site(site).names
    lanes.append(
      Lane(
        site: site, start: position, position: position + missing.count,
        state: .approaching(approach),
        decided: [Mass](repeating: Mass(), count: names.count)))
  }

  /// Begins a lane for each crossing along the sampled token (`crossings(from:along:)`).
  private mutating func addCrossedLanes(_ point: Point) {
    for crossing in automaton.crossings(from: point.place, along: point.token) {
      addLane(
        crossing.site, missing: settled(crossing.prefix, from: point.place), from: point.place)
    }
  }

  /// Begins lanes for decisions that must come after some place inside the token, because the text
  /// from there to the decision is settled.
  ///
  /// For example, after a string's closing quote, there is sometimes only one possible text up to
  /// the next decision.
  private mutating func addLanesBehind(_ bytes: ArraySlice<UInt8>, _ point: Point) {
    var place = point.place
    var before: [UInt8] = []
    for byte in bytes.dropLast() {
      if !automaton.isLayout(byte, at: place) { before.append(byte) }
      place = automaton.successor(place, byte)
      guard let text = automaton.settledText(at: place) else { continue }
      for site in text.sites { addLane(site, missing: before + text.bytes, from: point.place) }
    }
  }

  /// Returns the given bytes without the optional white space.
  private func settled(
    _ bytes: [UInt8], from configuration: TokenAutomaton.Configuration
  ) -> [UInt8] {
    var place = configuration
    return bytes.filter { byte in
      defer { place = automaton.successor(place, byte) }
      return !automaton.isLayout(byte, at: place)
    }
  }

  /// Begins lanes for the decisions right after the last token, and for those that must come later
  /// because the text from there to the decision is settled.
  private mutating func addLanes(
    at configuration: TokenAutomaton.Configuration, tracker: JSONPlaceTracker
  ) {
    for number in automaton.sites(at: configuration) where !hasLane(number, at: position) {
      let site = automaton.site(number)
      var lane = Lane(
        site: number, start: position, position: position,
        state: .open(DecisionFront(options: site.options, whole: configuration)),
        decided: [Mass](repeating: Mass(), count: site.names.count))
      place(&lane, site, tracker)
      lanes.append(lane)
    }
    if let text = automaton.settledText(at: configuration) {
      for site in text.sites { addLane(site, missing: text.bytes, from: configuration) }
    }
  }

  private func place(_ lane: inout Lane, _ site: DecisionSite, _ tracker: JSONPlaceTracker) {
    switch site.kind {
    case .array:
      lane.path = tracker.containerPath
      lane.index = tracker.elementCount
    case .optional where site.member != nil:
      lane.path = tracker.containerPath + JSONPlace.Step.name(site.member ?? "").text
    default: lane.path = tracker.valuePath
    }
  }

  private mutating func advance(_ byte: UInt8, step: Int, tracker: JSONPlaceTracker) {
    var kept = 0
    for index in lanes.indices {
      var lane = lanes[index]
      let site = automaton.site(lane.site)
      let wasReached = lane.isReached
      switch automaton.advance(lane.state, byte, site) {
      case .left: continue
      case .decided(let option, _):
        close(lane, chosen: option, step: step)
        continue
      case let state: lane.state = state
      }
      if !wasReached, lane.isReached { place(&lane, site, tracker) }
      lanes[kept] = lane
      kept += 1
    }
    lanes.removeSubrange(kept...)
  }

  private mutating func close(_ lane: Lane, chosen: Int?, step: Int) {
    if !lane.paths.isEmpty { closed[decisions.count] = lane }
    decisions.append(decision(of: lane, chosen: chosen, step: step))
  }

  private func decision(of lane: Lane, chosen: Int?, step: Int) -> Decision {
    let site = automaton.site(lane.site)
    let masked = lane.decided.reduce(0) { $0 + $1.masked }
    let sampled = lane.decided.reduce(0) { $0 + $1.sampled }
    func share(_ part: Double, of whole: Double) -> Double { whole > 0 ? part / whole : 0 }
    let options = lane.decided.enumerated().map { index, mass in
      Decision.OptionProbability(
        option: site.names[index], raw: mass.raw, masked: share(mass.masked, of: masked),
        sampled: share(mass.sampled, of: sampled))
    }
    return Decision(
      kind: site.kind, path: lane.path, index: lane.index, options: options, chosen: chosen,
      step: step, unresolved: lane.unresolved,
      formatPressure: measuresFormat ? lane.formatPressure : nil)
  }

  // MARK: Open paths

  /// Returns the sequences of tokens after which the recorder needs logits next.
  ///
  /// The tokens lead along the open paths that promise the most: those with the largest share of a
  /// decision's mass, divided by the likely number of evaluations that they still need. The paths
  /// of a *round* are chosen together, and what follows them is added together. Until `follow` has
  /// received the logits of all of them, the method returns the rest of the round. If the memory
  /// knows what comes after a path, the path needs no logits.
  ///
  /// - Parameters:
  ///   - tokens: The answer's tokens.
  ///   - budget: The limits on following open paths. Paths that the memory knows count as well, so
  ///     the result doesn't depend on other answers.
  /// - Returns: For each path, the answer's tokens up to the point where the path branches off,
  ///   followed by the path's own tokens; empty if no decision that needs evaluations has an open
  ///   path.
  mutating func nextOpenPaths(tokens: [TokenID], budget: OpenPathBudget) -> [[TokenID]] {
    while true {
      let waiting = round.filter { $0.spreads == nil }
      if !waiting.isEmpty { return waiting.map { $0.path.whole(after: tokens) } }
      settleRound()
      takeRound(budget, tokens)
      if round.isEmpty { return [] }
    }
  }

  /// Moves the most promising paths to `round`, and looks up what the memory knows about them.
  private mutating func takeRound(_ budget: OpenPathBudget, _ tokens: [TokenID]) {
    var taken: [Int: Mass] = [:]
    while round.count < budget.together, let best = takeBest(budget, tokens.count, taken) {
      var request = OpenPathRequest(path: best)
      for number in closed.keys.sorted() {
        guard let path = closed[number]?.paths.remove(like: best) else { continue }
        request.sharers.append((number, path))
        taken[number, default: Mass()].add(path.mass, times: .one)
      }
      if let memory {
        let before = best.whole(after: tokens)
        let known = request.sharers.map { number, path in
          closed[number].flatMap { memory.spread(after: before, site: $0.site, path.state) }
        }
        if known.allSatisfy({ $0 != nil }) { request.spreads = known }
      }
      round.append(request)
    }
  }

  /// Returns the most promising path, or nil if no decision that needs evaluations has an open path
  /// for which the budget is likely to suffice.
  ///
  /// - Parameter taken: The mass that each decision's paths in this round have. At best, they leave
  ///   nothing of it open.
  private mutating func takeBest(
    _ budget: OpenPathBudget, _ length: Int, _ taken: [Int: Mass]
  ) -> OpenPath? {
    var best: (path: OpenPath, gain: Double)?
    for number in closed.keys.sorted() {
      guard let lane = closed[number] else { continue }
      let whole = lane.whole
      var open = lane.open
      if let taken = taken[number] { open.subtract(taken) }
      let unresolved = open.share(of: whole)
      let left = budget.limit(unresolved: unresolved, length: length) - Double(followedCount)
      if left < 1 { continue }
      for path in lane.paths.paths {
        let count = Double(lane.evaluations(after: path))
        let gain = path.mass.share(of: whole) / count
        if gain > best?.gain ?? 0, count <= left { best = (path, gain) }
      }
    }
    if best != nil { followedCount += 1 }
    return best?.path
  }

  /// Takes the logits after an open path of the round, and updates the decisions once the logits of
  /// all paths of the round are known.
  ///
  /// - Parameters:
  ///   - whole: The tokens that `nextOpenPaths` returned for the path.
  ///   - tokens: The answer's tokens.
  ///   - settings: The sampling settings of the answer.
  ///   - narrowing: The narrowing that applies to the answer's masks.
  ///   - logits: The logits.
  /// - Returns: The probability that the mask kept; nil if no path was followed.
  mutating func follow(
    _ whole: [TokenID], tokens: [TokenID], settings: SamplingSettings, narrowing: MaskNarrowing,
    logits: UnsafeBufferPointer<Float>
  ) -> Double? {
    guard
      let index = round.firstIndex(where: {
        $0.spreads == nil && $0.path.whole(after: tokens) == whole
      })
    else { return nil }
    // If the path can't be followed, its mass stays open.
    round[index].spreads = []
    defer { if round.allSatisfy({ $0.spreads != nil }) { settleRound() } }
    let path = round[index].path
    guard logits.count == automaton.table.tokenCount, path.place != TokenAutomaton.dead,
      narrowing.fill(
        automaton, at: path.place, after: whole, logits: logits, settings: settings) != nil
    else { return nil }
    let measure = Measure(distribution: automaton.distribution)
    let spreads = round[index].sharers.map { number, path in
      closed[number].map { spread($0.site, path.state, measure) }
    }
    // If the automaton exceeded a limit, masks and tokens may be incomplete.
    guard automaton.exceeded == nil else { return nil }
    round[index].spreads = spreads
    round[index].unlisted = unlistedMass(measure)
    for ((number, path), spread) in zip(round[index].sharers, spreads) {
      guard let spread, let site = closed[number]?.site else { continue }
      memory?.add(spread, after: whole, site: site, path.state)
    }
    return automaton.distribution.keptMass
  }

  /// Distributes the open mass of the round's paths over the tokens that can come after the paths.
  private mutating func settleRound() {
    for request in round {
      for ((number, path), spread) in zip(request.sharers, request.spreads ?? []) {
        guard let spread, var lane = closed[number] else { continue }
        lane.open.add(request.unlisted, times: path.mass)
        lane.open.subtract(path.mass)
        add(spread, after: path, to: &lane, without: nil)
        closed[number] = lane
        let known = decisions[number]
        decisions[number] = decision(of: lane, chosen: known.chosen, step: known.step)
      }
    }
    round = []
    closed = closed.filter { !$0.value.paths.isEmpty }
  }
}
