import StructuredText

extension GenerationSchema {
  /// Returns the schema with a new description at a place.
  package func replacingGuide(
    at place: SchemaPlace, text: String
  ) throws(SchemaEditError) -> GenerationSchema {
    try edited(at: place) { _, part throws(SchemaEditError) in part.description = text }
  }

  /// Returns the schema with new bounds at a place: element counts of an array, or bounds of a
  /// number.
  ///
  /// `nil` means no bound.
  package func replacingBound(
    at place: SchemaPlace, minimum: JSONNumber?, maximum: JSONNumber?
  ) throws(SchemaEditError) -> GenerationSchema {
    let invalid = SchemaEditError.invalidBounds(
      place, minimum: minimum?.text, maximum: maximum?.text)
    if let minimum, let maximum, maximum < minimum { throw invalid }
    return try edited(at: place) { schema, part throws(SchemaEditError) in
      part.node = try Self.bounded(
        part.node, minimum, maximum, at: place, invalid: invalid, schema: schema)
    }
  }

  private static func bounded(
    _ node: SchemaNode, _ minimum: JSONNumber?, _ maximum: JSONNumber?, at place: SchemaPlace,
    invalid: SchemaEditError, schema: GenerationSchema
  ) throws(SchemaEditError) -> SchemaNode {
    func integer(_ bound: JSONNumber?) throws(SchemaEditError) -> Int? {
      guard let bound else { return nil }
      guard let integer = bound.int else { throw invalid }
      return integer
    }
    switch node {
    case .array(var array):
      array.minimumCount = try integer(minimum)
      array.maximumCount = try integer(maximum)
      if (array.minimumCount ?? 0) < 0 || (array.maximumCount ?? 0) < 0 { throw invalid }
      return .array(array)
    case .integer(var number):
      number.minimum = try integer(minimum)
      number.maximum = try integer(maximum)
      (number.wideMinimum, number.wideMaximum) = (nil, nil)
      return .integer(number)
    case .number(var number):
      number.minimum = minimum
      number.maximum = maximum
      (number.excludesMinimum, number.excludesMaximum) = (false, false)
      return .number(number)
    case .union(var union):
      // The bounds of a nullable value apply only if the value is not null.
      guard union.choices.count == 2, case .null = union.choices[1] else { fallthrough }
      union.choices[0] = try bounded(
        union.choices[0], minimum, maximum, at: place, invalid: invalid, schema: schema)
      return .union(union)
    default:
      throw .unbounded(place, type: schema.typeName(of: node))
    }
  }

  /// Returns the schema without one case of a payload enum or a string enum.
  ///
  /// The method also removes definitions that nothing refers to anymore.
  package func removingBranch(
    at place: SchemaPlace, case name: String
  ) throws(SchemaEditError) -> GenerationSchema {
    try edited(at: place) { schema, part throws(SchemaEditError) in
      guard let cases = schema.branches(of: part.node) else {
        throw .noChoice(place, type: schema.typeName(of: part.node))
      }
      guard cases.contains(name) else {
        throw .unknownCase(place, name: name, cases: cases)
      }
      guard cases.contains(where: { $0 != name }) else { throw .lastCase(place, name: name) }
      guard let node = schema.removing(name, from: part.node) else {
        throw .noChoice(place, type: schema.typeName(of: part.node))
      }
      part.node = node
    }
  }

  /// Returns the node without a case, or `nil` if the node allows nothing but this case.
  private func removing(_ name: String, from node: SchemaNode) -> SchemaNode? {
    switch node {
    case .string(var string):
      string.choices?.removeAll { $0 == name }
      return string.choices?.isEmpty == true ? nil : .string(string)
    case .union(var union):
      union.choices = union.choices.compactMap { choice in
        branches(of: choice)?.contains(name) == true ? removing(name, from: choice) : choice
      }
      return union.choices.isEmpty ? nil : .union(union)
    default: return nil
    }
  }

  /// Returns the name of a node's type for messages: a JSON Schema type such as `object`, or
  /// `union`, `reference` or `any`.
  package func typeName(of node: SchemaNode) -> String {
    switch resolved(node) {
    case .object: "object"
    case .array: "array"
    case .string: "string"
    case .integer: "integer"
    case .number: "number"
    case .boolean, .constant: "boolean"
    case .null: "null"
    case .union: "union"
    case .reference: "reference"
    case .any: "any"
    }
  }

  // MARK: Places

  private func edited(
    at place: SchemaPlace,
    _ edit: (GenerationSchema, inout SchemaVisitor.Part) throws(SchemaEditError) -> Void
  ) throws(SchemaEditError) -> GenerationSchema {
    let visitor = SchemaVisitor(schema: self)
    let target = caseTypeName(at: place) ?? place.text
    var failure: SchemaEditError?
    var isFound = false
    let schema = visitor.changed { name, part in
      guard name == target, failure == nil else { return }
      isFound = true
      do throws(SchemaEditError) {
        try edit(self, &part)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    guard isFound else {
      let places = visitor.places
      let nearest = NearestName.nearest(to: place.text, among: places)
      throw .unknownPlace(place, nearest: nearest.map { SchemaPlace($0) }, places: places)
    }
    return schema
  }

  /// Returns the type that represents a case, if the place has the form `Enum.case`.
  private func caseTypeName(at place: SchemaPlace) -> String? {
    guard let dot = place.text.lastIndex(of: ".") else { return nil }
    let typeName = String(place.text[..<dot])
    let caseName = String(place.text[place.text.index(after: dot)...])
    let type = root.name == typeName ? root : node(named: typeName)
    guard case .union(let union) = type else { return nil }
    for case .reference(let name, _) in union.choices
    where branches(of: .reference(name, description: nil)) == [caseName] {
      return name
    }
    return nil
  }
}
