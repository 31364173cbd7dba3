/// Every node of a grammar must be able to come to an end; then every state of the automaton can.
///
/// ```
/// Person = { name: string, boss: Person }     never ends: Person → Person
/// Person = { name: string, boss?: Person }    ends: leave out boss
/// Person = { reports: [Person] }              ends: no reports
/// Value  = Value | string                     refers to itself with nothing in between
/// ```
extension GrammarCompiler {
  /// Refuses unions and references that reach themselves without a byte in between.
  ///
  /// Chains of them are bounded too, since the automaton follows them by recursion.
  func checkSelfReferences() throws(GrammarError) {
    var finished = [Bool](repeating: false, count: grammar.nodes.count)
    var onPath = finished
    var heights = [Int](repeating: 0, count: grammar.nodes.count)
    for start in grammar.nodes.indices where !finished[start] {
      // An explicit stack: a chain of aliases may be as long as the schema.
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
              "references and unions inside each other", heights[node], limits.chain, paths[node])
          }
          continue
        }
        stack[stack.count - 1].next = next + 1
        let child = children[next]
        if onPath[child] {
          let cycle = stack.drop { $0.node != child }.map(\.node) + [child]
          throw GrammarError(path: paths[child], problem: .selfReference(names(of: cycle)))
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

  /// Refuses nodes whose every value contains a further one without end.
  func checkEnds() throws(GrammarError) {
    var ends = [Bool](repeating: false, count: grammar.nodes.count)
    var users = [[Int]](repeating: [], count: grammar.nodes.count)
    for node in grammar.nodes.indices {
      for child in children(of: node) { users[child].append(node) }
    }
    var open = Array(grammar.nodes.indices)
    while let node = open.popLast() {
      guard !ends[node], canEnd(node, knowing: ends) else { continue }
      ends[node] = true
      open += users[node].filter { !ends[$0] }
    }
    guard let endless = grammar.nodes.indices.first(where: { !ends[$0] }) else { return }
    var cycle: [Int] = []
    var seen: Set<Int> = []
    var node = endless
    while seen.insert(node).inserted {
      cycle.append(node)
      guard let next = blockers(of: node, knowing: ends).first else { break }
      node = next
    }
    let round = cycle.drop { $0 != node } + [node]
    throw GrammarError(path: paths[node], problem: .neverEnds(names(of: Array(round))))
  }

  private func children(of node: Int) -> [Int] {
    switch grammar.nodes[node] {
    case .object(let object): object.members.map { Int($0.node) }
    case .array(let element, _, _): [Int(element)]
    default: directChildren(of: node)
    }
  }

  private func canEnd(_ node: Int, knowing ends: [Bool]) -> Bool {
    switch grammar.nodes[node] {
    case .union(let union): union.options.contains { ends[Int($0)] }
    default: blockers(of: node, knowing: ends).isEmpty
    }
  }

  /// The children without which a node has no value, as far as they are not known to end.
  private func blockers(of node: Int, knowing ends: [Bool]) -> [Int] {
    let needed: [Int] =
      switch grammar.nodes[node] {
      case .object(let object): object.members.filter { !$0.isOptional }.map { Int($0.node) }
      case .array(let element, let minimum, _): minimum > 0 ? [Int(element)] : []
      default: directChildren(of: node)
      }
    return needed.filter { !ends[$0] }
  }

  /// The names of the types on the way, or paths where none has a name.
  private func names(of nodes: [Int]) -> [String] {
    let nameOfNode = Dictionary(uniqueKeysWithValues: named.map { (Int($0.value), $0.key) })
    let known = nodes.compactMap { nameOfNode[$0] }
    let all = known.isEmpty ? nodes.map { paths[$0] } : known
    return all.count > 12 ? all.prefix(6) + ["…"] + all.suffix(5) : all
  }
}
