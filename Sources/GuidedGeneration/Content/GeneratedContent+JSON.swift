import StructuredText

extension GeneratedContent {
  /// Creates content from JSON text, which may be incomplete.
  ///
  /// If the text ends early, the content holds everything that has arrived, including the beginning
  /// of an unfinished string. An object includes a member as soon as the member's value has begun.
  /// `isComplete` is false for content from such a text, as with Apple's initializer. A text that
  /// consists of only a number counts as complete.
  ///
  /// ```
  /// {"title": "A story of     ──►   title = "A story of" (incomplete)
  /// ```
  ///
  /// - Parameter json: The JSON text, or the beginning of a JSON text.
  /// - Throws: `ParsingError` if the text is not the beginning of a JSON value, repeats a key of an
  ///   object, contains a number too large for a double, or is nested deeper than 512 levels.
  public init(json: String) throws {
    do throws(JSONTextProblem) {
      self = try PartialJSONParser.parse(json)
    } catch {
      throw ParsingError(
        rawContent: json, underlyingError: error, debugDescription: error.description)
    }
  }

  /// The content as JSON text, with keys in order and numbers with all their digits.
  ///
  /// The separators are `", "` and `": "`, as in the examples of Apple's documentation.
  public var jsonString: String { JSONTextWriter.text(of: jsonValue) }

  /// The content as compact JSON text, without the closing quotation mark, brackets and braces of
  /// incomplete parts.
  ///
  /// ```
  /// {"title": "A story of     ──►   {"title":"A story of
  /// ```
  package var openText: String {
    if isComplete { return JSONTextWriter.text(of: jsonValue, style: .compact) }
    return switch storage {
    case .null: ""
    case .bool, .number: JSONTextWriter.text(of: jsonValue)
    case .string(let string): String(JSONTextWriter.quoted(string).dropLast())
    case .array(let elements): "[" + elements.map(\.openText).joined(separator: ",")
    case .structure(let properties, let orderedKeys):
      "{"
        + orderedKeys.map { "\(JSONTextWriter.quoted($0)):\(properties[$0]?.openText ?? "")" }
        .joined(separator: ",")
    }
  }

  /// Returns the part of a JSON string that has arrived, or `nil` if the text isn't the beginning
  /// of a JSON string.
  package static func stringSoFar(_ text: String) -> String? {
    guard case .string(let string) = try? GeneratedContent(json: text).storage else { return nil }
    return string
  }

  /// The content as a JSON value.
  package var jsonValue: JSONValue {
    switch storage {
    case .null: .null
    case .bool(let flag): .bool(flag)
    case .number(let number): .number(number)
    case .string(let string): .string(string)
    case .array(let elements): .array(elements.map(\.jsonValue))
    case .structure(let properties, let orderedKeys):
      .object(
        JSONObject(orderedKeys.map { (key: $0, value: properties[$0]?.jsonValue ?? .null) }))
    }
  }

  /// Creates content from a JSON value.
  package init(_ json: JSONValue) {
    switch json {
    case .null: self.init(storage: .null)
    case .bool(let flag): self.init(storage: .bool(flag))
    case .number(let number): self.init(storage: .number(number))
    case .string(let string): self.init(storage: .string(string))
    case .array(let elements):
      self.init(storage: .array(elements.map { GeneratedContent($0) }))
    case .object(let object):
      self.init(members: object.members.map { ($0.key, GeneratedContent($0.value)) })
    }
  }
}

extension GeneratedContent: CustomDebugStringConvertible {
  /// The content as JSON text, the same as `jsonString`.
  public var debugDescription: String { jsonString }
}
