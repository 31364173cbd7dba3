import GuidedGeneration
import Patterns
import StructuredText

/// Holds a value against a schema.
struct SchemaCheck {
  let schema: GenerationSchema
  /// How many comparisons are left: shapes that are alike up to their ends would otherwise be tried
  /// in all combinations.
  private var budget = 1_000_000
  /// How many parts of the value have been found to fit.
  private var fitted = 0
  /// By their bytes: patterns of different normal forms are equal strings.
  private var patterns: [[UInt8]: Pattern?] = [:]

  init(schema: GenerationSchema) { self.schema = schema }

  /// The first mismatch; of several shapes that a value may have, that of the one that it fits
  /// furthest.
  mutating func mismatch(
    of value: JSONValue, _ node: SchemaNode, at path: String
  ) -> SchemaMismatch? {
    var best: SchemaMismatch?
    let start = fitted
    for shape in schema.shapes(of: node) {
      budget -= 1
      fitted = start
      if budget < 0 { return SchemaMismatch(path: path, reason: .tooManyShapes, fitted: .max) }
      guard let found = mismatch(of: value, shape: shape, at: path) else {
        fitted += 1
        return nil
      }
      if best.map({ $0.fitted < found.fitted }) ?? true { best = found }
    }
    return best
  }

  private mutating func mismatch(
    of value: JSONValue, shape: SchemaNode, at path: String
  ) -> SchemaMismatch? {
    func fail(_ reason: SchemaMismatch.Reason) -> SchemaMismatch {
      SchemaMismatch(path: path, reason: reason, fitted: fitted)
    }
    func wrongType(_ allowed: String) -> SchemaMismatch {
      fail(.type(found: value.typeWords, allowed: allowed))
    }
    switch shape {
    case .any, .reference, .union: return nil
    case .null: return value == .null ? nil : wrongType("null")
    case .constant(let flag, _):
      return value == .bool(flag) ? nil : wrongType(flag ? "true" : "false")
    case .boolean:
      guard case .bool = value else { return wrongType("a boolean") }
      return nil
    case .integer(let integer):
      guard case .number(let number) = value else { return wrongType("an integer") }
      guard let whole = number.int else {
        return fail(.type(found: number.text, allowed: "an integer"))
      }
      if whole >= integer.minimum ?? .min, whole <= integer.maximum ?? .max { return nil }
      return fail(
        .number(
          number, minimum: integer.minimum.map { JSONNumber($0) },
          maximum: integer.maximum.map { JSONNumber($0) }))
    case .number(let schema):
      guard case .number(let number) = value else { return wrongType("a number") }
      if schema.minimum.map({ number < $0 }) ?? false
        || schema.maximum.map({ $0 < number }) ?? false
      {
        return fail(.number(number, minimum: schema.minimum, maximum: schema.maximum))
      }
      return nil
    case .string(let schema):
      guard case .string(let text) = value else { return wrongType("a string") }
      return reason(text, schema).map(fail)
    case .array(let array):
      guard case .array(let elements) = value else { return wrongType("an array") }
      for (index, element) in elements.enumerated() {
        let place = "\(path)[\(index)]"
        let node = index < array.prefix.count ? array.prefix[index] : array.element
        if let found = mismatch(of: element, node, at: place) {
          return found
        }
      }
      if array.hasUniqueElements, Set(elements).count < elements.count {
        return fail(.repeatedElement)
      }
      let minimum = array.minimumCount ?? 0
      let range = minimum...max(minimum, array.maximumCount ?? .max)
      return range.contains(elements.count) ? nil : fail(.count(elements.count, range))
    case .object(let object):
      guard case .object(let members) = value else { return wrongType("an object") }
      for property in object.properties {
        guard let member = members[property.name] else {
          if property.isOptional { continue }
          return fail(.missingProperty(property.name))
        }
        if property.isOptional, member == .null { continue }
        let place = "\(path).\(property.name)"
        if let found = mismatch(of: member, property.node, at: place) {
          return found
        }
      }
      let names = object.properties.map(\.name)
      for member in members.members where !names.contains(member.key) {
        guard let nodes = extraNodes(member.key, object.extra) else {
          return fail(.unknownProperty(member.key, allowed: names))
        }
        for node in nodes {
          let place = "\(path).\(member.key)"
          if let found = mismatch(of: member.value, node, at: place) { return found }
        }
      }
      let count = object.count ?? PropertyCount(minimum: 0, maximum: nil)
      let range = count.minimum...max(count.minimum, count.maximum ?? .max)
      return range.contains(members.count) ? nil : fail(.count(members.count, range))
    }
  }

  /// The schemas of the value under a key that the object doesn't declare, nil if it is no key.
  private mutating func extraNodes(_ key: String, _ extra: ExtraProperties?) -> [SchemaNode]? {
    guard let extra, !extra.excludedNames.contains(key) else { return nil }
    if let names = extra.names, reason(key, names) != nil { return nil }
    let nodes = extra.rules.filter { pattern($0.pattern)?.wholeMatch(key) == true }.map(\.node)
    return nodes.isEmpty ? extra.others.map { [$0] } : nodes
  }

  /// A compiled pattern; nil if it cannot be compiled, in which case the grammar refuses it by name.
  private mutating func pattern(_ written: String) -> Pattern? {
    let key = Array(written.utf8)
    if let known = patterns[key] { return known }
    let pattern = try? Pattern(parsing: written)
    patterns[key] = .some(pattern)
    return pattern
  }

  private mutating func reason(
    _ text: String, _ schema: StringSchema
  ) -> SchemaMismatch.Reason? {
    if let choices = schema.choices {
      return choices.contains(text) ? nil : .choice(found: text, allowed: choices)
    }
    for written in schema.patterns where pattern(written)?.wholeMatch(text) == false {
      return .pattern(found: text, pattern: written)
    }
    for written in schema.excludedPatterns where pattern(written)?.wholeMatch(text) == true {
      return .pattern(found: text, pattern: "(not) " + written)
    }
    if schema.excludedChoices.contains(text) { return .choice(found: text, allowed: []) }
    let minimum = schema.minimumLength ?? 0
    let range = minimum...max(minimum, schema.maximumLength ?? .max)
    let length = text.unicodeScalars.count
    return range.contains(length) ? nil : .length(length, range)
  }
}

extension JSONValue {
  /// The type of the value as a sentence names it.
  fileprivate var typeWords: String {
    switch self {
    case .null: "null"
    case .array, .object: "an \(typeName)"
    case .bool, .number, .string: "a \(typeName)"
    }
  }
}
