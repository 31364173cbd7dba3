import Tokenization

/// A probability under each of the three distributions.
struct Mass {
  var raw = 0.0
  var masked = 0.0
  var sampled = 0.0

  static let one = Mass(raw: 1, masked: 1, sampled: 1)

  mutating func add(_ other: Mass, times factor: Mass) {
    raw += other.raw * factor.raw
    masked += other.masked * factor.masked
    sampled += other.sampled * factor.sampled
  }

  mutating func multiply(by other: Mass) {
    raw *= other.raw
    masked *= other.masked
    sampled *= other.sampled
  }

  mutating func subtract(_ other: Mass) {
    raw = max(0, raw - other.raw)
    masked = max(0, masked - other.masked)
    sampled = max(0, sampled - other.sampled)
  }
}

/// A token that left a decision open and was not the sampled one: another way to its place.
struct OpenPath {
  /// The number of the answer's tokens before it leaves them.
  var step: Int
  /// The tokens that it takes instead.
  var tokens: [TokenID]
  var mass: Mass
  /// The place before the last one of `tokens`.
  var place: TokenAutomaton.Configuration
  var missing: ArraySlice<UInt8>
  var front: DecisionFront

  /// What it counts for when paths are ranked.
  var weight: Double { max(mass.masked, mass.sampled) }

  /// Lighter paths are not kept.
  static let leastWeight = 1e-4
  /// The most paths that a decision keeps.
  static let limit = 64
}

/// Follows the decisions of one answer, token by token.
///
/// Each decision that some token can pass has a *lane*: the bytes that are missing to its place,
/// the options that are open beyond it, and the mass collected so far. A lane begins at the first
/// step at which a legal token passes its place, and is dropped as soon as the text goes
/// elsewhere.
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
    var paths: [OpenPath] = []
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
    addLanes(bytes, position: position, point, measure)
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

  /// Takes in the end of the text: what is open now can't be told apart any more.
  mutating func finish(step: Int) {
    for lane in lanes where lane.isReached {
      var lane = lane
      guard case .branches(let branches) = lane.front.options,
        let branch = branches.first(where: { automaton.isComplete($0.configuration) })
      else { continue }
      lane.decided[branch.option].add(.one, times: lane.followed)
      close(lane, chosen: branch.option, step: step)
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

  /// What each token does to a decision whose place is some bytes away.
  private func effects(
    _ site: UInt32, _ front: DecisionFront, missing: ArraySlice<UInt8>
  ) -> Classification {
    if missing.isEmpty { return automaton.classification(of: site, front: front) }
    let trie = automaton.table.trie
    var result = Classification(deciding: [])
    if let node = trie.find(missing) {
      result = automaton.classification(
        of: Crossing(
          prefix: Array(missing), trieNode: node, site: site, configuration: front.whole))
    }
    // Tokens that end before the place or at it leave the decision open.
    var node = 0
    for byte in missing {
      guard let child = trie.child(of: node, byte) else { break }
      node = child
      trie.forEachValue(trie.nodes[node].value) { result.open.append($0) }
    }
    return result
  }

  private func collect(_ lane: inout Lane, _ point: Point, _ measure: Measure) {
    let effects = effects(lane.site, lane.front, missing: lane.missing)
    for (option, tokens) in effects.deciding.enumerated() where !tokens.isEmpty {
      lane.decided[option].add(measure.mass(of: tokens), times: lane.followed)
    }
    for token in effects.open where token != point.token {
      var mass = Mass()
      mass.add(measure.mass(of: token), times: lane.followed)
      lane.open.add(mass, times: .one)
      let path = OpenPath(
        step: point.step, tokens: [token], mass: mass, place: point.place, missing: lane.missing,
        front: lane.front)
      if path.weight >= OpenPath.leastWeight, lane.paths.count < OpenPath.limit {
        lane.paths.append(path)
      }
    }
  }

  // MARK: Lanes

  /// Begins lanes at sites that the token passes, or that lie behind it and that other tokens of
  /// this step pass.
  private mutating func addLanes(
    _ bytes: ArraySlice<UInt8>, position: Int, _ point: Point, _ measure: Measure
  ) {
    for crossing in automaton.crossings(from: point.place) {
      let place = position + crossing.prefix.count
      guard zip(crossing.prefix, bytes).allSatisfy(==),
        !lanes.contains(where: { $0.site == crossing.site && $0.position == place }),
        !automaton.classification(of: crossing).isEmpty
      else { continue }
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
        let choiceSet = automaton.site(lane.site).choiceSet
        switch automaton.advance(lane.front, byte, choiceSet: choiceSet) {
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

  /// The tokens after which logits are wanted: the heaviest path of the first decision that has one.
  ///
  /// The path counts as asked for until `follow` gets its logits.
  ///
  /// - Parameter tokens: The answer's tokens.
  /// - Returns: The answer's tokens up to where the path leaves them, then the path's; nil where
  ///   nothing of weight is open.
  mutating func nextOpenPath(tokens: [TokenID]) -> [TokenID]? {
    if asked == nil {
      for number in closed.keys.sorted() {
        guard let paths = closed[number]?.paths,
          let best = paths.indices.max(by: { paths[$0].weight < paths[$1].weight })
        else { continue }
        asked = (number, paths[best])
        closed[number]?.paths.remove(at: best)
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
    let choiceSet = automaton.site(lane.site).choiceSet
    for byte in automaton.table.tokens.bytes(of: last) {
      place = automaton.successor(place, byte)
      if !missing.isEmpty {
        missing = missing.dropFirst()
      } else if case .open(let next) = automaton.advance(front, byte, choiceSet: choiceSet) {
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
    for (option, tokens) in effects.deciding.enumerated() where !tokens.isEmpty {
      lane.decided[option].add(measure.mass(of: tokens), times: path.mass)
    }
    for token in effects.open {
      var mass = Mass()
      mass.add(measure.mass(of: token), times: path.mass)
      lane.open.add(mass, times: .one)
      let next = OpenPath(
        step: path.step, tokens: path.tokens + [token], mass: mass, place: place,
        missing: missing, front: front)
      if next.weight >= OpenPath.leastWeight, lane.paths.count < OpenPath.limit {
        lane.paths.append(next)
      }
    }
  }
}
