import Tokenization

/// Follows the decisions of one answer, token by token.
///
/// A decision stands at a byte; the tokens that take it may begin before that byte. So each
/// decision that some legal token can pass has a *lane*, from the first step on at which one does:
///
/// ```
/// text so far {"cards     the array's decision stands after ":[
///
///   step   token   mass   what it is to the lane
///   4                     missing are ":[
///          ":[]    0.2    passes the place by ]: decides end                0.2
///          ":[{    0.3    passes it by {: decides element                   0.3
///          ":[     0.1    ends at the place: open
///          ":      0.4    ends before it: open, and sampled
///   5                     missing is [
///          []      0.5    decides end                         0.4 · 0.5  =  0.2
///          [{      0.5    decides element, and sampled        0.4 · 0.5  =  0.2
///
///   end 0.4   element 0.5   open 0.1     masked: 0.44 and 0.56, unresolved 0.1
/// ```
///
/// `missing` are the bytes up to the place, `followed` is the mass of the tokens sampled since the
/// lane began (0.4), `front` what is open beyond the place. A *crossing* is what the automaton
/// knows of a lane before it begins: which bytes lead to a site from here, and the tokens beyond
/// them. A lane whose next byte is not the text's is dropped.
struct DecisionRecorder {
  private struct Lane {
    var site: UInt32
    /// The decision's place in the output.
    var position: Int
    /// The bytes up to there; empty once it is reached.
    var missing: ArraySlice<UInt8>
    var front: DecisionFront
    var path = ""
    var index = 0
    /// Mass by option.
    var decided: [Mass]
    var open = Mass()
    /// The likelier ones of the tokens that left the decision open and were not sampled.
    var paths = OpenPaths()
    /// The mass of the tokens that were sampled since the lane began.
    var followed = Mass.one
    /// The raw mass of the tokens that agree with the missing bytes, at the first step.
    var rawTotal = 1.0

    var isReached: Bool { missing.isEmpty }
  }

  private let automaton: TokenAutomaton
  private var lanes: [Lane] = []
  private(set) var decisions: [Decision] = []
  /// The lanes of decisions that have open paths, by the decision's number.
  private var closed: [Int: Lane] = [:]
  /// The path whose logits were asked for, with its decision's number.
  private var asked: (number: Int, path: OpenPath)?

  init(_ automaton: TokenAutomaton) {
    self.automaton = automaton
    addReachedLanes(at: automaton.start, position: 0, tracker: PathTracker())
  }

  /// Takes in one step.
  ///
  /// - Parameters:
  ///   - token: The token that was chosen.
  ///   - configuration: The place before it.
  ///   - position: The number of bytes before it.
  ///   - step: The number of tokens before it.
  ///   - distribution: The probabilities at the step.
  ///   - tracker: The path tracker before the token; afterwards behind it.
  mutating func record(
    token: TokenID, from configuration: TokenAutomaton.Configuration, position: Int, step: Int,
    distribution: TokenDistribution, tracker: inout PathTracker
  ) {
    let bytes = automaton.table.tokens.bytes(of: token)
    let measure = Measure(distribution: distribution)
    let point = Point(place: configuration, step: step, token: token)
    for index in lanes.indices { collect(&lanes[index], point, measure) }
    addLanes(position: position, point, measure)
    var place = configuration
    for byte in bytes {
      tracker.feed(byte)
      place = automaton.successor(place, byte)
      advance(byte, step: step, tracker: tracker)
    }
    let chosen = measure.mass(of: token)
    for index in lanes.indices { lanes[index].followed.multiply(by: chosen) }
    addReachedLanes(at: place, position: position + bytes.count, tracker: tracker)
  }

  /// Takes in a step at which an end token was chosen.
  ///
  /// - Parameters:
  ///   - token: The end token.
  ///   - configuration: The place.
  ///   - step: The number of tokens before it.
  ///   - distribution: The probabilities at the step.
  mutating func recordEnd(
    token: TokenID, at configuration: TokenAutomaton.Configuration, step: Int,
    distribution: TokenDistribution
  ) {
    let measure = Measure(distribution: distribution)
    let point = Point(place: configuration, step: step, token: token)
    for index in lanes.indices { collect(&lanes[index], point, measure) }
    closeAll(step: step)
  }

  /// Takes in that nothing can follow: what is open now can't be told apart any more.
  mutating func finish(step: Int) {
    for index in lanes.indices where lanes[index].isReached {
      if let option = automaton.optionAtEnd(of: lanes[index].front) {
        lanes[index].decided[option].add(.one, times: lanes[index].followed)
      }
    }
    closeAll(step: step)
  }

  private mutating func closeAll(step: Int) {
    for lane in lanes where lane.isReached {
      guard let option = automaton.optionAtEnd(of: lane.front) else { continue }
      close(lane, chosen: option, step: step)
    }
    lanes = []
  }

  // MARK: Collecting mass

  private struct Measure {
    let distribution: TokenDistribution

    func mass(of token: TokenID) -> Mass {
      let masked = distribution.maskedProbability(of: token)
      return Mass(
        raw: masked * distribution.keptMass, masked: masked,
        sampled: distribution.sampledProbability(of: token))
    }

    func mass(of tokens: [TokenID]) -> Mass {
      var sum = Mass()
      for token in tokens { sum.add(mass(of: token), times: .one) }
      return sum
    }
  }

  /// Where a step stands, and the token that it chose.
  private struct Point {
    var place: TokenAutomaton.Configuration
    var step: Int
    var token: TokenID
  }

  /// What the tokens at a step do to a decision.
  private struct Effects {
    var classification: Classification
    /// Tokens that end before the decision's place or at it.
    var nearer: [TokenID] = []
    /// The option to which the decision falls where the text ends here.
    var atEnd: Int?

    func forEachOpen(_ body: (TokenID) -> Void) {
      classification.open.forEach(body)
      nearer.forEach(body)
    }
  }

  private func effects(
    _ site: UInt32, _ front: DecisionFront, missing: ArraySlice<UInt8>
  ) -> Effects {
    if missing.isEmpty {
      return Effects(
        classification: automaton.classification(of: site, front: front),
        atEnd: automaton.optionAtEnd(of: front))
    }
    let trie = automaton.table.trie
    var result = Effects(classification: Classification(deciding: []))
    if let node = trie.find(missing) {
      result.classification = automaton.classification(
        of: Crossing(
          prefix: Array(missing), trieNode: node, site: site, configuration: front.whole))
    }
    var node = 0
    for byte in missing {
      guard let child = trie.child(of: node, byte) else { break }
      node = child
      trie.forEachValue(trie.nodes[node].value) { result.nearer.append($0) }
    }
    return result
  }

  /// Adds the mass of the tokens that decide to the options of a lane.
  private func decide(
    _ lane: inout Lane, _ effects: Effects, _ measure: Measure, times factor: Mass
  ) {
    for (option, tokens) in effects.classification.deciding.enumerated() where !tokens.isEmpty {
      lane.decided[option].add(measure.mass(of: tokens), times: factor)
    }
    if let option = effects.atEnd {
      lane.decided[option].add(measure.mass(of: automaton.table.endTokens), times: factor)
    }
  }

  private func collect(_ lane: inout Lane, _ point: Point, _ measure: Measure) {
    let effects = effects(lane.site, lane.front, missing: lane.missing)
    decide(&lane, effects, measure, times: lane.followed)
    effects.forEachOpen { token in
      if token == point.token { return }
      var mass = Mass()
      mass.add(measure.mass(of: token), times: lane.followed)
      lane.open.add(mass, times: .one)
      let (missing, front) = (lane.missing, lane.front)
      lane.paths.add(mass) {
        OpenPath(
          step: point.step, tokens: [token], mass: mass, place: point.place, missing: missing,
          front: front)
      }
    }
  }

  // MARK: Lanes

  /// Begins lanes at sites that the token passes, or that lie behind it and that other tokens of
  /// this step pass.
  private mutating func addLanes(
    position: Int, _ point: Point, _ measure: Measure
  ) {
    for crossing in automaton.crossings(from: point.place, along: point.token) {
      let place = position + crossing.prefix.count
      if lanes.contains(where: { $0.site == crossing.site && $0.position == place }) { continue }
      let site = automaton.site(crossing.site)
      var lane = Lane(
        site: crossing.site, position: place, missing: crossing.prefix[...],
        front: DecisionFront(options: site.options, whole: crossing.configuration),
        decided: [Mass](repeating: Mass(), count: site.names.count))
      lane.rawTotal = rawMass(agreeingWith: crossing, measure)
      collect(&lane, point, measure)
      lanes.append(lane)
    }
  }

  /// The raw mass of the tokens that are part of the bytes up to a site, or begin with them.
  private func rawMass(agreeingWith crossing: Crossing, _ measure: Measure) -> Double {
    let trie = automaton.table.trie
    var sum = 0.0
    func add(_ node: Int) {
      trie.forEachValue(trie.nodes[node].value) {
        sum += measure.distribution.rawProbability(of: $0)
      }
    }
    var node = 0
    for byte in crossing.prefix.dropLast() {
      guard let child = trie.child(of: node, byte) else { return sum }
      node = child
      add(node)
    }
    let end = crossing.trieNode + Int(trie.nodes[crossing.trieNode].subtree)
    for node in crossing.trieNode..<end { add(node) }
    return sum
  }

  /// Begins lanes at sites that stand right behind the last token.
  private mutating func addReachedLanes(
    at configuration: TokenAutomaton.Configuration, position: Int, tracker: PathTracker
  ) {
    for number in automaton.sites(at: configuration)
    where !lanes.contains(where: { $0.site == number && $0.position == position }) {
      let site = automaton.site(number)
      var lane = Lane(
        site: number, position: position, missing: [],
        front: DecisionFront(options: site.options, whole: configuration),
        decided: [Mass](repeating: Mass(), count: site.names.count))
      place(&lane, site, tracker)
      lanes.append(lane)
    }
  }

  private func place(_ lane: inout Lane, _ site: DecisionSite, _ tracker: PathTracker) {
    switch site.kind {
    case .array:
      lane.path = tracker.containerPath
      lane.index = tracker.elementCount
    case .optional where site.member != nil:
      lane.path = tracker.containerPath + JSONPath.member(site.member ?? "")
    default: lane.path = tracker.valuePath
    }
  }

  private mutating func advance(_ byte: UInt8, step: Int, tracker: PathTracker) {
    var kept = 0
    for index in lanes.indices {
      var lane = lanes[index]
      if let missing = lane.missing.first {
        if missing != byte { continue }
        lane.missing = lane.missing.dropFirst()
        if lane.missing.isEmpty { place(&lane, automaton.site(lane.site), tracker) }
      } else {
        switch automaton.advance(lane.front, byte, automaton.site(lane.site).reading) {
        case .left: continue
        case .open(let front): lane.front = front
        case .decided(let option, _):
          close(lane, chosen: option, step: step)
          continue
        }
      }
      lanes[kept] = lane
      kept += 1
    }
    lanes.removeSubrange(kept...)
  }

  private mutating func close(_ lane: Lane, chosen: Int, step: Int) {
    if !lane.paths.isEmpty { closed[decisions.count] = lane }
    decisions.append(decision(of: lane, chosen: chosen, step: step))
  }

  private func decision(of lane: Lane, chosen: Int, step: Int) -> Decision {
    let site = automaton.site(lane.site)
    let masked = lane.decided.reduce(0) { $0 + $1.masked }
    let sampled = lane.decided.reduce(0) { $0 + $1.sampled }
    func share(_ part: Double, of whole: Double) -> Double { whole > 0 ? part / whole : 0 }
    let options = zip(site.names, lane.decided).map { name, mass in
      Decision.Option(
        name: name, raw: share(mass.raw, of: lane.rawTotal),
        masked: share(mass.masked, of: masked), sampled: share(mass.sampled, of: sampled))
    }
    return Decision(
      kind: site.kind, path: lane.path, index: lane.index, options: options, chosen: chosen,
      step: step, unresolved: share(lane.open.sampled, of: lane.open.sampled + sampled))
  }

  // MARK: Open paths

  /// The tokens after which logits are wanted: the heaviest path of the first decision with one.
  ///
  /// The path counts as asked for until `follow` gets its logits.
  ///
  /// - Parameter tokens: The answer's tokens.
  /// - Returns: The answer's tokens up to where the path leaves them, then the path's; nil where
  ///   nothing of weight is open.
  mutating func nextOpenPath(tokens: [TokenID]) -> [TokenID]? {
    if asked == nil {
      for number in closed.keys.sorted() {
        guard let path = closed[number]?.paths.removeHeaviest() else { continue }
        asked = (number, path)
        break
      }
    }
    return asked.map { tokens.prefix($0.path.step) + $0.path.tokens }
  }

  /// Takes in the logits of the path that was asked for, and restates its decision.
  ///
  /// - Parameters:
  ///   - tokens: The answer's tokens.
  ///   - settings: How they were sampled.
  ///   - canonical: What narrowed their masks; nil where nothing did.
  ///   - logits: The logits.
  mutating func follow(
    tokens: [TokenID], settings: SamplingSettings, canonical: CanonicalRuns?,
    logits: UnsafeBufferPointer<Float>
  ) {
    guard logits.count == automaton.table.tokenCount, let (number, path) = asked,
      var lane = closed[number]
    else { return }
    asked = nil
    let before = Array(tokens.prefix(path.step)) + path.tokens
    follow(path, after: before, &lane, settings, canonical, logits)
    // Masks and tokens may be missing then.
    guard automaton.exceeded == nil else { return }
    closed[number] = lane.paths.isEmpty ? nil : lane
    let known = decisions[number]
    decisions[number] = decision(of: lane, chosen: known.chosen, step: known.step)
  }

  /// Moves the mass of a path from open to the options that the next token decides.
  private func follow(
    _ path: OpenPath, after tokens: [TokenID], _ lane: inout Lane, _ settings: SamplingSettings,
    _ canonical: CanonicalRuns?, _ logits: UnsafeBufferPointer<Float>
  ) {
    guard let last = path.tokens.last else { return }
    var place = path.place
    var missing = path.missing
    var front = path.front
    let reading = automaton.site(lane.site).reading
    for byte in automaton.table.tokens.bytes(of: last) {
      place = automaton.successor(place, byte)
      if !missing.isEmpty {
        missing = missing.dropFirst()
      } else if case .open(let next) = automaton.advance(front, byte, reading) {
        front = next
      }
    }
    guard place != TokenAutomaton.dead else { return }
    let mask =
      canonical?.mask(of: automaton, at: place, after: tokens) ?? automaton.mask(at: place)
    let distribution = automaton.distribution
    guard
      distribution.fill(logits: logits, mask: mask, settings: settings)
    else { return }
    let measure = Measure(distribution: distribution)
    lane.open.subtract(path.mass)
    let effects = effects(lane.site, front, missing: missing)
    decide(&lane, effects, measure, times: path.mass)
    effects.forEachOpen { token in
      var mass = Mass()
      mass.add(measure.mass(of: token), times: path.mass)
      lane.open.add(mass, times: .one)
      lane.paths.add(mass) {
        OpenPath(
          step: path.step, tokens: path.tokens + [token], mass: mass, place: place,
          missing: missing, front: front)
      }
    }
  }
}
