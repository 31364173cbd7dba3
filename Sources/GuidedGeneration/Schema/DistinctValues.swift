import StructuredText

/// Lists the possible values of schemas that allow only a few values.
package enum DistinctValues {
  /// The maximum number of values that an element can have, in an array that forbids repeated
  /// elements.
  package static let limit = 32

  /// Returns the values that a schema allows, each as a schema, or `nil` if there are more than
  /// `limit` values or the values can't be listed.
  ///
  /// - Parameters:
  ///   - node: A schema.
  ///   - definitions: The named types.
  package static func schemas(
    of node: SchemaNode, _ definitions: [String: SchemaNode]
  ) -> [SchemaNode]? {
    var result: [SchemaNode] = []
    var seen: Set<[UInt8]> = []
    var open = [node]
    var steps = 0
    while let next = open.popLast() {
      steps += 1
      guard steps <= 1000, let values = values(of: next, definitions) else { return nil }
      for (text, value) in values.constants where seen.insert(Array(text.utf8)).inserted {
        result.append(value)
        if result.count > limit { return nil }
      }
      open += values.others.reversed()
    }
    return result
  }

  private typealias Values = (constants: [(String, SchemaNode)], others: [SchemaNode])

  /// Returns the values of a node (`constants`) and the nodes that have further values (`others`),
  /// or `nil` if the values can't be listed.
  ///
  /// Each constant is a schema that allows only one value, with a text that identifies the value.
  private static func values(
    of node: SchemaNode, _ definitions: [String: SchemaNode]
  ) -> Values? {
    switch node {
    case .null: return ([("null", node)], [])
    case .boolean:
      return ([false, true].map { ("\($0)", .constant($0, description: nil)) }, [])
    case .constant(let value, _): return ([("\(value)", node)], [])
    case .string(let string):
      guard let choices = string.choices, choices.count <= 1000 else { return nil }
      let values = choices.map { choice in
        var one = string
        one.choices = [choice]
        return ("\"" + choice, SchemaNode.string(one))
      }
      return (values, [])
    case .integer(let integer):
      guard let least = integer.minimum, let most = integer.maximum, least <= most else {
        return nil
      }
      let (span, overflow) = most.subtractingReportingOverflow(least)
      guard !overflow, span < 1000 else { return nil }
      let step = integer.multiple ?? 1
      let numbers = (least...most).filter { $0 % step == 0 }
      return (
        numbers.map { ("\($0)", .integer(IntegerSchema(minimum: $0, maximum: $0))) }, []
      )
    case .number(let number):
      guard let value = number.minimum, value == number.maximum, !number.excludesMinimum,
        !number.excludesMaximum
      else { return nil }
      return ([(value.canonicalText, node)], [])
    case .union(let union): return ([], union.choices)
    case .reference(let name, _): return definitions[name].map { ([], [$0]) }
    case .object, .array, .any: return nil
    }
  }
}
