/// A JSON value with ordered object keys and exact numbers.
///
/// Two values are equal when they are equal as data: numbers by value (`1.0` equals `1`), objects
/// regardless of the order of their keys.
public enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case number(JSONNumber)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
  public init(floatLiteral value: Double) { self = .number(JSONNumber(value)) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(elements.map { (key: $0.0, value: $0.1) }))
  }
  public init(nilLiteral: ()) { self = .null }
}

extension JSONValue {
  /// The text of a string, nil for anything else.
  public var string: String? { if case .string(let text) = self { text } else { nil } }

  /// The elements of an array, nil for anything else.
  public var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

  /// The members of an object, nil for anything else.
  public var object: JSONObject? { if case .object(let members) = self { members } else { nil } }

  /// The number, nil for anything else.
  public var number: JSONNumber? { if case .number(let number) = self { number } else { nil } }

  /// The integer that the value is exactly, nil for anything else.
  public var int: Int? { number?.int }

  /// The nearest double of a number, nil for anything else.
  public var double: Double? { number?.double }

  /// The Boolean, nil for anything else.
  public var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }

  /// The member of an object under a key, nil where there is none.
  public subscript(key: String) -> JSONValue? { object?[key] }

  /// The name of the value's type in JSON Schema's words.
  public var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}
