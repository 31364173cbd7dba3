import EvalRecords
import GuidedGeneration
import StructuredText

/// The part of a schema that applies at one place in a value: the shapes that the schema allows
/// there, and the places to which paths lead from there.
struct SchemaView {
  /// The schema.
  let schema: GenerationSchema
  /// The schema nodes that a value at the place may match; a union counts as one node.
  let nodes: [SchemaNode]
  /// A description of the place, for messages.
  let place: String

  /// Creates the view at the root of a schema.
  init(_ schema: GenerationSchema) {
    self.init(schema: schema, nodes: [schema.resolved(schema.root)], place: "$")
  }

  private init(schema: GenerationSchema, nodes: [SchemaNode], place: String) {
    self.schema = schema
    self.nodes = nodes
    self.place = place
  }

  /// An error for a path to a place that the schema rules out; it says what is wrong and what is
  /// allowed.
  struct DeadEnd: Error {
    var problem: String
    var allowed: String
  }

  /// The shapes that a value at the place may have.
  var shapes: [SchemaNode] { nodes.flatMap { schema.shapes(of: $0) }.unique }

  /// The type names of the shapes without duplicates, for example "array or null".
  var typeWords: String {
    shapes.map { schema.typeName(of: $0) }.unique.joined(separator: " or ")
  }

  /// The names of the enum's cases, or `nil` if the value at the place isn't an enum.
  var branches: [String]? {
    let names = nodes.compactMap { schema.branches(of: $0) }
    guard names.count == nodes.count, !names.isEmpty else { return nil }
    return names.flatMap(\.self).unique
  }

  /// Returns the view at the end of a path.
  ///
  /// - Throws: `DeadEnd` for the first step that can't lead anywhere, whatever the value is.
  func following(_ path: JSONPlace) throws(DeadEnd) -> SchemaView {
    var view = self
    for step in path.steps { view = try view.following(step) }
    return view
  }

  private func following(_ step: JSONPlace.Step) throws(DeadEnd) -> SchemaView {
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

  private func deadEnd(at step: JSONPlace.Step) -> DeadEnd {
    switch step {
    case .name(let name):
      let names = nodes.flatMap { schema.propertyNames(of: $0) }.unique
      if names.isEmpty {
        return DeadEnd(
          problem: "`\(place)` is of type \(typeWords), which has no `\(name)`",
          allowed: "only objects have members")
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
        allowed: "only arrays have elements")
    case .wildcard:
      return DeadEnd(
        problem: "`\(place)` is of type \(typeWords), which can't contain values",
        allowed: "`[*]` applies to arrays and objects")
    }
  }
}

extension Array where Element: Hashable {
  /// The elements without duplicates, in order of first occurrence.
  var unique: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
