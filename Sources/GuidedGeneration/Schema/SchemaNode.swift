import StructuredText

/// The shape of a generated value.
///
/// A `GenerationSchema` contains nodes, and the grammar is built from them.
///
/// ```
/// DraftCardSet = object [ cards: array 3...8 of ──► reference "DraftCard" ]
/// definitions  = [ "DraftCard": object [ question: string, answer: string ] ]
/// ```
package indirect enum SchemaNode: Hashable, Sendable {
  case object(ObjectSchema)
  case array(ArraySchema)
  case string(StringSchema)
  case integer(IntegerSchema)
  case number(NumberSchema)
  case boolean(description: String?)
  /// One of the two Boolean values.
  case constant(Bool, description: String?)
  case null(description: String?)
  case union(UnionSchema)
  /// A named type in `definitions`, or the root itself if the name is `SchemaNode.rootName`.
  case reference(String, description: String?)
  /// Any JSON value.
  case any(description: String?)

  /// The name by which a recursive root refers to itself (`"$ref": "#"`).
  package static let rootName = "#"
}

/// An object whose properties are listed in the order in which they are generated.
package struct ObjectSchema: Hashable, Sendable {
  package var name: String?
  package var description: String?
  package var properties: [PropertySchema]
  /// Whether an optional property without a value is generated as `null` instead of being left out.
  package var representsNilExplicitly: Bool
  /// The properties under keys that the schema doesn't name, or `nil` if the object can't have any.
  package var extra: ExtraProperties?
  /// The bounds on the total number of properties.
  package var count: PropertyCount?
  /// Whether the schema also accepts properties that are never generated.
  ///
  /// The reader uses this property; the grammar and `==` on nodes ignore it.
  var isOpen = false
  /// The rules for undeclared properties by which answers are judged, or `nil` if these are the
  /// rules of `extra` and `count`.
  ///
  /// The grammar and `==` on nodes ignore this property.
  package internal(set) var accepted: AcceptedProperties?

  package init(
    name: String? = nil, description: String? = nil, properties: [PropertySchema],
    representsNilExplicitly: Bool = false, extra: ExtraProperties? = nil,
    count: PropertyCount? = nil
  ) {
    self.name = name
    self.description = description
    self.properties = properties
    self.representsNilExplicitly = representsNilExplicitly
    self.extra = extra
    self.count = count
  }

  package static func == (left: ObjectSchema, right: ObjectSchema) -> Bool {
    left.name == right.name && left.description == right.description
      && left.properties == right.properties
      && left.representsNilExplicitly == right.representsNilExplicitly
      && left.extra == right.extra && left.count == right.count
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(description)
    hasher.combine(properties)
    hasher.combine(extra)
  }
}

/// One property of an object.
///
/// The property's description is the text of its guide, which is independent of the node's
/// description.
package struct PropertySchema: Hashable, Sendable {
  package var name: String
  package var description: String?
  package var node: SchemaNode
  package var isOptional: Bool

  package init(
    name: String, description: String? = nil, node: SchemaNode, isOptional: Bool = false
  ) {
    self.name = name
    self.description = description
    self.node = node
    self.isOptional = isOptional
  }
}

/// An array with bounds on the number of its elements.
package struct ArraySchema: Hashable, Sendable {
  package var description: String?
  /// The schemas of the first elements, one for each element.
  package var prefix: [SchemaNode]
  /// The schema of every element after the prefix.
  package var element: SchemaNode
  package var minimumCount: Int?
  package var maximumCount: Int?
  /// Whether the elements must all be different.
  package var hasUniqueElements = false

  package init(
    description: String? = nil, prefix: [SchemaNode] = [], element: SchemaNode,
    minimumCount: Int? = nil, maximumCount: Int? = nil
  ) {
    self.description = description
    self.prefix = prefix
    self.element = element
    self.minimumCount = minimumCount
    self.maximumCount = maximumCount
  }
}

/// A string, which may have to be one of several choices, match patterns, or stay within length
/// bounds.
package struct StringSchema: Hashable, Sendable {
  /// The name of the enum type, if the choices come from one.
  package var name: String?
  package var description: String?
  /// The only allowed strings, in order, or `nil` if the schema doesn't list its strings.
  package var choices: [String]?
  /// Whether a single choice is written as `const` instead of a one-element `enum`.
  package var isConstant: Bool
  /// A regular expression that the whole string must match.
  package var pattern: String?
  package var minimumLength: Int?
  package var maximumLength: Int?
  /// Further regular expressions that the whole string must match.
  package var otherPatterns: [String] = []
  /// Regular expressions that the whole string must not match.
  package var excludedPatterns: [String] = []
  /// Strings that are not allowed.
  package var excludedChoices: [String] = []

  package init(
    name: String? = nil, description: String? = nil, choices: [String]? = nil,
    isConstant: Bool = false, pattern: String? = nil, minimumLength: Int? = nil,
    maximumLength: Int? = nil
  ) {
    self.name = name
    self.description = description
    self.choices = choices
    self.isConstant = isConstant
    self.pattern = pattern
    self.minimumLength = minimumLength
    self.maximumLength = maximumLength
  }
}

/// An integer with inclusive bounds.
package struct IntegerSchema: Hashable, Sendable {
  package var description: String?
  package var minimum: Int?
  package var maximum: Int?
  /// The lower bound if it doesn't fit in 64 bits.
  package var wideMinimum: JSONNumber?
  /// The upper bound if it doesn't fit in 64 bits.
  package var wideMaximum: JSONNumber?
  /// A number that the value must be a multiple of.
  package var multiple: Int?

  package init(description: String? = nil, minimum: Int? = nil, maximum: Int? = nil) {
    self.description = description
    self.minimum = minimum
    self.maximum = maximum
  }

  /// The lower bound as text.
  package var minimumText: String? { minimum.map { String($0) } ?? wideMinimum?.canonicalText }
  /// The upper bound as text.
  package var maximumText: String? { maximum.map { String($0) } ?? wideMaximum?.canonicalText }
}

/// A number with bounds, which are kept as exact decimal text.
package struct NumberSchema: Hashable, Sendable {
  package var description: String?
  package var minimum: JSONNumber?
  package var maximum: JSONNumber?
  /// Whether the value must be greater than the lower bound, not equal to it.
  package var excludesMinimum = false
  /// Whether the value must be less than the upper bound, not equal to it.
  package var excludesMaximum = false
  /// A number that the value must be a multiple of.
  ///
  /// It is never an integer that fits in 64 bits.
  package var multiple: JSONNumber?

  package init(
    description: String? = nil, minimum: JSONNumber? = nil, maximum: JSONNumber? = nil
  ) {
    self.description = description
    self.minimum = minimum
    self.maximum = maximum
  }
}

/// A choice between several shapes.
///
/// A payload enum is a union of references to `Discriminated…` objects, each of which begins with a
/// constant `type`.
package struct UnionSchema: Hashable, Sendable {
  package var name: String?
  package var description: String?
  package var choices: [SchemaNode]

  package init(name: String? = nil, description: String? = nil, choices: [SchemaNode]) {
    self.name = name
    self.description = description
    self.choices = choices
  }
}
