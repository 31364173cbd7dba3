import Tokenization

/// What each token does to a decision at one place: remembered for each place.
struct Classification {
  /// For each option the tokens that decide it.
  var deciding: [[TokenID]]
  /// Tokens that go beyond the place and leave the decision open.
  var open: [TokenID] = []

  var isEmpty: Bool { open.isEmpty && deciding.allSatisfy(\.isEmpty) }
}

/// A site that tokens reach before their end.
///
/// ```
/// configuration inside the answer of the last card …"answer":"yes
///   token "},{"   passes the site after "}   prefix "}   beyond it: ,{"   decides "element"
///   token "}]     passes the same site                   beyond it: ]     decides "end"
/// ```
struct Crossing {
  /// The bytes up to the site.
  var prefix: [UInt8]
  /// The node of the vocabulary's trie that spells them.
  var trieNode: Int
  var site: UInt32
  /// The configuration there.
  var configuration: TokenAutomaton.Configuration
}

extension TokenAutomaton {
  /// What each token of the vocabulary does to a decision that stands at its place or beyond.
  func classification(of site: UInt32, front: DecisionFront) -> Classification {
    classification(of: site, front: front, below: 0)
  }

  /// What the tokens do that reach a site by the bytes of a trie node.
  func classification(of crossing: Crossing) -> Classification {
    let front = DecisionFront(
      options: site(crossing.site).options, whole: crossing.configuration)
    return classification(of: crossing.site, front: front, below: crossing.trieNode)
  }

  private func classification(
    of number: UInt32, front: DecisionFront, below trieNode: Int
  ) -> Classification {
    let key = [number, UInt32(trieNode)] + front.key
    if let known = classifications[key] { return known }
    let result = classify(site(number), front, below: trieNode)
    classifications[key] = result
    return result
  }

  /// Walks the tokens below a trie node with all open options at once; where one is left, with
  /// that one alone.
  private func classify(
    _ site: DecisionSite, _ front: DecisionFront, below trieNode: Int
  ) -> Classification {
    var result = Classification(deciding: site.names.map { _ in [] })
    let trie = table.trie
    let base = Int(trie.nodes[trieNode].depth)
    var stack: [DecisionProgress] = [.open(front)]
    var position = trieNode + 1
    let end = trieNode + Int(trie.nodes[trieNode].subtree)
    while position < end {
      let node = trie.nodes[position]
      let depth = Int(node.depth) - base
      stack.removeSubrange(depth...)
      let next: DecisionProgress
      switch stack[depth - 1] {
      case .left: next = .left
      case .open(let front): next = advance(front, node.byte, choiceSet: site.choiceSet)
      case .decided(let option, let configuration):
        let following = successor(configuration, node.byte)
        next = following == Self.dead ? .left : .decided(option: option, following)
      }
      switch next {
      case .left:
        position += Int(node.subtree)
        continue
      case .open: trie.forEachValue(node.value) { result.open.append($0) }
      case .decided(let option, _):
        trie.forEachValue(node.value) { result.deciding[option].append($0) }
      }
      stack.append(next)
      position += 1
    }
    return result
  }

  // MARK: Crossings

  /// The sites that legal tokens pass from a configuration on.
  func crossings(from configuration: Configuration) -> [Crossing] {
    if let known = crossingLists[configuration] { return known }
    var finder = CrossingFinder(origin: configuration)
    let header = headers[Int(configuration)]
    var others: [Thread] = []
    for index in Int(header.firstThread)..<Int(header.firstThread + header.threadCount) {
      let thread = threads[index]
      if let strings = stringTable(of: thread) {
        findCrossings(beyond: thread, strings, &finder)
      } else {
        others.append(thread)
      }
    }
    if !others.isEmpty {
      newThreads += others
      findCrossings(in: table.trie, from: intern()) { finder.add($0, self) }
    }
    let list = finder.crossings.sorted { $0.prefix.count < $1.prefix.count }
    crossingLists[configuration] = list
    return list
  }

  /// Calls a closure for each node of a trie that is reached at a configuration with sites and
  /// that has further nodes below it.
  private func findCrossings(
    in trie: TokenTrie, from start: Configuration, _ found: (Found) -> Void
  ) {
    guard start != Self.dead else { return }
    var stack = [start]
    var position = 1
    while position < trie.nodes.count {
      let node = trie.nodes[position]
      stack.removeSubrange(Int(node.depth)...)
      let next = successor(stack[Int(node.depth) - 1], node.byte)
      if next == Self.dead {
        position += Int(node.subtree)
        continue
      }
      stack.append(next)
      if node.subtree > 1, headers[Int(next)].siteCount > 0 {
        found(Found(trieNode: position, configuration: next))
      }
      position += 1
    }
  }

  private struct Found {
    var trieNode: Int
    var configuration: Configuration
  }

  /// Crossings behind a string's end: sites are looked for among the suffixes, and then each
  /// closing token with such a suffix says how the string ends before it.
  private func findCrossings(
    beyond thread: Thread, _ strings: StringTable, _ finder: inout CrossingFinder
  ) {
    let bounds = length(of: thread)
    let suffixes = strings.suffixes.trie
    let after = afterString(thread)
    func addClosers(below found: Found) {
      let depth = Int(suffixes.nodes[found.trieNode].depth)
      let end = found.trieNode + Int(suffixes.nodes[found.trieNode].subtree)
      for position in found.trieNode + 1..<max(end, found.trieNode + 1) {
        let node = suffixes.nodes[position]
        if node.value < 0 { continue }
        for closer in strings.groups[Int(node.value)] where fits(closer, thread, bounds) {
          let bytes = table.tokens.bytes(of: closer.token)
          let prefix = bytes.dropLast(Int(node.depth) - depth)
          finder.add(prefix, self)
        }
      }
    }
    if headers[Int(after)].siteCount > 0 {
      addClosers(below: Found(trieNode: 0, configuration: after))
    }
    findCrossings(in: suffixes, from: after, addClosers)
  }

  private struct CrossingFinder {
    let origin: Configuration
    var crossings: [Crossing] = []
    private var seen: Set<[UInt32]> = []

    init(origin: Configuration) { self.origin = origin }

    mutating func add(_ found: Found, _ automaton: TokenAutomaton) {
      let nodes = automaton.table.trie.nodes
      // The way from the root: the last node of each smaller depth before this one.
      var prefix: [UInt8] = []
      var depth = nodes[found.trieNode].depth
      var position = found.trieNode
      while depth > 0 {
        if nodes[position].depth == depth {
          prefix.append(nodes[position].byte)
          depth -= 1
        }
        position -= 1
      }
      insert(prefix.reversed(), found.trieNode, automaton)
    }

    mutating func add(_ prefix: ArraySlice<UInt8>, _ automaton: TokenAutomaton) {
      guard let node = automaton.table.trie.find(prefix) else { return }
      insert(Array(prefix), node, automaton)
    }

    /// Notes all sites of the whole configuration there, to which other threads may have led too.
    private mutating func insert(_ prefix: [UInt8], _ node: Int, _ automaton: TokenAutomaton) {
      var place = origin
      for byte in prefix { place = automaton.successor(place, byte) }
      if place == TokenAutomaton.dead { return }
      for site in automaton.sites(at: place)
      where seen.insert([UInt32(node), site]).inserted {
        crossings.append(
          Crossing(prefix: prefix, trieNode: node, site: site, configuration: place))
      }
    }
  }
}
