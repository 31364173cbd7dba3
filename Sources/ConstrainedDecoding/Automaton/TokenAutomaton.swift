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
  let isPretty: Bool
  let isFlexible: Bool

  // Continuations, interned.
  var continuations: [Continuation] = []
  /// In how many arrays and objects of the value each of them stands.
  private var nestings: [UInt32] = []
  private var continuationIndex = InternTable()

  /// What continuations add to a configuration, as far as they were asked for.
  var expansions: [UInt32: Expansion] = [:]

  // Configurations, interned: ranges of `threads` and `sites`.
  struct Header {
    var firstThread: UInt32
    var threadCount: UInt32
    var firstSite: UInt32
    var siteCount: UInt32
    var isComplete: Bool
  }
  private(set) var headers: [Header] = []
  private(set) var threads: [Thread] = []
  private(set) var sites: [UInt32] = []
  private var configurationIndex = InternTable()

  /// `rows[configuration][byte]`: the next configuration, 0 where it is not known yet.
  ///
  /// Configurations that no step was taken from share `untakenRow`.
  private var rows: UnsafeMutablePointer<UnsafeMutablePointer<UInt32>>
  private let untakenRow: UnsafeMutablePointer<UInt32>
  /// The memory of the other rows, so many of them at a time.
  private var rowBlocks: [UnsafeMutablePointer<UInt32>] = []
  private static var rowsInBlock: Int { 16 }
  private var rowsLeft = 0
  /// The bytes that can follow each configuration; empty where they are not known yet.
  var firstByteSets: UnsafeMutablePointer<ByteSet>
  private var rowCapacity: Int
  var masks: [TokenMask?] = []
  /// Masks of one token, which canonical runs narrow to.
  var singleMasks: [Int32: TokenMask] = [:]

  /// The loops of byte states, nil where there is none; as far as they are known.
  var classLoops: [UInt32: ClassLoop?] = [:]
  /// Their single steps.
  var loopSteps: [UInt32: LoopStep?] = [:]
  /// The tokens that begin with white space, by the configuration after it.
  var spacedTokens: [Configuration: [Int32]] = [:]
  let sorter: TokenSorter

  // What decisions need, remembered likewise; empty while nobody records them.
  /// The choices that `expand` noted, by their continuations.
  var siteParts: [UInt32: DecisionSite] = [:]
  /// The decisions that `sites(at:)` gave numbers: like parts at one place are one.
  var decisionSites: [DecisionSite] = []
  /// The sites' numbers by the parts that they are made of.
  var siteNumbers: [[UInt32]: UInt32] = [:]
  var siteLists: [Configuration: [UInt32]] = [:]
  /// By the configuration and the token.
  var crossingLists: [UInt64: [Crossing]] = [:]
  var classifications: [[UInt32]: Classification] = [:]
  /// The number of tokens in them.
  var classifiedCount = 0

  /// What the tables take that only grow, and what those take that can be made again, roughly.
  private(set) var grownBytes = 0
  private var memoBytes = 0
  /// The limit that was exceeded; from then on the automaton is not to be used any more.
  ///
  /// What was not known before is then as if it did not fit, so that every walk comes to an end.
  /// Who asks for a mask or a step has to look here before using it; masks that were handed out
  /// before stay right.
  package private(set) var exceeded: AutomatonLimit?

  /// Room for the probabilities of one step, shared by the sessions of this automaton.
  private(set) lazy var distribution = TokenDistribution(tokenCount: table.tokenCount)

  // The configuration that is being put together.
  var newThreads: [Thread] = []
  var newSites: [UInt32] = []
  var newIsComplete = false
  /// Unions that are in it already, as options of another one.
  var newUnions: Set<UInt32> = []

  /// One configuration for each depth of a trie; as long as the longest token and one more.
  let depthStack: UnsafeMutableBufferPointer<Configuration>
  /// The nodes on the way to the current one; as many, each written before it is read.
  let frames: UnsafeMutableBufferPointer<WalkFrame>

  /// The configuration before the first byte.
  package private(set) var start: Configuration = 0

  init(grammar: Grammar, table: TokenTable) {
    self.grammar = grammar
    self.table = table
    isPretty = grammar.options.whitespace == .pretty
    isFlexible = grammar.options.whitespace == .flexible
    rowCapacity = 64
    untakenRow = .allocate(capacity: 256)
    untakenRow.initialize(repeating: 0, count: 256)
    rows = .allocate(capacity: rowCapacity)
    rows.initialize(repeating: untakenRow, count: rowCapacity)
    sorter = TokenSorter(tokenCount: table.tokenCount)
    firstByteSets = .allocate(capacity: rowCapacity)
    firstByteSets.initialize(repeating: ByteSet(), count: rowCapacity)
    depthStack = .allocate(capacity: table.trie.maximumDepth + 2)
    depthStack.initialize(repeating: 0)
    frames = .allocate(capacity: table.trie.maximumDepth + 2)
    _ = continuation(.end, 0, next: 0)
    // Numbers 0 (not known) and 1 (dead) have no threads. Nobody steps from 0; 1 leads to itself.
    for _ in 0..<2 { addConfiguration(hash: UInt64.max, isReserved: true) }
    expand(continuation(.node, grammar.root, next: Self.end))
    start = intern()
  }

  deinit {
    rows.deallocate()
    untakenRow.deallocate()
    for block in rowBlocks { block.deallocate() }
    firstByteSets.deallocate()
    depthStack.deallocate()
    frames.deallocate()
  }

  /// The number of configurations seen so far: a measure of the automaton's size.
  ///
  /// One takes about 90 bytes and 12 for each thread, 1 KiB more once a step was taken from it, and
  /// with its mask between 100 bytes and one bit for each token of the vocabulary.
  package var configurationCount: Int { headers.count }

  /// Whether the value is complete at a configuration.
  package func isComplete(_ configuration: Configuration) -> Bool {
    headers[Int(configuration)].isComplete
  }

  // MARK: Interning

  /// The number of a continuation.
  func continuation(
    _ kind: Continuation.Kind, _ argument: UInt32, count: UInt32 = 0, depth: UInt16 = 0,
    next: UInt32
  ) -> UInt32 {
    let new = Continuation(
      kind: kind, depth: isPretty ? depth : 0, argument: argument, count: count, next: next)
    let hash = new.hashed()
    if let known = continuationIndex.find(hash, isEqual: { continuations[Int($0)] == new }) {
      return known
    }
    let outer = continuations.isEmpty ? 0 : nestings[Int(next)]
    nestings.append(new.isContainer ? outer + 1 : outer)
    continuations.append(new)
    grownBytes += Self.continuationBytes
    return continuationIndex.insert(hash)
  }

  /// Whether some value of a node is nested no deeper, where it stands, than values may be.
  ///
  /// - Parameters:
  ///   - next: What comes after the value.
  ///   - levels: Levels around the value that `next` does not have yet.
  func fits(_ node: UInt32, before next: UInt32, inside levels: Int = 0) -> Bool {
    Int(nestings[Int(next)]) + levels + Int(grammar.heights[Int(node)])
      <= grammar.options.limits.valueDepth
  }

  /// Whether an array or object may stand before what comes after it.
  func fitsContainer(before next: UInt32) -> Bool {
    Int(nestings[Int(next)]) < grammar.options.limits.valueDepth
  }

  // MARK: Limits

  private static var continuationBytes: Int { 48 }
  private static var configurationBytes: Int { 96 }

  /// Counts bytes of a table that only grows.
  func grow(by bytes: Int) { grownBytes += bytes }

  /// Counts bytes of what is remembered and can be made again; where it gets too much, all of it is
  /// forgotten.
  func remember(bytes: Int) {
    memoBytes += bytes
    guard memoBytes > grammar.options.limits.automatonBytes / 4 else { return }
    memoBytes = bytes
    for index in masks.indices { masks[index] = nil }
    singleMasks = [:]
    spacedTokens = [:]
    siteLists = [:]
    crossingLists = [:]
    classifications = [:]
    classifiedCount = 0
  }

  /// Roughly the bytes that the automaton takes for what it has been used for.
  package var byteCount: Int { grownBytes + memoBytes }

  /// Makes the same automaton, as if it had not been used yet.
  package func unused() -> TokenAutomaton { TokenAutomaton(grammar: grammar, table: table) }

  private func exceed(_ limit: AutomatonLimit) {
    if exceeded == nil { exceeded = limit }
  }

  /// Leaves out what stands twice among the threads that are being put together; false where there
  /// are too many all the same.
  private func checkThreads() -> Bool {
    normalize()
    let most = grammar.options.limits.threads
    if newThreads.count > most { exceed(.threads(most)) }
    return exceeded == nil
  }

  /// The number of the configuration that was put together in `newThreads`, which is cleared.
  func intern() -> Configuration {
    defer {
      newThreads.removeAll(keepingCapacity: true)
      if !newSites.isEmpty { newSites.removeAll(keepingCapacity: true) }
      newIsComplete = false
      if !newUnions.isEmpty { newUnions.removeAll(keepingCapacity: true) }
    }
    if newThreads.isEmpty && !newIsComplete || !checkThreads() { return Self.dead }
    var hash: UInt64 = newIsComplete ? 0x9E37_79B9_7F4A_7C15 : 0xC2B2_AE3D_27D4_EB4F
    func mix(_ value: UInt64) {
      hash = (hash ^ value) &* 0x9FB2_1C65_1E98_DF25
      hash ^= hash >> 32
    }
    for thread in newThreads {
      mix(UInt64(thread.state) | UInt64(thread.kind) << 32)
      mix(UInt64(thread.next))
    }
    for site in newSites { mix(UInt64(site) | 1 << 40) }
    if let known = configurationIndex.find(hash, isEqual: { isNewEqual(to: $0) }) { return known }
    if grownBytes > grammar.options.limits.automatonBytes {
      exceed(.bytes(grammar.options.limits.automatonBytes))
      return Self.dead
    }
    addConfiguration(hash: hash, isReserved: false)
    return UInt32(headers.count - 1)
  }

  private func normalize() {
    if newThreads.count > 1 {
      sort(&newThreads)
      var kept = 1
      for index in 1..<newThreads.count where newThreads[index] != newThreads[kept - 1] {
        newThreads[kept] = newThreads[index]
        kept += 1
      }
      newThreads.removeSubrange(kept...)
    }
    if newSites.count > 1 {
      sort(&newSites)
      var kept = 1
      for index in 1..<newSites.count where newSites[index] != newSites[kept - 1] {
        newSites[kept] = newSites[index]
        kept += 1
      }
      newSites.removeSubrange(kept...)
    }
  }

  /// Sorts by insertion: there are few, and nearly in order.
  @inline(__always)
  private func sort<Element: Comparable>(_ elements: inout [Element]) {
    if elements.count > 16 {
      elements.sort()
      return
    }
    for index in 1..<elements.count {
      let element = elements[index]
      var position = index
      while position > 0, element < elements[position - 1] {
        elements[position] = elements[position - 1]
        position -= 1
      }
      elements[position] = element
    }
  }

  private func isNewEqual(to configuration: Configuration) -> Bool {
    let header = headers[Int(configuration)]
    guard header.isComplete == newIsComplete, Int(header.threadCount) == newThreads.count,
      Int(header.siteCount) == newSites.count
    else { return false }
    for index in newThreads.indices
    where threads[Int(header.firstThread) + index] != newThreads[index] { return false }
    for index in newSites.indices
    where sites[Int(header.firstSite) + index] != newSites[index] { return false }
    return true
  }

  private func addConfiguration(hash: UInt64, isReserved: Bool) {
    if headers.count == rowCapacity { growRows() }
    headers.append(
      Header(
        firstThread: UInt32(threads.count), threadCount: UInt32(newThreads.count),
        firstSite: UInt32(sites.count), siteCount: UInt32(newSites.count),
        isComplete: newIsComplete))
    if newThreads.count == 1 { threads.append(newThreads[0]) } else { threads += newThreads }
    if !newSites.isEmpty { sites += newSites }
    masks.append(nil)
    grownBytes += Self.configurationBytes + newThreads.count * MemoryLayout<Thread>.stride
    _ = configurationIndex.insert(hash)
  }

  private func growRows() {
    let grown = UnsafeMutablePointer<UnsafeMutablePointer<UInt32>>.allocate(
      capacity: rowCapacity * 2)
    grown.moveInitialize(from: rows, count: rowCapacity)
    (grown + rowCapacity).initialize(repeating: untakenRow, count: rowCapacity)
    rows.deallocate()
    rows = grown
    let grownSets = UnsafeMutablePointer<ByteSet>.allocate(capacity: rowCapacity * 2)
    grownSets.moveInitialize(from: firstByteSets, count: rowCapacity)
    (grownSets + rowCapacity).initialize(repeating: ByteSet(), count: rowCapacity)
    firstByteSets.deallocate()
    firstByteSets = grownSets
    rowCapacity *= 2
  }

  /// Remembers a step.
  ///
  /// In bounds: as for `successor`; a block has room for the rows that are left in it.
  func remember(_ next: Configuration, after configuration: Configuration, _ bytes: ByteRange) {
    if rows[Int(configuration)] == untakenRow {
      if rowsLeft == 0 {
        let block = UnsafeMutablePointer<UInt32>.allocate(capacity: Self.rowsInBlock << 8)
        block.initialize(repeating: 0, count: Self.rowsInBlock << 8)
        rowBlocks.append(block)
        grownBytes += Self.rowsInBlock << 10
        rowsLeft = Self.rowsInBlock
      }
      rowsLeft -= 1
      rows[Int(configuration)] = rowBlocks[rowBlocks.count - 1] + rowsLeft << 8
    }
    let row = rows[Int(configuration)]
    for byte in Int(bytes.low)...Int(bytes.high) { row[byte] = next }
  }

  // MARK: Steps

  /// The configuration after a byte, `dead` where nothing fits.
  ///
  /// In bounds: configurations are only made by `intern`, which makes room for their rows.
  @inline(__always)
  func successor(_ configuration: Configuration, _ byte: UInt8) -> Configuration {
    let known = rows[Int(configuration)][Int(byte)]
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
      if newThreads.count > grammar.options.limits.threads << 4, !checkThreads() { break }
    }
    let next = intern()
    remember(next, after: configuration, range)
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
          newThreads.append(Thread(kind: Thread.states, state: next, next: thread.next))
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
      newThreads.append(Thread(kind: Thread.states, state: state, next: next))
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
      newThreads.append(Thread(kind: Thread.indentation, state: state, next: thread.next))
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
    newThreads.append(
      Thread(
        kind: thread.kind, state: count << StringAutomaton.stateBits | UInt32(next),
        next: thread.next))
  }
}
