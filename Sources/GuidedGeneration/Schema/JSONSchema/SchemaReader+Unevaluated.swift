import StructuredText

/// Reads `unevaluatedProperties`, which applies to the properties that no other schema at the same
/// place declares.
///
/// The declared properties may depend on which of the schemas apply to a value, so the reader
/// distinguishes several cases, each with its own conditions:
///
/// ```
/// anyOf: [ { a, required a }, { b } ]      first alone   only a
///                                          second alone  only b
///                                          both          a and b
/// ```
extension SchemaReader {
  /// The properties that the schemas at a place declare in one case.
  private struct Evaluation {
    /// The conditions of this case.
    var conditions: [SchemaNode] = []
    var names: [String] = []
    var patterns: [String] = []
    /// Whether one of the schemas covers all properties.
    var isAll = false

    var saysNothing: Bool {
      conditions.isEmpty && names.isEmpty && patterns.isEmpty && !isAll
    }

    func joined(_ other: Evaluation) -> Evaluation {
      Evaluation(
        conditions: conditions + other.conditions, names: names + other.names,
        patterns: patterns + other.patterns, isAll: isAll || other.isAll)
    }
  }

  /// The maximum number of cases for one place.
  private static var mostEvaluations: Int { 64 }

  /// Returns a node restricted to the values whose properties are all declared by a schema at this
  /// place, or allowed by `unevaluatedProperties`.
  mutating func evaluated(
    _ node: SchemaNode, _ place: SchemaPlaceReader, depth: Int
  ) throws(SchemaReadError) -> SchemaNode {
    let keyword = "unevaluatedProperties"
    guard let value = place.members[keyword], value != .bool(true) else { return node }
    let applicators = [
      "$ref", "allOf", "anyOf", "oneOf", "if", "dependentSchemas", "dependencies",
    ]
    let isAlone = applicators.allSatisfy { place.members[$0] == nil }
    if place.members["additionalProperties"] != nil || isAlone { return node }
    var members = place.members
    members[keyword] = nil
    let cases = try evaluations(.object(members), at: place.path, depth: 0)
    let others = try self.node(value, at: place.path(to: keyword), depth: depth + 1)
    var choices: [SchemaNode] = []
    for item in cases {
      var part = item.isAll ? SchemaNode.openObject : Self.closure(item, others: others)
      for condition in item.conditions {
        let left = part
        part = try combined(place, keyword) { algebra throws(SchemaAlgebra.Problem) in
          try algebra.intersection(left, condition)
        }
      }
      choices.append(part)
    }
    let allowed = SchemaNode.union(choices + SchemaNode.scalars + [.anyArray])
    return try combined(place, keyword) { algebra throws(SchemaAlgebra.Problem) in
      try algebra.intersection(node, allowed)
    }
  }

  /// Returns the schema of the objects in which all properties that the case doesn't declare
  /// conform to `others`.
  private static func closure(_ item: Evaluation, others: SchemaNode) -> SchemaNode {
    var seen: Set<String> = []
    let any = SchemaNode.any(description: nil)
    var object = ObjectSchema(
      properties: item.names.filter { seen.insert($0).inserted }
        .map { PropertySchema(name: $0, node: any, isOptional: true) })
    let rules = item.patterns.map { ExtraProperties.Rule(pattern: $0, node: any) }
    if !rules.isEmpty || !others.isNever {
      object.extra = ExtraProperties(rules: rules, others: others.isNever ? nil : others)
    }
    return .object(object)
  }

  /// Returns the cases that the reader has to distinguish for a schema.
  private mutating func evaluations(
    _ value: JSONValue, at path: String, depth: Int
  ) throws(SchemaReadError) -> [Evaluation] {
    guard case .object(let members) = value else { return [Evaluation()] }
    let place = SchemaPlaceReader(members: members, path: path, options: options)
    guard depth < 16 else { throw unknownEvaluation(place) }
    var own = Evaluation(names: members["properties"]?.object?.keys ?? [])
    own.patterns = (members["patternProperties"]?.object?.keys ?? [])
      .map(PatternAnchoring.wholePattern(of:))
    own.isAll = members["additionalProperties"] != nil || members["unevaluatedProperties"] != nil
    var cases = [own]
    if let target = members["$ref"]?.string, let name = targets.name(of: target) {
      guard let target = targets.target(named: name) else { throw unknownEvaluation(place) }
      let inner = try evaluations(target.value, at: target.path, depth: depth + 1)
      if draft != nil { return inner }
      cases = try product(cases, inner, place)
    }
    for (index, part) in (try place.schemas("allOf")).enumerated() {
      let partPath = SchemaPointer.child(of: place.path(to: "allOf"), String(index))
      cases = try product(
        cases, try evaluations(part, at: partPath, depth: depth + 1), place)
    }
    for keyword in ["anyOf", "oneOf"] {
      cases = try product(cases, try choices(keyword, of: place, depth: depth), place)
    }
    cases = try product(cases, try conditional(place, depth: depth), place)
    for keyword in ["dependencies", "dependentSchemas"] {
      for (name, value) in try place.object(keyword) ?? [:] {
        let partPath = SchemaPointer.child(of: place.path(to: keyword), name)
        let inner = try evaluations(value, at: partPath, depth: depth + 1)
        if inner.allSatisfy(\.saysNothing) { continue }
        var object = ObjectSchema(properties: [])
        object.isOpen = true
        let absent = SchemaNode.object(object.setting(name, to: .never, isOptional: true))
        let present = object.setting(name, to: .any(description: nil), isOptional: false)
        let with = Evaluation(conditions: [.object(present)])
        cases = try product(
          cases, [Evaluation(conditions: [absent])] + inner.map(with.joined), place)
      }
    }
    return cases
  }

  /// Returns the cases of `anyOf` (one for each set of schemas that may apply) or of `oneOf` (one
  /// for each schema).
  private mutating func choices(
    _ keyword: String, of place: SchemaPlaceReader, depth: Int
  ) throws(SchemaReadError) -> [Evaluation] {
    let parts = try place.schemas(keyword)
    var branches: [[Evaluation]] = []
    var says = false
    for (index, part) in parts.enumerated() {
      let path = SchemaPointer.child(of: place.path(to: keyword), String(index))
      let inner = try evaluations(part, at: path, depth: depth + 1)
      if !inner.allSatisfy(\.saysNothing) { says = true }
      let holds = Evaluation(conditions: [try node(part, at: path, depth: depth + 1)])
      branches.append(inner.map(holds.joined))
    }
    if !says { return [Evaluation()] }
    if keyword == "oneOf" { return branches.flatMap { $0 } }
    guard branches.count <= 5 else { throw unknownEvaluation(place) }
    var cases: [Evaluation] = []
    for subset in 1..<(1 << branches.count) {
      var inner = [Evaluation()]
      for (index, branch) in branches.enumerated() where subset >> index & 1 == 1 {
        inner = try product(inner, branch, place)
      }
      cases += inner
    }
    return cases
  }

  private mutating func conditional(
    _ place: SchemaPlaceReader, depth: Int
  ) throws(SchemaReadError) -> [Evaluation] {
    guard let value = place.members["if"] else { return [Evaluation()] }
    var parts: [[Evaluation]] = []
    for keyword in ["if", "then", "else"] {
      let part = place.members[keyword] ?? .bool(true)
      parts.append(try evaluations(part, at: place.path(to: keyword), depth: depth + 1))
    }
    if parts.allSatisfy({ $0.allSatisfy(\.saysNothing) }) { return [Evaluation()] }
    let condition = try node(value, at: place.path(to: "if"), depth: depth + 1)
    let holds = Evaluation(conditions: [condition])
    let failing = Evaluation(
      conditions: [try without(.any(description: nil), condition, place, "if")])
    return try product(try product([holds], parts[0], place), parts[1], place)
      + product([failing], parts[2], place)
  }

  private func product(
    _ left: [Evaluation], _ right: [Evaluation], _ place: SchemaPlaceReader
  ) throws(SchemaReadError) -> [Evaluation] {
    guard left.count * right.count <= Self.mostEvaluations else { throw unknownEvaluation(place) }
    return left.flatMap { one in right.map(one.joined) }
  }

  private func unknownEvaluation(_ place: SchemaPlaceReader) -> SchemaReadError {
    SchemaReadError(
      at: place.path,
      .refusedKeyword(
        "unevaluatedProperties",
        reason:
          "the schemas next to it can be combined in too many ways, or are nested too deeply"),
      allowed: ["additionalProperties"])
  }
}
