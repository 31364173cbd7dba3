import EvalRecords
import GuidedGeneration
import StructuredText

extension GenerationSchema {
  /// The places whose decisions are *fixed*: white space aside, the schema fixes the text before
  /// them.
  ///
  /// ```
  /// version: const   kind: enum   why: string   cards: array
  ///                  ▲ fixed                    ▲ not fixed: the text of `why` comes before it
  /// ```
  /// Only keys, punctuation, constants and enums with a single case come before a fixed decision.
  /// If the model chose anything before a decision, even greedily, the decision's probability
  /// depends on that choice. An element of an array has `[*]` in its place if the array has exactly
  /// one element, and its index if the element is one of the first elements with their own schemas.
  package var fixedDecisions: [JSONPlace] {
    var walk = FixedDecisions(self)
    _ = walk.visit(root, at: .root, depth: 0)
    return walk.places
  }
}

/// A walk through a schema in the order of generation, up to the first choice of the model.
private struct FixedDecisions {
  /// The nesting at which the walk ends, as if the model had a choice there.
  private static let maximumDepth = 64
  /// The number of values after which the walk ends.
  private static let maximumValues = 10_000

  private let schema: GenerationSchema
  private(set) var places: [JSONPlace] = []
  private var valueCount = 0

  init(_ schema: GenerationSchema) { self.schema = schema }

  /// Visits a value whose preceding text is fixed.
  ///
  /// - Returns: Whether the value's own text is fixed too.
  mutating func visit(_ node: SchemaNode, at place: JSONPlace, depth: Int) -> Bool {
    valueCount += 1
    guard depth < Self.maximumDepth, valueCount < Self.maximumValues else { return false }
    switch node {
    case .constant, .null: return true
    case .integer(let integer):
      return integer.minimumText != nil && integer.minimumText == integer.maximumText
    case .number, .boolean, .any: return false
    case .string(let string):
      guard let choices = string.choices else { return false }
      if Set(choices).subtracting(string.excludedChoices).count == 1 { return true }
      places.append(place)
      return false
    case .union(let union):
      if union.choices.count == 1 {
        return visit(union.choices[0], at: place, depth: depth + 1)
      }
      places.append(place)
      return false
    case .reference(let name, _):
      guard let target = schema.node(named: name) else { return false }
      return visit(target, at: place, depth: depth + 1)
    case .object(let object): return visit(object, at: place, depth: depth)
    case .array(let array): return visit(array, at: place, depth: depth)
    }
  }

  private mutating func visit(_ object: ObjectSchema, at place: JSONPlace, depth: Int) -> Bool {
    for property in object.properties {
      // The model chooses whether an optional property is present.
      guard !property.isOptional,
        visit(property.node, at: place.appending(.name(property.name)), depth: depth + 1)
      else { return false }
    }
    // Keys that the schema doesn't name come last.
    return object.extra == nil
  }

  private mutating func visit(_ array: ArraySchema, at place: JSONPlace, depth: Int) -> Bool {
    let minimum = max(0, array.minimumCount ?? 0)
    // The model chooses the number of elements, or the order of elements that must differ.
    guard array.maximumCount == minimum, !array.hasUniqueElements || minimum < 2 else {
      places.append(place)
      return false
    }
    for index in 0..<minimum {
      let hasOwnSchema = index < array.prefix.count
      let step: JSONPlace.Step? =
        minimum == 1 ? .wildcard : hasOwnSchema ? .index(index) : nil
      let node = hasOwnSchema ? array.prefix[index] : array.element
      guard let step else {
        // All elements after the first ones have the same place, so a decision in them is fixed
        // only if there is none.
        let known = places.count
        let isFixed = visit(node, at: place.appending(.wildcard), depth: depth + 1)
        places.removeSubrange(known...)
        guard isFixed else { return false }
        continue
      }
      guard visit(node, at: place.appending(step), depth: depth + 1) else { return false }
    }
    return true
  }
}

extension RunRecord {
  /// The run with the places of fixed decisions in every suite, which runs of version 0.1 don't
  /// contain.
  ///
  /// A variant whose schema can't be read gets no such places.
  package var withFixedDecisions: RunRecord {
    var run = self
    for index in suites.indices where suites[index].details.fixedDecisions == nil {
      run.suites[index].details.fixedDecisions = FixedDecisionPlaces(
        Dictionary(
          suites[index].variants.map { variant in
            let schema = try? GenerationSchema(json: JSONValue(parsing: variant.schema))
            return (variant.id, (schema?.fixedDecisions ?? []).map(\.description))
          }, uniquingKeysWith: { first, _ in first }))
    }
    return run
  }
}
