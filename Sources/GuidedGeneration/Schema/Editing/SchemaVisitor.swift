/// Visits the named places of a schema and can change the parts there.
///
/// The name of a place is `Type` or `Type.property`. An unnamed object takes its name from its
/// property, as in the outline.
struct SchemaVisitor {
  /// The part of a schema at a place: a node, and the description at that place.
  struct Part {
    var node: SchemaNode
    var description: String?
  }

  /// A closure that the visitor calls for every place, and that may change the part there.
  typealias Change = (_ place: String, _ part: inout Part) -> Void

  let schema: GenerationSchema

  /// Returns the schema after visiting and possibly changing every place.
  func changed(_ change: Change) -> GenerationSchema {
    var root = schema.root
    visitType(&root, name: root.name ?? "Root", change)
    let definitions = schema.definitions.map { definition in
      var node = definition.node
      visitType(&node, name: definition.name, change)
      return (name: definition.name, node: node)
    }
    var result = GenerationSchema(
      root: root, definitions: DefinitionOrder.used(definitions, root: root))
    result.dialect = schema.dialect
    return result
  }

  /// The places of the schema in order, without duplicates.
  var places: [String] {
    var places: [String] = []
    var known: Set<String> = []
    _ = changed { place, _ in
      if known.insert(place).inserted { places.append(place) }
    }
    return places
  }

  private func visitType(_ node: inout SchemaNode, name: String, _ change: Change) {
    if case .reference = node { return }
    var part = Part(node: node, description: node.description)
    change(name, &part)
    node = part.node.described(part.description)
    visitParts(of: &node, name: name, change)
  }

  private func visitParts(of node: inout SchemaNode, name: String, _ change: Change) {
    switch node {
    case .object(var object):
      for position in object.properties.indices {
        visit(&object.properties[position], of: name, change)
      }
      node = .object(object)
    case .union(var union):
      for position in union.choices.indices {
        visitInline(&union.choices[position], hint: "\(name)\(position + 1)", change)
      }
      node = .union(union)
    case .array(var array):
      for index in array.prefix.indices {
        visitInline(&array.prefix[index], hint: "\(name)\(index + 1)", change)
      }
      visitInline(&array.element, hint: name, change)
      node = .array(array)
    default: break
    }
  }

  private func visit(_ property: inout PropertySchema, of type: String, _ change: Change) {
    var part = Part(node: property.node, description: property.effectiveDescription)
    change("\(type).\(property.name)", &part)
    let hint = property.name.prefix(1).uppercased() + property.name.dropFirst()
    switch part.node {
    case .object, .union, .string:
      // An inline type takes its description from its property.
      if let name = part.node.name ?? (part.node.children.isEmpty ? nil : hint) {
        change(name, &part)
        visitParts(of: &part.node, name: name, change)
      }
    case .array: visitParts(of: &part.node, name: hint, change)
    default: break
    }
    property.node = part.node.described(nil)
    property.description = part.description
  }

  private func visitInline(_ node: inout SchemaNode, hint: String, _ change: Change) {
    switch node {
    case .object, .union: visitType(&node, name: node.name ?? hint, change)
    case .string(let string): if let name = string.name { visitType(&node, name: name, change) }
    case .array: visitParts(of: &node, name: hint, change)
    default: break
    }
  }
}
