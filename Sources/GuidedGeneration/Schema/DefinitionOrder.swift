/// Puts the definitions of a schema in order.
enum DefinitionOrder {
  /// Sorts definitions by first use, depth-first from the root.
  ///
  /// Unused definitions come last, in their original order.
  static func sorted(
    _ definitions: [(name: String, node: SchemaNode)], root: SchemaNode
  ) -> [(name: String, node: SchemaNode)] {
    let used = Set(usedNames(definitions, root: root))
    return self.used(definitions, root: root) + definitions.filter { !used.contains($0.name) }
  }

  /// Returns the definitions that can be reached from the root, in order of first use.
  static func used(
    _ definitions: [(name: String, node: SchemaNode)], root: SchemaNode
  ) -> [(name: String, node: SchemaNode)] {
    let nodes = byName(definitions)
    return usedNames(definitions, root: root).compactMap { name in
      nodes[name].map { (name, $0) }
    }
  }

  private static func byName(
    _ definitions: [(name: String, node: SchemaNode)]
  ) -> [String: SchemaNode] {
    Dictionary(definitions.map { ($0.name, $0.node) }, uniquingKeysWith: { first, _ in first })
  }

  private static func usedNames(
    _ definitions: [(name: String, node: SchemaNode)], root: SchemaNode
  ) -> [String] {
    let nodes = byName(definitions)
    var names: [String] = []
    var known: Set<String> = []
    var pending = [root]
    while let node = pending.popLast() {
      if case .reference(let name, _) = node {
        if let target = nodes[name], known.insert(name).inserted {
          names.append(name)
          pending.append(target)
        }
      } else {
        pending.append(contentsOf: node.children.reversed())
      }
    }
    return names
  }
}
