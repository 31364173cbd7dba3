/// Builds the nodes of a schema from dynamic schemas.
struct DynamicSchemaBuilder {
  private typealias SchemaError = GenerationSchema.SchemaError

  private var builder = SchemaBuilder()
  private let root: DynamicGenerationSchema
  private var dependencies: [String: DynamicGenerationSchema] = [:]
  private var undefined: [String] = []
  /// The names of the schemas whose definitions exist or are being built.
  private var begun: Set<String> = []

  private init(root: DynamicGenerationSchema) { self.root = root }

  static func nodes(
    root: DynamicGenerationSchema, dependencies: [DynamicGenerationSchema]
  ) throws(GenerationSchema.SchemaError) -> SchemaNodes {
    var builder = DynamicSchemaBuilder(root: root)
    return try builder.nodes(dependencies)
  }

  private func context(_ text: String) -> SchemaError.Context {
    SchemaError.Context(debugDescription: text)
  }

  private mutating func nodes(
    _ dependencies: [DynamicGenerationSchema]
  ) throws(GenerationSchema.SchemaError) -> SchemaNodes {
    for dependency in dependencies {
      guard let name = dependency.name else { continue }
      if name == root.name || self.dependencies[name] != nil {
        throw duplicate(name)
      }
      self.dependencies[name] = dependency
    }
    if let name = root.name, root.isDefinition { _ = builder.reserve(name) }
    for name in self.dependencies.keys where self.dependencies[name]?.isDefinition == true {
      _ = builder.reserve(name)
    }
    let rootNode = try rootNode()
    for dependency in dependencies { _ = try node(dependency) }
    if !undefined.isEmpty {
      throw .undefinedReferences(
        schema: root.name, references: undefined,
        context: context("The schema has \(self.dependencies.count) dependencies."))
    }
    // The builder numbers Swift types with the same name, but a dynamic schema's name must be
    // unique.
    let dynamicNames = begun.union([root.name].compactMap(\.self))
    if let name = builder.conflicts.first(where: dynamicNames.contains) { throw duplicate(name) }
    return builder.finished(root: rootNode)
  }

  private func duplicate(_ name: String) -> SchemaError {
    .duplicateType(
      schema: root.name, type: name,
      context: context("Each name must refer to one type in the root and its dependencies."))
  }

  private mutating func rootNode() throws(GenerationSchema.SchemaError) -> SchemaNode {
    switch root.form {
    case .type(let type, let constraints):
      return builder.rootNode(of: type.generationSchema).constrained(by: constraints)
    case .strings(let name, let description, let choices):
      return .string(
        StringSchema(
          name: name, description: description, choices: try checked(choices, name: name)))
    case .object, .union: return try body(root)
    case .array, .reference, .null: return try node(root)
    }
  }

  /// Returns the node for one use of a schema.
  private mutating func node(
    _ schema: DynamicGenerationSchema
  ) throws(GenerationSchema.SchemaError) -> SchemaNode {
    switch schema.form {
    case .object(let name, _, _, _), .union(let name, _, _):
      return try define(schema, as: name)
    case .strings(let name, let description, let choices):
      return .string(
        StringSchema(description: description, choices: try checked(choices, name: name)))
    case .array(let element, let minimum, let maximum):
      return .array(
        ArraySchema(
          element: try node(element), minimumCount: minimum.map { max(0, $0) },
          maximumCount: maximum.map { max(0, $0) }))
    case .type(let type, let constraints):
      return builder.node(of: type).constrained(by: constraints)
    case .reference(let name): return try reference(name)
    case .null: return .null(description: nil)
    }
  }

  private mutating func reference(
    _ name: String
  ) throws(GenerationSchema.SchemaError) -> SchemaNode {
    if name == root.name {
      if root.isDefinition { return .reference(SchemaNode.rootName, description: nil) }
      if case .strings = root.form { return try node(root) }
    }
    if let dependency = dependencies[name] {
      return begun.contains(name)
        ? .reference(name, description: nil) : try node(dependency)
    }
    if builder.definition(named: name) == nil, !begun.contains(name) {
      if !undefined.contains(name) { undefined.append(name) }
    }
    return .reference(name, description: nil)
  }

  /// Adds a definition for a named schema, which may be used in several places.
  private mutating func define(
    _ schema: DynamicGenerationSchema, as name: String
  ) throws(GenerationSchema.SchemaError) -> SchemaNode {
    let reference = SchemaNode.reference(name, description: nil)
    if begun.contains(name) {
      // While the first definition is being built, its body is unknown. After that, the two bodies
      // must be equal.
      let body = try body(schema)
      if let known = builder.definition(named: name), known != body { throw duplicate(name) }
      return reference
    }
    begun.insert(name)
    if dependencies[name] == nil {
      if name == root.name { throw duplicate(name) }
      if builder.definition(named: name) != nil { throw duplicate(name) }
      _ = builder.reserve(name)
    }
    let body = try body(schema)
    builder.define(body, as: name)
    return reference
  }

  private mutating func body(
    _ schema: DynamicGenerationSchema
  ) throws(GenerationSchema.SchemaError) -> SchemaNode {
    switch schema.form {
    case .object(let name, let description, let properties, let representsNilExplicitly):
      var parts: [PropertySchema] = []
      for property in properties {
        if parts.contains(where: { $0.name == property.name }) {
          throw .duplicateProperty(
            schema: name, property: property.name,
            context: context("Property names must be unique."))
        }
        let node = try node(property.schema)
        parts.append(
          PropertySchema(
            name: property.name, description: property.description ?? node.description,
            node: node.described(nil), isOptional: property.isOptional))
      }
      return .object(
        ObjectSchema(
          name: name, description: description, properties: parts,
          representsNilExplicitly: representsNilExplicitly && parts.contains(where: \.isOptional)))
    case .union(let name, let description, let choices):
      var nodes: [SchemaNode] = []
      for choice in choices { nodes.append(try node(choice)) }
      if nodes.isEmpty { throw emptyChoices(name) }
      return .union(UnionSchema(name: name, description: description, choices: nodes))
    default: return try node(schema)
    }
  }

  private func checked(
    _ choices: [String], name: String
  ) throws(GenerationSchema.SchemaError) -> [String] {
    if choices.isEmpty { throw emptyChoices(name) }
    return choices
  }

  private func emptyChoices(_ name: String) -> SchemaError {
    .emptyTypeChoices(
      schema: name,
      context: context("A value must be one of the choices, so there must be at least one."))
  }
}

extension DynamicGenerationSchema {
  /// Whether `DynamicSchemaBuilder` creates a definition for the schema.
  fileprivate var isDefinition: Bool {
    switch form {
    case .object, .union: true
    default: false
    }
  }
}

extension GenerationSchema {
  /// Creates a schema from dynamic schemas.
  ///
  /// - Parameters:
  ///   - root: The schema of the value.
  ///   - dependencies: The schemas that the root and the dependencies refer to by name.
  /// - Throws: `SchemaError` if two dependencies or two different schemas have the same name, a
  ///   reference is undefined, an object has two properties with the same name, or a choice has no
  ///   alternatives.
  public init(
    root: DynamicGenerationSchema, dependencies: [DynamicGenerationSchema]
  ) throws {
    let nodes = try DynamicSchemaBuilder.nodes(root: root, dependencies: dependencies)
    self.init(name: root.name ?? nodes.root.name ?? "Root", source: .nodes(nodes))
  }
}
