import StructuredText

extension IntegerSchema {
  /// Returns the reason why a number is not one of the schema's integers, or `nil` if it is one.
  ///
  /// An integer may be written as `3.0`, and may exceed 64 bits.
  func reason(_ number: JSONNumber) -> SchemaMismatch.Reason? {
    guard number.isWhole else { return .type(found: number.text, allowed: "an integer") }
    let range = SchemaMismatch.NumberRange(
      minimum: minimum.map { JSONNumber($0) } ?? wideMinimum,
      maximum: maximum.map { JSONNumber($0) } ?? wideMaximum)
    if !range.contains(number) { return .number(number, range) }
    if let multiple, multiple > 0, number.remainder(dividingBy: multiple) != 0 {
      return .multiple(number, of: JSONNumber(multiple))
    }
    return nil
  }
}

extension NumberSchema {
  /// Returns the reason why a number is not one of the schema's numbers, or `nil` if it is one.
  func reason(_ number: JSONNumber) -> SchemaMismatch.Reason? {
    if !range.contains(number) { return .number(number, range) }
    if let multiple, number.isMultiple(of: multiple) == false {
      return .multiple(number, of: multiple)
    }
    return nil
  }

  /// The bounds of the number.
  var range: SchemaMismatch.NumberRange {
    SchemaMismatch.NumberRange(
      minimum: minimum, maximum: maximum, excludesMinimum: excludesMinimum,
      excludesMaximum: excludesMaximum)
  }
}
