/// An automaton over bytes and tokens, for a grammar and a vocabulary, that builds its tables as
/// it's used.
///
/// The grammar is a pushdown automaton: which bytes can come next depends on the position in the
/// innermost part and on everything around it. The comments in this module use these terms:
///
/// - A *thread* is one way in which the text so far can continue: a position in the part that is
///   being spelled, and the linked list of the parts after it (`Thread`, `Continuation`).
/// - A *place* is a position in the text.
/// - A *configuration* is everything that the automaton knows at a place: the sorted set of all
///   threads, the sites, and whether the value is complete. Equal configurations have the same
///   number.
/// - A *site* is a place at which the schema leaves the model a choice (`DecisionSite`).
/// - *Optional white space* is white space that the model may write or leave out, in the modes
///   `any` and `flexible` (`isLayout`).
///
/// The automaton remembers every step in a row of 256 numbers, so as it's used, it turns into a
/// plain table:
///
/// ```
/// {"cards":      configuration 7  { ([, array 0 …) }
///    │ [
///    ▼
/// {"cards":[     configuration 8  { (], object …), ({, object 1 …) }     both ways are open
///    │ {
///    ▼
/// {"cards":[{    configuration 9  { ("question":, …) }                   only one is left
/// ```
///
/// No thread is a dead end: `ByteStates` keeps only states from which the end can be reached, the
/// compiler rejects nodes that have no finite value, and the automaton leaves out values that are
/// nested too deeply (`fits`). So a token is legal if and only if its bytes lead to a configuration
/// other than `dead`, and the text may end if and only if the configuration says that the value is
/// complete.
///
/// Because its tables grow, an automaton belongs to one worker. All workers create their automata
/// from the same `CompiledGrammar`. This table shows which data the engine keeps, where, and for
/// how long:
///
/// ```
/// for             in               contents                           until
/// a vocabulary    TokenTable       tries, tables of strings, loops    the model is released
/// a schema        Grammar          nodes, byte states                 its automata are released
/// a schema and    TokenAutomaton   continuations, configurations,     the worker drops the
/// a worker                         steps, masks, sites,               automaton
///                                  classifications
/// an answer       DecodingSession  place, tokens, decisions,          the answer ends
///                                  pressures
/// ```
///
/// Bounds multiply the configurations: for a string with an upper bound, there is a separate
/// configuration for each length that the string has reached, either in an answer or during the
/// walk for a mask. If masks and the data for decisions take up more than a quarter of
/// `GrammarLimits.automatonBytes`, the automaton clears most of them. If the other tables take up
/// more than `automatonBytes`, the answer ends (`exceeded`).
package final class TokenAutomaton {
  /// The number of a configuration.
  package typealias Configuration = UInt32

  /// The configuration at which nothing fits; no legal text leads to it.
  static let dead: Configuration = 1
  /// The number of the empty continuation, which means that the value is complete.
  static let end: UInt32 = 0

  let grammar: Grammar
  /// The vocabulary's tables.
  package let table: TokenTable
  /// The *free* automaton, for the same schema with unbounded white space, or nil if sessions don't
  /// measure format pressure.
  let free: TokenAutomaton?
  let isPretty: Bool
  /// Whether the grammar has optional white space (the modes `any` and `flexible`).
  let isVarying: Bool
  /// Whether the grammar has optional white space without a bound (the mode `flexible`).
  let isFlexible: Bool

  // Only one session at a time uses an automaton, and accesses to these tables never overlap. So
  // the exclusivity check is off for them; at run time, it would account for a fifth of the time
  // that computing a mask takes.

  /// The interned continuations.
  @exclusivity(unchecked) var continuations = ContinuationTable()
  /// The configurations and the steps between them.
  let configurations = ConfigurationTable()
  @exclusivity(unchecked) var maskCache = MaskCache()
  @exclusivity(unchecked) var decisionCache = DecisionCache()
  /// The vocabulary's tokens that begin with white space, or nil if the grammar has no white space
  /// with a bound.
  let boundedSpaces: BoundedSpaces?
  let sorter: TokenSorter
  /// Three lists of text tokens: those with at least one quote, at least two, and at least three.
  private(set) lazy var tokensWithQuotes: [[Int32]] = {
    var result: [[Int32]] = [[], [], []]
    for token in 0..<Int32(table.tokenCount) {
      let quotes = table.tokens.textBytes(of: token).count { $0 == UInt8(ascii: "\"") }
      for list in 0..<min(quotes, 3) { result[list].append(token) }
    }
    return result
  }()

  /// The approximate size in bytes of the continuations and their expansions, which are never
  /// cleared.
  @exclusivity(unchecked) private var continuationBytes = 0
  /// The approximate size in bytes of the data that the automaton can recompute.
  @exclusivity(unchecked) private var memoBytes = 0
  /// The limit that this automaton exceeded, or nil; once it is set, don't use the automaton any
  /// more.
  ///
  /// From then on, every step that isn't in the tables yet counts as a step that doesn't fit, so
  /// that all walks come to an end. Check this property before using a mask or a step. Masks that
  /// the automaton returned earlier stay valid.
  @exclusivity(unchecked) package private(set) var exceeded: AutomatonLimit?

  /// Whether this automaton or `free` exceeded a limit; if so, the next answer needs a new
  /// automaton (`unused()`).
  package var isUsedUp: Bool { exceeded != nil || free?.exceeded != nil }

  /// Buffers for the probabilities of one step, shared by the sessions of this automaton.
  private(set) lazy var distribution = TokenDistribution(tokenCount: table.tokenCount)

  /// The configuration under construction.
  @exclusivity(unchecked) var draft = ConfigurationDraft()

  /// The configurations on the path to the current node of a trie, one for each depth.
  let depthStack: UnsafeMutableBufferPointer<Configuration>
  /// The frames of the nodes on the path to the current node; a walk writes each frame before
  /// reading it.
  ///
  /// The capacity is the same as that of `depthStack`.
  let frames: UnsafeMutableBufferPointer<WalkFrame>

  /// The configuration before the first byte.
  package private(set) var start: Configuration = 0

  init(grammar: Grammar, table: TokenTable, free: TokenAutomaton? = nil) {
    self.grammar = grammar
    self.table = table
    self.free = free
    isPretty = grammar.options.whitespace == .pretty
    isVarying = grammar.options.whitespace.isVarying
    isFlexible = grammar.options.whitespace == .flexible
    boundedSpaces =
      grammar.options.whitespace == .any
      ? table.spaces(within: grammar.options.whitespaceBound) : nil
    sorter = TokenSorter(tokenCount: table.tokenCount)
    depthStack = .allocate(capacity: table.trie.maximumDepth + 2)
    depthStack.initialize(repeating: 0)
    frames = .allocate(capacity: table.trie.maximumDepth + 2)
    _ = continuation(.end, 0, next: 0)
    // Configuration 0 means that a step isn't known yet, and configuration 1 is `dead`; neither has
    // threads. There are no steps from 0, and all steps from 1 lead to 1.
    for _ in 0..<2 { _ = addConfiguration(hash: UInt64.max) }
    expand(continuation(.node, grammar.root, next: Self.end))
    start = intern()
  }

  deinit {
    depthStack.deallocate()
    frames.deallocate()
  }

  /// The number of configurations so far, as a measure of the automaton's size.
  ///
  /// A configuration takes about 90 bytes plus 12 per thread, and another 1 KiB after the first
  /// step from it. Its mask takes between 100 bytes and one bit per token of the vocabulary.
  package var configurationCount: Int { configurations.count }

  /// Returns whether the value is complete at a configuration.
  package func isComplete(_ configuration: Configuration) -> Bool {
    headers[Int(configuration)].isComplete
  }

  /// For each configuration, its ranges of `threads` and `sites`, and whether the value is
  /// complete.
  @inline(__always) var headers: [ConfigurationTable.Header] { configurations.headers }
  @inline(__always) var threads: [Thread] { configurations.threads }
  @inline(__always) var sites: [UInt32] { configurations.sites }

  // MARK: Interning

  /// Returns the number of a continuation, adding the continuation to the table if necessary.
  func continuation(
    _ kind: Continuation.Kind, _ argument: UInt32, count: UInt32 = 0, depth: UInt16 = 0,
    next: UInt32
  ) -> UInt32 {
    let new = Continuation(
      kind: kind, depth: isPretty ? depth : 0, argument: argument, count: count, next: next)
    let before = continuations.count
    let number = continuations.intern(new)
    if continuations.count > before { continuationBytes += ContinuationTable.bytes }
    return number
  }

  /// Returns whether a node has a value that stays within the allowed nesting depth.
  ///
  /// - Parameters:
  ///   - next: The continuation after the value.
  ///   - levels: The number of enclosing arrays and objects that `next` doesn't include yet.
  func fits(_ node: UInt32, before next: UInt32, inside levels: Int = 0) -> Bool {
    continuations.nesting(of: next) + levels + Int(grammar.heights[Int(node)])
      <= grammar.options.limits.valueDepth
  }

  /// Returns whether an array or object before a continuation stays within the allowed nesting
  /// depth.
  func fitsContainer(before next: UInt32) -> Bool {
    continuations.nesting(of: next) < grammar.options.limits.valueDepth
  }

  // MARK: Limits

  /// Adds to the size of the tables that are never cleared.
  func grow(by bytes: Int) { continuationBytes += bytes }

  /// The approximate size in bytes of the tables that are never cleared.
  var grownBytes: Int { continuationBytes + configurations.byteCount }

  /// Adds to the size of the data that the automaton can recompute, and clears most of this data if
  /// there is too much.
  func remember(bytes: Int) {
    memoBytes += bytes
    guard memoBytes > grammar.options.limits.automatonBytes / 4 else { return }
    memoBytes = bytes
    maskCache.forget()
    decisionCache.forget()
  }

  /// The approximate size of the automaton's tables in bytes.
  package var byteCount: Int { grownBytes + memoBytes + (free?.byteCount ?? 0) }

  /// Creates a new automaton for the same grammar and vocabulary.
  package func unused() -> TokenAutomaton {
    TokenAutomaton(grammar: grammar, table: table, free: free?.unused())
  }

  private func exceed(_ limit: AutomatonLimit) {
    if exceeded == nil { exceeded = limit }
  }

  /// Removes duplicate threads from the draft.
  ///
  /// - Returns: False if too many threads are left, or if the automaton has already exceeded a
  ///   limit.
  private func checkThreads() -> Bool {
    draft.normalize()
    let most = grammar.options.limits.threads
    if draft.threads.count > most { exceed(.threads(most)) }
    return exceeded == nil
  }

  /// Returns the number of the configuration in `draft`, and clears the draft.
  func intern() -> Configuration {
    defer { draft.clear() }
    if draft.isDead || !checkThreads() { return Self.dead }
    let hash = draft.hash
    if let known = configurations.find(draft, hash: hash) { return known }
    if grownBytes > grammar.options.limits.automatonBytes {
      exceed(.bytes(grammar.options.limits.automatonBytes))
      return Self.dead
    }
    return addConfiguration(hash: hash)
  }

  private func addConfiguration(hash: UInt64) -> Configuration {
    maskCache.masks.append(nil)
    return configurations.append(draft, hash: hash)
  }

  // MARK: Steps

  /// Returns the configuration after a byte, or `dead` if the byte doesn't fit.
  ///
  /// Accesses stay in bounds, because only `intern` creates configurations, and their table makes
  /// room for their rows.
  @inline(__always)
  func successor(_ configuration: Configuration, _ byte: UInt8) -> Configuration {
    let known = configurations.rows[Int(configuration)][Int(byte)]
    return known != 0 ? known : computeSuccessor(configuration, byte)
  }

  @inline(never)
  private func computeSuccessor(_ configuration: Configuration, _ byte: UInt8) -> Configuration {
    let header = headers[Int(configuration)]
    let first = Int(header.firstThread)
    // The range of bytes that lead to the same configuration: often all digits, or all letters.
    var range = ByteRange()
    for index in first..<first + Int(header.threadCount) {
      step(threads[index], byte, within: &range)
      // Many threads may step to the same thread, so remove duplicates before there are too many.
      if draft.threads.count > grammar.options.limits.threads << 4, !checkThreads() { break }
    }
    let next = intern()
    configurations.remember(next, after: configuration, range)
    if isFlexible, ByteSet.whitespace.contains(byte) { rememberSpace(next, after: configuration) }
    return next
  }

  /// Advances a thread by a byte, adds the result to the draft configuration, and narrows a range
  /// to the bytes that have the same effect.
  private func step(_ thread: Thread, _ byte: UInt8, within range: inout ByteRange) {
    switch thread.kind {
    case Thread.states:
      if let next = grammar.states.step(thread.state, byte, within: &range) {
        if grammar.states.hasEdges(next) {
          draft.threads.append(Thread(kind: Thread.states, state: next, next: thread.next))
        }
        if grammar.states.accepting[Int(next)] { begin(thread.next) }
      }
    case Thread.indentation:
      range = ByteRange(low: byte, high: byte)
      stepIndentation(thread, byte)
    default:
      stepString(thread, byte, within: &range)
    }
  }

  /// Adds a thread at a byte state, and expands the continuation if the part may end at the state.
  func add(_ state: UInt32, next: UInt32) {
    if grammar.states.hasEdges(state) {
      draft.threads.append(Thread(kind: Thread.states, state: state, next: next))
    }
    if grammar.states.accepting[Int(state)] { expand(next) }
  }

  /// Advances an indentation; see `Thread.state` for the meaning of its state.
  private func stepIndentation(_ thread: Thread, _ byte: UInt8) {
    let isAfterLineEnd = thread.state & 1 == 1
    guard byte == (isAfterLineEnd ? 0x20 : 0x0A) else { return }
    let state = isAfterLineEnd ? thread.state - 2 : thread.state | 1
    if state == 1 {
      begin(thread.next)
    } else {
      draft.threads.append(Thread(kind: Thread.indentation, state: state, next: thread.next))
    }
  }

  /// Returns the bounds of a string thread.
  func length(of thread: Thread) -> Grammar.Length {
    grammar.lengths[Int(thread.kind - Thread.firstString)]
  }

  private func stepString(_ thread: Thread, _ byte: UInt8, within range: inout ByteRange) {
    let state = thread.stringState
    let next = grammar.strings.step(state, byte, within: &range)
    if next == StringAutomaton.dead { return }
    var count = thread.stringLength
    let bounds = length(of: thread)
    if next == StringAutomaton.end {
      if count >= bounds.minimum { begin(thread.next) }
      return
    }
    if state == StringAutomaton.body {
      if let maximum = bounds.maximum {
        if count >= maximum { return }
        count += 1
      } else if count < bounds.minimum {
        // Without an upper bound, the count matters only up to the lower bound.
        count += 1
      }
    }
    draft.threads.append(
      Thread(
        kind: thread.kind, state: count << StringAutomaton.stateBits | UInt32(next),
        next: thread.next))
  }
}
