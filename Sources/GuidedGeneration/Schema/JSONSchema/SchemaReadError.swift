/// The reason why a JSON document is not an enforceable schema: the place, the problem, and what is
/// allowed there.
package struct SchemaReadError: Error, Hashable, Sendable {
  /// The problem at the place.
  package enum Problem: Hashable, Sendable {
    /// The value has a different JSON type than the keyword requires.
    case wrongType(found: String)
    /// The keyword is known but can't be enforced.
    case refusedKeyword(String, reason: String)
    /// The keyword is not part of JSON Schema.
    case unknownKeyword(String)
    /// The keyword is newer than the draft that the document names.
    case newerKeyword(String, draft: Int)
    /// The keyword doesn't apply to the schema's type.
    case misplacedKeyword(String, type: String)
    /// The value has the right type but is not allowed.
    case invalidValue(String)
    /// The value contradicts another keyword of the schema.
    case contradiction(String)
    /// The target of the reference doesn't exist.
    case undefinedReference(String)
    /// The named property doesn't exist.
    case unknownProperty(String)
    /// `required` names a property that the schema neither declares nor allows.
    case undeclaredProperty(String)
    /// The bounds exclude every value.
    case emptyRange(minimum: String, maximum: String)
    /// The type leads back to itself without an object or array in between, or has no finite value.
    case endlessRecursion(String)
    /// The document is nested deeper than the limit.
    case tooDeep(limit: Int)
    /// The document has more definitions than the limit.
    case tooManyDefinitions(limit: Int)
    /// The document has more schemas than the limit.
    case tooManySchemas(limit: Int)
    /// Combining the schemas takes more steps than the limit.
    case tooManyCombinations(limit: Int)
    /// No value satisfies all constraints.
    case noValue
  }

  /// The position in the document as a JSON pointer: `#/$defs/DraftCard/properties/question`.
  package var path: String
  /// The problem.
  package var problem: Problem
  /// The allowed alternatives.
  ///
  /// The list is empty if there are no alternatives, or if the problem implies them.
  package var allowed: [String]

  package init(at path: String, _ problem: Problem, allowed: [String] = []) {
    self.path = path
    self.problem = problem
    self.allowed = allowed
  }
}

extension SchemaReadError: CustomStringConvertible {
  package var description: String { "\(path): \(words)" }

  /// The description without the path.
  package var words: String {
    let what =
      switch problem {
      case .wrongType(let found): "a value of type \(found) is not allowed here"
      case .refusedKeyword(let keyword, let reason): "`\(keyword)` can't be enforced: \(reason)"
      case .unknownKeyword(let keyword): "`\(keyword)` is not a keyword of JSON Schema"
      case .newerKeyword(let keyword, let draft):
        "`\(keyword)` is newer than draft \(draft), which `$schema` names"
      case .misplacedKeyword(let keyword, let type): "`\(keyword)` doesn't apply to \(type)"
      case .invalidValue(let value), .contradiction(let value): "\(value) is not allowed here"
      case .undefinedReference(let target): "`\(target)` is not defined"
      case .unknownProperty(let name): "there is no property `\(name)`"
      case .undeclaredProperty(let name):
        "`required` names `\(name)`, which `properties` doesn't declare"
      case .emptyRange(let minimum, let maximum):
        "no value is between \(minimum) and \(maximum)"
      case .endlessRecursion(let name): "`\(name)` endlessly contains itself"
      case .tooDeep(let limit): "the schema is nested deeper than \(limit) levels"
      case .tooManyDefinitions(let limit): "there are more than \(limit) definitions"
      case .tooManySchemas(let limit): "the document has more than \(limit) schemas"
      case .tooManyCombinations(let limit):
        "combining the schemas that apply together takes more than \(limit) steps"
      case .noValue: "no value meets all constraints of the schema"
      }
    return allowed.isEmpty ? what : "\(what); allowed: \(allowed.joined(separator: ", "))"
  }
}

extension SchemaReadError {
  /// Whether the schema is valid but no value conforms to it.
  var isContradiction: Bool {
    switch problem {
    case .emptyRange, .contradiction: true
    default: false
    }
  }

  /// Whether the document exceeds a limit.
  var isLimit: Bool {
    switch problem {
    case .tooDeep, .tooManyDefinitions, .tooManySchemas, .tooManyCombinations: true
    default: false
    }
  }
}
