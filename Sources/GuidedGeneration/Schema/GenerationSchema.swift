/// The schema of a generated value: what the grammar enforces and the prompt describes.
public struct GenerationSchema: Sendable, Hashable {
  /// The shape of the root.
  package let root: SchemaNode
  /// The named types that references point to, in order of first use.
  package let definitions: [(name: String, node: SchemaNode)]

  /// Makes a schema of nodes that are known to be consistent.
  package init(root: SchemaNode, definitions: [(name: String, node: SchemaNode)]) {
    self.root = root
    self.definitions = definitions
  }

  public static func == (left: GenerationSchema, right: GenerationSchema) -> Bool {
    left.root == right.root
      && left.definitions.map(\.name) == right.definitions.map(\.name)
      && left.definitions.map(\.node) == right.definitions.map(\.node)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(root)
    hasher.combine(definitions.map(\.name))
  }
}
