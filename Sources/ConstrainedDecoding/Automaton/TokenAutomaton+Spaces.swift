import Tokenization

/// Computes masks at places with optional white space.
///
/// After `{"a":`, there may be a *run* of white space, and the same text can follow every run. Many
/// tokens consist of white space and the beginning of such a text. The automaton checks each
/// beginning only once for all runs (`SpacedTrie.rest`). If runs have a bound, the automaton then
/// removes the tokens with more white space than the bound still allows (`WhitespaceBound`):
///
/// ```
/// {"a":        { space 0, value … }        tokens  1   12   "x   …        walked
///    │ ␣ ⏎                                 tokens  ␣   ⏎   ⏎␣␣           by the bound
///    ▼                                     tokens  ␣1   ⏎␣␣[             by what follows: 1, [
/// {"a":␣⏎      { space 33, value … }           and by the bound
/// ```
extension TokenAutomaton {
  /// A place before or inside a run of white space.
  struct SpacePlace {
    /// The state of the run (see `WhitespaceBound`), or nil if runs have no bound.
    var state: Int?
    /// The configuration of everything that can follow the run.
    var behind: Configuration
  }

  /// Returns the place of a configuration that is before or inside a run of white space, or nil if
  /// the configuration is elsewhere.
  ///
  /// The result is also nil in these cases:
  ///
  /// - Threads are in several states of a run.
  /// - A thread outside the run accepts white space too.
  /// - `SpacedTrie.firstBytes` lacks a byte that can follow the run.
  func spacePlace(_ configuration: Configuration) -> SpacePlace? {
    guard let state = spaceState(configuration) else { return nil }
    let header = headers[Int(configuration)]
    for index in Int(header.firstThread)..<Int(header.firstThread + header.threadCount)
    where threads[index].state == state && isSpace(threads[index]) {
      begin(threads[index].next)
    }
    draft.sites.removeAll(keepingCapacity: true)
    let behind = intern()
    guard behind != Self.dead,
      firstBytes(behind).subtracting(SpacedTrie.firstBytes).isEmpty
    else { return nil }
    let number = isFlexible ? nil : Int(state - grammar.punctuation.space)
    return SpacePlace(state: number, behind: behind)
  }

  /// Records the step for all four white-space bytes together, if white space has no bound.
  ///
  /// A byte of white space leads to the threads of the run and to the threads that can follow the
  /// run. More white space leads to the same configuration, unless another run can follow this run.
  func rememberSpace(_ after: Configuration, after configuration: Configuration) {
    guard spaceState(configuration) != nil else { return }
    let isLoop = spaceState(after) != nil && spaceCount(after) == spaceCount(configuration)
    for byte in " \t\n\r".utf8 {
      let range = ByteRange(low: byte, high: byte)
      configurations.remember(after, after: configuration, range)
      if isLoop { configurations.remember(after, after: after, range) }
    }
  }

  /// Returns whether a thread is before or in a run of white space.
  @inline(__always)
  func isSpace(_ thread: Thread) -> Bool {
    thread.kind == Thread.states
      && thread.state &- grammar.punctuation.space < grammar.punctuation.spaceCount
  }

  private func spaceCount(_ configuration: Configuration) -> Int {
    let header = headers[Int(configuration)]
    return (Int(header.firstThread)..<Int(header.firstThread + header.threadCount))
      .count { isSpace(threads[$0]) }
  }

  /// Returns the state of the white-space threads.
  ///
  /// The result is nil if there are no such threads, if they are in several states, or if another
  /// thread may accept white space too.
  private func spaceState(_ configuration: Configuration) -> UInt32? {
    if grammar.punctuation.spaceCount == 0 { return nil }
    let header = headers[Int(configuration)]
    var state: UInt32?
    for index in Int(header.firstThread)..<Int(header.firstThread + header.threadCount) {
      let thread = threads[index]
      if isSpace(thread) {
        if let state, state != thread.state { return nil }
        state = thread.state
        continue
      }
      switch thread.kind {
      case Thread.states:
        var takesSpace = false
        grammar.states.forEachEdge(of: thread.state) { edge in
          if edge.low <= 0x20 { takesSpace = true }
        }
        if takesSpace { return nil }
      case Thread.indentation: return nil
      default: if thread.stringState != StringAutomaton.start { return nil }
      }
    }
    return state
  }

  // MARK: Tokens

  /// Tokens that consist of white space followed by something else, and for each of these tokens,
  /// the numbers of line feeds and blanks in its white space.
  struct SpacedTokens {
    var tokens: [TokenID] = []
    var runs: [WhitespaceRun] = []
  }

  /// Adds the tokens that consist of white space followed by text that fits.
  ///
  /// - Parameters:
  ///   - behind: The configuration after the white space.
  ///   - state: The state of the run, or nil if runs have no bound.
  func addTokensBehindSpace(
    at behind: Configuration, from state: Int?, to listed: inout [TokenID]
  ) {
    let known = tokensBehindSpace(at: behind)
    guard let state else {
      listed += known.tokens
      return
    }
    let bound = grammar.options.whitespaceBound
    for index in known.tokens.indices where bound.allows(known.runs[index], from: state) {
      listed.append(known.tokens[index])
    }
  }

  private func tokensBehindSpace(at behind: Configuration) -> SpacedTokens {
    if let known = maskCache.spacedTokens[behind] { return known }
    var result = SpacedTokens()
    walk(table.spaced.rest, from: behind) { group in
      result.tokens += table.spaced.groups[Int(group)]
      result.runs += table.spaced.groupRuns[Int(group)]
    }
    remember(
      bytes: result.tokens.count
        * (MemoryLayout<Int32>.stride + MemoryLayout<WhitespaceRun>.stride))
    maskCache.spacedTokens[behind] = result
    return result
  }

  /// Adds the tokens that consist only of white space.
  func addBlankTokens(from state: Int?, to draft: inout MaskDraft) {
    guard let state, let spaces = boundedSpaces else {
      draft.add(table.blank, count: table.spaced.blank.count, tokenCount: table.tokenCount)
      return
    }
    let blank = spaces.blank(from: state)
    draft.add(blank.words, count: blank.count, tokenCount: table.tokenCount)
  }

  /// Adds the tokens that fit where a string comes next, possibly after white space.
  ///
  /// Such a token consists only of white space, or contains the whole string or its beginning.
  /// White space may precede the string, and further text may follow its closing quote.
  func addSpacedString(_ thread: Thread, from state: Int?, to draft: inout MaskDraft) {
    let spaced = table.atSpacedStart
    let left = charactersLeft(thread)
    if let state, let spaces = boundedSpaces {
      if let left, Int(left) < spaced.largestNumber {
        addBlankTokens(from: state, to: &draft)
        let inside = table.atStart.inside(within: left)
        draft.add(inside.words, count: inside.count, tokenCount: table.tokenCount)
        spaces.addSpacedBeginnings(from: state, characters: left, to: &draft.listed)
      } else {
        let start = spaces.start(from: state)
        draft.add(start.words, count: start.count, tokenCount: table.tokenCount)
      }
    } else {
      let inside = spaced.inside(within: left)
      draft.add(inside.words, count: inside.count, tokenCount: table.tokenCount)
    }
    addClosers(of: thread, spaced, from: state, to: &draft.listed)
  }
}
