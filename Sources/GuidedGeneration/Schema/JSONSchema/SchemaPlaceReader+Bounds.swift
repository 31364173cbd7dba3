import StructuredText

extension SchemaPlaceReader {
  typealias Counts = (minimum: Int?, maximum: Int?)

  /// Two bounds on a count, both inclusive.
  func counts(_ minimum: String, _ maximum: String) throws(SchemaReadError) -> Counts {
    let counts = (minimum: try count(minimum), maximum: try count(maximum))
    if let least = counts.minimum, let most = counts.maximum, least > most {
      throw emptyRange(String(least), String(most), at: maximum)
    }
    return counts
  }

  private func count(_ keyword: String) throws(SchemaReadError) -> Int? {
    guard let value = members[keyword] else { return nil }
    guard let count = value.int, count >= 0, count <= Int(Int32.max) else {
      throw SchemaReadError(
        at: path(to: keyword), .invalidValue(JSONTextWriter.text(of: value, style: .compact)),
        allowed: ["an integer from 0"])
    }
    return count
  }

  /// The bounds of an integer; exclusive and fractional ones are moved to the next integer.
  func integerBounds() throws(SchemaReadError) -> Counts {
    var minimum = try integer("minimum", up: true)
    var maximum = try integer("maximum", up: false)
    if let exclusive = try integer("exclusiveMinimum", up: false) {
      let (bound, overflow) = exclusive.addingReportingOverflow(1)
      if overflow { throw outOfRange("exclusiveMinimum") }
      minimum = max(minimum ?? bound, bound)
    }
    if let exclusive = try integer("exclusiveMaximum", up: true) {
      let (bound, overflow) = exclusive.subtractingReportingOverflow(1)
      if overflow { throw outOfRange("exclusiveMaximum") }
      maximum = min(maximum ?? bound, bound)
    }
    if let minimum, let maximum, minimum > maximum {
      throw emptyRange(
        String(minimum), String(maximum),
        at: members["maximum"] != nil ? "maximum" : "exclusiveMaximum")
    }
    return (minimum, maximum)
  }

  private func integer(_ keyword: String, up: Bool) throws(SchemaReadError) -> Int? {
    guard let number = try number(keyword) else { return nil }
    guard let int = number.integer(roundedUp: up) else { throw outOfRange(keyword) }
    return int
  }

  /// The inclusive bounds of a number.
  func numberBounds() throws(SchemaReadError) -> (minimum: JSONNumber?, maximum: JSONNumber?) {
    for keyword in ["exclusiveMinimum", "exclusiveMaximum"] where members[keyword] != nil {
      throw SchemaReadError(
        at: path(to: keyword),
        .refusedKeyword(keyword, reason: "a decimal number has no next one"),
        allowed: ["minimum", "maximum"])
    }
    let bounds = (minimum: try number("minimum"), maximum: try number("maximum"))
    if let least = bounds.minimum, let most = bounds.maximum, most < least {
      throw emptyRange(least.text, most.text, at: "maximum")
    }
    return bounds
  }

  private func number(_ keyword: String) throws(SchemaReadError) -> JSONNumber? {
    guard let value = members[keyword] else { return nil }
    guard let number = value.number else {
      throw SchemaReadError(
        at: path(to: keyword), .wrongType(found: value.typeName), allowed: ["number"])
    }
    guard number.double.isFinite else { throw outOfRange(keyword) }
    return number
  }

  private func outOfRange(_ keyword: String) -> SchemaReadError {
    SchemaReadError(
      at: path(to: keyword),
      .invalidValue(members[keyword].map { JSONTextWriter.text(of: $0) } ?? keyword),
      allowed: ["a 64-bit integer or a finite double"])
  }

  private func emptyRange(
    _ minimum: String, _ maximum: String, at keyword: String
  ) -> SchemaReadError {
    SchemaReadError(at: path(to: keyword), .emptyRange(minimum: minimum, maximum: maximum))
  }
}
