import Tokenization

/// Follows the decisions of one answer, token by token.
///
/// A decision stands at a byte; the tokens that take it may begin before that byte. So each
/// decision has a *lane*, from the first step on at which the text up to it is settled or some legal
/// token can pass it:
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
/// The bytes that are missing (`DecisionApproach`) may stand in any tokens and any layout, so what
/// the decision's probabilities say does not depend on those that this answer happened to write.
/// `followed` is the mass of the tokens sampled since the lane began (0.4). A lane whose next byte is
/// not the text's is dropped.
struct DecisionRecorder {
  private struct Lane {
    var site: UInt32
    /// The bytes of the output before the decision's place, white space that varies aside.
    var position: Int
    /// How far the text has come: before the place, or behind it and open.
    var state: DecisionProgress
    var path = ""
    var index = 0
    /// Mass by option.
    var decided: [Mass]
    var open = Mass()
    /// The likelier ones of the tokens that left the decision open and were not sampled.
    var paths = OpenPaths()
    /// The mass of the tokens that were sampled since the lane began.
    var followed = Mass.one
    /// The format pressure since then.
    var formatPressure = 0.0

    var isReached: Bool { !state.isApproaching }

    /// The share of the mass that belongs to no option.
    var unresolved: Double {
      let whole = decided.reduce(open.sampled) { $0 + $1.sampled }
      return whole > 0 ? open.sampled / whole : 0
    }
  }

  private let automaton: TokenAutomaton
  private var lanes: [Lane] = []
  private(set) var decisions: [Decision] = []
  /// The lanes of decisions that have open paths, by the decision's number.
  private var closed: [Int: Lane] = [:]
  /// The path whose logits were asked for, with its decision's number.
  private var asked: (number: Int, path: OpenPath)?
  /// The bytes of the output, white space that varies aside.
  private var position = 0
  private let measuresFormat: Bool

  /// - Parameters:
  ///   - automaton: The automaton.
  ///   - measuresFormat: Whether steps come with their format pressure.
  init(_ automaton: TokenAutomaton, measuresFormat: Bool = false) {
    self.automaton = automaton
    self.measuresFormat = measuresFormat
    addLanes(at: automaton.start, tracker: PathTracker())
  }

  /// Takes in one step.
  ///
  /// - Parameters:
  ///   - token: The token that was chosen.
  ///   - configuration: The place before it.
  ///   - step: The number of tokens before it.
  ///   - distribution: The probabilities at the step.
  ///   - formatPressure: The format pressure of the step.
  ///   - tracker: The path tracker before the token; afterwards behind it.
  mutating func record(
    token: TokenID, from configuration: TokenAutomaton.Configuration, step: Int,
    distribution: TokenDistribution, formatPressure: Double, tracker: inout PathTracker
  ) {
    let bytes = automaton.table.tokens.bytes(of: token)
    let measure = Measure(distribution: distribution)
    let point = Point(place: configuration, step: step, token: token)
    addCrossedLanes(point)
    addLanesBehind(bytes, point)
    for index in lanes.indices {
      collect(&lanes[index], point, measure)
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
      if let option = optionAtEnd(lanes[index]) {
        lanes[index].decided[option].add(.one, times: lanes[index].followed)
      }
    }
    closeAll(step: step)
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

    /// What raw probabilities are multiplied with on the way to a decision, so that they are those
    /// given the text up to its place.
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

  /// Where a step stands, and the token that it chose.
  private struct Point {
    var place: TokenAutomaton.Configuration
    var step: Int
    var token: TokenID
  }

  private func optionAtEnd(_ lane: Lane) -> Int? { optionAtEnd(lane.state) }

  private func optionAtEnd(_ state: DecisionProgress) -> Int? {
    if case .open(let front) = state { automaton.optionAtEnd(of: front) } else { nil }
  }

  private func collect(_ lane: inout Lane, _ point: Point, _ measure: Measure) {
    let way = OpenPath(
      step: point.step, tokens: [], mass: lane.followed, place: point.place, state: lane.state)
    let scale = spread(way, into: &lane, measure, without: point.token)
    lane.followed.multiply(by: measure.mass(of: point.token, rawScale: scale))
  }

  /// Adds the mass of a way's next tokens to the options that they decide, and to what is open.
  ///
  /// - Parameter chosen: A token that is followed elsewhere.
  /// - Returns: What raw probabilities were multiplied with.
  @discardableResult
  private func spread(
    _ way: OpenPath, into lane: inout Lane, _ measure: Measure, without chosen: TokenID?
  ) -> Double {
    let classification = automaton.classification(of: lane.site, from: way.state)
    let scale = measure.rawScale(classification, way.state)
    for (option, tokens) in classification.deciding.enumerated() where !tokens.isEmpty {
      lane.decided[option].add(measure.mass(of: tokens, rawScale: scale), times: way.mass)
    }
    if let option = optionAtEnd(way.state) {
      lane.decided[option].add(
        measure.mass(of: automaton.table.endTokens, rawScale: scale), times: way.mass)
    }
    let site = automaton.site(lane.site)
    for token in classification.open where token != chosen {
      var mass = Mass()
      mass.add(measure.mass(of: token, rawScale: scale), times: way.mass)
      lane.open.add(mass, times: .one)
      lane.paths.add(mass) {
        var (place, state) = (way.place, way.state)
        for byte in automaton.table.tokens.bytes(of: token) {
          place = automaton.successor(place, byte)
          state = automaton.advance(state, byte, site)
        }
        return OpenPath(
          step: way.step, tokens: way.tokens + [token], mass: mass, place: place, state: state)
      }
    }
    return scale
  }

  // MARK: Lanes

  /// Whether there is a lane for a decision already.
  private func hasLane(_ site: UInt32, at position: Int) -> Bool {
    lanes.contains { $0.site == site && $0.position == position }
  }

  /// Begins a lane before its decision's place.
  ///
  /// - Parameters:
  ///   - missing: The bytes up to there, white space that varies aside.
  ///   - configuration: The place before them.
  private mutating func addLane(
    _ site: UInt32, missing: [UInt8], from configuration: TokenAutomaton.Configuration
  ) {
    guard !missing.isEmpty, !hasLane(site, at: position + missing.count) else { return }
    let approach = DecisionApproach(missing: missing[...], configuration: configuration)
    let names = automaton.site(site).names
    lanes.append(
      Lane(
        site: site, position: position + missing.count, state: .approaching(approach),
        decided: [Mass](repeating: Mass(), count: names.count)))
  }

  /// Begins lanes at sites that the token passes, or that lie behind it and that other tokens of
  /// this step pass.
  private mutating func addCrossedLanes(_ point: Point) {
    for crossing in automaton.crossings(from: point.place, along: point.token) {
      addLane(
        crossing.site, missing: settled(crossing.prefix, from: point.place), from: point.place)
    }
  }

  /// Begins lanes at sites up to which the text is settled from some byte of the token on: behind the
  /// quote that ends a string, in whatever layout.
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

  /// Bytes without white space that varies.
  private func settled(
    _ bytes: [UInt8], from configuration: TokenAutomaton.Configuration
  ) -> [UInt8] {
    var place = configuration
    return bytes.filter { byte in
      defer { place = automaton.successor(place, byte) }
      return !automaton.isLayout(byte, at: place)
    }
  }

  /// Begins lanes at sites that stand right behind the last token, or up to which the text is settled
  /// from there on.
  private mutating func addLanes(
    at configuration: TokenAutomaton.Configuration, tracker: PathTracker
  ) {
    for number in automaton.sites(at: configuration) where !hasLane(number, at: position) {
      let site = automaton.site(number)
      var lane = Lane(
        site: number, position: position,
        state: .open(DecisionFront(options: site.options, whole: configuration)),
        decided: [Mass](repeating: Mass(), count: site.names.count))
      place(&lane, site, tracker)
      lanes.append(lane)
    }
    if let text = automaton.settledText(at: configuration) {
      for site in text.sites { addLane(site, missing: text.bytes, from: configuration) }
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
        name: name, raw: mass.raw, masked: share(mass.masked, of: masked),
        sampled: share(mass.sampled, of: sampled))
    }
    return Decision(
      kind: site.kind, path: lane.path, index: lane.index, options: options, chosen: chosen,
      step: step, unresolved: lane.unresolved,
      formatPressure: measuresFormat ? lane.formatPressure : nil)
  }

  // MARK: Open paths

  /// A decision with less than this open waits until the others have no more.
  private static let resolved = 0.005

  /// The tokens after which logits are wanted: the heaviest path of the first decision that is not
  /// resolved; where all are, of the first one with a path.
  ///
  /// The path counts as asked for until `follow` gets its logits.
  ///
  /// - Parameter tokens: The answer's tokens.
  /// - Returns: The answer's tokens up to where the path leaves them, then the path's; nil where
  ///   nothing of weight is open.
  mutating func nextOpenPath(tokens: [TokenID]) -> [TokenID]? {
    if asked == nil {
      let numbers = closed.keys.sorted().filter { closed[$0]?.paths.isEmpty == false }
      let number =
        numbers.first { closed[$0].map { $0.unresolved > Self.resolved } ?? false }
        ?? numbers.first
      if let number, let path = closed[number]?.paths.removeHeaviest() { asked = (number, path) }
    }
    return asked.map { tokens.prefix($0.path.step) + $0.path.tokens }
  }

  /// Takes in the logits of the path that was asked for, and restates its decision.
  ///
  /// - Parameters:
  ///   - tokens: The answer's tokens.
  ///   - settings: How they were sampled.
  ///   - narrowing: What narrowed their masks.
  ///   - logits: The logits.
  mutating func follow(
    tokens: [TokenID], settings: SamplingSettings, narrowing: MaskNarrowing,
    logits: UnsafeBufferPointer<Float>
  ) {
    guard logits.count == automaton.table.tokenCount, let (number, path) = asked,
      var lane = closed[number]
    else { return }
    asked = nil
    let before = Array(tokens.prefix(path.step)) + path.tokens
    follow(path, after: before, &lane, settings, narrowing, logits)
    // Masks and tokens may be missing then.
    guard automaton.exceeded == nil else { return }
    closed[number] = lane.paths.isEmpty ? nil : lane
    let known = decisions[number]
    decisions[number] = decision(of: lane, chosen: known.chosen, step: known.step)
  }

  /// Moves the mass of a path from open to the options that the next token decides.
  private func follow(
    _ path: OpenPath, after tokens: [TokenID], _ lane: inout Lane, _ settings: SamplingSettings,
    _ narrowing: MaskNarrowing, _ logits: UnsafeBufferPointer<Float>
  ) {
    guard path.place != TokenAutomaton.dead,
      narrowing.fill(
        automaton, at: path.place, after: tokens, logits: logits, settings: settings) != nil
    else { return }
    lane.open.subtract(path.mass)
    spread(path, into: &lane, Measure(distribution: automaton.distribution), without: nil)
  }
}
