import Synchronization

/// The schema of a generated value.
///
/// The grammar enforces the schema, and the prompt describes it.
///
/// If a schema is built from Swift types, its nodes are created when they are first needed, so that
/// types may refer to themselves and to each other. If two types have the same unqualified name,
/// the second one's name in the schema ends in a number; in Apple's framework, the names can
/// collide.
public struct GenerationSchema: Sendable {
  /// The name of the Swift type or of the dynamic schema, the title of the JSON Schema, or `Root`
  /// if there is neither a name nor a title.
  public let name: String

  /// The dialect of the document from which the schema was read; Apple's for every other schema.
  ///
  /// Only in Apple's dialect, a null stands for a property without a value.
  package internal(set) var dialect = SchemaDialect.apple

  /// The source from which the schema is built.
  let source: SchemaSource
  private let closed: ClosedSchema

  /// The root node.
  package var root: SchemaNode { closed.nodes(of: self).root }

  /// The named types that references lead to, in order of first use.
  package var definitions: [(name: String, node: SchemaNode)] {
    closed.nodes(of: self).definitions
  }

  /// Creates a schema from nodes that are known to be consistent.
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

/// Equality of schemas, which Apple's framework doesn't provide.
extension GenerationSchema: Hashable {
  /// Returns whether two schemas have equal nodes and definitions; `name` is not compared.
  ///
  /// - Parameters:
  ///   - left: A schema.
  ///   - right: Another schema.
  public static func == (left: GenerationSchema, right: GenerationSchema) -> Bool {
    left.closed === right.closed
      || left.closed.nodes(of: left) == right.closed.nodes(of: right)
  }

  /// Hashes the root and the names of the definitions.
  ///
  /// - Parameter hasher: The hasher to feed.
  public func hash(into hasher: inout Hasher) {
    let nodes = closed.nodes(of: self)
    hasher.combine(nodes.root)
    hasher.combine(nodes.definitions.map(\.name))
  }
}

/// The nodes of a schema: a root and the targets of its references.
struct SchemaNodes: Sendable, Equatable {
  var root: SchemaNode
  var definitions: [(name: String, node: SchemaNode)]

  static func == (left: SchemaNodes, right: SchemaNodes) -> Bool {
    left.root == right.root
      && left.definitions.map(\.name) == right.definitions.map(\.name)
      && left.definitions.map(\.node) == right.definitions.map(\.node)
  }
}

/// The source from which a schema is built.
enum SchemaSource: Sendable {
  /// Complete nodes with their definitions.
  case nodes(SchemaNodes)
  /// An array whose elements have the given type.
  case array(any Generable.Type)
  /// An object with properties.
  case object(SchemaOfType, properties: [GenerationSchema.Property], representsNilExplicitly: Bool)
  /// The strings of an enum without payloads.
  case choices(SchemaOfType, [String])
  /// A choice between several types.
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

/// A cache for the nodes of a schema.
private final class ClosedSchema: Sendable {
  private let cache = Mutex<SchemaNodes?>(nil)

  func nodes(of schema: GenerationSchema) -> SchemaNodes {
    if case .nodes(let nodes) = schema.source { return nodes }
    if let nodes = cache.withLock({ $0 }) { return nodes }
    // Don't hold the lock here, because building the nodes asks other types for their schemas.
    let nodes = SchemaBuilder.nodes(of: schema)
    cache.withLock { $0 = nodes }
    return nodes
  }
}
