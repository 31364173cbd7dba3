/// What an interface can hold an answer to, and so what becomes of a schema on its way to it.
public enum SchemaProfile: String, Sendable, Hashable, CaseIterable {
  /// JSON Schema as it is: servers that make a grammar of it.
  case jsonSchema = "json-schema"
  /// The strict subset of OpenAI's structured outputs.
  case openAIStrict = "openai"
  /// Anthropic's structured outputs.
  case anthropic
  /// Gemini's keywords.
  case gemini

  /// The keywords that the interface refuses or passes over; their limits go into descriptions.
  var unsupported: Set<String> {
    switch self {
    case .jsonSchema: []
    case .openAIStrict: ["minLength", "maxLength"]
    case .anthropic: ["minLength", "maxLength", "minimum", "maximum", "maxItems"]
    case .gemini: ["minLength", "maxLength", "pattern"]
    }
  }

  /// Whether every property must be required, so that an optional one becomes one that may be null.
  var requiresEveryProperty: Bool { self == .openAIStrict }

  /// Whether the root must be an object.
  var needsObjectRoot: Bool { self == .openAIStrict }

  /// Whether a reference may have no other keyword beside it.
  var wantsBareReferences: Bool { self == .openAIStrict || self == .gemini }

  /// Whether definitions may refer to themselves.
  var allowsRecursion: Bool { self != .anthropic }

  /// The most of what is counted, as the service documents it.
  var limits: [(what: SchemaCounts.What, most: Int)] {
    switch self {
    case .jsonSchema, .gemini: []
    case .openAIStrict: [(.properties, 5000), (.levels, 10), (.enumValues, 1000)]
    case .anthropic: [(.optionalProperties, 24), (.unions, 16)]
    }
  }
}

/// What an interface does not enforce of a schema.
public struct SchemaLoss: Sendable, Hashable, CustomStringConvertible {
  /// What is lost.
  public enum Reason: Sendable, Hashable {
    /// The keyword's limit stands in the description and is checked on the answer.
    case described(String)
    /// An optional property is sent as a required one that may be null.
    case optionalAsNull
    /// The root is sent as the property `value` of an object.
    case wrappedRoot
    /// Required properties are written before optional ones, whatever the schema's order.
    case order
    /// The service does not take recursive types.
    case recursion
    /// The service does not take an unrestricted value.
    case anyValue
    /// The service takes fewer of something.
    case limit(SchemaCounts.What, count: Int, most: Int)
  }

  /// The place as a JSON pointer, for example `#/properties/cards`.
  public var place: String
  /// What is lost there.
  public var reason: Reason

  /// Whether the service refuses the schema for it.
  public var isRefused: Bool {
    switch reason {
    case .recursion, .limit, .anyValue: true
    case .described, .optionalAsNull, .wrappedRoot, .order: false
    }
  }

  public var description: String {
    let words =
      switch reason {
      case .described(let keyword):
        "`\(keyword)` is not enforced; the description states it and the answer is checked"
      case .optionalAsNull: "optional becomes required, and null stands for absent"
      case .wrappedRoot: "the root becomes the property `value` of an object"
      case .order: "required properties come before optional ones in the answer"
      case .recursion: "a type that contains itself is refused"
      case .anyValue: "a value of any type is refused"
      case .limit(let what, let count, let most):
        "\(count) \(what.rawValue); at most \(most) are allowed"
      }
    return "\(place): \(words)"
  }
}

/// Counts of what services limit.
public struct SchemaCounts: Sendable, Hashable {
  /// What is counted.
  public enum What: String, Sendable, Hashable {
    case properties
    case levels = "levels of nesting"
    case enumValues = "enum values"
    case optionalProperties = "optional properties"
    case unions
  }

  var counts: [What: Int] = [:]

  mutating func add(_ what: What, _ count: Int = 1) { counts[what, default: 0] += count }

  mutating func reach(_ what: What, _ level: Int) {
    counts[what] = max(counts[what] ?? 0, level)
  }
}
