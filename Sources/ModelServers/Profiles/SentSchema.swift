public import StructuredText

/// A schema as it is sent to a server, with a list of the parts that the server won't enforce.
public struct SentSchema: Sendable, Hashable {
  /// The original schema, in Apple's dialect.
  public let original: JSONValue
  /// The schema as it is sent.
  public let json: JSONValue
  /// The parts that the server won't enforce or needs in a different form.
  ///
  /// The parts are in the schema's order, followed by exceeded limits.
  public let losses: [SchemaLoss]
  /// Whether the server's answers are wrapped in an object with the property `value`.
  public let isWrapped: Bool
  /// A name for the schema.
  ///
  /// It consists of the ASCII letters, the digits, `_` and `-` in the schema's title, at most 64 of
  /// them. If the title has none of these, the name is "answer".
  public let name: String

  /// Creates a version of a schema that an interface supports.
  ///
  /// - Parameters:
  ///   - schema: The schema in Apple's dialect, as `GenerationSchema` writes it.
  ///   - profile: The interface's profile.
  public init(_ schema: JSONValue, for profile: SchemaProfile) {
    original = schema
    var writer = ProfileWriter(profile: profile, root: schema)
    let isObject = schema["type"]?.string == "object"
    isWrapped = profile.needsObjectRoot && !isObject
    json = isWrapped ? writer.wrapped(schema) : writer.whole(schema)
    losses = writer.allLosses
    name = Self.name(schema["title"]?.string)
  }

  private static func name(_ title: String?) -> String {
    let kept = (title ?? "").unicodeScalars.filter { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
        || scalar == "_" || scalar == "-"
    }
    let text = String(String.UnicodeScalarView(kept)).prefix(64)
    return text.isEmpty ? "answer" : String(text)
  }
}

/// The part of JSON pointers that references in schemas use.
enum JSONPointer {
  /// Returns the name of the definition that a reference points to.
  static func name(inReference reference: String) -> String {
    let last = reference.split(separator: "/").last.map(String.init) ?? ""
    return last.replacingScalars("~1", with: "/").replacingScalars("~0", with: "~")
  }

  /// Returns a name, escaped for use in a pointer.
  static func part(_ name: String) -> String {
    name.replacingScalars("~", with: "~0").replacingScalars("/", with: "~1")
  }
}
