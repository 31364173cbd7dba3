import ConstrainedDecoding
import EvalRecords
import GuidedGeneration
import ModelServers
import SystemBasics
import Tokenization

/// The decisions of a served answer, measured from the tokens that the server listed at each step.
///
/// The listed tokens form a small vocabulary. For this vocabulary, the engine computes masks and
/// records decisions as it would for a full vocabulary. The probability of unlisted tokens can't be
/// assigned to any option, so it counts as unresolved.
///
/// ```
/// step 7   listed   []  0.20   [{  0.50   [  0.25      not listed 0.05
///                   end        element    open         unresolved
/// ```
///
/// If the server can list the likely tokens after any sequence of tokens, the backend requests more
/// lists. `wish()` returns the next request. Steps of the answer whose lists are too short come
/// first. Next come open paths: tokens that were not sampled and that leave a decision open, such
/// as `[` in the drawing. Among them, the paths of the decision with the most unresolved
/// probability come first.
struct ListedDecisions {
  /// A request for the likely tokens after a sequence of tokens.
  struct Wish {
    /// The server's ids of the tokens, from the answer's beginning.
    var ids: [Int]
    /// The number of tokens to list.
    var count: Int
  }

  /// The number of tokens to request in a list, and the number to request if such a list is too
  /// short.
  private static let counts = [5000, 262_144]
  /// The unresolved probability below which a decision needs no more lists.
  private static let tolerance = 0.02
  /// The ratio above which a list is too short: the probability of unlisted tokens divided by the
  /// probability of listed legal tokens.
  private static let mostUnlisted = 0.002
  /// The maximum number of steps from a decision's first token to the token that decides.
  private static let stepsOfDecision = 16

  /// The sampled tokens.
  private let sampled: [ListedToken.Alternative]
  private let schema: GenerationSchema
  private let settings: SamplingSettings
  private let layout: WhitespaceMode
  /// Whether the answer ended at a limit, so that its last decision may be undecided.
  private let isCut: Bool
  /// The list at each step of the answer.
  private var steps: [ListedLogits]
  /// The lists from further requests.
  ///
  /// The key of a list is the sequence of the server's token ids before it.
  private var further: [[Int]: ListedLogits] = [:]
  /// The keys of the lists that were requested with the greater length.
  private var longLists: Set<[Int]> = []
  /// The number of tokens to request in the first list after a sequence of tokens.
  private var firstCount = Self.counts[0]
  private var vocabulary = ListedVocabulary()
  private var grammar: CompiledGrammar?
  private var session: DecodingSession?
  /// For each of the answer's tokens that fits the grammar, the probability of unlisted tokens
  /// divided by the probability of listed legal tokens.
  private var unlisted: [Double] = []

  /// The decisions in the order of the answer.
  var decisions: [DecisionRecord] { (session?.decisions ?? []).map(DecisionRecord.init) }

  /// Creates a record of an answer's decisions from the answer's tokens.
  ///
  /// - Parameters:
  ///   - tokens: The sampled tokens with their listed alternatives.
  ///   - schema: The schema of the answer.
  ///   - settings: The sampling settings.
  ///   - layout: The white space that the server's mask allows.
  ///   - isCut: Whether the answer ended at a limit instead of at its value's end.
  init(
    _ tokens: [ListedToken], _ schema: GenerationSchema, _ settings: GenerationSettings,
    layout: WhitespaceMode = .any, isCut: Bool = false
  ) {
    sampled = tokens.map(\.chosen)
    for token in tokens { vocabulary.add(token) }
    steps = tokens.map(vocabulary.logits)
    self.schema = schema
    self.settings = SamplingSettings(settings)
    self.layout = layout
    self.isCut = isCut
    if !tokens.isEmpty { replay() }
  }

  // MARK: Further lists

  /// Returns a request for the next list that the decisions need.
  ///
  /// - Returns: The request, or `nil` if no decision needs another list, or if the server didn't
  ///   report token ids.
  mutating func wish() -> Wish? {
    for decision in session?.decisions ?? [] where decision.unresolved > Self.tolerance {
      for step in max(0, decision.step - Self.stepsOfDecision)...decision.step
      where step < unlisted.count && unlisted[step] > Self.mostUnlisted {
        let ids = sampled[..<step].compactMap(\.id)
        if ids.count == step, let count = nextCount(after: ids) {
          return Wish(ids: ids, count: count)
        }
      }
    }
    while let path = session?.nextOpenPaths(OpenPathBudget(tolerance: Self.tolerance)).first {
      let ids = path.compactMap { vocabulary.id(of: $0) }
      guard ids.count == path.count else { return nil }
      guard let list = further[ids] else { return Wish(ids: ids, count: firstCount) }
      let unlisted = follow(path, list)
      if unlisted > Self.mostUnlisted, let count = nextCount(after: ids) {
        // Replaying reopens the path, so that the longer list can resolve it.
        replay()
        return Wish(ids: ids, count: count)
      }
    }
    return nil
  }

  /// Returns the number of tokens to list after a sequence of tokens.
  ///
  /// Returns `nil` if the backend already has the longest list, or if the server listed fewer
  /// tokens than a wish requested.
  private mutating func nextCount(after ids: [Int]) -> Int? {
    guard let list = further[ids] else { return firstCount }
    guard list.count >= Self.counts[0], !longLists.contains(ids) else { return nil }
    // The legal tokens have little probability here, so the next short lists would probably be too
    // short as well.
    firstCount = Self.counts[1]
    return firstCount
  }

  /// Adds the list that a wish requested.
  mutating func take(_ list: ListedToken, for wish: Wish) {
    if wish.count >= Self.counts[1] { longLists.insert(wish.ids) }
    let known = vocabulary.count
    vocabulary.add(list)
    if vocabulary.count > known { grammar = nil }
    let step = wish.ids.count
    let isOfAnswer = step < steps.count && wish.ids == sampled[..<step].compactMap(\.id)
    further[wish.ids] = vocabulary.logits(of: list)
    if isOfAnswer {
      steps[step] = vocabulary.logits(
        of: ListedToken(chosen: sampled[step], alternatives: list.alternatives))
    }
    if grammar == nil || isOfAnswer { replay() }
  }

  /// Returns a list's logits for the whole vocabulary.
  private func logits(_ list: ListedLogits) -> [Float] {
    let missing = vocabulary.count - list.logits.count
    return missing == 0
      ? list.logits : list.logits + [Float](repeating: -.infinity, count: missing)
  }

  /// Continues an open path with the list of the tokens after it.
  ///
  /// - Returns: The probability of unlisted tokens divided by the probability of listed legal
  ///   tokens, or infinity if no listed token is legal.
  private mutating func follow(_ path: [TokenID], _ list: ListedLogits) -> Double {
    let kept = logits(list).withUnsafeBufferPointer {
      session?.follow(path, logits: $0, unlisted: list.unlisted) ?? 0
    }
    return kept > 0 ? list.unlisted / kept : list.unlisted > 0 ? .infinity : 0
  }

  // MARK: The answer

  /// Measures the answer's decisions again with all lists so far.
  private mutating func replay() {
    session = nil
    unlisted = []
    if grammar == nil {
      grammar = try? CompiledGrammar(
        schema: schema, table: TokenTable(vocabulary: vocabulary.vocabulary),
        options: GrammarOptions(whitespace: layout, whitespaceBound: .withoutDepth))
    }
    guard let grammar else { return }
    var session = DecodingSession(
      automaton: grammar.makeAutomaton(), settings: settings, seed: 0, repeat: 0,
      recording: DecodingRecording(decisions: true, pressureKinds: false))
    for (token, list) in zip(sampled, steps) where !session.isFinished {
      guard let chosen = vocabulary.token(token.bytes) else { break }
      let before = session.logKeptMass
      let isTaken = logits(list).withUnsafeBufferPointer { logits in
        (try? session.next(logits: logits, forcing: chosen, unlisted: list.unlisted)) != nil
      }
      // From here on, the answer doesn't fit the grammar, for example because of its white space.
      // The decisions before this token are still measured.
      if !isTaken { break }
      unlisted.append(list.unlisted / exp(session.logKeptMass - before))
    }
    if isCut, unlisted.count == sampled.count { session.cut() }
    self.session = session
  }
}
