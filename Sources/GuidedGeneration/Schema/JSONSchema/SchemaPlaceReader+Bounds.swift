import StructuredText

extension SchemaPlaceReader {
  typealias Counts = (minimum: Int?, maximum: Int?)

  /// Reads two inclusive bounds on a count.
  ///
  /// If no count satisfies both bounds, and `type` names a single type, the method throws an error.
  /// If the value may also have another type, the method returns `nil` instead.
  func counts(_ minimum: String, _ maximum: String) throws(SchemaReadError) -> Counts? {
    let counts = (minimum: try count(minimum), maximum: try count(maximum))
    if let least = counts.minimum, let most = counts.maximum, least > most {
      if members["type"]?.string == nil { return nil }
      throw emptyRange(String(least), String(most), at: maximum)
    }
    return counts
  }

  /// Reads a count, however large.
  func wholeCount(_ keyword: String) throws(SchemaReadError) -> Int? {
    guard let value = members[keyword] else { return nil }
    guard let number = value.number, number.isWhole,
      let count = number.integer(roundedUp: false) ?? wide(number), count >= 0
    else {
      throw SchemaReadError(
        at: path(to: keyword), .invalidValue(JSONTextWriter.text(of: value, style: .compact)),
        allowed: ["an integer of at least 0"])
    }
    return count
  }

  private func count(_ keyword: String) throws(SchemaReadError) -> Int? {
    guard let value = members[keyword], let count = try wholeCount(keyword) else { return nil }
    // No array or string is longer than this limit. A larger maximum has no effect, and no value
    // meets a larger minimum.
    if count > Int(Int32.max) {
      if keyword.hasPrefix("max") { return nil }
      throw SchemaReadError(
        at: path(to: keyword), .invalidValue(JSONTextWriter.text(of: value, style: .compact)),
        allowed: ["an integer up to \(Int32.max)"])
    }
    return count
  }

  private func wide(_ number: JSONNumber) -> Int? {
    number.double > 0 && number.double.isFinite ? .max : nil
  }

  // MARK: Numbers

  /// Reads an integer schema with its bounds.
  func integer() throws(SchemaReadError) -> SchemaNode {
    let bounds = try bounds()
    var integer = IntegerSchema(within: bounds)
    if let multiple = try number("multipleOf") {
      guard let whole = multiple.wholeMultiple else {
        throw SchemaReadError(
          at: path(to: "multipleOf"),
          .refusedKeyword("multipleOf", reason: "the multiples need more than 64 bits"),
          allowed: ["an integer from 1 to \(Int.max)"])
      }
      integer.multiple = whole == 1 ? nil : whole
    }
    if let least = integer.lowerBound, let most = integer.upperBound, most < least {
      if members["type"]?.string == nil { return .never }
      throw emptyRange(least.text, most.text, at: upperKeyword)
    }
    return .integer(integer)
  }

  /// Reads a number schema with its bounds.
  func number() throws(SchemaReadError) -> SchemaNode {
    let bounds = try bounds()
    if let least = bounds.minimum, let most = bounds.maximum {
      let isEmpty =
        most < least || (least == most && (bounds.excludesMinimum || bounds.excludesMaximum))
      if isEmpty {
        if members["type"]?.string == nil { return .never }
        throw emptyRange(least.text, most.text, at: upperKeyword)
      }
    }
    // Multiples of an integer are integers.
    guard let multiple = try number("multipleOf") else { return .number(bounds) }
    if multiple.int != nil { return try integer() }
    var result = bounds
    result.multiple = multiple
    return .number(result)
  }

  /// Reads both bounds, in the form of draft 4, in which `exclusiveMinimum` is a Boolean, or in the
  /// later form, in which it is a number.
  private func bounds() throws(SchemaReadError) -> NumberSchema {
    var bounds = NumberSchema(minimum: try number("minimum"), maximum: try number("maximum"))
    switch members["exclusiveMinimum"] {
    case .bool(let flag)?: bounds.excludesMinimum = flag && bounds.minimum != nil
    default:
      if let bound = try number("exclusiveMinimum"), bounds.minimum.map({ !(bound < $0) }) ?? true {
        bounds.minimum = bound
        bounds.excludesMinimum = true
      }
    }
    switch members["exclusiveMaximum"] {
    case .bool(let flag)?: bounds.excludesMaximum = flag && bounds.maximum != nil
    default:
      if let bound = try number("exclusiveMaximum"), bounds.maximum.map({ !($0 < bound) }) ?? true {
        bounds.maximum = bound
        bounds.excludesMaximum = true
      }
    }
    return bounds
  }

  private func number(_ keyword: String) throws(SchemaReadError) -> JSONNumber? {
    guard let value = members[keyword] else { return nil }
    guard let number = value.number else {
      throw SchemaReadError(
        at: path(to: keyword), .wrongType(found: value.typeName), allowed: ["number"])
    }
    guard number.double.isFinite else {
      throw SchemaReadError(
        at: path(to: keyword), .invalidValue(JSONTextWriter.text(of: value)),
        allowed: ["a number from -1.797e308 to 1.797e308"])
    }
    return number
  }

  /// The keyword that gives the upper bound.
  private var upperKeyword: String {
    members["maximum"] != nil ? "maximum" : "exclusiveMaximum"
  }

  private func emptyRange(
    _ minimum: String, _ maximum: String, at keyword: String
  ) -> SchemaReadError {
    SchemaReadError(at: path(to: keyword), .emptyRange(minimum: minimum, maximum: maximum))
  }
}
