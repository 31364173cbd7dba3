import StructuredText

extension Expression {
  /// The data that a formula can read.
  struct Context {
    /// The facts about the attempt.
    var facts: AttemptFacts
    /// The value to which `@` refers.
    var element: JSONValue
  }

  /// The maximum size of a string that a formula creates, in UTF-8 bytes.
  static let maximumTextLength = 1 << 20

  /// Returns the value of the formula.
  ///
  /// - Throws: `ExpressionError` for the first part that has no value, such as a division by zero.
  func value(in context: Context) throws(ExpressionError) -> JSONValue {
    try context.value(of: root)
  }
}

extension Expression.Context {
  /// Returns the value of a part of a formula.
  fileprivate func value(of node: Expression.Node) throws(ExpressionError) -> JSONValue {
    switch node {
    case .literal(let value): return value
    case .list(let parts): return .array(try values(of: parts))
    case .path(let path, let isRelative, _):
      return value(at: path, isRelative: isRelative)
    case .variable(let name, let column):
      throw ExpressionError(column: column, problem: "the test case has no variable `\(name)`")
    case .not(let part, let column): return .bool(!(try flag(part, "not", column)))
    case .negative(let part, let column):
      return try number(0 - (try double(part, "-", column)), column)
    case .both(let left, let right, let column):
      guard try flag(left, "and", column) else { return false }
      return .bool(try flag(right, "and", column))
    case .either(let left, let right, let column):
      if try flag(left, "or", column) { return true }
      return .bool(try flag(right, "or", column))
    case .comparison(let kind, let left, let right, let column):
      return .bool(try compare(kind, try value(of: left), try value(of: right), column))
    case .arithmetic(let kind, let left, let right, let column):
      return try combine(kind, try value(of: left), try value(of: right), column)
    case .call(.exists, let parts, _):
      guard case .path(let path, let isRelative, _)? = parts.first else { return false }
      return .bool(!path.values(in: isRelative ? element : facts.value).isEmpty)
    case .call(.milliseconds, _, let column):
      guard let duration = facts.duration else {
        throw ExpressionError(
          column: column, problem: UnknownMeasure.duration, isUnmeasured: true)
      }
      return .number(JSONNumber(duration * 1000))
    case .call(.outputTokens, _, let column):
      guard let count = facts.outputTokens else {
        throw ExpressionError(column: column, problem: UnknownMeasure.tokens, isUnmeasured: true)
      }
      return .number(JSONNumber(count))
    case .call(let function, let parts, let column):
      return try ExpressionCall(function: function, column: column).value(try values(of: parts))
    }
  }

  /// Returns the value at a path, or null if there is none; for a path with `[*]`, the list of the
  /// selected values.
  func value(at path: JSONPlace, isRelative: Bool) -> JSONValue {
    let found = path.values(in: isRelative ? element : facts.value).map(\.value)
    return path.isSingular ? found.first ?? .null : .array(found)
  }

  // `map` can't rethrow a typed error.
  private func values(of nodes: [Expression.Node]) throws(ExpressionError) -> [JSONValue] {
    var values: [JSONValue] = []
    for node in nodes { values.append(try value(of: node)) }
    return values
  }

  private func flag(
    _ node: Expression.Node, _ sign: String, _ column: Int
  ) throws(ExpressionError) -> Bool {
    let value = try value(of: node)
    if let flag = value.bool { return flag }
    throw ExpressionError(
      column: column,
      problem: "`\(sign)` is applied to \(value.typeName) \(ValueWords.short(value))",
      allowed: "true or false")
  }

  private func double(
    _ node: Expression.Node, _ sign: String, _ column: Int
  ) throws(ExpressionError) -> Double {
    let value = try value(of: node)
    if let number = value.double { return number }
    throw ExpressionError(
      column: column,
      problem: "`\(sign)` is applied to \(value.typeName) \(ValueWords.short(value))",
      allowed: "a number")
  }

  private func number(_ value: Double, _ column: Int) throws(ExpressionError) -> JSONValue {
    guard value.isFinite else {
      throw ExpressionError(column: column, problem: "the result is not a finite number")
    }
    return .number(JSONNumber(value))
  }

  private func compare(
    _ kind: Expression.Comparison, _ left: JSONValue, _ right: JSONValue, _ column: Int
  ) throws(ExpressionError) -> Bool {
    switch kind {
    case .equal: return ExpressionCall.areEqual(left, right)
    case .different: return !ExpressionCall.areEqual(left, right)
    case .among:
      return try ExpressionCall(function: .contains, column: column).contains(right, left)
    case .less, .atMost, .greater, .atLeast: break
    }
    let isLess: Bool
    let isEqual: Bool
    switch (left, right) {
    case (.number(let left), .number(let right)):
      isEqual = ExpressionCall.areEqual(.number(left), .number(right))
      isLess = !isEqual && left < right
    case (.string(let left), .string(let right)):
      isEqual = left == right
      isLess = !isEqual && left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars)
    default:
      throw ExpressionError(
        column: column,
        problem: "`\(kind.rawValue)` is applied to \(left.typeName) \(ValueWords.short(left)) and "
          + "\(right.typeName) \(ValueWords.short(right))",
        allowed: "two numbers or two texts")
    }
    switch kind {
    case .less: return isLess
    case .atMost: return isLess || isEqual
    case .greater: return !isLess && !isEqual
    default: return !isLess
    }
  }

  private func combine(
    _ kind: Expression.Arithmetic, _ left: JSONValue, _ right: JSONValue, _ column: Int
  ) throws(ExpressionError) -> JSONValue {
    switch (left, right) {
    case (.number(let left), .number(let right)):
      return try combine(kind, left, right, column)
    case (.string(let left), .string(let right)) where kind == .plus:
      return .string(try ExpressionCall.limited(left + right, column))
    case (.array(let left), .array(let right)) where kind == .plus:
      return .array(left + right)
    default:
      throw ExpressionError(
        column: column,
        problem: "`\(kind.rawValue)` is applied to \(left.typeName) \(ValueWords.short(left)) and "
          + "\(right.typeName) \(ValueWords.short(right))",
        allowed: kind == .plus ? "two numbers, two texts or two lists" : "two numbers")
    }
  }

  private func combine(
    _ kind: Expression.Arithmetic, _ left: JSONNumber, _ right: JSONNumber, _ column: Int
  ) throws(ExpressionError) -> JSONValue {
    if kind == .by || kind == .modulo, right.double == 0 {
      throw ExpressionError(column: column, problem: "the right side of `\(kind.rawValue)` is zero")
    }
    // Integer arithmetic is exact as long as the results fit in an `Int`.
    if let left = left.int, let right = right.int {
      let exact: (partialValue: Int, overflow: Bool)? =
        switch kind {
        case .plus: left.addingReportingOverflow(right)
        case .minus: left.subtractingReportingOverflow(right)
        case .times: left.multipliedReportingOverflow(by: right)
        case .modulo: left.remainderReportingOverflow(dividingBy: right)
        case .by: nil
        }
      if let exact, !exact.overflow { return .number(JSONNumber(exact.partialValue)) }
    }
    let (left, right) = (left.double, right.double)
    switch kind {
    case .plus: return try number(left + right, column)
    case .minus: return try number(left - right, column)
    case .times: return try number(left * right, column)
    case .by: return try number(left / right, column)
    case .modulo: return try number(left.truncatingRemainder(dividingBy: right), column)
    }
  }
}
