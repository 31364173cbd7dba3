extension GenerationSchema {
  /// Returns the node of a named type, or `nil` if there is none; `#` is the root.
  package func node(named name: String) -> SchemaNode? {
    name == SchemaNode.rootName ? root : definitions.first { $0.name == name }?.node
  }

  /// Returns the node itself or, for a reference, the type that it leads to.
  package func resolved(_ node: SchemaNode) -> SchemaNode {
    var node = node
    // A chain with more references than there are types is a cycle.
    for _ in 0...definitions.count {
      guard case .reference(let name, _) = node, let target = self.node(named: name) else { break }
      node = target
    }
    return node
  }

  /// Returns the distinct shapes that a value of the node can have, following references and
  /// unions.
  package func shapes(of node: SchemaNode) -> [SchemaNode] {
    var shapes: [SchemaNode] = []
    var seen: Set<SchemaNode> = []
    var visited: Set<String> = []
    var pending = [node]
    while let next = pending.popLast() {
      switch next {
      case .reference(let name, _):
        if visited.insert(name).inserted, let target = self.node(named: name) {
          pending.append(target)
        }
      case .union(let union): pending.append(contentsOf: union.choices.reversed())
      // To hash a node is to visit all its parts, so don't do it for the only shape.
      case _ where shapes.isEmpty && pending.isEmpty: shapes.append(next)
      default: if seen.insert(next).inserted { shapes.append(next) }
      }
    }
    return shapes
  }

  /// Returns the names of the branches that the model chooses from at a node: the case names of a
  /// payload enum (each case's constant `type`), or the strings of an enum.
  ///
  /// Null doesn't count as a branch.
  ///
  /// - Parameter node: The node, which may be a reference.
  /// - Returns: The names in order, or `nil` if the node is not a choice between cases or strings.
  package func branches(of node: SchemaNode) -> [String]? {
    var names: [String] = []
    for shape in shapes(of: node) {
      switch shape {
      case .null: continue
      case .string(let string):
        guard let choices = string.choices else { return nil }
        names += choices
      case .object(let object):
        guard let name = object.branchName else { return nil }
        names.append(name)
      default: return nil
      }
    }
    return names.isEmpty ? nil : names
  }

  /// Returns the distinct names of the properties that a value of the node can have, in order.
  ///
  /// The result is empty if no value of the node is an object.
  package func propertyNames(of node: SchemaNode) -> [String] {
    shapes(of: node).reduce(into: []) { names, shape in
      guard case .object(let object) = shape else { return }
      for property in object.properties where !names.contains(property.name) {
        names.append(property.name)
      }
    }
  }
}

extension ObjectSchema {
  /// The name of the payload-enum case that the object represents, or `nil` if it represents no
  /// case.
  ///
  /// The name is the constant value of the object's first property, `type`.
  package var branchName: String? {
    guard let first = properties.first, first.name == "type", case .string(let tag) = first.node,
      tag.choices?.count == 1
    else { return nil }
    return tag.choices?.first
  }
}
