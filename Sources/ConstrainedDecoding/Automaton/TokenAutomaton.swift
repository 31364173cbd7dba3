/// A grammar and a vocabulary as an automaton over bytes and tokens, built while it is used.
///
/// The grammar is a pushdown automaton: what may come next depends on the place in the innermost
/// part and on everything around it. A *configuration* is the sorted set of all ways in which the
/// text so far can be going on (`Thread`s: a place in something that is being spelled, and the
/// linked list of what comes after it), with the choices that stand exactly there (sites) and
/// whether the value is complete. Equal configurations are one number, and every step that was
/// taken once is remembered in a row of 256 numbers, so that the automaton turns into a plain table
/// where it is used:
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
/// No thread is a dead end: byte states are trimmed, the compiler has refused nodes that never end,
/// and what would be nested deeper than values may be is left out (`fits`). So a token is legal if
/// and only if its bytes lead to some configuration, and the text may end if and only if the
/// configuration says that the value is complete.
///
/// The tables grow as they are used, so an automaton belongs to one worker; workers have one each
/// over the same `CompiledGrammar`. What is remembered, where, and until when:
///
/// ```
/// for                     in               what                                   until
/// a vocabulary            TokenTable       tries, tables of strings and loops     the model goes
/// a schema                Grammar          nodes, byte states                     automata go
/// a schema and a worker   TokenAutomaton   continuations, configurations, steps,  the worker
///                                          masks, sites, classifications          drops it
/// an answer               DecodingSession  place, tokens, lanes, pressures        it ends
/// ```
///
/// Counting makes configurations: a string with an upper bound has its own ones for each number of
/// characters that a text, or the walk of a mask, has come to. Masks and most of what decisions
/// need are forgotten, all at once, where they take more than a quarter of
/// `GrammarLimits.automatonBytes`; what can't be forgotten ends an answer at that limit
/// (`exceeded`).
package final class TokenAutomaton {
  /// A configuration's number.
  package typealias Configuration = UInt32

  /// Nothing fits: no text leads here.
  static let dead: Configuration = 1
  /// The number of the list that says that the value is complete.
  static let end: UInt32 = 0

  let grammar: Grammar
  package let table: TokenTable
  /// The same values in whatever white space, where format pressure is measured.
  let free: TokenAutomaton?
  let isPretty: Bool
  /// Whether white space varies, and whether it does so without a bound.
  let isVarying: Bool
  let isFlexible: Bool

  /// What is still to come, as numbered lists.
  var continuations = ContinuationTable()
  /// Places and the steps between them.
  let configurations = ConfigurationTable()
  var maskCache = MaskCache()
  var decisionCache = DecisionCache()
  /// The vocabulary's tokens that begin with white space, where white space has a bound.
  let boundedSpaces: BoundedSpaces?
  let sorter: TokenSorter
  /// The text tokens with at least one quote, and those with at least two.
  private(set) lazy var tokensWithQuotes: [[Int32]] = {
    var result: [[Int32]] = [[], []]
    for token in 0..<Int32(table.tokenCount) {
      let quotes = table.tokens.textBytes(of: token).count { $0 == UInt8(ascii: "\"") }
      if quotes > 0 { result[0].append(token) }
      if quotes > 1 { result[1].append(token) }
    }
    return result
  }()

  /// What the tables take that only grow, and what those take that can be made again, roughly.
  private var continuationBytes = 0
  private var memoBytes = 0
  /// The limit that was exceeded; from then on the automaton is not to be used any more.
  ///
  /// What was not known before is then as if it did not fit, so that every walk comes to an end.
  /// Who asks for a mask or a step has to look here before using it; masks that were handed out
  /// before stay right.
  package private(set) var exceeded: AutomatonLimit?

  /// Whether a limit was exceeded, here or in any white space, so that answers get less from now on.
  package var isUsedUp: Bool { exceeded != nil || free?.exceeded != nil }

  /// Room for the probabilities of one step, shared by the sessions of this automaton.
  private(set) lazy var distribution = TokenDistribution(tokenCount: table.tokenCount)

  /// The configuration that is being put together.
  var draft = ConfigurationDraft()

  /// One configuration for each depth of a trie; as long as the longest token and one more.
  let depthStack: UnsafeMutableBufferPointer<Configuration>
  /// The nodes on the way to the current one; as many, each written before it is read.
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
    // Numbers 0 (not known) and 1 (dead) have no threads. Nobody steps from 0; 1 leads to itself.
    for _ in 0..<2 { _ = addConfiguration(hash: UInt64.max) }
    expand(continuation(.node, grammar.root, next: Self.end))
    start = intern()
  }

  deinit {
    depthStack.deallocate()
    frames.deallocate()
  }

  /// The number of configurations seen so far: a measure of the automaton's size.
  ///
  /// One takes about 90 bytes and 12 for each thread, 1 KiB more once a step was taken from it, and
  /// with its mask between 100 bytes and one bit for each token of the vocabulary.
  package var configurationCount: Int { configurations.count }

  /// Whether the value is complete at a configuration.
  package func isComplete(_ configuration: Configuration) -> Bool {
    headers[Int(configuration)].isComplete
  }

  /// The configurations' threads and sites, and where each one's lie.
  @inline(__always) var headers: [ConfigurationTable.Header] { configurations.headers }
  @inline(__always) var threads: [Thread] { configurations.threads }
  @inline(__always) var sites: [UInt32] { configurations.sites }

  // MARK: Interning

  /// The number of a continuation.
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

  /// Whether some value of a node is nested no deeper, where it stands, than values may be.
  ///
  /// - Parameters:
  ///   - next: What comes after the value.
  ///   - levels: Levels around the value that `next` does not have yet.
  func fits(_ node: UInt32, before next: UInt32, inside levels: Int = 0) -> Bool {
    continuations.nesting(of: next) + levels + Int(grammar.heights[Int(node)])
      <= grammar.options.limits.valueDepth
  }

  /// Whether an array or object may stand before what comes after it.
  func fitsContainer(before next: UInt32) -> Bool {
    continuations.nesting(of: next) < grammar.options.limits.valueDepth
  }

  // MARK: Limits

  /// Counts bytes of a table that only grows.
  func grow(by bytes: Int) { continuationBytes += bytes }

  /// The bytes of what only grows, roughly.
  var grownBytes: Int { continuationBytes + configurations.byteCount }

  /// Counts bytes of what is remembered and can be made again; where it gets too much, all of it is
  /// forgotten.
  func remember(bytes: Int) {
    memoBytes += bytes
    guard memoBytes > grammar.options.limits.automatonBytes / 4 else { return }
    memoBytes = bytes
    maskCache.forget()
    decisionCache.forget()
  }

  /// Roughly the bytes that the automaton takes for what it has been used for.
  package var byteCount: Int { grownBytes + memoBytes + (free?.byteCount ?? 0) }

  /// Makes the same automaton, as if it had not been used yet.
  package func unused() -> TokenAutomaton {
    TokenAutomaton(grammar: grammar, table: table, free: free?.unused())
  }

  private func exceed(_ limit: AutomatonLimit) {
    if exceeded == nil { exceeded = limit }
  }

  /// Leaves out what stands twice among the threads that are being put together; false if there
  /// are too many all the same.
  private func checkThreads() -> Bool {
    draft.normalize()
    let most = grammar.options.limits.threads
    if draft.threads.count > most { exceed(.threads(most)) }
    return exceeded == nil
  }

  /// The number of the configuration that was put together in `draft`, which is cleared.
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

  /// The configuration after a byte, `dead` where nothing fits.
  ///
  /// In bounds: configurations are only made by `intern`, and their table makes room for their rows.
  @inline(__always)
  func successor(_ configuration: Configuration, _ byte: UInt8) -> Configuration {
    let known = configurations.rows[Int(configuration)][Int(byte)]
    return known != 0 ? known : computeSuccessor(configuration, byte)
  }

  @inline(never)
  private func computeSuccessor(_ configuration: Configuration, _ byte: UInt8) -> Configuration {
    let header = headers[Int(configuration)]
    let first = Int(header.firstThread)
    // The bytes that lead to the same configuration: often all digits, or all letters.
    var range = ByteRange()
    for index in first..<first + Int(header.threadCount) {
      step(threads[index], byte, within: &range)
      // Many threads may lead to the same ones: only so many copies are kept meanwhile.
      if draft.threads.count > grammar.options.limits.threads << 4, !checkThreads() { break }
    }
    let next = intern()
    configurations.remember(next, after: configuration, range)
    if isFlexible, ByteSet.whitespace.contains(byte) { rememberSpace(next, after: configuration) }
    return next
  }

  /// Adds what a thread becomes by a byte to the configuration that is being put together, and
  /// narrows a range to bytes by which it becomes the same.
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

  /// Adds a byte state, and what follows where it may be the last one.
  func add(_ state: UInt32, next: UInt32) {
    if grammar.states.hasEdges(state) {
      draft.threads.append(Thread(kind: Thread.states, state: state, next: next))
    }
    if grammar.states.accepting[Int(state)] { expand(next) }
  }

  /// An indentation's state is twice the number of spaces left, plus one after the line end.
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

  /// The bounds of a string thread.
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
        // Without an upper bound nothing depends on more than the lower one.
        count += 1
      }
    }
    draft.threads.append(
      Thread(
        kind: thread.kind, state: count << StringAutomaton.stateBits | UInt32(next),
        next: thread.next))
  }
}
