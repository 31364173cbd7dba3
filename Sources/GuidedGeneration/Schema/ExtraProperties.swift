/// The rules for the properties whose keys an object schema doesn't declare.
///
/// ```
/// patternProperties      { "^x-": string }      rules      keys that match `^x-`, a string each
/// additionalProperties   integer                others     every other key, an integer each
/// propertyNames          maxLength 8            names      the rule for every key
/// ```
package struct ExtraProperties: Hashable, Sendable {
  /// The values under keys that match a regular expression.
  package struct Rule: Hashable, Sendable {
    /// The regular expression that the whole key must match.
    package var pattern: String
    /// The schema of the value.
    package var node: SchemaNode
  }

  /// The rules; if a key matches several rules, its value follows all of them.
  package var rules: [Rule] = []
  /// The schema of the values under keys that match no rule, or `nil` if the object can't have such
  /// keys.
  package var others: SchemaNode?
  /// The constraints on every key.
  package var names: StringSchema?
  /// Names that can't be keys, in addition to the names of the declared properties.
  package var excludedNames: [String] = []
}

/// The rules for the undeclared properties of an object that accepts more of them than the model
/// may generate.
package struct AcceptedProperties: Hashable, Sendable {
  /// The properties that the schema accepts.
  var extra: ExtraProperties
  /// The bounds on the total number of properties.
  var count: PropertyCount?
}

/// The bounds on the number of an object's properties.
package struct PropertyCount: Hashable, Sendable {
  package var minimum: Int
  package var maximum: Int?
}
