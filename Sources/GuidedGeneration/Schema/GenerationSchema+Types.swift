extension GenerationSchema {
  /// A property of a schema that is built from Swift types.
  public struct Property: Sendable {
    let name: String
    let description: String?
    let type: any Generable.Type
    let constraints: [GuideConstraint]
    let isOptional: Bool

    /// Creates a property that is always generated.
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

    /// Creates a property that may be absent.
    ///
    /// - Parameters:
    ///   - name: The name of the property.
    ///   - description: The description that the model reads.
    ///   - type: The type of the value, made optional.
    ///   - guides: The constraints on the value, if it is present.
    public init<Value: Generable>(
      name: String, description: String? = nil, type: Value?.Type,
      guides: [GenerationGuide<Value>] = []
    ) {
      self.init(
        name: name, description: description, type: Value.self,
        constraints: guides.flatMap(\.constraints), isOptional: true)
    }

    /// Creates a string property that must match regular expressions.
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

  /// A case of an enum, with its guide and its payload.
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
  /// - Parameters:
  ///   - type: The type.
  ///   - description: The description that the model reads.
  ///   - properties: Its properties, in the order in which they are generated.
  public init(
    type: any Generable.Type, description: String? = nil, properties: [Property]
  ) {
    self.init(
      type: type, name: nil, description: description,
      representNilExplicitlyInGeneratedContent: false, properties: properties)
  }

  /// Creates the schema of a type with properties, some of which may be generated as null.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - description: The description that the model reads.
  ///   - representNilExplicitlyInGeneratedContent: Whether an absent property is generated as null.
  ///   - properties: Its properties, in the order in which they are generated.
  public init(
    type: any Generable.Type, description: String? = nil,
    representNilExplicitlyInGeneratedContent: Bool, properties: [Property]
  ) {
    self.init(
      type: type, name: nil, description: description,
      representNilExplicitlyInGeneratedContent: representNilExplicitlyInGeneratedContent,
      properties: properties)
  }

  /// Creates the schema of a type with properties, under a different name.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - name: The name in the schema; nil means the name of the type.
  ///   - description: The description that the model reads.
  ///   - representNilExplicitlyInGeneratedContent: Whether an absent property is generated as null.
  ///   - properties: Its properties, in the order in which they are generated.
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
  ///   - choices: The strings.
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
  ///   - types: The types.
  public init(
    type: any Generable.Type, description: String? = nil, anyOf types: [any Generable.Type]
  ) {
    let ofType = SchemaOfType(type: type, name: nil, description: description)
    self.init(name: ofType.name, source: .types(ofType, types))
  }

  /// Creates the schema of an enum; `@Generable` uses this initializer.
  ///
  /// Without payloads, the schema lists the case names, and the guides of the cases become part of
  /// the description. With payloads, every case becomes an object that begins with the case name,
  /// and the guide of the case is the object's description.
  ///
  /// - Parameters:
  ///   - type: The enum.
  ///   - name: The name in the schema; nil means the name of the type.
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
  /// Creates a description of the type under a name, or under its own unqualified name.
  init(type: any Generable.Type, name: String?, description: String?) {
    self.init(type: type, name: name ?? String(describing: type), description: description)
  }
}
