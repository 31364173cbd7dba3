import StructuredText

/// Subtracts one schema's values from another's, if the remainder can be written as a schema.
///
/// ```
/// { a?, b? } ∖ { b, … }        { a?, b never }       objects without `b`
/// 0...9      ∖ 3...4           0...2 | 5...9
/// string     ∖ "x" | "y"       a string that is neither
/// number     ∖ integer         no schema: nil
/// ```
extension SchemaAlgebra {
  /// Returns the schema of the values that the first schema allows and the second doesn't, or `nil`
  /// if the method finds no schema that describes exactly these values.
  mutating func difference(
    _ left: SchemaNode, _ right: SchemaNode, depth: Int = 0
  ) throws(Problem) -> SchemaNode? {
    try spend()
    if depth > 32 { return nil }
    if left.isSame(as: right) { return .never }
    switch (left, right) {
    case (_, .any): return .never
    case (.reference(let name, _), .reference(let other, _)) where name == other: return .never
    case (.reference, _): return try difference(resolved(left), right, depth: depth + 1)
    case (_, .reference): return try difference(left, resolved(right), depth: depth + 1)
    case (.union(let union), _):
      var choices: [SchemaNode] = []
      for choice in union.choices {
        guard let rest = try difference(choice, right, depth: depth + 1) else { return nil }
        if !rest.isNever { choices.append(rest) }
      }
      return choices.count == 1
        ? choices[0] : .union(UnionSchema(name: union.name, choices: choices))
    case (_, .union(let union)):
      var rest = left
      for choice in union.choices {
        guard let next = try difference(rest, choice, depth: depth + 1) else { return nil }
        rest = next
      }
      return rest
    case (.any, _): return try difference(.anything, right, depth: depth + 1)
    case (.object(let object), .object(let other)):
      return try objects(object, without: other, depth: depth)
    case (.array(let array), .array(let other)):
      return try arrays(array, without: other, depth: depth)
    case (.string(let string), .string(let other)): return try strings(string, without: other)
    case (.integer(let integer), .integer(let other)): return integers(integer, without: other)
    case (.integer(let integer), .number(let other)):
      if other.multiple != nil { return nil }
      return integers(integer, without: IntegerSchema(within: other))
    case (.number(let number), .number(let other)): return numbers(number, without: other)
    case (.number, .integer(let integer)):
      guard let values = DistinctValues.schemas(of: right, [:]), integer.multiple == nil else {
        return nil
      }
      // Exclude the integers one by one, each as a range that contains only one number.
      var rest = left
      for case .integer(let value) in values {
        let point = value.lowerBound
        let number = SchemaNode.number(NumberSchema(minimum: point, maximum: point))
        guard let next = try difference(rest, number, depth: depth + 1) else { return nil }
        rest = next
      }
      return rest
    case (.boolean, .constant(let value, _)): return .constant(!value, description: nil)
    case (.constant(let value, _), .constant(let other, _)):
      return value == other ? .never : left
    case (.constant, .boolean), (.boolean, .boolean), (.null, .null): return .never
    default: return left
    }
  }

  /// Returns a schema for the objects that the first schema allows and that break at least one rule
  /// of the second.
  private mutating func objects(
    _ left: ObjectSchema, without right: ObjectSchema, depth: Int
  ) throws(Problem) -> SchemaNode? {
    if try intersection(.object(left), .object(right)).isNever { return .object(left) }
    guard right.count == nil || right.count == left.count else { return nil }
    // The difference can't describe values under keys that neither schema declares. So the second
    // schema must allow every value that the first one can generate under such keys.
    let isFree = right.isOpen && right.extra == nil
    guard isFree || left.extra == nil || left.extra == right.extra else { return nil }
    var choices: [SchemaNode] = []
    let byName = left.byName
    let known = right.byName
    for property in left.properties where known[property.name] == nil {
      // Add the objects in which this property has a value that the other schema forbids.
      let other = try value(of: property.name, in: right)
      if property.node.isNever || other.isAny { continue }
      guard let rest = try difference(property.node, other, depth: depth + 1) else { return nil }
      if rest.isNever { continue }
      if !property.isOptional, rest.isSame(as: property.node) { return .object(left) }
      choices.append(.object(left.setting(property.name, to: rest, isOptional: false)))
    }
    for property in right.properties {
      let own = byName[property.name].map { left.properties[$0] }
      let node: SchemaNode
      if let own { node = own.node } else { node = try value(of: property.name, in: left) }
      let canBeAbsent = own?.isOptional ?? true
      if !property.isOptional, canBeAbsent {
        // Add the objects that lack a property that the other schema requires.
        choices.append(.object(left.setting(property.name, to: .never, isOptional: true)))
      }
      if node.isNever { continue }
      guard let rest = try difference(node, property.node, depth: depth + 1) else { return nil }
      if !rest.isNever {
        choices.append(.object(left.setting(property.name, to: rest, isOptional: false)))
      }
    }
    try spend(choices.count)
    return choices.count == 1 ? choices[0] : .union(UnionSchema(choices: choices))
  }

  /// The maximum number of leading elements that can get separate schemas.
  private static var longestFront: Int { 16 }

  private mutating func arrays(
    _ left: ArraySchema, without right: ArraySchema, depth: Int
  ) throws(Problem) -> SchemaNode? {
    if try intersection(.array(left), .array(right)).isNever { return .array(left) }
    guard !right.hasUniqueElements || left.hasUniqueElements else { return nil }
    var choices: [SchemaNode] = []
    if let minimum = right.minimumCount, minimum > 0 {
      var below = left
      below.maximumCount = Self.least(left.maximumCount, minimum - 1)
      choices.append(below.normalized)
    }
    if let maximum = right.maximumCount {
      var above = left
      above.minimumCount = Self.greatest(left.minimumCount, maximum + 1)
      choices.append(above.normalized)
    }
    // For each leading index, add the arrays whose element at this index doesn't fit the other
    // schema.
    var front = max(left.prefix.count, right.prefix.count)
    if let most = left.maximumCount, most <= Self.longestFront { front = max(front, most) }
    guard front <= Self.longestFront else { return nil }
    for index in 0..<front where index < left.maximumCount ?? .max {
      let node = left.element(at: index)
      guard let rest = try difference(node, right.element(at: index), depth: depth + 1) else {
        return nil
      }
      if rest.isNever { continue }
      choices.append(left.setting(index, to: rest))
    }
    if front < left.maximumCount ?? .max {
      guard let rest = try difference(left.element, right.element, depth: depth + 1) else {
        return nil
      }
      if !rest.isNever {
        // No schema can say that at least one of the remaining elements doesn't fit. But if none
        // of them can ever fit, every array with a remaining element belongs to the difference.
        guard try intersection(left.element, right.element).isNever else { return nil }
        choices.append(left.setting(front, to: left.element))
      }
    }
    try spend(choices.count)
    return .union(choices)
  }

  private mutating func strings(
    _ left: StringSchema, without right: StringSchema
  ) throws(Problem) -> SchemaNode? {
    if let choices = left.choices {
      var kept: [String] = []
      for choice in choices {
        guard let matches = matcher.matches(choice, right) else { return nil }
        if !matches { kept.append(choice) }
      }
      var result = left
      result.choices = kept
      return kept.isEmpty ? .never : .string(result)
    }
    var result = left
    if let choices = right.choices {
      result.excludedChoices += choices.filter { !left.excludedChoices.contains($0) }
      return .string(result)
    }
    var choices: [SchemaNode] = []
    for pattern in right.excludedPatterns {
      choices.append(try strings(left, StringSchema(pattern: pattern)))
    }
    if !right.excludedChoices.isEmpty {
      choices.append(try strings(left, StringSchema(choices: right.excludedChoices)))
    }
    for pattern in right.patterns where !left.patterns.contains(pattern) {
      var other = left
      other.excludedPatterns.append(pattern)
      choices.append(.string(other))
    }
    if let minimum = right.minimumLength, minimum > left.minimumLength ?? 0 {
      var short = left
      short.maximumLength = Self.least(left.maximumLength, minimum - 1)
      choices.append(.string(short))
    }
    if let maximum = right.maximumLength, maximum < left.maximumLength ?? .max {
      var long = left
      long.minimumLength = Self.greatest(left.minimumLength, maximum + 1)
      choices.append(.string(long))
    }
    return .union(choices)
  }

  private func integers(_ left: IntegerSchema, without right: IntegerSchema) -> SchemaNode? {
    if integers(left, right).isNever { return .integer(left) }
    guard right.multiple == nil || right.multiple == left.multiple else {
      // If there are only a few integers, list the ones that remain.
      guard let values = DistinctValues.schemas(of: .integer(left), [:]) else { return nil }
      return .union(
        values.filter { value in
          guard case .integer(let one) = value, let number = one.lowerBound else { return true }
          return right.reason(number) != nil
        })
    }
    var choices: [SchemaNode] = []
    if let bound = right.lowerBound {
      guard let whole = bound.int, whole > .min else { return nil }
      var upTo = IntegerSchema()
      upTo.upperBound = JSONNumber(whole - 1)
      choices.append(integers(left, upTo))
    }
    if let bound = right.upperBound {
      guard let whole = bound.int, whole < .max else { return nil }
      var from = IntegerSchema()
      from.lowerBound = JSONNumber(whole + 1)
      choices.append(integers(left, from))
    }
    return .union(choices)
  }

  private func numbers(_ left: NumberSchema, without right: NumberSchema) -> SchemaNode? {
    guard right.multiple == nil || right.multiple == left.multiple else { return nil }
    var choices: [SchemaNode] = []
    if let bound = right.minimum {
      var upTo = NumberSchema(maximum: bound)
      upTo.excludesMaximum = !right.excludesMinimum
      choices.append(numbers(left, upTo))
    }
    if let bound = right.maximum {
      var from = NumberSchema(minimum: bound)
      from.excludesMinimum = !right.excludesMaximum
      choices.append(numbers(left, from))
    }
    return .union(choices)
  }
}

extension SchemaNode {
  /// Any value, as a union of all kinds.
  static let anything = SchemaNode.union(
    UnionSchema(choices: [.openObject, .anyArray] + scalars))

  /// An object that may have any properties.
  static var openObject: SchemaNode {
    var object = ObjectSchema(properties: [])
    object.isOpen = true
    return .object(object)
  }

  static let anyArray = SchemaNode.array(ArraySchema(element: .any(description: nil)))

  static let scalars: [SchemaNode] = [
    .string(StringSchema()), .number(NumberSchema()), .boolean(description: nil),
    .null(description: nil),
  ]

  /// Whether the node allows any value.
  var isAny: Bool { if case .any = self { true } else { false } }

  /// Returns the union of several schemas, dropping schemas that allow nothing.
  static func union(_ choices: [SchemaNode]) -> SchemaNode {
    let kept = choices.filter { !$0.isNever }
    return kept.count == 1 ? kept[0] : .union(UnionSchema(choices: kept))
  }
}

extension ArraySchema {
  /// Returns the schema of the element at an index.
  func element(at index: Int) -> SchemaNode { index < prefix.count ? prefix[index] : element }

  /// Returns the array schema with a new schema for the element at an index, making the element
  /// required.
  func setting(_ index: Int, to node: SchemaNode) -> SchemaNode {
    var result = self
    while result.prefix.count <= index { result.prefix.append(element) }
    result.prefix[index] = node
    result.minimumCount = SchemaAlgebra.greatest(minimumCount, index + 1)
    return result.normalized
  }
}

extension ObjectSchema {
  /// Returns the object schema with a new schema for a property, adding the property if necessary.
  func setting(_ name: String, to node: SchemaNode, isOptional: Bool) -> ObjectSchema {
    var result = self
    if let position = byName[name] {
      result.properties[position].node = node
      result.properties[position].isOptional = isOptional
    } else {
      result.properties.append(PropertySchema(name: name, node: node, isOptional: isOptional))
    }
    return result
  }
}
