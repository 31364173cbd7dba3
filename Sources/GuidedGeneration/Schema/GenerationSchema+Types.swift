extension GenerationSchema {
  /// A property of a schema that is built from Swift types.
  public struct Property: Sendable {
    let name: String
    let description: String?
    let type: any Generable.Type
    let constraints: [GuideConstraint]
    let isOptional: Bool

    /// Creates a required property.
    ///
    /// - Parameters:
    ///   - name: The name of the property.
    ///   - description: The description that the model reads.
    ///   - type: The type of the value.
    ///   - guides: The constraints on the value.
    public init<Value: Generable>(
      name: String, description: String? = nil, type: Value.Type,
      guides: [GenerationGuide<Value>] = []
    ) {
      self.init(
        name: name, description: description, type: type,
        constraints: guides.flatMap(\.constraints), isOptional: false)
    }

    /// Creates an optional property.
    ///
    /// - Parameters:
    ///   - name: The name of the property.
    ///   - description: The description that the model reads.
    ///   - type: The type of the value, written as an optional.
    ///   - guides: The constraints on the value if it is present.
    public init<Value: Generable>(
      name: String, description: String? = nil, type: Value?.Type,
      guides: [GenerationGuide<Value>] = []
    ) {
      self.init(
        name: name, description: description, type: Value.self,
        constraints: guides.flatMap(\.constraints), isOptional: true)
    }

    /// Creates a required string property that must match regular expressions.
    ///
    /// `GenerationGuide.pattern(_:)` describes the supported expressions.
    ///
    /// - Parameters:
    ///   - name: The name of the property.
    ///   - description: The description that the model reads.
    ///   - type: `String`.
    ///   - guides: The regular expressions that the whole string must match.
    public init<RegexOutput>(
      name: String, description: String? = nil, type: String.Type,
      guides: [Regex<RegexOutput>] = []
    ) {
      self.init(
        name: name, description: description, type: type,
        constraints: guides.map(GuideConstraint.init(matching:)), isOptional: false)
    }

    /// Creates an optional string property that must match regular expressions if it is present.
    ///
    /// `GenerationGuide.pattern(_:)` describes the supported expressions.
    ///
    /// - Parameters:
    ///   - name: The name of the property.
    ///   - description: The description that the model reads.
    ///   - type: `String?`.
    ///   - guides: The regular expressions that the whole string must match.
    public init<RegexOutput>(
      name: String, description: String? = nil, type: String?.Type,
      guides: [Regex<RegexOutput>] = []
    ) {
      self.init(
        name: name, description: description, type: String.self,
        constraints: guides.map(GuideConstraint.init(matching:)), isOptional: true)
    }

    init(
      name: String, description: String?, type: any Generable.Type,
      constraints: [GuideConstraint], isOptional: Bool
    ) {
      self.name = name
      self.description = description
      self.type = type
      self.constraints = constraints
      self.isOptional = isOptional
    }
  }

  /// A case of an enum, with its guide and its payload; `@Generable` uses this type.
  ///
  /// Apple's framework has no such type.
  public struct Case: Sendable {
    let name: String
    let description: String?
    let payload: [Property]

    /// Creates a case.
    ///
    /// - Parameters:
    ///   - name: The name of the case, or its raw value.
    ///   - description: The description that tells the model when to choose the case.
    ///   - payload: The associated values with their labels.
    public init(name: String, description: String? = nil, payload: [Property] = []) {
      self.name = name
      self.description = description
      self.payload = payload
    }
  }

  /// Creates the schema of a type with properties.
  ///
  /// If several properties have the same name, only the first one counts.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - description: The description that the model reads.
  ///   - properties: The properties, in the order in which they are generated.
  public init(
    type: any Generable.Type, description: String? = nil, properties: [Property]
  ) {
    self.init(
      type: type, name: nil, description: description,
      representNilExplicitlyInGeneratedContent: false, properties: properties)
  }

  /// Creates the schema of a type with properties, and sets whether absent properties are generated
  /// as null.
  ///
  /// If absent properties are generated as null, the schema makes every property required and
  /// optional properties nullable. This is Assay's choice, because Apple's behavior is unknown. If
  /// several properties have the same name, only the first one counts.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - description: The description that the model reads.
  ///   - representNilExplicitlyInGeneratedContent: Whether an absent property is generated as null
  ///     instead of being left out.
  ///   - properties: The properties, in the order in which they are generated.
  public init(
    type: any Generable.Type, description: String? = nil,
    representNilExplicitlyInGeneratedContent: Bool, properties: [Property]
  ) {
    self.init(
      type: type, name: nil, description: description,
      representNilExplicitlyInGeneratedContent: representNilExplicitlyInGeneratedContent,
      properties: properties)
  }

  /// Creates the schema of a type with properties, and sets its name; `@Generable` uses this
  /// initializer.
  ///
  /// Apple's framework has no such initializer. If several properties have the same name, only the
  /// first one counts.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - name: The name in the schema, or `nil` for the name of the type.
  ///   - description: The description that the model reads.
  ///   - representNilExplicitlyInGeneratedContent: Whether an absent property is generated as null
  ///     instead of being left out.
  ///   - properties: The properties, in the order in which they are generated.
  public init(
    type: any Generable.Type, name: String?, description: String? = nil,
    representNilExplicitlyInGeneratedContent: Bool = false, properties: [Property]
  ) {
    let ofType = SchemaOfType(type: type, name: name, description: description)
    self.init(
      name: ofType.name,
      source: .object(
        ofType, properties: properties,
        representsNilExplicitly: representNilExplicitlyInGeneratedContent))
  }

  /// Creates the schema of a type whose values are one of several strings.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - description: The description that the model reads.
  ///   - choices: The allowed strings. If the list is empty, every request with the schema throws
  ///     `LanguageModelError.unsupportedGenerationGuide`.
  public init(
    type: any Generable.Type, description: String? = nil, anyOf choices: [String]
  ) {
    let ofType = SchemaOfType(type: type, name: nil, description: description)
    self.init(name: ofType.name, source: .choices(ofType, choices))
  }

  /// Creates the schema of a type whose values have one of several types.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - description: The description that the model reads.
  ///   - types: The types that the value may have. If the list is empty, no value follows the
  ///     schema, and `LocalLanguageModel` throws `LanguageModelError.unsupportedGenerationGuide`.
  public init(
    type: any Generable.Type, description: String? = nil, anyOf types: [any Generable.Type]
  ) {
    let ofType = SchemaOfType(type: type, name: nil, description: description)
    self.init(name: ofType.name, source: .types(ofType, types))
  }

  /// Creates the schema of an enum; `@Generable` uses this initializer.
  ///
  /// Apple's framework has no such initializer.
  ///
  /// Without payloads, the schema lists the case names, and the guides of the cases become part of
  /// the description. With payloads, every case becomes an object that begins with the case name,
  /// and the guide of the case is the object's description. If two enums have identical cases (same
  /// name, guide and payload), both use the same object for that case. If enums have different
  /// cases with the same name, the name of the second object ends in a number; in Apple's
  /// framework, the names of the two objects collide.
  ///
  /// - Parameters:
  ///   - type: The enum.
  ///   - name: The name in the schema, or `nil` for the name of the type.
  ///   - description: The description that the model reads.
  ///   - cases: The cases.
  public init(
    type: any Generable.Type, name: String?, description: String? = nil, cases: [Case]
  ) {
    var ofType = SchemaOfType(type: type, name: name, description: description)
    if cases.contains(where: { !$0.payload.isEmpty }) {
      self.init(name: ofType.name, source: .cases(ofType, cases))
      return
    }
    let guides = cases.compactMap { item in item.description.map { "\(item.name): \($0)" } }
    if !guides.isEmpty {
      ofType.description = ([description].compactMap(\.self) + guides).joined(separator: "\n")
    }
    self.init(name: ofType.name, source: .choices(ofType, cases.map(\.name)))
  }
}

extension SchemaOfType {
  /// Creates a description of a type, with the given name or the type's unqualified name.
  init(type: any Generable.Type, name: String?, description: String?) {
    self.init(type: type, name: name ?? String(describing: type), description: description)
  }
}
