import GuidedGeneration
import StructuredText

/// Where an answer leaves its schema, and what is allowed there.
struct SchemaMismatch: Error, Hashable, CustomStringConvertible {
  enum Reason: Hashable {
    case type(found: String, allowed: String)
    case missingProperty(String)
    case unknownProperty(String, allowed: [String])
    case choice(found: String, allowed: [String])
    case pattern(found: String, pattern: String)
    case length(Int, ClosedRange<Int>)
    case count(Int, ClosedRange<Int>)
    case number(JSONNumber, minimum: JSONNumber?, maximum: JSONNumber?)
    case repeatedElement
    case tooManyShapes
  }

  /// The path of the value.
  var path: String
  var reason: Reason
  /// How many parts of the value were found to fit before.
  var fitted: Int

  var description: String {
    let words =
      switch reason {
      case .type(let found, let allowed): "is \(found); allowed is \(allowed)"
      case .missingProperty(let name): "has no property \"\(name)\", which is required"
      case .unknownProperty(let name, let allowed):
        "has the property \"\(name)\"; allowed are \(Self.list(allowed))"
      case .choice(let found, let allowed): "is \"\(found)\"; allowed are \(Self.list(allowed))"
      case .pattern(let found, let pattern): "is \"\(found)\"; allowed is what matches \(pattern)"
      case .length(let count, let range):
        "has \(count) characters; allowed are \(Self.words(range))"
      case .count(let count, let range): "has \(count) elements; allowed are \(Self.words(range))"
      case .number(let number, let minimum, let maximum):
        "is \(number.text); allowed are \(minimum?.text ?? "")...\(maximum?.text ?? "")"
      case .repeatedElement: "has an element twice; allowed is each value once"
      case .tooManyShapes: "fits too many shapes of the schema to try them all"
      }
    return "\(path) \(words)"
  }

  private static func list(_ names: [String]) -> String {
    names.map { "\"\($0)\"" }.joined(separator: ", ")
  }

  private static func words(_ range: ClosedRange<Int>) -> String {
    "\(range.lowerBound)...\(range.upperBound == .max ? "" : "\(range.upperBound)")"
  }
}

extension GenerationSchema {
  /// What is wrong with a value that should keep to the schema; nil where it does.
  ///
  /// A value may have more white space, other separators and another order of keys than the grammar
  /// writes, and `null` for an optional property: it decodes to the same.
  func mismatch(of value: JSONValue) -> SchemaMismatch? {
    var check = SchemaCheck(schema: self)
    return check.mismatch(of: value, root, at: "$")
  }
}
