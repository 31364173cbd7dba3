/// Builds the nodes of a schema from Swift types.
///
/// The builder turns objects and unions into named definitions, and inlines strings, numbers and
/// arrays. It recognizes a type by its identity, so recursion terminates. If two
/// types have the same unqualified name, the second one's name in the schema ends in a number.
package struct SchemaBuilder {
  private var definitions: [(name: String, node: SchemaNode)] = []
  private var positions: [String: Int] = [:]
  private var names: [ObjectIdentifier: String] = [:]
  private var reserved: Set<String> = []
  /// The requested names that were already taken by another definition.
  private(set) var conflicts: [String] = []

  static func nodes(of schema: GenerationSchema) -> SchemaNodes {
    var builder = SchemaBuilder()
    let root = builder.rootNode(of: schema)
    return builder.finished(root: root)
  }

  package init() {}

  /// Returns a schema with the builder's definitions.
  package func schema(named name: String, root: SchemaNode) -> GenerationSchema {
    GenerationSchema(name: name, source: .nodes(finished(root: root)))
  }

  func finished(root: SchemaNode) -> SchemaNodes {
    SchemaNodes(root: root, definitions: DefinitionOrder.sorted(definitions, root: root))
  }

  /// Builds the node of the root schema, which refers to itself as `#`.
  mutating func rootNode(of schema: GenerationSchema) -> SchemaNode {
    switch schema.source {
    case .nodes(let nodes):
      for definition in nodes.definitions { define(definition.node, as: definition.name) }
      return nodes.root
    case .array(let element): return .array(ArraySchema(element: node(of: element)))
    case .choices(let ofType, let choices):
      return .string(
        StringSchema(name: ofType.name, description: ofType.description, choices: choices))
    case .object(let ofType, _, _), .types(let ofType, _), .cases(let ofType, _):
      names[ofType.id] = SchemaNode.rootName
      reserved.insert(ofType.name)
      return body(of: schema.source, name: ofType.name)
    }
  }

  /// Returns the node for one use of a type.
  mutating func node(of type: any Generable.Type) -> SchemaNode {
    if let name = names[ObjectIdentifier(type)] { return .reference(name, description: nil) }
    return node(of: type.generationSchema)
  }

  /// Returns the node for one use of a schema.
  package mutating func node(of schema: GenerationSchema) -> SchemaNode {
    switch schema.source {
    case .nodes(let nodes): return absorb(nodes)
    case .array(let element): return .array(ArraySchema(element: node(of: element)))
    case .choices(let ofType, let choices):
      return .string(StringSchema(description: ofType.description, choices: choices))
    case .object(let ofType, _, _), .types(let ofType, _), .cases(let ofType, _):
      if let name = names[ofType.id] { return .reference(name, description: nil) }
      let name = reserve(ofType.name)
      names[ofType.id] = name
      // Reserve the position before building the body, because the types in the body must come
      // later.
      define(.any(description: nil), as: name)
      let body = body(of: schema.source, name: name)
      define(body, as: name)
      return .reference(name, description: nil)
    }
  }

  private mutating func body(of source: SchemaSource, name: String) -> SchemaNode {
    switch source {
    case .object(let ofType, let properties, let representsNilExplicitly):
      return .object(
        object(
          name: name, description: ofType.description, properties: properties,
          representsNilExplicitly: representsNilExplicitly))
    case .types(let ofType, let types):
      return .union(
        UnionSchema(
          name: name, description: ofType.description, choices: types.map { node(of: $0) }))
    case .cases(let ofType, let cases):
      return .union(
        UnionSchema(
          name: name, description: ofType.description, choices: cases.map { choice($0) }))
    case .nodes, .array, .choices: return .any(description: nil)
    }
  }

  private mutating func object(
    name: String, description: String?, properties: [GenerationSchema.Property],
    representsNilExplicitly: Bool
  ) -> ObjectSchema {
    var parts: [PropertySchema] = []
    for property in properties where !parts.contains(where: { $0.name == property.name }) {
      let node = node(of: property.type).constrained(by: property.constraints)
      parts.append(
        PropertySchema(
          name: property.name, description: property.description ?? node.description,
          node: node.described(nil), isOptional: property.isOptional))
    }
    return ObjectSchema(
      name: name, description: description, properties: parts,
      representsNilExplicitly: representsNilExplicitly && parts.contains(where: \.isOptional))
  }

  /// Builds the object of an enum's case: the case name under `type`, followed by the payload.
  private mutating func choice(_ item: GenerationSchema.Case) -> SchemaNode {
    let wanted = "Discriminated" + item.name.prefix(1).uppercased() + item.name.dropFirst()
    var object = object(
      name: wanted, description: item.description, properties: item.payload,
      representsNilExplicitly: false)
    let tag = SchemaNode.string(StringSchema(choices: [item.name], isConstant: true))
    object.properties.insert(PropertySchema(name: "type", node: tag), at: 0)
    // If cases of two enums have the same name, guide and payload, they share one object.
    if positions[wanted].map({ definitions[$0].node }) == .object(object) {
      return .reference(wanted, description: nil)
    }
    let name = reserve(wanted)
    object.name = name
    define(.object(object), as: name)
    return .reference(name, description: nil)
  }

  // MARK: Definitions

  /// Reserves a name and returns it, with a number added if the wanted name is taken.
  package mutating func reserve(_ wanted: String) -> String {
    var name = wanted
    var number = 2
    while !reserved.insert(name).inserted {
      if number == 2 { conflicts.append(wanted) }
      name = wanted + String(number)
      number += 1
    }
    return name
  }

  package mutating func define(_ node: SchemaNode, as name: String) {
    reserved.insert(name)
    if let position = positions[name] {
      definitions[position].node = node
    } else {
      positions[name] = definitions.count
      definitions.append((name, node))
    }
  }

  func definition(named name: String) -> SchemaNode? {
    positions[name].map { definitions[$0].node }
  }

  /// Adds the definitions of a complete schema, and returns its root.
  ///
  /// If the root is an object or a union, it becomes a definition too, and the method returns a
  /// reference to it.
  private mutating func absorb(_ nodes: SchemaNodes) -> SchemaNode {
    var renamed: [String: String] = [:]
    var added: [(name: String, node: SchemaNode)] = []
    func isKnown(_ name: String, _ node: SchemaNode) -> Bool {
      positions[name].map { definitions[$0].node } == node
    }
    for definition in nodes.definitions {
      if isKnown(definition.name, definition.node) { continue }
      let name = reserve(definition.name)
      renamed[definition.name] = name
      added.append((name, definition.node))
    }
    var root = nodes.root
    var rootReference: SchemaNode?
    switch root {
    case .object, .union:
      let wanted = root.name ?? "Root"
      if isKnown(wanted, root.renamingReferences([SchemaNode.rootName: wanted])) {
        return .reference(wanted, description: nil)
      }
      let name = reserve(wanted)
      renamed[SchemaNode.rootName] = name
      rootReference = .reference(name, description: nil)
      added.insert((name, root), at: 0)
    case .string(var string):
      string.name = nil
      root = .string(string)
    default: break
    }
    for definition in added {
      define(definition.node.renamingReferences(renamed), as: definition.name)
    }
    return rootReference ?? root.renamingReferences(renamed)
  }
}

extension SchemaNode {
  /// Returns the node with its references renamed.
  ///
  /// References whose names aren't listed don't change.
  func renamingReferences(_ names: [String: String]) -> SchemaNode {
    if names.isEmpty { return self }
    switch self {
    case .reference(let name, let description):
      return .reference(names[name] ?? name, description: description)
    case .array(var array):
      array.prefix = array.prefix.map { $0.renamingReferences(names) }
      array.element = array.element.renamingReferences(names)
      return .array(array)
    case .union(var union):
      union.choices = union.choices.map { $0.renamingReferences(names) }
      return .union(union)
    case .object(var object):
      for position in object.properties.indices {
        object.properties[position].node =
          object.properties[position].node.renamingReferences(names)
      }
      object.extra = object.extra?.mapped { $0.renamingReferences(names) }
      return .object(object)
    default: return self
    }
  }
}
