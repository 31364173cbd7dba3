import StructuredText

/// Intersects schemas kind by kind and part by part, as tree automata are intersected.
///
/// ```
/// { a: string, b?: … }  ∩  { a: "x" | 1, … }      { a: "x", b?: … }
/// Person                ∩  { age: 0...9, … }      a new type, made once for each such pair
/// ```
///
/// The algebra intersects each pair of a reference and a schema only once, so intersecting
/// recursive types terminates. If no value is left, the result is a union without choices.
struct SchemaAlgebra {
  /// The maximum number of steps for combining the schemas of one document.
  static let defaultBudget = 20_000
  /// The maximum number of choices in a union.
  static let choiceLimit = 256

  /// The reason why the algebra can't write an intersection or a difference as a schema.
  enum Problem: Error {
    /// The combination takes more steps, or has more choices, than the limit allows.
    case budget
    /// The combination is not supported, for the given reason.
    case unsupported(String)
  }

  private struct Pair: Hashable {
    let left: SchemaNode
    let right: SchemaNode
    /// For each object in the two nodes, whether it is open, which `==` on nodes ignores.
    let openness: [Bool]

    init(left: SchemaNode, right: SchemaNode) {
      self.left = left
      self.right = right
      openness = left.openness + right.openness
    }
  }

  /// The definition of a type that the algebra creates later.
  enum Deferred {
    /// The values that exactly one choice of the union allows and that `beside`, if present, allows
    /// too; `within` is another schema that applies at the same place.
    case exclusive(UnionSchema, beside: SchemaNode?, within: SchemaNode?)
    /// The values of the first schema that the second one doesn't allow.
    case difference(SchemaNode, SchemaNode)
    /// The values that both schemas allow.
    case intersection(SchemaNode, SchemaNode)
  }

  private struct Waiting {
    var type: Deferred
    var place: (path: String, keyword: String)?
  }

  /// The reason why the intersection of numbers with multiples can't be expressed.
  private static let decimalMultiples =
    "common multiples of a decimal and another number are not supported"

  /// The reason why the difference of two schemas can't be expressed.
  static let noDifference = "the remaining values have no schema that can be enforced"

  /// The types, keyed by name, including the types that the algebra has created.
  var definitions: [String: SchemaNode] = [:]
  /// The names of the types that the algebra creates in addition to the document's types.
  private(set) var madeNames: [String] = []
  private var names: [Pair: String] = [:]
  private var waiting: [String: Waiting] = [:]
  private var pending: [String] = []
  private var open: Set<String> = []
  private(set) var budget = SchemaAlgebra.defaultBudget
  /// The place in the document whose deferred type could not be created.
  private(set) var failurePlace: (path: String, keyword: String)?
  var taken: Set<String> = []
  let matcher = NameMatcher()

  /// Takes steps from the budget, and throws if the budget is used up.
  mutating func spend(_ steps: Int = 1) throws(Problem) {
    budget -= steps
    if budget < 0 { throw .budget }
  }

  /// Forgets everything since an earlier state, except how many steps it took.
  mutating func goBack(to before: SchemaAlgebra) {
    let left = budget
    self = before
    budget = left
  }

  // MARK: Intersection

  /// Returns the schema of the values that both schemas allow.
  mutating func intersection(
    _ left: SchemaNode, _ right: SchemaNode
  ) throws(Problem) -> SchemaNode {
    try spend()
    var left = left
    var right = right
    let description = left.description ?? right.description
    left.description = nil
    right.description = nil
    return try plainIntersection(left, right).described(description)
  }

  private mutating func plainIntersection(
    _ left: SchemaNode, _ right: SchemaNode
  ) throws(Problem) -> SchemaNode {
    if left.isSame(as: right) { return left }
    switch (left, right) {
    case (.any, let other), (let other, .any): return other
    case (.reference, _), (_, .reference): return try reference(Pair(left: left, right: right))
    case (.union(let union), let other):
      return try choices(union) { algebra, choice throws(Problem) in
        try algebra.intersection(choice, other)
      }
    case (let other, .union(let union)):
      return try choices(union) { algebra, choice throws(Problem) in
        try algebra.intersection(other, choice)
      }
    case (.object(let left), .object(let right)): return try objects(left, right)
    case (.array(let left), .array(let right)): return try arrays(left, right)
    case (.string(let left), .string(let right)): return try strings(left, right)
    case (.integer(let left), .integer(let right)): return integers(left, right)
    case (.integer(let integer), .number(let number)), (.number(let number), .integer(let integer)):
      var other = IntegerSchema(within: number)
      if let multiple = number.multiple {
        guard let whole = multiple.wholeMultiple else {
          throw .unsupported(Self.decimalMultiples)
        }
        other.multiple = whole == 1 ? nil : whole
      }
      return integers(integer, other)
    case (.number(let left), .number(let right)):
      if let one = left.multiple, let other = right.multiple, one != other {
        throw .unsupported(Self.decimalMultiples)
      }
      return numbers(left, right)
    case (.boolean, .constant), (.null, .null): return right
    case (.constant, .boolean), (.boolean, .boolean): return left
    default: return .never
    }
  }

  /// Applies a change to every choice of a union and returns the union of the results.
  private mutating func choices(
    _ union: UnionSchema,
    _ change: (inout SchemaAlgebra, SchemaNode) throws(Problem) -> SchemaNode
  ) throws(Problem) -> SchemaNode {
    var choices: [SchemaNode] = []
    for choice in union.choices {
      let node = try change(&self, choice)
      if !node.isNever, !choices.contains(where: node.isSame) { choices.append(node) }
      if choices.count > Self.choiceLimit { throw .budget }
      try spend(choices.count / 16)
    }
    if choices.count == 1 { return choices[0] }
    return .union(UnionSchema(name: union.name, choices: choices))
  }

  // MARK: References

  private mutating func reference(_ pair: Pair) throws(Problem) -> SchemaNode {
    if let name = names[pair] { return .reference(name, description: nil) }
    if let name = names[Pair(left: pair.right, right: pair.left)] {
      return .reference(name, description: nil)
    }
    let name = name(like: "Combination")
    names[pair] = name
    waiting[name] = Waiting(type: .intersection(pair.left, pair.right))
    return .reference(name, description: nil)
  }

  /// Defers the creation of a type until all references have been read, and returns the type's
  /// name.
  mutating func deferring(_ type: Deferred, keyword: String, path: String) -> String {
    let name = name(like: "Choice")
    waiting[name] = Waiting(type: type, place: (path, keyword))
    return name
  }

  private mutating func name(like prefix: String) -> String {
    var number = madeNames.count + 1
    while !taken.insert("\(prefix)\(number)").inserted { number += 1 }
    let name = "\(prefix)\(number)"
    madeNames.append(name)
    pending.append(name)
    return name
  }

  /// Creates all deferred types.
  mutating func finish() throws(Problem) {
    var next = 0
    while next < pending.count {
      try make(pending[next])
      next += 1
    }
    pending.removeAll()
  }

  /// Creates the types that a node refers to, except types whose creation is in progress.
  mutating func settle(_ node: SchemaNode) throws(Problem) {
    var nodes = [node]
    var seen: Set<String> = []
    while let next = nodes.popLast() {
      try spend()
      if case .reference(let name, _) = next {
        guard seen.insert(name).inserted, !open.contains(name) else { continue }
        try make(name)
        if let target = definitions[name] { nodes.append(target) }
      } else {
        nodes += next.children
      }
    }
  }

  private mutating func make(_ name: String) throws(Problem) {
    guard definitions[name] == nil, let item = waiting[name] else { return }
    guard open.insert(name).inserted else {
      throw .unsupported("a type is endlessly combined with itself")
    }
    do throws(Problem) {
      definitions[name] = try made(item.type)
    } catch {
      if failurePlace == nil { failurePlace = item.place }
      throw error
    }
    open.remove(name)
  }

  private mutating func made(_ type: Deferred) throws(Problem) -> SchemaNode {
    switch type {
    case .exclusive(let union, let base, let context):
      return try exclusive(union, beside: base, within: context)
    case .difference(let left, let right):
      guard let rest = try difference(left, right) else { throw .unsupported(Self.noDifference) }
      return rest
    case .intersection(let left, let right):
      return try intersection(resolved(left), resolved(right))
    }
  }

  /// Returns the node at the end of a chain of references, creating deferred types on the way.
  mutating func resolved(_ node: SchemaNode) throws(Problem) -> SchemaNode {
    var node = node
    var steps = 0
    while case .reference(let name, let description) = node {
      try make(name)
      guard let target = definitions[name] else {
        throw .unsupported("a type is endlessly combined with itself")
      }
      guard steps < 256 else { throw .budget }
      node = target.described(description ?? target.description)
      steps += 1
    }
    return node
  }

  // MARK: Objects

  private mutating func objects(
    _ left: ObjectSchema, _ right: ObjectSchema
  ) throws(Problem) -> SchemaNode {
    var result = ObjectSchema(name: left.name ?? right.name, properties: [])
    try spend(left.properties.count + right.properties.count)
    let rightByName = right.byName
    for property in left.properties {
      var property = property
      if let position = rightByName[property.name] {
        let other = right.properties[position]
        property.node = try intersection(property.node, other.node)
        property.isOptional = property.isOptional && other.isOptional
        property.description = property.description ?? other.description
      } else {
        property.node = try intersection(property.node, value(of: property.name, in: right))
      }
      result.properties.append(property)
    }
    let leftByName = left.byName
    for property in right.properties where leftByName[property.name] == nil {
      var property = property
      property.node = try intersection(value(of: property.name, in: left), property.node)
      result.properties.append(property)
    }
    for property in result.properties where property.node.isNever && !property.isOptional {
      return .never
    }
    result.isOpen = left.isOpen && right.isOpen
    result.extra = try extras(left, right)
    result.count = counts(left.count, right.count)
    if let count = result.count, count.minimum > count.maximum ?? .max { return .never }
    return .object(result)
  }

  /// Returns the schema of the value under a key that an object doesn't declare.
  mutating func value(
    of name: String, in object: ObjectSchema
  ) throws(Problem) -> SchemaNode {
    guard let extra = object.extra else {
      return object.isOpen ? .any(description: nil) : .never
    }
    if extra.excludedNames.contains(name) { return .never }
    if let names = extra.names, matcher.matches(name, names) != true { return .never }
    var node: SchemaNode?
    for rule in extra.rules {
      guard let matches = matcher.matches(name, pattern: rule.pattern) else {
        throw .unsupported("the pattern `\(rule.pattern)` can't be compiled")
      }
      if !matches { continue }
      if let known = node { node = try intersection(known, rule.node) } else { node = rule.node }
    }
    return node ?? extra.others ?? (object.isOpen ? .any(description: nil) : .never)
  }

  private mutating func extras(
    _ left: ObjectSchema, _ right: ObjectSchema
  ) throws(Problem) -> ExtraProperties? {
    guard let first = left.extra else { return right.extraWhere(left.isOpen) }
    guard let second = right.extra else { return left.extraWhere(right.isOpen) }
    if first == second { return first }
    if !first.rules.isEmpty, !second.rules.isEmpty, first.rules != second.rules {
      throw .unsupported("schemas that apply together have different `patternProperties`")
    }
    var result = ExtraProperties(
      excludedNames: first.excludedNames
        + second.excludedNames.filter { !first.excludedNames.contains($0) })
    let rest = (
      left: first.others ?? (left.isOpen ? .any(description: nil) : .never),
      right: second.others ?? (right.isOpen ? .any(description: nil) : .never)
    )
    if first.rules == second.rules {
      for (one, other) in zip(first.rules, second.rules) {
        result.rules.append(
          .init(pattern: one.pattern, node: try intersection(one.node, other.node)))
      }
    } else {
      let other = first.rules.isEmpty ? rest.left : rest.right
      for rule in first.rules + second.rules {
        result.rules.append(.init(pattern: rule.pattern, node: try intersection(rule.node, other)))
      }
    }
    if first.others != nil || second.others != nil {
      let others = try intersection(rest.left, rest.right)
      result.others = others.isNever ? nil : others
    }
    if let one = first.names, let other = second.names {
      guard case .string(let both) = try strings(one, other) else { return nil }
      result.names = both
    } else {
      result.names = first.names ?? second.names
    }
    return result
  }

  private func counts(_ left: PropertyCount?, _ right: PropertyCount?) -> PropertyCount? {
    guard let left, let right else { return left ?? right }
    return PropertyCount(
      minimum: max(left.minimum, right.minimum),
      maximum: Self.least(left.maximum, right.maximum))
  }

  // MARK: Arrays

  private mutating func arrays(
    _ left: ArraySchema, _ right: ArraySchema
  ) throws(Problem) -> SchemaNode {
    var result = ArraySchema(element: try intersection(left.element, right.element))
    for index in 0..<max(left.prefix.count, right.prefix.count) {
      let one = index < left.prefix.count ? left.prefix[index] : left.element
      let other = index < right.prefix.count ? right.prefix[index] : right.element
      result.prefix.append(try intersection(one, other))
    }
    result.minimumCount = Self.greatest(left.minimumCount, right.minimumCount)
    result.maximumCount = Self.least(left.maximumCount, right.maximumCount)
    result.hasUniqueElements = left.hasUniqueElements || right.hasUniqueElements
    return result.normalized
  }

  // MARK: Bounds

  static func least<Value: Comparable>(_ left: Value?, _ right: Value?) -> Value? {
    guard let left, let right else { return left ?? right }
    return min(left, right)
  }

  static func greatest<Value: Comparable>(_ left: Value?, _ right: Value?) -> Value? {
    guard let left, let right else { return left ?? right }
    return max(left, right)
  }
}
