import EvalRecords
import GuidedGeneration
import StructuredText

extension GenerationSchema {
  /// Returns the decisions that a comparison needs from each answer, or `nil` if it needs the whole
  /// answer.
  ///
  /// A comparison uses the lengths of all arrays and the expected branches. An array inside the
  /// elements of another array may come up again until the answer's end, so the whole answer is
  /// needed.
  ///
  /// - Parameters:
  ///   - minimums: The length below which an array counts as too short, keyed by its place.
  ///   - branches: The places whose branch the test case expects.
  package func neededDecisions(
    minimums: [String: Int], branches: some Sequence<String>
  ) -> DecisionNeeds? {
    var walk = NeededDecisions(self)
    walk.visit(root, at: .root, depth: 0)
    let branches = Set(branches.map(JSONPlace.canonical))
    // The same place has several decisions if an alternative of a union is a union, too.
    guard !walk.isUnbounded, branches.isDisjoint(with: walk.nested) else { return nil }
    let minimums = Dictionary(
      minimums.map { (JSONPlace.canonical($0.key), $0.value) }, uniquingKeysWith: max)
    return DecisionNeeds(
      arrays: Dictionary(
        walk.arrays.map { ($0, minimums[$0] ?? 1) }, uniquingKeysWith: max),
      branches: branches)
  }
}

/// A walk through a schema that collects the places of arrays whose length the model chooses.
private struct NeededDecisions {
  /// The nesting at which the walk ends, as in a schema that refers to itself.
  private static let maximumDepth = 64
  /// The number of values after which the walk ends.
  private static let maximumValues = 10_000

  private let schema: GenerationSchema
  private(set) var arrays: Set<String> = []
  /// The places of unions of which an alternative is a union or an enum.
  private(set) var nested: Set<String> = []
  /// Whether decisions may come up again until the end of the answer.
  private(set) var isUnbounded = false
  private var valueCount = 0

  init(_ schema: GenerationSchema) { self.schema = schema }

  mutating func visit(_ node: SchemaNode, at place: JSONPlace, depth: Int) {
    valueCount += 1
    guard depth < Self.maximumDepth, valueCount < Self.maximumValues else {
      isUnbounded = true
      return
    }
    switch node {
    case .constant, .null, .integer, .number, .boolean, .string: return
    case .any: isUnbounded = true
    case .reference(let name, _):
      if let target = schema.node(named: name) { visit(target, at: place, depth: depth + 1) }
    case .union(let union):
      if union.choices.count > 1, union.choices.contains(where: { isChoice($0, depth: 0) }) {
        nested.insert(place.description)
      }
      for choice in union.choices { visit(choice, at: place, depth: depth + 1) }
    case .object(let object):
      if object.extra != nil { isUnbounded = true }
      for property in object.properties {
        visit(property.node, at: place.appending(.name(property.name)), depth: depth + 1)
      }
    case .array(let array):
      let minimum = max(0, array.minimumCount ?? 0)
      if array.maximumCount != minimum || array.hasUniqueElements {
        arrays.insert(place.description)
      }
      let known = arrays
      for (index, node) in array.prefix.enumerated() {
        visit(node, at: place.appending(.index(index)), depth: depth + 1)
      }
      visit(array.element, at: place.appending(.wildcard), depth: depth + 1)
      if arrays != known { isUnbounded = true }
    }
  }

  /// Returns whether a node is itself a choice between branches or enum cases.
  private func isChoice(_ node: SchemaNode, depth: Int) -> Bool {
    switch node {
    case .union: true
    case .string(let string): string.choices != nil
    case .reference(let name, _):
      depth >= Self.maximumDepth
        || schema.node(named: name).map { isChoice($0, depth: depth + 1) } ?? false
    default: false
    }
  }
}
