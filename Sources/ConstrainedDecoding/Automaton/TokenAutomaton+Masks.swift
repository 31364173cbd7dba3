import Tokenization

extension TokenAutomaton {
  /// The longest list of single tokens; longer ones become bits.
  private static let longestList = 600

  /// The legal tokens at a configuration: made at the first call, then remembered.
  package func mask(at configuration: Configuration) -> TokenMask {
    if let known = masks[Int(configuration)] { return known }
    let mask = makeMask(configuration)
    remember(bytes: mask.ownBytes)
    masks[Int(configuration)] = mask
    return mask
  }

  /// A mask that is being put together: bits that tables share, and single tokens.
  struct MaskDraft {
    private(set) var base: BitWords?
    private var baseCount = 0
    private var ownsBase = false
    var listed: [TokenID] = []

    /// Adds bits, by reference where they are the first ones.
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

  /// A token is legal if it is for some thread.
  ///
  /// Threads in strings and in loops take their tokens from the vocabulary's tables, all others are
  /// walked together:
  ///
  /// ```
  /// after {"a":"xy     where a is any string, or a code with the pattern [a-z]+-[0-9]{3}
  ///
  ///   in the string   c    the   !      StringTable: one set of bits
  ///                   "    !"    "}     by what follows the quote, which is walked
  ///   in the code     c    the          ClassTable: one set of bits
  ///                   x-1               by what is left of it, -1, which is walked
  ///                   -    -1           walked
  ///
  /// after {"a":"xy-    the string as above; the code is walked alone, since few bytes fit
  /// ```
  private func makeMask(_ configuration: Configuration) -> TokenMask {
    let header = headers[Int(configuration)]
    let range = Int(header.firstThread)..<Int(header.firstThread + header.threadCount)
    let afterSpace = self.afterSpace(configuration)
    var draft = MaskDraft()
    var walked: [Thread] = []
    var spaced: [Thread] = []
    if let afterSpace { spaced = threads(of: afterSpace) }
    var hasSpace = afterSpace == nil
    for index in range {
      let thread = threads[index]
      if let strings = stringTable(of: thread) {
        var strings = strings
        if strings === table.atStart, let same = spaced.firstIndex(of: thread) {
          // The quote may come now or after white space.
          strings = table.atSpacedStart
          spaced.remove(at: same)
          hasSpace = true
        }
        let inside = strings.inside(within: charactersLeft(thread))
        draft.add(inside.words, count: inside.count, tokenCount: table.tokenCount)
        addClosers(of: thread, strings, to: &draft.listed)
      } else if !addLoop(of: thread, in: configuration, to: &draft) {
        walked.append(thread)
      }
    }
    if !hasSpace {
      draft.add(table.blank, count: table.spaced.blank.count, tokenCount: table.tokenCount)
    }
    if !walked.isEmpty {
      let rest = walked.count == range.count ? configuration : interned(walked)
      let excluded =
        afterSpace == nil ? addLoopsBehindBytes(of: rest, to: &draft) : ByteSet.whitespace
      walk(table.trie, from: rest, without: excluded) { draft.listed.append($0) }
    }
    if !spaced.isEmpty { draft.listed += tokensBehindSpace(at: interned(spaced)) }
    return draft.mask(sorter, table, allowsEnd: header.isComplete)
  }

  func threads(of configuration: Configuration) -> [Thread] {
    let header = headers[Int(configuration)]
    return Array(threads[Int(header.firstThread)...].prefix(Int(header.threadCount)))
  }

  /// The configuration of some threads alone.
  private func interned(_ threads: [Thread]) -> Configuration {
    newThreads += threads
    return intern()
  }

  /// The configuration of one of a configuration's threads alone.
  func single(_ thread: Thread, of configuration: Configuration) -> Configuration {
    headers[Int(configuration)].threadCount == 1 ? configuration : interned([thread])
  }

  /// The table of a string thread, where it stands at a state that has one.
  func stringTable(of thread: Thread) -> StringTable? {
    thread.kind >= Thread.firstString ? table.table(for: thread.stringState) : nil
  }

  /// How many characters a string may still begin, nil for any number.
  func charactersLeft(_ thread: Thread) -> UInt32? {
    length(of: thread).maximum.map { $0 - min($0, thread.stringLength) }
  }

  /// Whether a closing token fits the bounds of a string.
  @inline(__always)
  func fits(_ closer: StringTable.Closer, _ thread: Thread, _ bounds: Grammar.Length) -> Bool {
    let count = thread.stringLength + closer.characters
    return count >= bounds.minimum && count <= bounds.maximum ?? .max
  }

  /// The configuration after a string thread's closing quote.
  func afterString(_ thread: Thread) -> Configuration {
    begin(thread.next)
    return intern()
  }

  private func addClosers(
    of thread: Thread, _ strings: StringTable, to listed: inout [TokenID]
  ) {
    let bounds = length(of: thread)
    let after = afterString(thread)
    func add(_ group: Int32) {
      for closer in strings.groups[Int(group)] where fits(closer, thread, bounds) {
        listed.append(closer.token)
      }
    }
    let suffixes = strings.suffixes
    if suffixes.trie.nodes[0].value >= 0 { add(suffixes.trie.nodes[0].value) }
    if let afterSpace = afterSpace(after) {
      for group in suffixes.blank { add(group) }
      walk(suffixes.rest, from: afterSpace) { suffixes.groups[Int($0)].forEach(add) }
      walk(suffixes.trie, from: after, without: .whitespace, add)
    } else {
      walk(suffixes.trie, from: after, add)
    }
  }

  /// The mask of one text token: made at the first call, then remembered.
  func mask(of token: TokenID) -> TokenMask {
    if let known = singleMasks[token] { return known }
    let mask = TokenMask(
      base: nil, baseCount: 0, listed: [token], endTokens: [], allowsEnd: false)
    remember(bytes: mask.ownBytes)
    singleMasks[token] = mask
    return mask
  }
}
