extension GenerationSchema {
  /// The pointers to the objects that accept more keys than the model may generate.
  package var openPlaces: [String] {
    var places: [String] = []
    func visit(_ node: SchemaNode, _ place: String) {
      switch node {
      case .object(let object):
        if object.accepted != nil { places.append(place) }
        for property in object.properties {
          visit(property.node, SchemaPointer.child(of: "\(place)/properties", property.name))
        }
        for rule in object.extra?.rules ?? [] {
          visit(rule.node, SchemaPointer.child(of: "\(place)/patternProperties", rule.pattern))
        }
        if let others = object.extra?.others { visit(others, "\(place)/additionalProperties") }
      case .array(let array):
        for (index, part) in array.prefix.enumerated() {
          visit(part, "\(place)/prefixItems/\(index)")
        }
        visit(array.element, "\(place)/items")
      case .union(let union):
        for (index, choice) in union.choices.enumerated() {
          visit(choice, "\(place)/anyOf/\(index)")
        }
      default: break
      }
    }
    visit(root, "#")
    for definition in definitions {
      visit(definition.node, SchemaPointer.reference(to: definition.name))
    }
    return places
  }
}
