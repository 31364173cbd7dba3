import StructuredText

/// Decides which parts of a schema the model may generate, and removes impossible parts.
///
/// ```
/// { a: string }, others accepted     { a: string }              extra keys are not offered
/// { }, others accepted               { any key: any value }     an object without properties
/// { a?: never, b }                   { b }                      no value fits `a`
/// string | never                     string
/// ```
struct SchemaLowering {
  /// Whether the model may generate extra keys in addition to declared properties, if the schema
  /// accepts them.
  var offersExtraKeys = false
  /// The types that have no values.
  private var empty: Set<String> = []

  init(offersExtraKeys: Bool) { self.offersExtraKeys = offersExtraKeys }

  /// Finds the types that have no values.
  ///
  /// The method begins with the types that obviously contradict themselves. It then adds types that
  /// require a value of a type found so far, until it finds no more types.
  mutating func findEmptyTypes(_ types: [(name: String, node: SchemaNode)]) {
    // If no type obviously contradicts itself, no type is empty.
    empty = Set(types.filter { isEmpty($0.node) }.map(\.name))
    if empty.isEmpty { return }
    var changed = true
    while changed {
      changed = false
      for type in types where !empty.contains(type.name) && isEmpty(type.node) {
        empty.insert(type.name)
        changed = true
      }
    }
  }

  /// Returns whether the node has no values, according to the empty types found so far.
  func isEmpty(_ node: SchemaNode) -> Bool {
    switch node {
    case .reference(let name, _): empty.contains(name)
    case .union(let union): union.choices.allSatisfy(isEmpty)
    case .object(let object): object.properties.contains { !$0.isOptional && isEmpty($0.node) }
    case .array(let array):
      (array.minimumCount ?? 0) > 0
        && (array.prefix.prefix(array.minimumCount ?? 0).contains(where: isEmpty)
          || ((array.minimumCount ?? 0) > array.prefix.count && isEmpty(array.element)))
    case .string(let string): string.choices?.isEmpty ?? false
    default: false
    }
  }

  /// Returns the node with only the parts that the model may generate.
  func lowered(_ node: SchemaNode) -> SchemaNode {
    switch node {
    case .object(let object): return .object(lowered(object))
    case .array(var array):
      array.prefix = array.prefix.map { isEmpty($0) ? .never : lowered($0) }
      array.element = isEmpty(array.element) ? .never : lowered(array.element)
      let changed = array.prefix.contains(where: \.isNever) || array.element.isNever
      return changed ? array.normalized.described(array.description) : .array(array)
    case .union(var union):
      let count = union.choices.count
      union.choices = union.choices.filter { !isEmpty($0) }.map(lowered)
      if union.choices.count == 1, count > 1 {
        return union.choices[0].described(union.description ?? union.choices[0].description)
      }
      return .union(union)
    default: return node
    }
  }

  private func lowered(_ object: ObjectSchema) -> ObjectSchema {
    var result = object
    var excluded: [String] = []
    result.properties = []
    for property in object.properties {
      if isEmpty(property.node) {
        excluded.append(property.name)
        continue
      }
      var property = property
      property.node = lowered(property.node)
      result.properties.append(property)
    }
    if !result.properties.isEmpty, result.properties.allSatisfy({ !$0.isOptional }) {
      result.foldExplicitNulls()
    }
    if var extra = object.extra {
      // Decide before lowering, because lowering removes impossible properties and would make an
      // impossible object look possible.
      let forbidden = extra.rules.filter { isEmpty($0.node) }.map(\.pattern)
      extra.rules.removeAll { isEmpty($0.node) }
      if let others = extra.others, isEmpty(others) { extra.others = nil }
      extra = extra.mapped(lowered)
      if !forbidden.isEmpty {
        // No value is possible under a key that matches one of these patterns, so no key may match
        // them.
        var names = extra.names ?? StringSchema()
        names.excludedPatterns += forbidden
        extra.names = names
      }
      result.extra = extra
    }
    let needsMore = (object.count?.minimum ?? 0) > result.properties.count
    let isBare = object.properties.isEmpty && result.extra?.rules.isEmpty ?? true
    if object.isOpen, result.extra?.others == nil {
      var extra = result.extra ?? ExtraProperties()
      extra.others = .any(description: nil)
      if offersExtraKeys || isBare || needsMore {
        result.extra = extra
      } else {
        extra.excludedNames += excluded
        result.accepted = AcceptedProperties(extra: extra, count: object.count)
      }
    }
    if let extra = result.extra, extra.rules.isEmpty, extra.others == nil { result.extra = nil }
    result.extra?.excludedNames += excluded
    if let count = result.count, result.extra == nil {
      let required = result.properties.count { !$0.isOptional }
      let isMet =
        count.minimum <= required && count.maximum ?? .max >= result.properties.count
      if isMet { result.count = nil }
    }
    return result
  }
}

extension ObjectSchema {
  /// Turns required properties of the form `anyOf: [T, null]` into optional properties, which are
  /// generated as an explicit null if they are absent.
  ///
  /// Apple's dialect writes such optional properties in this form.
  fileprivate mutating func foldExplicitNulls() {
    for position in properties.indices {
      guard case .union(let union) = properties[position].node, union.name == nil,
        union.choices.count == 2, union.choices[1] == .null(description: nil),
        union.choices[0].description == nil
      else { continue }
      properties[position].node = union.choices[0]
      properties[position].isOptional = true
      representsNilExplicitly = true
    }
  }
}
