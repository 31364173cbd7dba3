import StructuredText

/// Checks that every node of a grammar has a finite value, so that every unfinished text can be
/// completed.
///
/// ```
/// Person = { name: string, boss: Person }     never ends: Person → Person
/// Person = { name: string, boss?: Person }    ends: leave out boss
/// Person = { reports: [Person] }              ends: no reports
/// Person = { boss?: Person, at least 1 key }  never ends: Person → Person
/// Value  = Value | string                     refers to itself with no object or array in between
/// ```
extension GrammarCompiler {
  /// Rejects unions and references that lead back to themselves without a byte in between.
  ///
  /// The method also limits the length of chains of unions and references, because the automaton
  /// follows these chains recursively.
  func checkSelfReferences() throws(GrammarError) {
    var finished = [Bool](repeating: false, count: grammar.nodes.count)
    var onPath = finished
    var heights = [Int](repeating: 0, count: grammar.nodes.count)
    for start in grammar.nodes.indices where !finished[start] {
      // Use an explicit stack, because a chain of aliases may be as long as the schema.
      var stack: [(node: Int, next: Int)] = [(start, 0)]
      onPath[start] = true
      while let (node, next) = stack.last {
        let children = directChildren(of: node)
        guard next < children.count else {
          finished[node] = true
          onPath[node] = false
          stack.removeLast()
          heights[node] = 1 + (children.map { heights[$0] }.max() ?? 0)
          if heights[node] > limits.chain {
            throw limit(
              "length of a chain of references and unions", heights[node], limits.chain,
              path(to: node))
          }
          continue
        }
        stack[stack.count - 1].next = next + 1
        let child = children[next]
        if onPath[child] {
          let cycle = stack.drop { $0.node != child }.map(\.node) + [child]
          throw GrammarError(path: path(to: child), problem: .selfReference(names(of: cycle)))
        }
        if !finished[child] {
          onPath[child] = true
          stack.append((child, 0))
        }
      }
    }
  }

  private func directChildren(of node: Int) -> [Int] {
    switch grammar.nodes[node] {
    case .alias(let target): [Int(target)]
    case .union(let union): union.options.map { Int($0) }
    default: []
    }
  }

  /// Rejects nodes that have no finite value, and computes the minimum nesting depth of all other
  /// nodes (`Grammar.heights`).
  ///
  /// The method processes the nodes level by level. A union comes after the first of its options
  /// that ends. Any other node comes after the last of the children that it needs:
  ///
  /// ```
  /// Tree  = { name: string, children: [Tree] }     height 0   string, null, Chain | null
  /// Chain = { next: Chain | null }                        1   [Tree], Chain
  ///                                                       2   Tree
  /// ```
  ///
  /// The running time is proportional to the number of nodes and members.
  mutating func checkEnds() throws(GrammarError) {
    let nodes = grammar.nodes
    // For each node: the number of required children that are not known to end yet, the number of
    // optional members that an open object needs in addition to its required ones, and the nodes
    // that have this node as a child.
    var missing = [Int](repeating: 0, count: nodes.count)
    var missingOptional = missing
    var users = [[(node: UInt32, use: ChildUse)]](repeating: [], count: nodes.count)
    var level: [Int] = []
    var nextLevel: [Int] = []
    for node in nodes.indices {
      let needed = needed(by: node)
      for child in needed { users[child].append((UInt32(node), .required)) }
      if case .union = nodes[node] { missing[node] = 1 } else { missing[node] = needed.count }
      if case .openObject(let object) = nodes[node], object.missingOptionalMembers > 0 {
        missingOptional[node] = object.missingOptionalMembers
        for member in object.members where member.isOptional {
          users[Int(member.node)].append((UInt32(node), .optional))
        }
        for extra in object.extras {
          users[Int(extra.node)].append((UInt32(node), .unnamed(count: extra.keyCount ?? .max)))
        }
      }
      if missing[node] + missingOptional[node] > 0 { continue }
      if isContainer(node) { nextLevel.append(node) } else { level.append(node) }
    }
    var heights = [UInt32?](repeating: nil, count: nodes.count)
    var height: UInt32 = 0
    while !level.isEmpty || !nextLevel.isEmpty {
      while let node = level.popLast() {
        heights[node] = height
        for (user, use) in users[node].lazy.map({ (Int($0.node), $0.use) }) {
          let wasMissing = max(0, missing[user]) + missingOptional[user]
          switch use {
          case .required: missing[user] -= 1
          case .optional: missingOptional[user] = max(0, missingOptional[user] - 1)
          case .unnamed(let count): missingOptional[user] = max(0, missingOptional[user] - count)
          }
          if wasMissing == 0 || max(0, missing[user]) + missingOptional[user] > 0 { continue }
          if isContainer(user) { nextLevel.append(user) } else { level.append(user) }
        }
      }
      swap(&level, &nextLevel)
      height += 1
    }
    if let endless = heights.firstIndex(of: nil) { throw neverEnds(endless, heights) }
    grammar.heights = heights.map { $0 ?? 0 }
    let needed = Int(grammar.heights[Int(grammar.root)])
    if needed > limits.valueDepth {
      throw limit("minimum nesting of a value", needed, limits.valueDepth, "$")
    }
  }

  /// The way in which a node uses a child.
  private enum ChildUse {
    /// The node needs the child; a union needs only one of its children.
    case required
    /// The child is an optional member of an open object that needs some of its optional members.
    case optional
    /// The child is the value of unnamed members, of which an open object may have `count`.
    case unnamed(count: Int)
  }

  private func isContainer(_ node: Int) -> Bool {
    switch grammar.nodes[node] {
    case .object, .array, .openObject, .tuple, .set: true
    default: false
    }
  }

  /// Returns the children that must have finite values so that the node has a finite value; for a
  /// union, one such child is enough.
  private func needed(by node: Int) -> [Int] {
    switch grammar.nodes[node] {
    case .object(let object): object.members.lazy.filter { !$0.isOptional }.map { Int($0.node) }
    case .array(let element, let minimum, _): minimum > 0 ? [Int(element)] : []
    case .set(let set): set.options.prefix(Int(set.minimum)).map { Int($0) }
    case .openObject(let object):
      object.members.filter { !$0.isOptional }.map { Int($0.node) }
    case .tuple(let tuple):
      tuple.prefix.prefix(Int(tuple.minimum)).map { Int($0) }
        + (Int(tuple.minimum) > tuple.prefix.count ? tuple.element.map { [Int($0)] } ?? [] : [])
    default: directChildren(of: node)
    }
  }

  /// Returns the nodes of an open object's optional and unnamed members if the object's lower bound
  /// requires some of these members; for all other nodes, returns an empty list.
  private func optional(in node: Int) -> [Int] {
    guard case .openObject(let object) = grammar.nodes[node], object.missingOptionalMembers > 0
    else { return [] }
    return object.members.filter(\.isOptional).map { Int($0.node) }
      + object.extras.map { Int($0.node) }
  }

  private func neverEnds(_ endless: Int, _ heights: [UInt32?]) -> GrammarError {
    var cycle: [Int] = []
    var seen: Set<Int> = []
    var node = endless
    while seen.insert(node).inserted {
      cycle.append(node)
      guard let next = (needed(by: node) + optional(in: node)).first(where: { heights[$0] == nil })
      else { break }
      node = next
    }
    let round = cycle.drop { $0 != node } + [node]
    return GrammarError(path: path(to: node), problem: .neverEnds(names(of: Array(round))))
  }

  // MARK: Names of nodes

  /// Returns the names of those nodes that are named types; if there are no such nodes, returns the
  /// paths of all nodes.
  private func names(of nodes: [Int]) -> [String] {
    let nameOfNode = Dictionary(uniqueKeysWithValues: named.map { (Int($0.value), $0.key) })
    let known = nodes.compactMap { nameOfNode[$0] }
    if known.isEmpty { return shortened(nodes).map { $0.map { path(to: $0) } ?? "…" } }
    return shortened(known).map { $0 ?? "…" }
  }

  /// Returns the elements; if there are more than 12, returns the first six, nil, and the last
  /// five.
  private func shortened<Element>(_ elements: [Element]) -> [Element?] {
    if elements.count <= 12 { return elements }
    return elements.prefix(6).map(Optional.some) + [nil] + elements.suffix(5).map(Optional.some)
  }

  /// Returns a shortest path to a node.
  ///
  /// The compiler computes the path only for an error message, because storing the paths of 200,000
  /// nodes would take gigabytes.
  private func path(to target: Int) -> String {
    var parents = [Int?](repeating: nil, count: grammar.nodes.count)
    let root = Int(grammar.root)
    var queue = [root]
    var position = 0
    while position < queue.count, parents[target] == nil {
      let node = queue[position]
      position += 1
      for child in children(of: node) where child != root && parents[child] == nil {
        parents[child] = node
        queue.append(child)
      }
    }
    var way = [target]
    while let node = way.last, let parent = parents[node] { way.append(parent) }
    var path = "$"
    for (child, node) in zip(way, way.dropFirst()).reversed() {
      path = self.path(path, child, of: node)
    }
    return path
  }

  private func path(_ path: String, _ child: Int, of node: Int) -> String {
    switch grammar.nodes[node] {
    case .object(let object):
      Self.path(path, member: object.members.first { Int($0.node) == child }?.name ?? "")
    case .openObject(let object):
      object.members.first { Int($0.node) == child }.map { Self.path(path, member: $0.name) }
        ?? path + JSONPlace.Step.wildcard.text
    case .array, .tuple, .set: Self.pathOfElement(path)
    default: path
    }
  }

  private func children(of node: Int) -> [Int] {
    switch grammar.nodes[node] {
    case .object(let object): object.members.map { Int($0.node) }
    case .array(let element, _, _): [Int(element)]
    case .set(let set): set.options.map { Int($0) }
    case .openObject(let object):
      object.members.map { Int($0.node) } + object.extras.map { Int($0.node) }
    case .tuple(let tuple): (tuple.prefix + (tuple.element.map { [$0] } ?? [])).map { Int($0) }
    default: directChildren(of: node)
    }
  }
}
