import Synchronization

/// The schema of a generated value: what the grammar enforces and the prompt describes.
///
/// A schema that is made of Swift types is put together when its nodes are first needed, so that
/// types may refer to themselves and to each other.
public struct GenerationSchema: Sendable {
  /// The name of the type that the schema describes: a Swift type's name or a dynamic one.
  public let name: String

  /// What the schema is made of.
  let source: SchemaSource
  private let closed: ClosedSchema

  /// The shape of the root.
  package var root: SchemaNode { closed.nodes(of: self).root }

  /// The named types that references point to, in order of first use.
  package var definitions: [(name: String, node: SchemaNode)] {
    closed.nodes(of: self).definitions
  }

  /// Creates a schema of nodes that are known to be consistent.
  package init(root: SchemaNode, definitions: [(name: String, node: SchemaNode)]) {
    self.init(
      name: root.name ?? "Root",
      source: .nodes(SchemaNodes(root: root, definitions: definitions)))
  }

  init(name: String, source: SchemaSource) {
    self.name = name
    self.source = source
    closed = ClosedSchema()
  }
}

extension GenerationSchema: Hashable {
  public static func == (left: GenerationSchema, right: GenerationSchema) -> Bool {
    left.closed === right.closed
      || left.closed.nodes(of: left) == right.closed.nodes(of: right)
  }

  public func hash(into hasher: inout Hasher) {
    let nodes = closed.nodes(of: self)
    hasher.combine(nodes.root)
    hasher.combine(nodes.definitions.map(\.name))
  }
}

/// The nodes of a schema: a root and what its references point to.
struct SchemaNodes: Sendable, Equatable {
  var root: SchemaNode
  var definitions: [(name: String, node: SchemaNode)]

  static func == (left: SchemaNodes, right: SchemaNodes) -> Bool {
    left.root == right.root
      && left.definitions.map(\.name) == right.definitions.map(\.name)
      && left.definitions.map(\.node) == right.definitions.map(\.node)
  }
}

/// What a schema is made of.
enum SchemaSource: Sendable {
  /// Nodes, complete with their definitions.
  case nodes(SchemaNodes)
  /// An array of a type.
  case array(any Generable.Type)
  /// An object of properties.
  case object(SchemaOfType, properties: [GenerationSchema.Property], representsNilExplicitly: Bool)
  /// The strings of an enum without payloads.
  case choices(SchemaOfType, [String])
  /// One of several types.
  case types(SchemaOfType, [any Generable.Type])
  /// The cases of an enum with payloads.
  case cases(SchemaOfType, [GenerationSchema.Case])
}

/// The Swift type that a schema describes.
struct SchemaOfType: Sendable {
  var type: any Generable.Type
  var name: String
  var description: String?

  var id: ObjectIdentifier { ObjectIdentifier(type) }
}

/// The nodes of a schema, put together once.
private final class ClosedSchema: Sendable {
  private let cache = Mutex<SchemaNodes?>(nil)

  func nodes(of schema: GenerationSchema) -> SchemaNodes {
    if case .nodes(let nodes) = schema.source { return nodes }
    if let nodes = cache.withLock({ $0 }) { return nodes }
    // Outside the lock: building asks other types for their schemas.
    let nodes = SchemaBuilder.nodes(of: schema)
    cache.withLock { $0 = nodes }
    return nodes
  }
}
