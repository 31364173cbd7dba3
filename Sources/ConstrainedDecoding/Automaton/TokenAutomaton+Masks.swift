import Tokenization

extension TokenAutomaton {
  /// The maximum length of a list of single tokens; a longer list becomes a bit set.
  private static let longestList = 600

  /// Returns the legal tokens at a configuration; the automaton caches the mask.
  package func mask(at configuration: Configuration) -> TokenMask {
    if let known = maskCache.masks[Int(configuration)] { return known }
    let mask = makeMask(configuration)
    remember(bytes: mask.ownBytes)
    maskCache.masks[Int(configuration)] = mask
    return mask
  }

  /// A mask under construction: a bit set, which may belong to a table, and a list of single
  /// tokens.
  struct MaskDraft {
    private(set) var base: BitWords?
    private var baseCount = 0
    private var ownsBase = false
    var listed: [TokenID] = []

    /// Adds a bit set; the draft uses the first one without copying it.
    mutating func add(_ words: BitWords, count: Int, tokenCount: Int) {
      guard let known = base else {
        base = words
        baseCount = count
        return
      }
      if known === words { return }
      let union = BitWords(bitCount: tokenCount)
      union.formUnion(known)
      union.formUnion(words)
      base = union
      ownsBase = true
    }

    mutating func mask(
      _ sorter: TokenSorter, _ table: TokenTable, allowsEnd: Bool
    ) -> TokenMask {
      sorter.sort(&listed, without: base)
      if listed.count > longestList {
        let union = BitWords(bitCount: table.tokenCount)
        if let base { union.formUnion(base) }
        for token in listed { union.insert(token) }
        base = union
        ownsBase = true
        listed = []
      }
      if ownsBase, let base { baseCount = base.populationCount }
      return TokenMask(
        base: base, baseCount: baseCount, ownsBase: ownsBase, listed: listed,
        endTokens: table.endTokens, allowsEnd: allowsEnd)
    }
  }

  /// Computes a mask: a token is legal if it is legal for at least one thread.
  ///
  /// The tokens for threads in strings and in loops come from the vocabulary's tables. For all
  /// other threads together, the automaton walks the vocabulary's trie once:
  ///
  /// ```
  /// after {"a":"xy     where a is any string, or a code with the pattern [a-z]+-[0-9]{3}
  ///
  ///   in the string   c    the   !      StringTable: one set of bits
  ///                   "    !"    "}     grouped by the text after the quote, which is walked
  ///   in the code     c    the          ClassTable: one set of bits
  ///                   x-1               grouped by its rest, -1, which is walked
  ///                   -    -1           walked
  ///
  /// after {"a":"xy-    the string: as above; the code: walked, because few bytes fit
  /// ```
  private func makeMask(_ configuration: Configuration) -> TokenMask {
    let header = headers[Int(configuration)]
    let range = Int(header.firstThread)..<Int(header.firstThread + header.threadCount)
    let place = spacePlace(configuration)
    var draft = MaskDraft()
    var walked: [Thread] = []
    var spaced: [Thread] = []
    if let place { spaced = threads(of: place.behind) }
    var hasBlanks = false
    for index in range {
      let thread = threads[index]
      if place != nil, isSpace(thread) { continue }
      if let strings = stringTable(of: thread) {
        if let place, strings === table.atStart,
          let same = spaced.firstIndex(of: thread)
        {
          // The quote may come now or after white space.
          addSpacedString(thread, from: place.state, to: &draft)
          spaced.remove(at: same)
          hasBlanks = true
          continue
        }
        let inside = strings.inside(within: charactersLeft(thread))
        draft.add(inside.words, count: inside.count, tokenCount: table.tokenCount)
        addClosers(of: thread, strings, from: nil, to: &draft.listed)
      } else if !addLoop(of: thread, in: configuration, to: &draft) {
        walked.append(thread)
      }
    }
    if !walked.isEmpty {
      let rest = walked.count == range.count ? configuration : interned(walked)
      let excluded =
        place == nil ? addLoopsBehindBytes(of: rest, to: &draft) : ByteSet.whitespace
      walk(table.trie, from: rest, without: excluded) { draft.listed.append($0) }
    }
    if let place {
      if !hasBlanks { addBlankTokens(from: place.state, to: &draft) }
      if !spaced.isEmpty {
        let isWhole = spaced.count == Int(headers[Int(place.behind)].threadCount)
        addTokensBehindSpace(
          at: isWhole ? place.behind : interned(spaced), from: place.state, to: &draft.listed)
      }
    }
    return draft.mask(sorter, table, allowsEnd: header.isComplete)
  }

  func threads(of configuration: Configuration) -> [Thread] {
    let header = headers[Int(configuration)]
    return Array(threads[Int(header.firstThread)...].prefix(Int(header.threadCount)))
  }

  /// Returns the configuration that consists of the given threads.
  private func interned(_ threads: [Thread]) -> Configuration {
    draft.threads += threads
    return intern()
  }

  /// Returns the configuration that consists of one thread of the given configuration.
  func single(_ thread: Thread, of configuration: Configuration) -> Configuration {
    headers[Int(configuration)].threadCount == 1 ? configuration : interned([thread])
  }

  /// Returns the table for a string thread, or nil for other threads and for states without a
  /// table.
  func stringTable(of thread: Thread) -> StringTable? {
    thread.kind >= Thread.firstString ? table.table(for: thread.stringState) : nil
  }

  /// Returns how many more characters a string may have, or nil if there is no limit.
  func charactersLeft(_ thread: Thread) -> UInt32? {
    length(of: thread).maximum.map { $0 - min($0, thread.stringLength) }
  }

  /// Returns whether a string that ends with a closing token stays within its bounds.
  @inline(__always)
  func fits(_ closer: StringTable.Closer, _ thread: Thread, _ bounds: Grammar.Length) -> Bool {
    let count = thread.stringLength + closer.characters
    return count >= bounds.minimum && count <= bounds.maximum ?? .max
  }

  /// Returns the configuration after a string thread's closing quote.
  func afterString(_ thread: Thread) -> Configuration {
    begin(thread.next)
    return intern()
  }

  /// Adds the tokens that close a string.
  ///
  /// - Parameter state: The state of the white space before the string, or nil if white space
  ///   can't precede the string or has no bound.
  func addClosers(
    of thread: Thread, _ strings: StringTable, from state: Int?, to listed: inout [TokenID]
  ) {
    let bounds = length(of: thread)
    let after = afterString(thread)
    let bound = grammar.options.whitespaceBound
    func add(_ group: Int32) {
      for closer in strings.groups[Int(group)] where fits(closer, thread, bounds) {
        if let state, !bound.allows(closer.run, from: state) { continue }
        listed.append(closer.token)
      }
    }
    let suffixes = strings.suffixes
    if suffixes.trie.nodes[0].value >= 0 { add(suffixes.trie.nodes[0].value) }
    let place = spacePlace(after)
    if let place {
      func isAllowed(_ run: WhitespaceRun) -> Bool {
        place.state.map { bound.allows(run, from: $0) } ?? true
      }
      for (group, run) in zip(suffixes.blank, suffixes.blankRuns) where isAllowed(run) {
        add(group)
      }
      walk(suffixes.rest, from: place.behind) { rest in
        for (group, run) in zip(suffixes.groups[Int(rest)], suffixes.groupRuns[Int(rest)])
        where isAllowed(run) { add(group) }
      }
    }
    walk(suffixes.trie, from: after, without: place == nil ? ByteSet() : .whitespace, add)
  }

  /// Returns the mask that allows only the given text token; the automaton caches the mask.
  func mask(of token: TokenID) -> TokenMask {
    if let known = maskCache.single[token] { return known }
    let mask = TokenMask(
      base: nil, baseCount: 0, listed: [token], endTokens: [], allowsEnd: false)
    remember(bytes: mask.ownBytes)
    maskCache.single[token] = mask
    return mask
  }
}
