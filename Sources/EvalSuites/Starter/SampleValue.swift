import GuidedGeneration
import StructuredText

/// Creates sample values that a schema allows, with given choices at some places.
struct SampleValue {
  /// A choice for one place.
  enum Pick: Hashable {
    /// The value of a string enum.
    case choice(String)
    /// The alternative of a union, by index.
    case shape(Int)
    /// The number of elements in an array.
    case count(Int)
    /// Whether an optional property is present.
    case present(Bool)
  }

  /// The schema.
  let schema: GenerationSchema
  /// The given choices, keyed by place.
  ///
  /// All other places get the first choice. Unless the value is nested too deeply, each array that
  /// may have elements gets at least one element, and each optional property is present.
  var picks: [JSONPlace: Pick]

  /// The nesting depth beyond which optional parts are omitted.
  private static let maximumDepth = 6
  /// The maximum nesting depth of a value.
  private static let hardDepth = 40

  /// Returns the sample value, or `nil` if every value of the schema is nested too deeply.
  func value() -> JSONValue? {
    value(of: schema.root, name: schema.root.name ?? "value", at: .root, depth: 0)
  }

  private func value(
    of node: SchemaNode, name: String, at path: JSONPlace, depth: Int
  ) -> JSONValue? {
    guard depth < Self.hardDepth else { return nil }
    switch schema.resolved(node) {
    case .object(let object): return self.object(object, at: path, depth: depth)
    case .array(let array):
      let least = array.minimumCount ?? 0
      var count = max(least, depth < Self.maximumDepth ? min(1, array.maximumCount ?? 1) : 0)
      if case .count(let picked)? = picks[path] { count = picked }
      var elements: [JSONValue] = []
      for index in 0..<count {
        let place = path.appending(.index(index))
        guard
          var element = value(of: array.element, name: name, at: place, depth: depth + 1)
        else { return nil }
        // The texts differ so that assertions such as `unique` pass.
        if index > 0, case .string(let text) = element, isFree(array.element) {
          element = .string("\(text) \(index + 1)")
        }
        elements.append(element)
      }
      return .array(elements)
    case .string(let string):
      if case .choice(let choice)? = picks[path] { return .string(choice) }
      return .string(SampleText.text(for: string, name: name))
    case .integer(let integer):
      return .number(JSONNumber(min(max(1, integer.minimum ?? 1), integer.maximum ?? .max)))
    case .number(let number): return .number(number.minimum ?? number.maximum ?? JSONNumber(1))
    case .boolean: return true
    case .constant(let value, _): return .bool(value)
    case .null: return .null
    case .any: return "anything"
    case .union(let union):
      if case .shape(let index)? = picks[path], union.choices.indices.contains(index) {
        return value(of: union.choices[index], name: name, at: path, depth: depth + 1)
      }
      for choice in union.choices {
        if let value = value(of: choice, name: name, at: path, depth: depth + 1) { return value }
      }
      return nil
    case .reference: return nil
    }
  }

  private func object(_ object: ObjectSchema, at path: JSONPlace, depth: Int) -> JSONValue? {
    var members = JSONObject()
    for property in object.properties {
      let place = path.appending(.name(property.name))
      var isPresent = !property.isOptional || depth < Self.maximumDepth
      if case .present(let picked)? = picks[place] { isPresent = picked }
      guard isPresent else {
        if object.representsNilExplicitly { members[property.name] = JSONValue.null }
        continue
      }
      guard let value = value(of: property.node, name: property.name, at: place, depth: depth + 1)
      else {
        if property.isOptional { continue }
        return nil
      }
      members[property.name] = value
    }
    return .object(members)
  }

  /// Returns whether a node accepts any text that is long enough.
  private func isFree(_ node: SchemaNode) -> Bool {
    guard case .string(let string) = schema.resolved(node) else { return false }
    return string.choices == nil && string.pattern == nil && string.maximumLength == nil
  }
}
