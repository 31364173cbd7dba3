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
    /// The mass of the tokens that were sampled since the lane began.
    var followed = Mass.one
    /// The raw mass of the tokens that agree with the missing bytes, at the first step.
    var rawTotal = 1.0

    var isReached: Bool { missing.isEmpty }
  }

  private let automaton: TokenAutomaton
  private var lanes: [Lane] = []
  private(set) var decisions: [Decision] = []

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
  ///   - logits: What they were made of.
  ///   - tracker: The path tracker before the token; afterwards behind it.
  mutating func record(
    token: TokenID, from configuration: TokenAutomaton.Configuration, position: Int, step: Int,
    distribution: TokenDistribution, logits: UnsafeBufferPointer<Float>,
    tracker: inout PathTracker
  ) {
    let bytes = automaton.table.tokens.bytes(of: token)
    let measure = Measure(distribution: distribution, logits: logits)
    for index in lanes.indices { collect(&lanes[index], token, measure) }
    addLanes(bytes, token, from: configuration, position: position, measure)
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
    let logits: UnsafeBufferPointer<Float>

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

  private func collect(_ lane: inout Lane, _ token: TokenID, _ measure: Measure) {
    if lane.isReached {
      add(automaton.classification(of: lane.site, front: lane.front), to: &lane, token, measure)
      return
    }
    if let node = automaton.table.trie.find(lane.missing) {
      let crossing = Crossing(
        prefix: Array(lane.missing), trieNode: node, site: lane.site,
        configuration: lane.front.whole)
      add(automaton.classification(of: crossing), to: &lane, token, measure)
    }
    addPrefixes(to: &lane, token, measure)
  }

  private func add(
    _ classification: Classification, to lane: inout Lane, _ token: TokenID, _ measure: Measure
  ) {
    for (option, tokens) in classification.deciding.enumerated() where !tokens.isEmpty {
      lane.decided[option].add(measure.mass(of: tokens), times: lane.followed)
    }
    lane.open.add(
      measure.mass(of: classification.open.filter { $0 != token }), times: lane.followed)
  }

  /// Tokens that end before or at a place that is not reached yet leave the decision open.
  private func addPrefixes(to lane: inout Lane, _ token: TokenID, _ measure: Measure) {
    let trie = automaton.table.trie
    var node = 0
    for byte in lane.missing {
      guard let child = trie.child(of: node, byte) else { return }
      node = child
      trie.forEachValue(trie.nodes[node].value) { other in
        if other != token { lane.open.add(measure.mass(of: other), times: lane.followed) }
      }
    }
  }

  // MARK: Lanes

  /// Begins lanes at sites that the token passes, or that lie behind it and that other tokens of
  /// this step pass.
  private mutating func addLanes(
    _ bytes: ArraySlice<UInt8>, _ token: TokenID,
    from configuration: TokenAutomaton.Configuration, position: Int, _ measure: Measure
  ) {
    for crossing in automaton.crossings(from: configuration) {
      let place = position + crossing.prefix.count
      guard zip(crossing.prefix, bytes).allSatisfy(==),
        !lanes.contains(where: { $0.site == crossing.site && $0.position == place })
      else { continue }
      let classification = automaton.classification(of: crossing)
      if classification.isEmpty { continue }
      let site = automaton.site(crossing.site)
      var lane = Lane(
        site: crossing.site, position: place, missing: crossing.prefix[...],
        front: DecisionFront(options: site.options, whole: crossing.configuration),
        decided: [Mass](repeating: Mass(), count: site.names.count))
      lane.rawTotal = rawMass(agreeingWith: crossing, measure)
      add(classification, to: &lane, token, measure)
      addPrefixes(to: &lane, token, measure)
      lanes.append(lane)
    }
  }

  /// The raw mass of the tokens that are part of the bytes up to a site, or begin with them.
  private func rawMass(agreeingWith crossing: Crossing, _ measure: Measure) -> Double {
    let trie = automaton.table.trie
    var sum = 0.0
    func add(_ node: Int) {
      trie.forEachValue(trie.nodes[node].value) {
        sum += measure.distribution.rawProbability(of: $0, measure.logits)
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
    let site = automaton.site(lane.site)
    let masked = lane.decided.reduce(0) { $0 + $1.masked }
    let sampled = lane.decided.reduce(0) { $0 + $1.sampled }
    func share(_ part: Double, of whole: Double) -> Double { whole > 0 ? part / whole : 0 }
    let options = zip(site.names, lane.decided).map { name, mass in
      Decision.Option(
        name: name, raw: share(mass.raw, of: lane.rawTotal),
        masked: share(mass.masked, of: masked), sampled: share(mass.sampled, of: sampled))
    }
    decisions.append(
      Decision(
        kind: site.kind, path: lane.path, index: lane.index, options: options, chosen: chosen,
        step: step, unresolved: share(lane.open.sampled, of: lane.open.sampled + sampled)))
  }
}
