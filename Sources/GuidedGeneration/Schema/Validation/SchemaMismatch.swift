import StructuredText

/// The first place where a value violates its schema, and the reason.
package struct SchemaMismatch: Error, Hashable, Sendable {
  /// The reason why a value doesn't fit.
  package enum Reason: Hashable, Sendable {
    /// The value has another type.
    case type(found: String, allowed: String)
    /// A required property is absent.
    case missingProperty(String)
    /// A property has a name that the object doesn't allow.
    case unknownProperty(String, allowed: [String])
    /// The string is not one of the choices.
    case choice(found: String, allowed: [String])
    /// The string is one of the excluded strings.
    case excludedChoice(String)
    /// The string doesn't match a pattern.
    case pattern(found: String, pattern: String)
    /// The string matches a pattern that it must not match.
    case excludedPattern(found: String, pattern: String)
    /// The string has too few or too many Unicode scalars.
    case length(Int, ClosedRange<Int>)
    /// The array has too few or too many elements.
    case count(Int, ClosedRange<Int>)
    /// The object has too few or too many properties.
    case propertyCount(Int, ClosedRange<Int>)
    /// The number is outside its bounds.
    case number(JSONNumber, NumberRange)
    /// The number is not a multiple of the number that the schema requires.
    case multiple(JSONNumber, of: JSONNumber)
    /// The array has the same element twice, although the schema forbids repeated elements.
    case repeatedElement
    /// The value can't be checked, because a pattern can't be compiled.
    case unusablePattern(String)
  }

  /// The bounds of a number.
  package struct NumberRange: Hashable, Sendable {
    package var minimum: JSONNumber?
    package var maximum: JSONNumber?
    /// Whether the number must be greater than the lower bound, and not equal to it.
    package var excludesMinimum = false
    /// Whether the number must be less than the upper bound, and not equal to it.
    package var excludesMaximum = false

    /// Returns whether a number is within the bounds.
    func contains(_ number: JSONNumber) -> Bool {
      if let minimum, number < minimum || (excludesMinimum && number == minimum) { return false }
      if let maximum, maximum < number || (excludesMaximum && number == maximum) { return false }
      return true
    }
  }

  /// The steps from the root to the value.
  package var steps: [JSONPlace.Step]
  /// The reason why the value doesn't fit.
  package var reason: Reason
  /// The number of parts of the value that fit before the check reached this place.
  ///
  /// For a union, the check reports the mismatch with the alternative that the largest
  /// number of parts fit.
  var fitted: Int

  /// The place of the value, in its canonical spelling.
  package var path: String { JSONPlace(steps: steps).description }
}

extension GenerationSchema {
  /// Returns the first mismatch between a value and the schema, or `nil` if the value fits.
  ///
  /// White space and the order of keys don't matter, because they don't change the decoded value.
  /// Nor does a `null` for an optional property in Apple's dialect. To check many values, keep a
  /// ``SchemaCheck``.
  package func mismatch(of value: JSONValue) -> SchemaMismatch? {
    var check = SchemaCheck(schema: self)
    return check.mismatch(of: value)
  }
}
