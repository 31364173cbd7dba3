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
    value(of: schema.root, name: schema.root.name ?? "value", at: .root, depth: 0, number: 0)
  }

  /// Returns a sample value of a node.
  ///
  /// Samples with different numbers differ where the schema allows it.
  private func value(
    of node: SchemaNode, name: String, at path: JSONPlace, depth: Int, number: Int
  ) -> JSONValue? {
    guard depth < Self.hardDepth else { return nil }
    switch schema.resolved(node) {
    case .object(let object): return self.object(object, at: path, depth: depth, number: number)
    case .array(let array):
      let least = array.minimumCount ?? 0
      var count = max(least, depth < Self.maximumDepth ? min(1, array.maximumCount ?? 1) : 0)
      if case .count(let picked)? = picks[path] { count = picked }
      var elements: [JSONValue] = []
      for index in 0..<count {
        let place = path.appending(.index(index))
        let node = index < array.prefix.count ? array.prefix[index] : array.element
        // The texts differ so that assertions such as `unique` pass.
        let first = number + (array.hasUniqueElements || isFree(node) ? index : 0)
        let numbers = array.hasUniqueElements ? first...(first + count) : first...first
        let element = numbers.lazy.compactMap {
          value(of: node, name: name, at: place, depth: depth + 1, number: $0)
        }.first { !array.hasUniqueElements || !elements.contains($0) }
        guard let element else { return nil }
        elements.append(element)
      }
      return .array(elements)
    case .string(let string):
      if case .choice(let choice)? = picks[path] { return .string(choice) }
      return .string(SampleText.text(for: string, name: name, number: number))
    case .integer(let integer):
      return SampleNumber.sample(of: integer).map { .number($0) }
    case .number(let schema):
      return SampleNumber.sample(of: schema).map { .number($0) }
    case .boolean: return .bool(number.isMultiple(of: 2))
    case .constant(let value, _): return .bool(value)
    case .null: return .null
    case .any: return number == 0 ? "anything" : .string("anything \(number + 1)")
    case .union(let union):
      if case .shape(let index)? = picks[path], union.choices.indices.contains(index) {
        return value(
          of: union.choices[index], name: name, at: path, depth: depth + 1, number: number)
      }
      let count = union.choices.count
      for index in 0..<count {
        let choice = union.choices[(number + index) % count]
        let value = value(
          of: choice, name: name, at: path, depth: depth + 1, number: number / count)
        if let value { return value }
      }
      return nil
    case .reference: return nil
    }
  }

  private func object(
    _ object: ObjectSchema, at path: JSONPlace, depth: Int, number: Int
  ) -> JSONValue? {
    var members = JSONObject()
    for property in object.properties {
      let place = path.appending(.name(property.name))
      var isPresent = !property.isOptional || depth < Self.maximumDepth
      if case .present(let picked)? = picks[place] { isPresent = picked }
      guard isPresent else {
        if object.representsNilExplicitly { members[property.name] = JSONValue.null }
        continue
      }
      guard
        let value = value(
          of: property.node, name: property.name, at: place, depth: depth + 1,
          number: number)
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
