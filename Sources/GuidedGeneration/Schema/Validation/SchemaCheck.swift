import Patterns
import StructuredText

/// Checks values against a schema.
///
/// The check is for answers that no mask has kept valid: answers from servers, recordings and
/// stubs, and answers that the engine generated without a mask. It caches compiled patterns, so use
/// the same check for all attempts at a test case.
package struct SchemaCheck: Sendable {
  /// A part of the value, and the named type with which it is compared.
  private struct Comparison: Hashable {
    var path: [JSONPlace.Step]
    var type: String
  }

  package let schema: GenerationSchema
  /// The results so far.
  ///
  /// If nested alternatives differ only at their ends, they compare the same parts with the same
  /// types. Without the results, the check would try every combination of alternatives.
  private var results: [Comparison: (mismatch: SchemaMismatch?, fitted: Int)] = [:]
  /// The number of parts of the value that fit so far.
  private var fitted = 0
  private var path: [JSONPlace.Step] = []
  /// The compiled patterns, keyed by UTF-8 bytes, because Swift considers strings in different
  /// normal forms equal.
  private var patterns: [[UInt8]: Pattern?] = [:]
  /// A pattern that the value should have been compared with but that can't be compiled.
  private var unusablePattern: String?

  /// Creates a check against a schema.
  package init(schema: GenerationSchema) { self.schema = schema }

  /// Returns the first mismatch of a value, or `nil` if the value fits.
  package mutating func mismatch(of value: JSONValue) -> SchemaMismatch? {
    results = [:]
    fitted = 0
    path = []
    unusablePattern = nil
    let found = mismatch(of: value, schema.root)
    return found ?? unusablePattern.map { fail(.unusablePattern($0)) }
  }

  /// Returns the first mismatch with a node, or `nil` if the value fits.
  ///
  /// If the node has alternatives, the method returns the mismatch with the alternative that the
  /// value fits best.
  private mutating func mismatch(of value: JSONValue, _ node: SchemaNode) -> SchemaMismatch? {
    switch node {
    case .reference(let name, _): return mismatch(of: value, type: name)
    case .union(let union):
      var best: SchemaMismatch?
      let start = fitted
      for choice in union.choices {
        fitted = start
        guard let found = mismatch(of: value, choice) else { return nil }
        if best.map({ $0.fitted < found.fitted }) ?? true { best = found }
      }
      // No value fits a union without alternatives.
      return best ?? noValue(value)
    default:
      if let found = mismatch(of: value, shape: node) { return found }
      fitted += 1
      return nil
    }
  }

  private mutating func mismatch(of value: JSONValue, type name: String) -> SchemaMismatch? {
    let comparison = Comparison(path: path, type: name)
    let start = fitted
    if results[comparison] == nil {
      fitted = 0
      // No value fits a reference that leads nowhere, or only back to itself.
      results[comparison] = (noValue(value), 0)
      if let node = schema.node(named: name) {
        let found = mismatch(of: value, node)
        results[comparison] = (found, fitted)
      }
    }
    guard let result = results[comparison] else { return nil }
    fitted = start + result.fitted
    var found = result.mismatch
    found?.fitted += start
    return found
  }

  private func noValue(_ value: JSONValue) -> SchemaMismatch {
    fail(.type(found: value.typeWords, allowed: "no value"))
  }

  private func fail(_ reason: SchemaMismatch.Reason) -> SchemaMismatch {
    SchemaMismatch(steps: path, reason: reason, fitted: fitted)
  }

  private mutating func mismatch(of value: JSONValue, shape: SchemaNode) -> SchemaMismatch? {
    func type(_ allowed: String) -> SchemaMismatch.Reason {
      .type(found: value.typeWords, allowed: allowed)
    }
    switch (shape, value) {
    case (.any, _), (.reference, _), (.union, _), (.null, .null), (.boolean, .bool): return nil
    case (.constant(let flag, _), .bool(let other)):
      return flag == other ? nil : fail(type(flag ? "true" : "false"))
    case (.integer(let integer), .number(let number)): return integer.reason(number).map(fail)
    case (.number(let schema), .number(let number)):
      return schema.reason(number).map(fail)
    case (.string(let schema), .string(let text)): return reason(text, schema).map(fail)
    case (.array(let array), .array(let elements)): return mismatch(of: elements, array)
    case (.object(let object), .object(let members)): return mismatch(of: members, object)
    case (.null, _): return fail(type("null"))
    case (.boolean, _): return fail(type("a boolean"))
    case (.constant(let flag, _), _): return fail(type(flag ? "true" : "false"))
    case (.integer, _): return fail(type("an integer"))
    case (.number, _): return fail(type("a number"))
    case (.string, _): return fail(type("a string"))
    case (.array, _): return fail(type("an array"))
    case (.object, _): return fail(type("an object"))
    }
  }

  private mutating func mismatch(
    of value: JSONValue, _ node: SchemaNode, below step: JSONPlace.Step
  ) -> SchemaMismatch? {
    path.append(step)
    defer { path.removeLast() }
    return mismatch(of: value, node)
  }

  // MARK: Arrays and objects

  private mutating func mismatch(
    of elements: [JSONValue], _ array: ArraySchema
  ) -> SchemaMismatch? {
    for (index, element) in elements.enumerated() {
      let node = index < array.prefix.count ? array.prefix[index] : array.element
      if let found = mismatch(of: element, node, below: .index(index)) { return found }
    }
    if array.hasUniqueElements, Set(elements).count < elements.count {
      return fail(.repeatedElement)
    }
    let minimum = array.minimumCount ?? 0
    let range = minimum...max(minimum, array.maximumCount ?? .max)
    return range.contains(elements.count) ? nil : fail(.count(elements.count, range))
  }

  private mutating func mismatch(
    of members: JSONObject, _ object: ObjectSchema
  ) -> SchemaMismatch? {
    var declared = 0
    // In Apple's dialect, a null and an absent property both stand for nil.
    let readsNull = schema.dialect == .apple
    for property in object.properties {
      guard let member = members[property.name] else {
        if property.isOptional, readsNull || !object.representsNilExplicitly { continue }
        return fail(.missingProperty(property.name))
      }
      declared += 1
      if property.isOptional, member == .null, readsNull || object.representsNilExplicitly {
        continue
      }
      if let found = mismatch(of: member, property.node, below: .name(property.name)) {
        return found
      }
    }
    if declared < members.count, let found = undeclaredMismatch(of: members, object) {
      return found
    }
    let count =
      (object.accepted.map(\.count) ?? object.count) ?? PropertyCount(minimum: 0, maximum: nil)
    let range = count.minimum...max(count.minimum, count.maximum ?? .max)
    return range.contains(members.count) ? nil : fail(.propertyCount(members.count, range))
  }

  /// Returns the first mismatch of a member that the object doesn't declare.
  private mutating func undeclaredMismatch(
    of members: JSONObject, _ object: ObjectSchema
  ) -> SchemaMismatch? {
    let names = Set(object.properties.map(\.name))
    for member in members.members where !names.contains(member.key) {
      guard let nodes = nodes(of: member.key, object) else {
        return fail(.unknownProperty(member.key, allowed: object.properties.map(\.name)))
      }
      for node in nodes {
        if let found = mismatch(of: member.value, node, below: .name(member.key)) {
          return found
        }
      }
    }
    return nil
  }

  /// Returns the schemas of the value under a key that the object doesn't declare, or `nil` if the
  /// object can't have the key.
  private mutating func nodes(of key: String, _ object: ObjectSchema) -> [SchemaNode]? {
    guard let extra = object.accepted?.extra ?? object.extra else { return nil }
    if extra.excludedNames.contains(key) { return nil }
    if let names = extra.names, reason(key, names) != nil { return nil }
    let nodes = extra.rules.filter { pattern($0.pattern)?.wholeMatch(key) == true }.map(\.node)
    if !nodes.isEmpty { return nodes }
    return extra.others.map { [$0] }
  }

  // MARK: Strings

  private mutating func reason(
    _ text: String, _ schema: StringSchema
  ) -> SchemaMismatch.Reason? {
    if let choices = schema.choices, !choices.contains(where: { $0.hasBytes(of: text) }) {
      return .choice(found: text, allowed: choices)
    }
    for written in schema.patterns where pattern(written)?.wholeMatch(text) == false {
      return .pattern(found: text, pattern: written)
    }
    for written in schema.excludedPatterns where pattern(written)?.wholeMatch(text) == true {
      return .excludedPattern(found: text, pattern: written)
    }
    if schema.excludedChoices.contains(where: { $0.hasBytes(of: text) }) {
      return .excludedChoice(text)
    }
    let minimum = schema.minimumLength ?? 0
    let range = minimum...max(minimum, schema.maximumLength ?? .max)
    if range == 0...Int.max { return nil }
    let length = text.unicodeScalars.count
    return range.contains(length) ? nil : .length(length, range)
  }

  /// Returns a compiled pattern, or `nil` if the pattern can't be compiled.
  ///
  /// A value doesn't count as valid if it couldn't be compared with a pattern.
  private mutating func pattern(_ written: String) -> Pattern? {
    let key = Array(written.utf8)
    let pattern = patterns[key] ?? (try? Pattern(parsing: written))
    patterns[key] = .some(pattern)
    if pattern == nil { unusablePattern = written }
    return pattern
  }
}

extension String {
  /// Returns whether two texts have the same bytes.
  ///
  /// Unlike this method, `==` ignores the normal form.
  fileprivate func hasBytes(of other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension JSONValue {
  /// The type of the value in words: `null`, `a string`.
  fileprivate var typeWords: String {
    switch self {
    case .null: "null"
    case .array, .object: "an \(typeName)"
    case .bool, .number, .string: "a \(typeName)"
    }
  }
}
