import StructuredText

extension SchemaAlgebra {
  // MARK: Strings

  mutating func strings(
    _ left: StringSchema, _ right: StringSchema
  ) throws(Problem) -> SchemaNode {
    if left.choices != nil || right.choices != nil { return try choices(left, right) }
    var result = left
    var patterns = left.patterns
    for pattern in right.patterns where !patterns.contains(pattern) { patterns.append(pattern) }
    result.pattern = patterns.first
    result.otherPatterns = Array(patterns.dropFirst())
    result.excludedPatterns += right.excludedPatterns.filter(excludes(left.excludedPatterns))
    result.excludedChoices += right.excludedChoices.filter(excludes(left.excludedChoices))
    result.minimumLength = Self.greatest(left.minimumLength, right.minimumLength)
    result.maximumLength = Self.least(left.maximumLength, right.maximumLength)
    if let least = result.minimumLength, let most = result.maximumLength, least > most {
      return .never
    }
    result.name = nil
    try spend(patterns.count)
    return .string(result)
  }

  private func excludes(_ known: [String]) -> (String) -> Bool {
    let known = Set(known)
    return { !known.contains($0) }
  }

  /// Returns the choices of one string schema that the other string schema allows.
  private mutating func choices(
    _ left: StringSchema, _ right: StringSchema
  ) throws(Problem) -> SchemaNode {
    let (list, other) = left.choices == nil ? (right, left) : (left, right)
    var result = list
    var kept: [String] = []
    let others = other.choices.map(Set.init)
    for choice in list.choices ?? [] {
      if let others, !others.contains(choice) { continue }
      var rest = other
      rest.choices = nil
      guard let matches = matcher.matches(choice, rest) else {
        throw .unsupported("a pattern next to `enum` or `const` can't be compiled")
      }
      if matches { kept.append(choice) }
    }
    if kept.isEmpty { return .never }
    result.choices = kept
    result.isConstant = left.isConstant || right.isConstant
    return .string(result)
  }

  // MARK: Numbers

  func integers(_ left: IntegerSchema, _ right: IntegerSchema) -> SchemaNode {
    var result = left
    if let other = right.lowerBound, left.lowerBound.map({ $0 < other }) ?? true {
      result.lowerBound = other
    }
    if let other = right.upperBound, left.upperBound.map({ other < $0 }) ?? true {
      result.upperBound = other
    }
    if let one = left.multiple, let other = right.multiple {
      let (product, overflow) = (one / Self.divisor(one, other)).multipliedReportingOverflow(
        by: other)
      if overflow { return .never }
      result.multiple = product
    } else {
      result.multiple = left.multiple ?? right.multiple
    }
    if let least = result.lowerBound, let most = result.upperBound, most < least { return .never }
    return .integer(result)
  }

  private static func divisor(_ left: Int, _ right: Int) -> Int {
    var (left, right) = (left, right)
    while right != 0 { (left, right) = (right, left % right) }
    return max(1, left)
  }

  func numbers(_ left: NumberSchema, _ right: NumberSchema) -> SchemaNode {
    var result = left
    result.multiple = left.multiple ?? right.multiple
    if let other = right.minimum {
      if left.minimum.map({ $0 < other }) ?? true {
        result.minimum = other
        result.excludesMinimum = right.excludesMinimum
      } else if left.minimum == other {
        result.excludesMinimum = left.excludesMinimum || right.excludesMinimum
      }
    }
    if let other = right.maximum {
      if left.maximum.map({ other < $0 }) ?? true {
        result.maximum = other
        result.excludesMaximum = right.excludesMaximum
      } else if left.maximum == other {
        result.excludesMaximum = left.excludesMaximum || right.excludesMaximum
      }
    }
    if let least = result.minimum, let most = result.maximum {
      if most < least { return .never }
      if least == most, result.excludesMinimum || result.excludesMaximum { return .never }
      if least == most, let multiple = result.multiple, least.isMultiple(of: multiple) == false {
        return .never
      }
    }
    return .number(result)
  }
}

extension IntegerSchema {
  /// The lower bound, even if it doesn't fit in 64 bits.
  var lowerBound: JSONNumber? {
    get { minimum.map { JSONNumber($0) } ?? wideMinimum }
    set {
      minimum = newValue?.int
      wideMinimum = minimum == nil ? newValue : nil
    }
  }

  /// The upper bound, even if it doesn't fit in 64 bits.
  var upperBound: JSONNumber? {
    get { maximum.map { JSONNumber($0) } ?? wideMaximum }
    set {
      maximum = newValue?.int
      wideMaximum = maximum == nil ? newValue : nil
    }
  }

  /// Creates the schema of the integers within the bounds of a number schema.
  init(within number: NumberSchema) {
    self.init()
    if let bound = number.minimum {
      lowerBound = bound.wholeBound(up: true, number.excludesMinimum)
    }
    if let bound = number.maximum {
      upperBound = bound.wholeBound(up: false, number.excludesMaximum)
    }
  }
}

extension JSONNumber {
  /// Returns whether the number is a multiple of a positive number, or `nil` if the computation may
  /// exceed 64 bits.
  func isMultiple(of other: JSONNumber) -> Bool? {
    func parts(_ number: JSONNumber) -> (digits: Int, decimals: Int)? {
      let parts = number.canonicalText.split(separator: ".")
      let decimals = parts.count == 2 ? parts[1].count : 0
      guard parts.count <= 2, decimals < 18 else { return nil }
      return Int(parts.joined()).map { ($0, decimals) }
    }
    guard var left = parts(self), var right = parts(other), right.digits > 0 else { return nil }
    while left.decimals != right.decimals {
      let isLeft = left.decimals < right.decimals
      let (shifted, overflow) =
        (isLeft ? left.digits : right.digits).multipliedReportingOverflow(by: 10)
      if overflow { return nil }
      if isLeft {
        left = (shifted, left.decimals + 1)
      } else {
        right = (shifted, right.decimals + 1)
      }
    }
    return left.digits % right.digits == 0
  }

  /// The smallest positive integer that is a multiple of this positive number, or `nil` if the
  /// computation may exceed 64 bits.
  ///
  /// ```
  /// 4 ─► 4      0.5 ─► 1      0.75 ─► 3      1.2 ─► 6
  /// ```
  var wholeMultiple: Int? {
    if let int { return int }
    let parts = canonicalText.split(separator: ".")
    guard parts.count == 2, parts[1].count < 18, var digits = Int(parts[0] + parts[1]) else {
      return nil
    }
    var two = 0
    var five = 0
    while digits % 2 == 0, two < parts[1].count { (digits, two) = (digits / 2, two + 1) }
    while digits % 5 == 0, five < parts[1].count { (digits, five) = (digits / 5, five + 1) }
    return digits
  }

  /// Returns the nearest integer that this bound allows: the next one up if `up` is true, and
  /// otherwise the next one down.
  ///
  /// If the bound is an integer and isn't excluded, the result is the bound itself.
  ///
  /// A bound beyond 64 bits stays unchanged, because it is either an integer or so large that the
  /// distance to the next integer doesn't matter.
  func wholeBound(up: Bool, _ isExcluded: Bool) -> JSONNumber {
    guard let whole = integer(roundedUp: up) else { return self }
    guard isExcluded, int != nil else { return JSONNumber(whole) }
    let (next, overflow) = whole.addingReportingOverflow(up ? 1 : -1)
    return overflow ? self : JSONNumber(next)
  }
}

extension StringSchema {
  /// All patterns that the whole string must match.
  package var patterns: [String] { (pattern.map { [$0] } ?? []) + otherPatterns }
}

extension SchemaNode {
  /// The schema that allows no value.
  static let never = SchemaNode.union(UnionSchema(choices: []))

  /// Whether the node is a union without choices, which allows no value.
  var isNever: Bool {
    if case .union(let union) = self { return union.choices.isEmpty }
    return false
  }
}

extension ArraySchema {
  /// The array schema without its impossible elements, or `never` if it requires more elements than
  /// are possible.
  ///
  /// If no element can follow the prefix, the maximum count is at most the length of the prefix.
  var normalized: SchemaNode {
    var result = self
    if let position = prefix.firstIndex(where: \.isNever) {
      result.prefix = Array(prefix[..<position])
      result.element = .never
    }
    if result.element.isNever {
      result.maximumCount = SchemaAlgebra.least(maximumCount, result.prefix.count)
    }
    if let most = result.maximumCount, most < result.prefix.count {
      result.prefix = Array(result.prefix[..<max(0, most)])
    }
    if let most = result.maximumCount, result.minimumCount ?? 0 > most { return .never }
    if result.element.isNever { result.element = .any(description: nil) }
    return .array(result)
  }
}

extension ObjectSchema {
  /// The indices of the properties, keyed by property name.
  var byName: [String: Int] {
    Dictionary(
      properties.enumerated().map { ($0.element.name, $0.offset) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns the extra properties, or `nil` if `isAllowed` is false.
  func extraWhere(_ isAllowed: Bool) -> ExtraProperties? { isAllowed ? extra : nil }
}
