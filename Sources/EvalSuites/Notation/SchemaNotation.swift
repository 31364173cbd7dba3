import StructuredText

/// A short notation for schemas, as an alternative to JSON Schema.
///
/// ```
/// Meeting "A meeting that the text announces." {
///   title: string "At most 6 words, plain text."
///   date?: string /\d{4}-\d\d-\d\d/ "Left out if the text has none."
///   minutes: integer 0...600 "30 if the text has none."
///   mood: calm | tense | unclear
///   guests: [Guest] 1...8 "Those who are named."
/// }
/// Guest { name: string, role: string? }
/// Outcome = done "It is over." (at: string) | open | unclear
/// ```
///
/// The first type is the type that the model generates. Texts are in double quotes, as in JSON, and
/// a comment runs from `#` to the end of the line. The grammar:
///
/// ```
/// notation   = type *type
/// type       = name [ text ] ( "{" properties "}" / "=" choice 1*( "|" choice ) )
/// choice     = name [ text ] [ "(" properties ")" ]
/// properties = *( name [ "?" ] ":" shape [ text ] [ "," ] )
/// shape      = single [ "?" ]                            ; "?" allows null as well
/// single     = "string" [ "/" pattern "/" ] [ range ] / "integer" [ range ] / "number" [ range ]
///            / "boolean" / "[" shape "]" [ range ] / name / name 1*( "|" name )
/// range      = n "..." n / n "..." / "..." n / n         ; for a string: Unicode scalars
/// name       = letters, digits, "_" and "-", or a text in double quotes
/// ```
///
/// If any case of an enum has a text or a "(", the enum becomes a union with one object for each
/// case; otherwise, it is a string enum.
enum SchemaNotation {
  /// An error for a text that isn't a valid schema; it gives the position, what is wrong, and what
  /// is allowed.
  struct Failure: Error, Hashable {
    /// The line, starting at 1.
    var line: Int
    /// The column, counted in characters from 1.
    var column: Int
    var problem: String
    var allowed: String
  }

  /// Parses a schema.
  ///
  /// - Parameter text: The notation.
  /// - Returns: The schema in Apple's dialect of JSON Schema.
  /// - Throws: `Failure` for the first mistake in the text.
  static func schema(_ text: String) throws(Failure) -> JSONValue {
    var parser = NotationParser(text: text)
    let types = try parser.types()
    guard let root = types.first else {
      throw Failure(
        line: 1, column: 1, problem: "the notation has no type",
        allowed: "`Name { property: string }`")
    }
    var schema = root.schema
    var definitions = JSONObject()
    let named = types.dropFirst().map { ($0.name, JSONValue.object($0.schema)) }
    for (name, definition) in types.flatMap(\.definitions) + named {
      guard definitions[name] == .none else {
        throw Failure(
          line: 1, column: 1, problem: "there would be two definitions named `\(name)`",
          allowed: "enum cases with a guide or a payload need different names")
      }
      definitions[name] = definition
    }
    if !definitions.isEmpty { schema["$defs"] = .object(definitions) }
    return .object(schema)
  }
}

/// A type in the notation.
struct NotatedType {
  var name: String
  var schema: JSONObject
  /// Additional definitions that the type needs, such as the payloads of an enum.
  var definitions: [(String, JSONValue)] = []
}
