/// Schemas as texts, for tests.
enum SchemaText {
  static let string = #"{"type":"string"}"#
  static let integer = #"{"type":"integer"}"#
  static let number = #"{"type":"number"}"#
  static let boolean = #"{"type":"boolean"}"#
  /// A string enum with two cases.
  static let choice = #"{"type":"string","enum":["a","b"]}"#
  /// An integer that can only be 3.
  static let three = #"{"type":"integer","minimum":3,"maximum":3}"#

  /// Returns an array, such as `list(of: string, #""minItems":1"#)`.
  static func list(of element: String, _ bounds: String = "") -> String {
    #"{"type":"array","items":\#(element)\#(bounds.isEmpty ? "" : ","  + bounds)}"#
  }

  /// Returns an object whose properties are generated in their order.
  ///
  /// - Parameters:
  ///   - properties: The schemas of the properties; a name that ends with `?` is optional.
  ///   - definitions: The schemas to which the properties can refer.
  static func object(
    _ properties: KeyValuePairs<String, String>, definitions: KeyValuePairs<String, String> = [:]
  ) -> String {
    func name(_ key: String) -> String { #""\#(key.filter { $0 != "?" })""# }
    func pairs(_ values: KeyValuePairs<String, String>) -> String {
      values.map { "\(name($0.key)):\($0.value)" }.joined(separator: ",")
    }
    let required = properties.map(\.key).filter { !$0.hasSuffix("?") }.map(name)
    return #"""
      {"title":"T","type":"object","properties":{\#(pairs(properties))},
       "required":[\#(required.joined(separator: ","))],"additionalProperties":false,
       "x-order":[\#(properties.map { name($0.key) }.joined(separator: ","))],
       "$defs":{\#(pairs(definitions))}}
      """#
  }

  /// Returns a reference to a definition.
  static func definition(_ name: String) -> String { ##"{"$ref":"#/$defs/\##(name)"}"## }
}
