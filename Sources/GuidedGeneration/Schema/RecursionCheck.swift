/// Finds types that have no finite value or begin with themselves.
///
/// ```
/// Folder = { inner: Folder }            no value ends
/// Loop   = anyOf [ Loop, string ]       begins with itself
/// Tree   = { children: [Tree] }         fine: an array may be empty
/// ```
enum RecursionCheck {
  /// Returns the name of the first type that has no finite value or begins with itself, or `nil` if
  /// there is no such type.
  static func endlessType(in schema: GenerationSchema) -> String? {
    let types = [(name: SchemaNode.rootName, node: schema.root)] + schema.definitions
    if let name = typeBeginningWithItself(types) { return name }
    // Compute a least fixed point: a type is finite once everything that it must contain is finite.
    var finite: Set<String> = []
    var changed = true
    while changed {
      changed = false
      for type in types where !finite.contains(type.name) && isFinite(type.node, finite) {
        finite.insert(type.name)
        changed = true
      }
    }
    return types.first { !finite.contains($0.name) }?.name
  }

  private static func isFinite(_ node: SchemaNode, _ finite: Set<String>) -> Bool {
    switch node {
    case .reference(let name, _): finite.contains(name)
    case .object(let schema):
      schema.properties.allSatisfy { $0.isOptional || isFinite($0.node, finite) }
    case .array(let schema):
      schema.prefix.prefix(schema.minimumCount ?? 0).allSatisfy { isFinite($0, finite) }
        && ((schema.minimumCount ?? 0) <= schema.prefix.count || isFinite(schema.element, finite))
    case .union(let schema): schema.choices.contains { isFinite($0, finite) }
    default: true
    }
  }

  private static func typeBeginningWithItself(
    _ types: [(name: String, node: SchemaNode)]
  ) -> String? {
    let targetsByName = Dictionary(
      types.map { ($0.name, heads(of: $0.node)) }, uniquingKeysWith: { first, _ in first })
    // A depth-first search with three colors. The stack is explicit, because a document could chain
    // enough types to overflow the call stack.
    var done: Set<String> = []
    for type in types where !done.contains(type.name) {
      var open: Set<String> = [type.name]
      var stack = [(name: type.name, next: 0)]
      while let top = stack.last {
        let targets = targetsByName[top.name] ?? []
        guard top.next < targets.count else {
          open.remove(top.name)
          done.insert(top.name)
          stack.removeLast()
          continue
        }
        stack[stack.count - 1].next += 1
        let target = targets[top.next]
        if open.contains(target) { return target }
        if !done.contains(target) {
          open.insert(target)
          stack.append((target, 0))
        }
      }
    }
    return nil
  }

  /// Returns the names of the types with which a value of the node may begin.
  private static func heads(of node: SchemaNode) -> [String] {
    switch node {
    case .reference(let name, _): [name]
    case .union(let schema): schema.choices.flatMap(heads(of:))
    default: []
    }
  }
}
