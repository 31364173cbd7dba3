/// The part of JSON Schema that an interface enforces.
///
/// `SentSchema` rewrites schemas according to the interface's profile.
public enum SchemaProfile: String, Sendable, Hashable, CaseIterable {
  /// Full JSON Schema, for servers that turn it into a grammar.
  case jsonSchema = "json-schema"
  /// The strict subset of OpenAI's structured outputs.
  case openAIStrict = "openai"
  /// The strict subset on Azure, which documents fewer keywords than OpenAI does.
  case azureStrict = "azure"
  /// Anthropic's structured outputs.
  case anthropic
  /// The dialect of Apple's own server, which refuses a few keywords and ignores others.
  case apple
  /// The subset that Gemini supports.
  case gemini

  /// The keywords that the interface enforces, or `nil` if it takes all of JSON Schema.
  ///
  /// In the schema that Assay sends to the server, the descriptions state the limits that other
  /// keywords set in the suite's schema. The sets follow the services' public documentation:
  ///
  /// - OpenAI, "Structured model outputs": "Supported schemas".
  /// - Microsoft, "Structured outputs": "JSON Schema support and limitations".
  /// - Anthropic, "Structured outputs": "JSON Schema limitations". Only 0 and 1 are allowed for
  ///   `minItems`.
  /// - Google, "GenerationConfig": `responseJsonSchema`.
  ///
  /// Apple documents nothing about its server; the set follows public notes of its users.
  var enforced: Set<String>? {
    let common: Set<String> = [
      "$ref", "$defs", "title", "description", "type", "enum", "const", "anyOf", "properties",
      "required", "additionalProperties", "items",
    ]
    let bounds: Set<String> = ["minItems", "maxItems", "minimum", "maximum"]
    return switch self {
    case .jsonSchema: nil
    case .openAIStrict:
      common.union(bounds).union(["exclusiveMinimum", "exclusiveMaximum", "multipleOf", "pattern"])
    case .azureStrict: common
    case .anthropic: common.union(["minItems", "pattern"])
    case .apple: common.union(bounds)
    case .gemini: common.union(bounds).union(["prefixItems"])
    }
  }

  /// Returns whether the interface enforces a keyword.
  func enforces(_ keyword: String) -> Bool { enforced?.contains(keyword) ?? true }

  /// The keywords that the interface takes, but doesn't enforce.
  var ignored: Set<String> {
    self == .apple ? ["minItems", "maxItems", "minimum", "maximum"] : []
  }

  /// Whether objects may have keys that the schema doesn't name.
  var allowsOtherKeys: Bool { self == .jsonSchema || self == .gemini }

  /// Whether the interface has OpenAI's strict mode.
  private var isStrict: Bool { self == .openAIStrict || self == .azureStrict }

  /// Whether a schema must say which type its values have.
  var refusesAnyValue: Bool { isStrict || self == .anthropic || self == .apple }

  /// Whether every property must be required.
  ///
  /// If so, optional properties become nullable.
  var requiresEveryProperty: Bool { isStrict }

  /// Whether the root must be an object.
  var needsObjectRoot: Bool { isStrict }

  /// Whether a `$ref` can't have other keywords next to it.
  var wantsBareReferences: Bool { isStrict || self == .gemini }

  /// Whether definitions may refer to themselves.
  ///
  /// Apple's server never answers such a request, nor any later one.
  var allowsRecursion: Bool { self != .anthropic && self != .apple }

  /// Whether a value can be null.
  var allowsNull: Bool { self != .apple }

  /// Whether objects list their properties in `x-order`, and definitions have all members that
  /// Apple's encoding has.
  var isOfApple: Bool { self == .apple }

  /// The service's documented limits.
  var limits: [(what: SchemaCounts.What, most: Int)] {
    switch self {
    case .apple, .jsonSchema, .gemini: []
    case .openAIStrict, .azureStrict: [(.properties, 5000), (.levels, 10), (.enumValues, 1000)]
    case .anthropic: [(.optionalProperties, 24), (.unions, 16)]
    }
  }
}

/// A part of a schema that an interface doesn't enforce or needs in a different form.
public struct SchemaLoss: Sendable, Hashable, CustomStringConvertible {
  /// The kind of loss.
  public enum Reason: Sendable, Hashable {
    /// The description states the keyword's limit, and the backend checks the answer afterwards.
    case described(String)
    /// The server takes the keyword, and may show it to the model, but the backend checks the
    /// answer.
    case ignored(String)
    /// The service doesn't support values that can be null.
    case null
    /// An optional property is sent as a required property that can be null.
    case optionalAsNull
    /// An optional property whose own schema allows null is sent as a required property.
    case optionalAsRequired
    /// The root is sent as the property `value` of an object.
    case wrappedRoot
    /// In answers, required properties come before optional ones, whatever the schema's order is.
    case order
    /// The service doesn't support recursive types.
    case recursion
    /// The service doesn't support unrestricted values.
    case anyValue
    /// The service doesn't support objects whose keys the schema doesn't name.
    case map
    /// The object can't have keys that the schema doesn't name, although the schema allows some.
    case otherKeys
    /// The schema exceeds one of the service's limits.
    case limit(SchemaCounts.What, count: Int, most: Int)
  }

  /// The location as a JSON pointer, for example `#/properties/cards`.
  public var place: String
  /// The kind of loss.
  public var reason: Reason

  /// Whether the service rejects the schema because of this part.
  public var isRefused: Bool {
    switch reason {
    case .recursion, .limit, .anyValue, .map, .null: true
    case .described, .ignored, .optionalAsNull, .optionalAsRequired, .wrappedRoot, .order,
      .otherKeys:
      false
    }
  }

  /// A description of the loss.
  public var description: String {
    let words =
      switch reason {
      case .described(let keyword):
        "the server doesn't enforce `\(keyword)`; the description states it, and Assay checks the "
          + "answer"
      case .ignored(let keyword):
        "the server doesn't enforce `\(keyword)`, so Assay checks the answer"
      case .null: "the server refuses a value that can be null"
      case .optionalAsNull:
        "an optional property becomes required, and null means that it is absent"
      case .optionalAsRequired:
        "an optional property becomes required; null is one of its values, so it can't be absent"
      case .wrappedRoot: "the root becomes the property `value` of an object"
      case .order: "required properties come before optional ones in the answer"
      case .recursion: "the server refuses a type that contains itself"
      case .anyValue: "the server refuses a value of any type"
      case .map: "the server refuses an object whose keys the schema doesn't name"
      case .otherKeys:
        "the answer can't have keys that the schema doesn't name, although the schema allows some"
      case .limit(let what, let count, let most):
        "\(count) \(what.rawValue); the server allows at most \(most)"
      }
    return "\(place): \(words)"
  }
}

/// How many parts of each kind a schema has, for the kinds that services limit.
public struct SchemaCounts: Sendable, Hashable {
  /// A kind of schema part whose number services limit.
  public enum What: String, Sendable, Hashable {
    /// The properties of all objects.
    case properties
    /// The levels of nesting.
    case levels = "levels of nesting"
    /// The values of all enums.
    case enumValues = "enum values"
    /// The optional properties of all objects.
    case optionalProperties = "optional properties"
    /// The choices between alternatives (`anyOf`).
    case unions
  }

  var counts: [What: Int] = [:]

  mutating func add(_ what: What, _ count: Int = 1) { counts[what, default: 0] += count }

  mutating func reach(_ what: What, _ level: Int) {
    counts[what] = max(counts[what] ?? 0, level)
  }
}
