import StructuredText

extension SchemaReader {
  /// Applies `not`, `if`, `then` and `else` to a place's node.
  ///
  /// - Throws: An error if no schema describes the values that remain after `not` or `if`.
  mutating func conditional(
    _ node: SchemaNode, of place: SchemaPlaceReader, depth: Int
  ) throws(SchemaReadError) -> SchemaNode {
    var result = node
    if let value = place.members["not"] {
      let path = place.path(to: "not")
      let excluded = try self.node(value, at: path, depth: depth + 1)
      result = try without(result, excluded, place, "not")
    }
    guard let value = place.members["if"],
      place.members["then"] != nil || place.members["else"] != nil
    else { return result }
    let condition = try self.node(value, at: place.path(to: "if"), depth: depth + 1)
    var branches: [SchemaNode] = []
    for (keyword, holds) in [("then", true), ("else", false)] {
      let base = result
      var branch =
        holds
        ? try combined(place, "if") { algebra throws(SchemaAlgebra.Problem) in
          try algebra.intersection(base, condition)
        } : try without(base, condition, place, "if")
      if let value = place.members[keyword] {
        let part = try self.node(value, at: place.path(to: keyword), depth: depth + 1)
        let left = branch
        branch = try combined(place, keyword) { algebra throws(SchemaAlgebra.Problem) in
          try algebra.intersection(left, part)
        }
      }
      branches.append(branch)
    }
    return .union(branches)
  }

  mutating func without(
    _ node: SchemaNode, _ excluded: SchemaNode, _ place: SchemaPlaceReader, _ keyword: String
  ) throws(SchemaReadError) -> SchemaNode {
    let path = place.path(to: keyword)
    let allowed = ["anyOf", "not with enum, const, pattern, type or required"]
    if !targets.isPlain(node) || !targets.isPlain(excluded) {
      // The references may lead to schemas that haven't been read yet, so subtract them later.
      let name = algebra.deferring(
        .difference(node, excluded), keyword: keyword, path: path)
      return .reference(name, description: node.description)
    }
    do throws(SchemaAlgebra.Problem) {
      if let rest = try algebra.difference(node, excluded) { return rest }
    } catch {
      throw Self.readError(error, at: path, keyword)
    }
    throw SchemaReadError(
      at: path, .refusedKeyword(keyword, reason: SchemaAlgebra.noDifference), allowed: allowed)
  }

  /// Applies `dependencies`, `dependentRequired` and `dependentSchemas` to the node of an object.
  mutating func dependent(
    _ node: SchemaNode, of place: SchemaPlaceReader, depth: Int
  ) throws(SchemaReadError) -> SchemaNode {
    var result = node
    for keyword in ["dependencies", "dependentRequired", "dependentSchemas"] {
      for (name, value) in try place.object(keyword) ?? [:] {
        let path = SchemaPointer.child(of: place.path(to: keyword), name)
        let then: SchemaNode
        if case .array(let names) = value {
          var object = ObjectSchema(properties: [])
          object.isOpen = true
          for name in names.compactMap(\.string) {
            object = object.setting(name, to: .any(description: nil), isOptional: false)
          }
          then = .object(object)
        } else {
          then = try self.node(value, at: path, depth: depth + 1)
        }
        var with = ObjectSchema(properties: [])
        with.isOpen = true
        let without = with.setting(name, to: .never, isOptional: true)
        with = with.setting(name, to: .any(description: nil), isOptional: false)
        let left = result
        let hasName = with
        result = try combined(place, keyword) { algebra throws(SchemaAlgebra.Problem) in
          let present = try algebra.intersection(algebra.intersection(left, .object(hasName)), then)
          return .union([present, try algebra.intersection(left, .object(without))])
        }
      }
    }
    return result
  }
}

extension SchemaAlgebra {
  /// Returns the schema of the values that a schema and exactly one choice of a union allow.
  ///
  /// If the choices can't be told apart alone, the method compares only the values that the schemas
  /// around them allow.
  ///
  /// - Parameters:
  ///   - union: The choices.
  ///   - base: The schema that the keywords next to the choices describe, or `nil` for none.
  ///   - context: A schema that the values must also fit, because it applies at the same place, or
  ///     `nil` for none.
  /// - Throws: An error if no schema describes the remaining values of a choice.
  mutating func exclusive(
    _ union: UnionSchema, beside base: SchemaNode?, within context: SchemaNode?
  ) throws(Problem) -> SchemaNode {
    let before = self
    do throws(Problem) {
      let node = try exclusive(union)
      return try base.map { base throws(Problem) in try intersection(base, node) } ?? node
    } catch {
      guard case .unsupported = error, base != nil || context != nil else { throw error }
      goBack(to: before)
      var around = base ?? .any(description: nil)
      if let context { around = try intersection(around, context) }
      let description = around.description
      around.description = nil
      var narrowed = union
      for index in union.choices.indices {
        narrowed.choices[index] = try intersection(around, union.choices[index])
      }
      return try exclusive(narrowed).described(description)
    }
  }

  /// Returns the schema of the values that exactly one choice of a union allows.
  ///
  /// If two choices overlap, each one loses the values that the other one allows.
  private mutating func exclusive(_ union: UnionSchema) throws(Problem) -> SchemaNode {
    if union.choices.count < 2 { return .union(union) }
    var result = union
    var isChanged = false
    var shapes: [ChoiceShape] = []
    for choice in union.choices {
      shapes.append(ChoiceShape(of: try resolved(choice), definitions: definitions))
    }
    for index in union.choices.indices {
      for other in union.choices.indices
      where other != index && !shapes[index].excludes(shapes[other]) {
        let common = try overlap(union.choices[index], union.choices[other])
        guard let common else { continue }
        guard let rest = try difference(result.choices[index], union.choices[other]) else {
          let value = sample(of: common) ?? "a value"
          throw .unsupported(
            "\(value) fits two of the schemas (\(index) and \(other)); `anyOf` allows that")
        }
        result.choices[index] = rest
        isChanged = true
      }
    }
    if !isChanged { return .union(union) }
    result.choices.removeAll(where: \.isNever)
    return result.choices.count == 1 && result.name == nil ? result.choices[0] : .union(result)
  }

  /// Returns the schema of the values that two schemas share, or `nil` if they share no values.
  private mutating func overlap(
    _ left: SchemaNode, _ right: SchemaNode
  ) throws(Problem) -> SchemaNode? {
    let common = try intersection(resolved(left), resolved(right))
    try settle(common)
    var lowering = SchemaLowering(offersExtraKeys: false)
    lowering.findEmptyTypes(definitions.map { ($0.key, $0.value) })
    return lowering.isEmpty(common) ? nil : common
  }
}
