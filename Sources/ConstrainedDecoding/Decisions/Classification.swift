import Tokenization

/// The tokens of the vocabulary, grouped by their effect on a decision at one place.
///
/// The automaton caches classifications.
struct Classification {
  /// For each option, the tokens that decide for it.
  var deciding: [[TokenID]]
  /// The tokens that leave the decision open; they may end before the site, at it, or after it.
  var open: [TokenID] = []
  /// The tokens that spell the bytes up to the site, followed by bytes that the schema forbids or
  /// that belong to no option.
  var beyond: [TokenID] = []

  var isEmpty: Bool { open.isEmpty && deciding.allSatisfy(\.isEmpty) }
}

/// A *crossing*: a site that some legal tokens pass, because they begin before it and end after it.
///
/// ```
/// configuration inside the answer of a card …"answer":"yes
///   token "},{"   passes the site after "}   prefix "}   beyond it: ,{"   decides element
///   token "}]     passes the same site                   beyond it: ]     decides end
/// ```
struct Crossing {
  /// The bytes from the beginning of the token up to the site.
  var prefix: [UInt8]
  /// The node of the vocabulary's trie that spells the prefix.
  var trieNode: Int
  var site: UInt32
  /// The configuration at the site.
  var configuration: TokenAutomaton.Configuration
}

extension TokenAutomaton {
  /// Returns the vocabulary's tokens, grouped by their effect on a decision.
  ///
  /// - Parameters:
  ///   - number: The number of the decision's site.
  ///   - state: The text's progress toward or through the decision.
  func classification(of number: UInt32, from state: DecisionProgress) -> Classification {
    classification(of: number, state, below: 0)
  }

  /// Returns the tokens that pass a crossing's site, grouped by their effect on its decision.
  func classification(of crossing: Crossing) -> Classification {
    let front = DecisionFront(
      options: site(crossing.site).options, whole: crossing.configuration)
    return classification(of: crossing.site, .open(front), below: crossing.trieNode)
  }

  private func classification(
    of number: UInt32, _ state: DecisionProgress, below trieNode: Int
  ) -> Classification {
    let key = [number, UInt32(trieNode)] + state.key
    if let known = decisionCache.classifications[key] { return known }
    let result = classify(site(number), state, below: trieNode)
    let count = result.deciding.reduce(result.open.count + result.beyond.count) { $0 + $1.count }
    if decisionCache.classifiedCount + count > Self.mostClassified {
      decisionCache.classifications.removeAll()
      decisionCache.classifiedCount = 0
    }
    decisionCache.classifications[key] = result
    decisionCache.classifiedCount += count
    return result
  }

  /// The maximum number of tokens in all cached classifications together; that many tokens take
  /// 32 MiB.
  ///
  /// A classification may contain nearly all tokens: if two options allow the same long free text,
  /// the decision stays open at each of its characters.
  private static var mostClassified: Int { 1 << 23 }

  /// Walks the tokens below a trie node, and groups them by their effect on a decision.
  private func classify(
    _ site: DecisionSite, _ start: DecisionProgress, below trieNode: Int
  ) -> Classification {
    var result = Classification(deciding: Array(repeating: [], count: site.names.count))
    let trie = table.trie
    let base = Int(trie.nodes[trieNode].depth)
    var stack: [DecisionProgress] = [start]
    var position = trieNode + 1
    let end = trieNode + Int(trie.nodes[trieNode].subtree)
    while position < end {
      let node = trie.nodes[position]
      let depth = Int(node.depth) - base
      stack.removeSubrange(depth...)
      let next = advance(stack[depth - 1], node.byte, site)
      switch next {
      case .left:
        if start.isApproaching, !stack[depth - 1].isApproaching {
          for below in position..<position + Int(node.subtree) {
            trie.forEachValue(trie.nodes[below].value) { result.beyond.append($0) }
          }
        }
        position += Int(node.subtree)
        continue
      case .approaching, .open:
        trie.forEachValue(node.value) { result.open.append($0) }
      case .decided(let option, _):
        trie.forEachValue(node.value) { result.deciding[option].append($0) }
      }
      stack.append(next)
      position += 1
    }
    return result
  }

  // MARK: Crossings

  /// Returns the crossings whose sites are inside the given token, at its end, or after it.
  ///
  /// For a site after the given token, the method considers only longer tokens that begin with the
  /// bytes of the given token. All other tokens spell a different text.
  func crossings(from configuration: Configuration, along token: TokenID) -> [Crossing] {
    let trie = table.trie
    let bytes = table.tokens.textBytes(of: token)
    guard let last = trie.find(bytes) else { return [] }
    let key = UInt64(configuration) << 32 | UInt64(UInt32(bitPattern: token))
    if let known = decisionCache.crossings[key] { return known }
    var result: [Crossing] = []
    var prefix: [UInt8] = []
    func add(_ node: Int, _ place: Configuration) {
      guard trie.nodes[node].subtree > 1 else { return }
      for site in sites(at: place) {
        result.append(
          Crossing(prefix: prefix, trieNode: node, site: site, configuration: place))
      }
    }
    var place = configuration
    var node = 0
    for byte in bytes {
      guard let child = trie.child(of: node, byte) else { return [] }
      (place, node) = (successor(place, byte), child)
      if place == Self.dead { return [] }
      prefix.append(byte)
      add(node, place)
    }
    var stack = [place]
    var position = last + 1
    let end = last + Int(trie.nodes[last].subtree)
    while position < end {
      let node = trie.nodes[position]
      let depth = Int(node.depth) - bytes.count
      stack.removeSubrange(depth...)
      let next = successor(stack[depth - 1], node.byte)
      if next == Self.dead {
        position += Int(node.subtree)
        continue
      }
      stack.append(next)
      prefix.removeSubrange((Int(node.depth) - 1)...)
      prefix.append(node.byte)
      add(position, next)
      position += 1
    }
    result.removeAll { classification(of: $0).isEmpty }
    // Sort the sites by distance; sites at the same distance stay in the order of the trie.
    result = result.enumerated().sorted {
      ($0.element.prefix.count, $0.offset) < ($1.element.prefix.count, $1.offset)
    }.map(\.element)
    if end - last > Self.manyLongerTokens {
      remember(bytes: 64 + result.reduce(0) { $0 + 80 + $1.prefix.count })
      decisionCache.crossings[key] = result
    }
    return result
  }

  /// The automaton caches the crossings along a token only if the token's trie node has more than
  /// this many nodes below it.
  private static var manyLongerTokens: Int { 256 }
}
