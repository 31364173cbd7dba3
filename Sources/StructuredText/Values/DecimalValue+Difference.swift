extension DecimalValue {
  /// The maximum number of decimal places that two values may take up together if their difference
  /// is to be computed.
  private static let placeLimit = 4_096

  /// Returns the exact difference between this value and another one, without its sign, or nil if
  /// the two values take up too many decimal places.
  func difference(from other: DecimalValue) -> DecimalValue? {
    let parts = [self, other].filter { !$0.digits.isEmpty }
    let top = parts.map(\.exponent).max() ?? 0
    let bottom = parts.map { $0.exponent - $0.digits.count }.min() ?? 0
    guard top - bottom <= Self.placeLimit else { return nil }
    let (larger, smaller) = self < other ? (other, self) : (self, other)
    // One place for a carry.
    var places = [Int](repeating: 0, count: top - bottom + 1)
    for (value, factor) in [(larger, 1), (smaller, -1)] {
      let sign = value.isNegative ? -factor : factor
      for (index, digit) in value.digits.enumerated() {
        places[top - value.exponent + index + 1] += sign * Int(digit - 0x30)
      }
    }
    for index in places.indices.dropFirst().reversed() {
      let digit = (places[index] % 10 + 10) % 10
      places[index - 1] += (places[index] - digit) / 10
      places[index] = digit
    }
    let leading = places.prefix { $0 == 0 }.count
    var result = DecimalValue(numberText: "0")
    result.digits = places.dropFirst(leading).map { UInt8($0) + 0x30 }
    while result.digits.last == UInt8(ascii: "0") { result.digits.removeLast() }
    result.exponent = result.digits.isEmpty ? 0 : top + 1 - leading
    return result
  }
}

extension JSONNumber {
  /// Returns whether this number differs from another one by at most a tolerance.
  ///
  /// The comparison is exact, unless the exponents are so far apart that only doubles can be
  /// compared.
  ///
  /// - Parameters:
  ///   - tolerance: The maximum difference.
  ///   - other: The other number.
  package func isWithin(_ tolerance: JSONNumber, of other: JSONNumber) -> Bool {
    if self == other { return !(tolerance < JSONNumber(0)) }
    guard let difference = decimal.difference(from: other.decimal) else {
      return abs(double - other.double) <= tolerance.double
    }
    return !(tolerance.decimal < difference)
  }
}
