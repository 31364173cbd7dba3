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
        if let found = mismatch(of: element, array.element, at: place) {
          return found
        }
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
      let unknown = members.members.first { !names.contains($0.key) }
      return unknown.map { fail(.unknownProperty($0.key, allowed: names)) }
    }
  }

  private mutating func reason(
    _ text: String, _ schema: StringSchema
  ) -> SchemaMismatch.Reason? {
    if let choices = schema.choices {
      return choices.contains(text) ? nil : .choice(found: text, allowed: choices)
    }
    if let written = schema.pattern {
      // What cannot be compiled cannot be held against the text; the grammar refuses it by name.
      let pattern = patterns[Array(written.utf8)] ?? (try? Pattern(parsing: written))
      patterns[Array(written.utf8)] = pattern
      if pattern?.wholeMatch(text) == false { return .pattern(found: text, pattern: written) }
    }
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
