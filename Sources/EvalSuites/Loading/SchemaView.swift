import EvalRecords
import GuidedGeneration
import StructuredText

/// The schema as seen from a place in the value: the possible values there, and the values to which
/// paths lead from there.
struct SchemaView {
  /// The schema.
  let schema: GenerationSchema
  /// The schema nodes that a value at the place may match; a union stays one node.
  let nodes: [SchemaNode]
  /// A description of the place, for messages.
  let place: String

  /// Creates the view from the root.
  init(_ schema: GenerationSchema) {
    self.init(schema: schema, nodes: [schema.resolved(schema.root)], place: "$")
  }

  private init(schema: GenerationSchema, nodes: [SchemaNode], place: String) {
    self.schema = schema
    self.nodes = nodes
    self.place = place
  }

  /// An error for a path that leads nowhere: what is wrong, and what is allowed.
  struct DeadEnd: Error {
    var problem: String
    var allowed: String
  }

  /// The possible shapes of a value at the place.
  var shapes: [SchemaNode] { nodes.flatMap { schema.shapes(of: $0) }.unique }

  /// The names of the shapes' types, without duplicates: "array or null".
  var typeWords: String {
    shapes.map { schema.typeName(of: $0) }.unique.joined(separator: " or ")
  }

  /// The names of the cases of the enum at the place; nil if the value there is not an enum.
  var branches: [String]? {
    let names = nodes.compactMap { schema.branches(of: $0) }
    guard names.count == nodes.count, !names.isEmpty else { return nil }
    return names.flatMap(\.self).unique
  }

  /// Returns the view from the end of a path.
  ///
  /// - Throws: An error for the first step that leads nowhere, whatever the value is.
  func following(_ path: ValuePath) throws(DeadEnd) -> SchemaView {
    var view = self
    for step in path.steps { view = try view.following(step) }
    return view
  }

  private func following(_ step: ValuePath.Step) throws(DeadEnd) -> SchemaView {
    var reached: [SchemaNode] = []
    for shape in shapes {
      switch (step, shape) {
      case (_, .any): reached.append(shape)
      case (.name(let name), .object(let object)):
        reached += object.properties.filter { $0.name == name }.map { schema.resolved($0.node) }
      case (.index(let index), .array(let array)) where index < array.maximumCount ?? .max:
        reached.append(schema.resolved(array.element))
      case (.wildcard, .array(let array)): reached.append(schema.resolved(array.element))
      case (.wildcard, .object(let object)):
        reached += object.properties.map { schema.resolved($0.node) }
      default: break
      }
    }
    guard reached.isEmpty else {
      return SchemaView(schema: schema, nodes: reached.unique, place: place + step.text)
    }
    throw deadEnd(at: step)
  }

  private func deadEnd(at step: ValuePath.Step) -> DeadEnd {
    switch step {
    case .name(let name):
      let names = nodes.flatMap { schema.propertyNames(of: $0) }.unique
      if names.isEmpty {
        return DeadEnd(
          problem: "`\(place)` is of type \(typeWords), which has no `\(name)`",
          allowed: "names apply to objects")
      }
      return DeadEnd(
        problem: "the schema has no `\(name)` at `\(place)`",
        allowed: NearestName.hint(for: name, among: names, what: "it has"))
    case .index(let index):
      for case .array(let array) in shapes {
        return DeadEnd(
          problem: "the schema has no element \(index) at `\(place)`",
          allowed: "it has at most \((array.maximumCount ?? 0).counted("element"))")
      }
      return DeadEnd(
        problem: "`\(place)` is of type \(typeWords), which has no elements",
        allowed: "indices apply to arrays")
    case .wildcard:
      return DeadEnd(
        problem: "`\(place)` is of type \(typeWords), which can't contain values",
        allowed: "`[*]` applies to arrays and objects")
    }
  }
}

extension Array where Element: Hashable {
  /// The elements without duplicates, each at its first position.
  var unique: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
