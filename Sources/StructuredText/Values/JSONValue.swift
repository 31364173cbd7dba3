/// A JSON value with ordered object keys and exact numbers.
///
/// Two values are equal if they are equal as data: numbers are compared by value (`1.0` equals
/// `1`), and objects are compared regardless of the order of their keys.
public enum JSONValue: Sendable, Hashable {
  /// The value `null`.
  case null
  /// True or false.
  case bool(Bool)
  /// A number with its exact text.
  case number(JSONNumber)
  /// A string.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object.
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
  /// The text of a string, or nil for other types.
  public var string: String? { if case .string(let text) = self { text } else { nil } }

  /// The elements of an array, or nil for other types.
  public var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

  /// The members of an object, or nil for other types.
  public var object: JSONObject? { if case .object(let members) = self { members } else { nil } }

  /// The number, or nil for other types.
  public var number: JSONNumber? { if case .number(let number) = self { number } else { nil } }

  /// The value as an integer, or nil if the value is not an integer or doesn't fit in `Int`.
  public var int: Int? { number?.int }

  /// The nearest double of a number, or nil for other types.
  public var double: Double? { number?.double }

  /// The Boolean, or nil for other types.
  public var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }

  /// The value of an object's key, or nil if there is none.
  public subscript(key: String) -> JSONValue? { object?[key] }

  /// The name of the value's type in JSON Schema.
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
