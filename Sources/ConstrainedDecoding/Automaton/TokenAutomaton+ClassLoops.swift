import Tokenization

/// A step from one byte state to another, which may be part of a loop (`ClassLoop`).
struct LoopStep {
  /// The kinds of characters that lead to `target` without exception.
  var inside: TextClass
  /// All bytes that fit at the first state, including those that don't lead to `target`.
  var bytes: ByteSet
  var target: UInt32
}

/// A *loop*: a byte state at which characters of certain kinds can repeat, as in `[a-z0-9._]+` and
/// `.{1,200}`.
///
/// ```
/// [a-z]+@        0 ─┐ a–z            characters: any number        exits: @
///                ▲──┘
/// [a-z]{2,4}@    0 ─ a–z ─► 1 ─ a–z ─► 2 ─ a–z ─► 3 ─ a–z ─► 4     characters: 4    exits: @
/// ```
///
/// The automaton uses the table of a loop to compute a mask only if all of the following hold. At
/// other states, it walks the trie byte by byte, with the same result.
///
/// - At least 16 different bytes fit at the state, and the value can end neither at the state nor
///   inside the loop. (Inside a string, the value can't end, because the closing quote comes
///   first.)
/// - Whole *kinds* of characters (`TextClass`) stay in the loop. For example, `[a-zA-M]` accepts
///   the kinds a–f, g–z and A–F, but only part of the kind G–Z. So tokens with one of the letters
///   G–M count as exits, and the automaton walks them from that letter on.
/// - All states of the loop accept the same kinds. The automaton checks this for up to 32
///   characters, and tries longer tokens one by one.
/// - If the loop has a maximum number of characters, no more characters of the same kinds may
///   follow it. For example, `[a-z][a-z0-9]*` has no loop at its first state, because more letters
///   can follow the first letter.
/// - At most 10,000 tokens leave the loop after at least one character. For example, `[A-Z][a-z]+`
///   has a loop of one capital letter at its first state, but nearly every capitalized word leaves
///   this loop.
struct ClassLoop {
  /// The kinds of characters that stay in the loop.
  var inside: TextClass
  /// All bytes that fit at any state of the loop.
  var bytes: ByteSet
  /// The maximum number of characters in the loop, or nil if there is no limit.
  var characters: Int?
  /// The number of distinct states, including the loop's first state.
  ///
  /// If the number of characters is limited, the last of these states is the state after the loop.
  /// Otherwise, it is the state that repeats.
  var states: Int
}

/// Computes masks inside patterns with large character classes.
///
/// Walking the whole trie at a state with such a class takes half a millisecond or more. Instead,
/// the automaton uses a `ClassTable`. The table lists the tokens that stay in the loop, and the
/// tokens that leave it, each with its bytes after the loop.
extension TokenAutomaton {
  /// The automaton uses a table only if at least this many bytes fit; with fewer bytes, walking the
  /// trie is fast.
  private static var fewestBytes: Int { 16 }

  /// Returns the loop at a thread's state, or nil if there is none.
  func classLoop(of thread: Thread) -> ClassLoop? {
    guard thread.kind == Thread.states else { return nil }
    if let known = maskCache.classLoops[thread.state] { return known }
    let loop = findLoop(thread.state)
    maskCache.classLoops[thread.state] = .some(loop)
    return loop
  }

  private func findLoop(_ state: UInt32) -> ClassLoop? {
    var byteCount = 0
    grammar.states.forEachEdge(of: state) { byteCount += Int($0.high - $0.low) + 1 }
    // If the value may end inside the loop, the bytes after the value fit as well, and the loop's
    // states have no edges for those bytes.
    guard byteCount >= Self.fewestBytes, !grammar.states.accepting[Int(state)],
      let first = loopStep(state)
    else { return nil }
    var bytes = first.bytes
    var current = state
    var next = first.target
    var states = 1
    while next != current {
      if grammar.states.accepting[Int(next)] { return nil }
      guard states < TokenClasses.mostCharacters, let step = loopStep(next),
        step.inside == first.inside
      else { break }
      bytes.formUnion(step.bytes)
      states += 1
      current = next
      next = step.target
    }
    let isEndless = next == current
    if !isEndless {
      let last = bytesThatFit(next)
      bytes.formUnion(last)
      // After the loop's last character, no further character of the loop's kinds may follow.
      let isCut = states == TokenClasses.mostCharacters
      if !isCut, !first.inside.firstBytes.intersection(last).isEmpty { return nil }
    }
    return ClassLoop(
      inside: first.inside, bytes: bytes, characters: isEndless ? nil : states,
      states: isEndless ? states : states + 1)
  }

  /// Adds the tokens that fit at a thread's state, using the table of its loop.
  ///
  /// - Returns: False, without adding anything, if there is no loop or no table for it.
  func addLoop(
    of thread: Thread, in configuration: Configuration, to draft: inout MaskDraft
  ) -> Bool {
    guard let loop = classLoop(of: thread),
      let classTable = table.classes.table(inside: loop.inside, bytes: loop.bytes)
    else { return false }
    let start = single(thread, of: configuration)
    addTokens(of: loop, classTable, at: start, to: &draft)
    walk(table.trie, from: start, without: classTable.firstBytes) { draft.listed.append($0) }
    return true
  }

  /// Adds the tokens whose first byte leads to a loop, if many tokens begin with that byte.
  ///
  /// For example, in `, [^,]+`, the space after the comma leads to a loop, and half of the tokens
  /// in a vocabulary begin with a space. The method skips every byte that leads to more than one
  /// thread.
  ///
  /// - Returns: The first bytes of the added tokens.
  func addLoopsBehindBytes(of configuration: Configuration, to draft: inout MaskDraft) -> ByteSet {
    var added = ByteSet()
    let trie = table.trie
    let bytes = firstBytes(configuration).intersection(trie.wideRoots)
    bytes.forEach { byte in
      let next = successor(configuration, byte)
      guard next != Self.dead, headers[Int(next)].threadCount == 1,
        let loop = classLoop(of: threads[Int(headers[Int(next)].firstThread)]),
        let classTable = table.classes(after: byte).table(inside: loop.inside, bytes: loop.bytes)
      else { return }
      added.insert(byte)
      let top = Int(trie.roots[Int(byte)])
      trie.forEachValue(trie.nodes[top].value) { draft.listed.append($0) }
      addTokens(of: loop, classTable, at: next, to: &draft)
      walkBelow(trie, top, next, without: classTable.firstBytes) { draft.listed.append($0) }
    }
    return added
  }

  /// Adds the tokens that stay inside a loop, and the tokens that leave it after at least one
  /// character and still fit.
  ///
  /// - Parameter start: The configuration that consists of the loop's thread.
  private func addTokens(
    of loop: ClassLoop, _ classTable: ClassTable, at start: Configuration, to draft: inout MaskDraft
  ) {
    let stay = classTable.stay(within: loop.characters)
    draft.add(stay.words, count: stay.count, tokenCount: table.tokenCount)
    let single = classTable.firstBytes.first
    var current = start
    for (characters, exits) in classTable.exits.enumerated() {
      if characters > 0, characters < loop.states { current = successor(current, single) }
      if characters >= loop.states, loop.characters != nil { break }
      guard let exits else { continue }
      walk(exits.trie, from: current) { draft.listed.append(exits.tokens[Int($0)]) }
    }
    for token in classTable.long
    where fits(classTable.classes.bytes(of: token), from: start) { draft.listed.append(token) }
  }

  private func fits(_ bytes: ArraySlice<UInt8>, from start: Configuration) -> Bool {
    var current = start
    for byte in bytes {
      current = successor(current, byte)
      if current == Self.dead { return false }
    }
    return true
  }

  // MARK: Single steps

  private func loopStep(_ state: UInt32) -> LoopStep? {
    if let known = maskCache.loopSteps[state] { return known }
    let step = makeLoopStep(state)
    maskCache.loopSteps[state] = .some(step)
    return step
  }

  private func makeLoopStep(_ state: UInt32) -> LoopStep? {
    var bytesByTarget: [(target: UInt32, bytes: ByteSet)] = []
    grammar.states.forEachEdge(of: state) { edge in
      guard edge.low < 0x80 else { return }
      let ascii = edge.low...min(edge.high, 0x7F)
      if let index = bytesByTarget.firstIndex(where: { $0.target == edge.target }) {
        bytesByTarget[index].bytes.insert(ascii)
      } else {
        var bytes = ByteSet()
        bytes.insert(ascii)
        bytesByTarget.append((edge.target, bytes))
      }
    }
    guard let (target, bytes) = bytesByTarget.max(by: { $0.bytes.count < $1.bytes.count }) else {
      return nil
    }
    var inside: TextClass = []
    for (kind, members) in TextClass.kinds where members.subtracting(bytes).isEmpty {
      inside.formUnion(kind)
    }
    if inside.isEmpty { return nil }
    let live = bytesThatFit(state)
    if !live.intersection(.beyondASCII).isEmpty {
      let taken = kindsBeyondASCII(state, to: target)
      // If the only non-ASCII characters of a step are line separators, treat them as exits.
      if taken.contains(.beyondASCII) { inside.formUnion(taken) }
    }
    return LoopStep(inside: inside, bytes: live, target: target)
  }

  private func bytesThatFit(_ state: UInt32) -> ByteSet {
    var bytes = ByteSet()
    grammar.states.forEachEdge(of: state) { bytes.insert($0.low...$0.high) }
    return bytes
  }

  /// Returns which of the two kinds of non-ASCII characters lead from one state to another.
  private func kindsBeyondASCII(_ state: UInt32, to target: UInt32) -> TextClass {
    let states = grammar.states
    /// Returns whether each byte of a range, followed by any sequence of `further` continuation
    /// bytes, leads to `target`.
    func leads(_ state: UInt32, _ bytes: ClosedRange<UInt8>, further: Int) -> Bool {
      var covered = Int(bytes.lowerBound)
      var allLead = true
      states.forEachEdge(of: state) { edge in
        guard allLead, edge.high >= bytes.lowerBound, edge.low <= bytes.upperBound else { return }
        allLead =
          Int(edge.low) <= covered
          && (further == 0
            ? edge.target == target : leads(edge.target, 0x80...0xBF, further: further - 1))
        covered = Int(edge.high) + 1
      }
      return allLead && covered > Int(bytes.upperBound)
    }
    guard let lead = states.step(state, UTF8Sequence.separatorLead[0]),
      let second = states.step(lead, UTF8Sequence.separatorLead[1])
    else { return [] }
    let separators = (lead: lead, second: second)
    /// Returns whether every character of a UTF-8 form leads to `target`, ignoring the separators.
    func leads(_ form: UTF8Sequence.Form) -> Bool {
      var covered = Int(form.lead.lowerBound)
      var allLead = true
      states.forEachEdge(of: state) { edge in
        guard allLead, edge.high >= form.lead.lowerBound, edge.low <= form.lead.upperBound else {
          return
        }
        // Compare the byte, not the state: other leading bytes may lead to the same state.
        let isSeparator =
          edge.low == UTF8Sequence.separatorLead[0] && edge.high == edge.low
        allLead =
          Int(edge.low) <= covered
          && (isSeparator
            ? leads(edge.target, 0x81...0xBF, further: 1)
              && leads(separators.second, 0x80...0xA7, further: 0)
              && leads(separators.second, 0xAA...0xBF, further: 0)
            : leads(edge.target, form.second, further: form.further))
        covered = Int(edge.high) + 1
      }
      return allLead && covered > Int(form.lead.upperBound)
    }
    let takesSeparators = leads(
      separators.second, UTF8Sequence.separatorTails, further: 0)
    let takesOthers = UTF8Sequence.forms.allSatisfy { leads($0) }
    var kinds: TextClass = takesOthers ? .beyondASCII : []
    if takesSeparators { kinds.formUnion(.lineSeparator) }
    return kinds
  }
}
