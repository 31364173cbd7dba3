import StructuredText

extension SchemaReader {
  /// Reads `type`, `enum`, `const` and the type-specific keywords, or returns `nil` if none of
  /// these keywords constrains the value.
  mutating func own(
    _ place: SchemaPlaceReader, depth: Int
  ) throws(SchemaReadError) -> (keyword: String, node: SchemaNode)? {
    do throws(SchemaReadError) {
      return try assertions(place, depth: depth)
    } catch {
      guard error.isContradiction, error.path.hasPrefix(place.path) else { throw error }
      // No value fits this part of the schema. If the part may be absent, `SchemaLowering` removes
      // it later.
      contradictions.append(error)
      return ("type", .never)
    }
  }

  private mutating func assertions(
    _ place: SchemaPlaceReader, depth: Int
  ) throws(SchemaReadError) -> (keyword: String, node: SchemaNode)? {
    let types = try place.declaredTypes()
    let base = try typed(types, place, depth: depth)
    if let node = try ChoiceReader.node(of: place) {
      let keyword = place.members["const"] == nil ? "enum" : "const"
      guard let base else { return (keyword, node) }
      if place.hasOnlyType { return (keyword, try ChoiceReader.check(node, is: types, place)) }
      let result = try combined(place, keyword) { algebra throws(SchemaAlgebra.Problem) in
        try algebra.intersection(node, base)
      }
      return (keyword, result)
    }
    return base.map { ("type", $0) }
  }

  private mutating func typed(
    _ declared: [String], _ place: SchemaPlaceReader, depth: Int
  ) throws(SchemaReadError) -> SchemaNode? {
    var types = declared
    if types.isEmpty {
      if !place.constrainsSomeType { return nil }
      types = ["object", "array", "string", "number", "boolean", "null"]
    } else if place.members["nullable"] == .bool(true), !types.contains("null") {
      types.append("null")
    }
    if types.contains("number") { types.removeAll { $0 == "integer" } }
    if types.count == 1 { return try typed(types[0], place, depth: depth) }
    var choices: [SchemaNode] = []
    for type in types { choices.append(try typed(type, place, depth: depth)) }
    if declared.isEmpty { return .union(choices) }
    return .union(UnionSchema(name: try place.string("title"), choices: choices))
  }

  private mutating func typed(
    _ type: String, _ place: SchemaPlaceReader, depth: Int
  ) throws(SchemaReadError) -> SchemaNode {
    switch type {
    case "object": return try object(place, depth: depth)
    case "array": return try array(place, depth: depth)
    case "string": return try string(place)
    case "integer": return try place.integer()
    case "number": return try place.number()
    case "boolean": return .boolean(description: nil)
    default: return .null(description: nil)
    }
  }

  private func string(_ place: SchemaPlaceReader) throws(SchemaReadError) -> SchemaNode {
    let bounds = try place.counts("minLength", "maxLength")
    guard let bounds else { return .never }
    var string = StringSchema(minimumLength: bounds.minimum, maximumLength: bounds.maximum)
    if let written = try place.string("pattern") {
      let read = try patterns.pattern(
        written, isSearched: searchesPatterns, at: place.path(to: "pattern"))
      string.pattern = read.pattern
      string.otherPatterns = read.others
      string.excludedPatterns = read.excluded
    }
    if options.enforcesFormats, let format = try place.string("format") {
      guard let pattern = StringFormats.pattern(of: format) else {
        throw SchemaReadError(
          at: place.path(to: "format"),
          .refusedKeyword("format", reason: "the format `\(format)` can't be enforced"),
          allowed: StringFormats.names)
      }
      if string.pattern == nil {
        string.pattern = pattern
      } else {
        string.otherPatterns.append(pattern)
      }
    }
    return .string(string)
  }

  // MARK: Arrays

  private mutating func array(
    _ place: SchemaPlaceReader, depth: Int
  ) throws(SchemaReadError) -> SchemaNode {
    guard let bounds = try place.counts("minItems", "maxItems") else { return .never }
    var array = ArraySchema(
      element: .any(description: nil), minimumCount: bounds.minimum, maximumCount: bounds.maximum)
    let prefixKeyword = place.members["prefixItems"] != nil ? "prefixItems" : "items"
    if case .array(let parts)? = place.members[prefixKeyword] {
      let path = place.path(to: prefixKeyword)
      for (index, part) in parts.enumerated() {
        let partPath = SchemaPointer.child(of: path, String(index))
        array.prefix.append(try node(part, at: partPath, depth: depth + 1))
      }
    }
    var rest: String?
    if prefixKeyword == "prefixItems" || array.prefix.isEmpty, place.members["items"]?.array == nil
    {
      rest = place.members["items"] == nil ? nil : "items"
    } else if prefixKeyword == "items" {
      rest = place.members["additionalItems"] == nil ? nil : "additionalItems"
    }
    if rest == nil, let value = place.members["unevaluatedItems"], value != .bool(true) {
      rest = "unevaluatedItems"
    }
    if let rest, let value = place.members[rest] {
      array.element = try node(value, at: place.path(to: rest), depth: depth + 1)
    }
    if place.members["uniqueItems"] == .bool(true), array.maximumCount ?? 2 > 1 {
      array.hasUniqueElements = true
      uniquePlaces.append((place.path(to: "uniqueItems"), .array(array)))
    }
    return array.normalized
  }

  // MARK: Objects

  private mutating func object(
    _ place: SchemaPlaceReader, depth: Int
  ) throws(SchemaReadError) -> SchemaNode {
    var object = ObjectSchema(name: try place.string("title"), properties: [])
    try readExtra(&object, place, depth: depth)
    let documents = try place.object("properties") ?? [:]
    let required = try place.names("required")
    let requiredSet = Set(required)
    for name in try place.order(of: documents) {
      let path = SchemaPointer.child(of: place.path(to: "properties"), name)
      var property = try node(documents[name] ?? .null, at: path, depth: depth + 1)
      if object.extra?.rules.isEmpty == false || object.extra?.names != nil {
        property = try matching(property, name, object, place)
      }
      object.properties.append(
        PropertySchema(
          name: name, description: property.description, node: property.described(nil),
          isOptional: !requiredSet.contains(name)))
    }
    var known = Set(documents.keys)
    let declared = object
    for name in required where known.insert(name).inserted {
      let node = try combined(place, "required") { algebra throws(SchemaAlgebra.Problem) in
        try algebra.value(of: name, in: declared)
      }
      if node.isNever {
        let position = place.members["required"]?.array?.firstIndex(of: .string(name)) ?? 0
        contradictions.append(
          SchemaReadError(
            at: SchemaPointer.child(of: place.path(to: "required"), String(position)),
            .undeclaredProperty(name),
            allowed: [
              NearestName.hint(for: name, among: documents.keys, what: "declared properties")
            ]))
      }
      object.properties.append(
        PropertySchema(
          name: name, description: node.description, node: node.described(nil), isOptional: false))
    }
    guard let count = try place.counts("minProperties", "maxProperties") else { return .never }
    if count.minimum ?? 0 > 0 || count.maximum != nil {
      object.count = PropertyCount(minimum: count.minimum ?? 0, maximum: count.maximum)
    }
    return try dependent(.object(object), of: place, depth: depth)
  }

  private mutating func readExtra(
    _ object: inout ObjectSchema, _ place: SchemaPlaceReader, depth: Int
  ) throws(SchemaReadError) {
    var extra = ExtraProperties()
    let patternsPath = place.path(to: "patternProperties")
    for (pattern, value) in try place.object("patternProperties") ?? [:] {
      let path = SchemaPointer.child(of: patternsPath, pattern)
      let node = try node(value, at: path, depth: depth + 1)
      extra.rules.append(.init(pattern: try patterns.keyPattern(pattern, at: path), node: node))
    }
    var others = place.members["additionalProperties"]
    var keyword = "additionalProperties"
    let isAlone = ["$ref", "allOf", "anyOf", "oneOf", "if", "dependentSchemas", "dependencies"]
      .allSatisfy { place.members[$0] == nil }
    if others == nil, isAlone {
      keyword = "unevaluatedProperties"
      others = place.members[keyword]
    }
    switch others {
    case nil, .bool(true): object.isOpen = true
    case .bool(false): object.isOpen = false
    case .some(let value):
      extra.others = try node(value, at: place.path(to: keyword), depth: depth + 1)
    }
    if let value = place.members["propertyNames"] {
      let path = place.path(to: "propertyNames")
      switch try names(try node(value, at: path, depth: depth + 1)) {
      case .any: break
      case .string(let string): extra.names = string
      case let node where node.isNever: extra.names = StringSchema(choices: [])
      default:
        throw SchemaReadError(
          at: path,
          .refusedKeyword(
            "propertyNames", reason: "one string schema can't describe all allowed names"),
          allowed: ["one string schema"])
      }
    }
    if extra.names != nil, object.isOpen, extra.others == nil {
      extra.others = .any(description: nil)
      object.isOpen = false
    }
    if extra != ExtraProperties() { object.extra = extra }
  }

  /// Returns the schema of a declared property, restricted by the patterns that its name matches.
  private mutating func matching(
    _ node: SchemaNode, _ name: String, _ object: ObjectSchema, _ place: SchemaPlaceReader
  ) throws(SchemaReadError) -> SchemaNode {
    var patterns = object
    // `additionalProperties` doesn't apply to a declared property.
    patterns.extra?.others = .any(description: nil)
    return try combined(place, "patternProperties") { algebra throws(SchemaAlgebra.Problem) in
      let value = try algebra.value(of: name, in: patterns)
      return value.isAny ? node : try algebra.intersection(node, value)
    }
  }

  /// Reduces a `propertyNames` schema to the strings that it allows, as a single string schema if
  /// possible.
  private mutating func names(_ node: SchemaNode) throws(SchemaReadError) -> SchemaNode {
    switch node {
    case .any, .string: return node
    case .reference(let name, _):
      guard let target = targets.target(named: name) else { return node }
      let inner = try self.node(target.value, at: target.path, depth: 1)
      if case .reference = inner { return inner }
      return try names(inner)
    case .union(let union):
      var strings: [StringSchema] = []
      for choice in union.choices {
        switch try names(choice) {
        case .any: return .any(description: nil)
        case .string(let string): strings.append(string)
        case .union(let inner) where !inner.choices.isEmpty: return node
        case .reference: return node
        default: break
        }
      }
      guard strings.count > 1 else { return strings.first.map { .string($0) } ?? .never }
      if let choices = Self.joined(strings.map(\.choices)) {
        return .string(StringSchema(choices: choices.flatMap { $0 }))
      }
      let patterns = strings.map { StringSchema(pattern: $0.pattern) == $0 ? $0.pattern : nil }
      guard let patterns = Self.joined(patterns) else { return node }
      return .string(
        StringSchema(pattern: PatternAnchoring.wholePattern(ofAny: patterns)))
    default: return .never
    }
  }

  /// Returns the unwrapped values, or `nil` if any value is `nil`.
  private static func joined<Value>(_ values: [Value?]) -> [Value]? {
    values.contains { $0 == nil } ? nil : values.compactMap { $0 }
  }
}
