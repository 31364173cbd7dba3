/// A schema that an app builds at run time.
///
/// To use it in a request, create a `GenerationSchema` from it.
public struct DynamicGenerationSchema: Sendable {
  /// The kind and content of the schema.
  indirect enum Form: Sendable {
    case object(
      name: String, description: String?, properties: [Property], representsNilExplicitly: Bool)
    case union(name: String, description: String?, choices: [DynamicGenerationSchema])
    case strings(name: String, description: String?, choices: [String])
    case array(DynamicGenerationSchema, minimum: Int?, maximum: Int?)
    case type(any Generable.Type, [GuideConstraint])
    case reference(String)
    case null
  }

  let form: Form

  private init(_ form: Form) { self.form = form }

  /// A property of a dynamic schema.
  public struct Property: Sendable {
    let name: String
    let description: String?
    let schema: DynamicGenerationSchema
    let isOptional: Bool

    /// Creates a property.
    ///
    /// - Parameters:
    ///   - name: The name of the property.
    ///   - description: The description that the model reads.
    ///   - schema: The schema of the value.
    ///   - isOptional: Whether the property may be absent.
    public init(
      name: String, description: String? = nil, schema: DynamicGenerationSchema,
      isOptional: Bool = false
    ) {
      self.name = name
      self.description = description
      self.schema = schema
      self.isOptional = isOptional
    }
  }

  /// Creates an object.
  ///
  /// - Parameters:
  ///   - name: The name of the type.
  ///   - description: The description that the model reads.
  ///   - properties: The properties, in the order in which they are generated. If two properties
  ///     have the same name, creating a `GenerationSchema` throws `SchemaError.duplicateProperty`.
  public init(name: String, description: String? = nil, properties: [Property]) {
    self.init(
      .object(
        name: name, description: description, properties: properties,
        representsNilExplicitly: false))
  }

  /// Creates an object, and sets whether absent properties are generated as null.
  ///
  /// If absent properties are generated as null, the schema makes every property required and
  /// optional properties nullable. This is Assay's choice, because Apple's behavior is unknown.
  ///
  /// - Parameters:
  ///   - name: The name of the type.
  ///   - description: The description that the model reads.
  ///   - representNilExplicitlyInGeneratedContent: Whether an absent property is generated as null
  ///     instead of being left out.
  ///   - properties: The properties, in the order in which they are generated. If two properties
  ///     have the same name, creating a `GenerationSchema` throws `SchemaError.duplicateProperty`.
  public init(
    name: String, description: String? = nil, representNilExplicitlyInGeneratedContent: Bool,
    properties: [Property]
  ) {
    self.init(
      .object(
        name: name, description: description, properties: properties,
        representsNilExplicitly: representNilExplicitlyInGeneratedContent))
  }

  /// Creates a choice between schemas.
  ///
  /// - Parameters:
  ///   - name: The name of the type.
  ///   - description: The description that the model reads.
  ///   - choices: The schemas that the value may follow. If the list is empty, creating a
  ///     `GenerationSchema` throws `SchemaError.emptyTypeChoices`.
  public init(name: String, description: String? = nil, anyOf choices: [DynamicGenerationSchema]) {
    self.init(.union(name: name, description: description, choices: choices))
  }

  /// Creates a choice between strings.
  ///
  /// - Parameters:
  ///   - name: The name of the type.
  ///   - description: The description that the model reads.
  ///   - choices: The allowed strings. If the list is empty, creating a `GenerationSchema` throws
  ///     `SchemaError.emptyTypeChoices`.
  public init(name: String, description: String? = nil, anyOf choices: [String]) {
    self.init(.strings(name: name, description: description, choices: choices))
  }

  /// Creates an array.
  ///
  /// - Parameters:
  ///   - itemSchema: The schema of the elements.
  ///   - minimumElements: The minimum number of elements, or `nil` for 0.
  ///   - maximumElements: The maximum number of elements, or `nil` for no limit.
  public init(
    arrayOf itemSchema: DynamicGenerationSchema, minimumElements: Int? = nil,
    maximumElements: Int? = nil
  ) {
    self.init(.array(itemSchema, minimum: minimumElements, maximum: maximumElements))
  }

  /// Creates the schema of a Swift type, with additional constraints.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - guides: The constraints on the value.
  public init<Value: Generable>(type: Value.Type, guides: [GenerationGuide<Value>] = []) {
    self.init(.type(type, guides.flatMap(\.constraints)))
  }

  /// Creates a reference to another schema by name.
  ///
  /// - Parameter name: The name of the root or of one of the dependencies. If no schema has this
  ///   name, creating a `GenerationSchema` throws `SchemaError.undefinedReferences`.
  public init(referenceTo name: String) {
    self.init(.reference(name))
  }

  /// The schema of null, for a choice between a schema and null.
  public static var null: DynamicGenerationSchema { DynamicGenerationSchema(.null) }

  /// The name by which other schemas can refer to this one.
  var name: String? {
    switch form {
    case .object(let name, _, _, _), .union(let name, _, _), .strings(let name, _, _): name
    case .type(let type, _): type.generationSchema.name
    case .array, .reference, .null: nil
    }
  }
}
