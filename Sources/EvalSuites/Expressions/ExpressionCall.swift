import StructuredText

/// A function call in a formula.
struct ExpressionCall {
  /// The function.
  let function: ExpressionFunction
  /// The column of the call.
  let column: Int

  /// Returns the value of the call.
  ///
  /// - Parameter arguments: The arguments, as many as the function takes.
  /// - Throws: `ExpressionError` if the call has no value.
  func value(_ arguments: [JSONValue]) throws(ExpressionError) -> JSONValue {
    guard let first = arguments.first else { return .null }
    let last = arguments.last ?? .null
    switch function {
    case .count:
      guard let count = first.array?.count ?? first.object?.count else {
        throw unfit(first, "a list or an object")
      }
      return .number(JSONNumber(count))
    case .sum, .mean, .min, .max: return try fold(arguments)
    case .first: return try list(first).first ?? .null
    case .last: return try list(first).last ?? .null
    case .unique:
      var seen: Set<JSONValue> = []
      return .array(try list(first).filter { seen.insert($0).inserted })
    case .sorted: return .array(try sorted(first))
    case .all: return .bool(try flags(first).allSatisfy(\.self))
    case .any: return .bool(try flags(first).contains(true))
    case .keys: return .array(try object(first).keys.map { .string($0) })
    case .values: return .array(try object(first).members.map(\.value))
    case .type: return .string(first.typeName)
    case .number: return try number(first)
    case .text: return .string(try Self.limited(first.string ?? first.compactText, column))
    case .abs: return try real(abs(try double(first)))
    case .floor: return try real(try double(first).rounded(.down))
    case .ceil: return try real(try double(first).rounded(.up))
    case .round: return try rounded(arguments)
    case .contains: return .bool(try contains(first, last))
    case .exists, .milliseconds, .outputTokens: return .null
    case .join, .split, .characters, .words, .sentences, .lower, .upper, .trim, .startsWith,
      .endsWith, .matches, .similarity:
      return try textValue(first, last)
    }
  }

  /// Returns whether two values are equal.
  ///
  /// Two integers are compared exactly. Other numbers may differ by one part in 10⁹, so that sums
  /// of decimal fractions behave as expected.
  static func areEqual(_ left: JSONValue, _ right: JSONValue) -> Bool {
    guard case .number(let leftNumber) = left, case .number(let rightNumber) = right,
      leftNumber.int == nil || rightNumber.int == nil
    else { return left == right }
    let (left, right) = (leftNumber.double, rightNumber.double)
    return leftNumber == rightNumber
      || abs(left - right) <= 1e-9 * max(abs(left), abs(right))
  }

  /// Returns whether a string contains a substring, or a list contains an element.
  func contains(_ whole: JSONValue, _ part: JSONValue) throws(ExpressionError) -> Bool {
    switch whole {
    case .array(let elements): return elements.contains { Self.areEqual($0, part) }
    case .string(let text):
      return ScalarText(text).contains(ScalarText(try self.text(part)))
    default: throw unfit(whole, "a list or a text")
    }
  }

  /// Returns a string unchanged, or throws an error if it is longer than a formula's strings may
  /// be.
  static func limited(_ text: String, _ column: Int) throws(ExpressionError) -> String {
    guard text.utf8.count <= Expression.maximumTextLength else {
      throw ExpressionError(
        column: column, problem: "the text is too long",
        allowed: "at most \(Expression.maximumTextLength) bytes")
    }
    return text
  }

  // MARK: Lists and numbers

  /// Evaluates `sum` and `mean` of a list, and `min` and `max` of a list or of separate arguments.
  private func fold(_ arguments: [JSONValue]) throws(ExpressionError) -> JSONValue {
    let elements = arguments.count == 1 ? try list(arguments[0]) : arguments
    var numbers: [JSONNumber] = []
    for element in elements {
      guard let number = element.number else { throw unfit(element, "numbers") }
      numbers.append(number)
    }
    switch function {
    case .min, .max:
      guard let least = numbers.min(), let greatest = numbers.max() else {
        throw ExpressionError(
          column: column, problem: "`\(function.rawValue)` is applied to an empty list")
      }
      return .number(function == .min ? least : greatest)
    default: break
    }
    if function == .sum {
      var total = 0
      var isExact = true
      for number in numbers {
        guard let next = number.int else {
          isExact = false
          break
        }
        let (sum, overflow) = total.addingReportingOverflow(next)
        total = sum
        if overflow { isExact = false }
      }
      if isExact { return .number(JSONNumber(total)) }
    }
    let sum = numbers.reduce(0) { $0 + $1.double }
    if function == .sum { return try real(sum) }
    guard !numbers.isEmpty else {
      throw ExpressionError(column: column, problem: "`mean` is applied to an empty list")
    }
    return try real(sum / Double(numbers.count))
  }

  private func rounded(_ arguments: [JSONValue]) throws(ExpressionError) -> JSONValue {
    let value = try double(arguments[0])
    guard arguments.count > 1 else { return try real(value.rounded()) }
    guard let digits = arguments[1].int, (0...15).contains(digits) else {
      throw unfit(arguments[1], "from 0 to 15 digits")
    }
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let scaled = value * scale
    return scaled.isFinite ? try real(scaled.rounded() / scale) : try real(value)
  }

  private func sorted(_ value: JSONValue) throws(ExpressionError) -> [JSONValue] {
    let elements = try list(value)
    let numbers = elements.compactMap(\.number)
    if numbers.count == elements.count { return numbers.sorted().map { .number($0) } }
    let texts = elements.compactMap(\.string)
    guard texts.count == elements.count else { throw unfit(value, "a list of numbers or of texts") }
    return texts.sorted { $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars) }
      .map { .string($0) }
  }

  private func number(_ value: JSONValue) throws(ExpressionError) -> JSONValue {
    if case .number = value { return value }
    let text = try text(value)
    guard let number = JSONNumber(text) else { throw unfit(value, "a text that is a number") }
    return .number(number)
  }

  // MARK: Texts

  private func textValue(_ first: JSONValue, _ last: JSONValue) throws(ExpressionError) -> JSONValue
  {
    if function == .join {
      let separator = try text(last)
      var joined = ""
      for (index, element) in try list(first).enumerated() {
        if index > 0 { joined += separator }
        joined += try text(element)
        _ = try Self.limited(joined, column)
      }
      return .string(joined)
    }
    let text = try text(first)
    switch function {
    case .split:
      let separator = try self.text(last)
      guard !separator.isEmpty else { throw unfit(last, "a separator that is not empty") }
      let parts = ScalarText(text).split(by: ScalarText(separator))
      // Between the line ends of Windows, an empty line is a carriage return.
      return .array(parts.filter { $0 != "\r" }.map { .string(Self.trimmed($0)) })
    case .characters: return .number(JSONNumber(TextCounts.characters(in: text)))
    case .words: return .number(JSONNumber(TextCounts.words(in: text)))
    case .sentences: return .number(JSONNumber(TextCounts.sentences(in: text)))
    case .lower: return .string(text.lowercased())
    case .upper: return .string(text.uppercased())
    case .trim: return .string(Self.trimmed(text))
    case .startsWith:
      return .bool(ScalarText(text).starts(with: ScalarText(try self.text(last))))
    case .endsWith: return .bool(ScalarText(text).ends(with: ScalarText(try self.text(last))))
    case .similarity:
      let similarity = Similarity(measure: .edit, ignoringCase: false)
      guard let measured = similarity.measurement(of: text, against: try self.text(last)) else {
        throw ExpressionError(
          column: column, problem: "a text is too long to compare",
          allowed: "at most \(Similarity.maximumLength) characters")
      }
      return try real(measured.likeness)
    case .matches:
      guard let pattern = try? TextPattern(parsing: try self.text(last)) else { return false }
      return .bool(pattern.matches(text))
    default: return .null
    }
  }

  private static func trimmed(_ text: String) -> String {
    guard let start = text.firstIndex(where: { !$0.isWhitespace }),
      let end = text.lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(text[start...end])
  }

  // MARK: Types

  private func unfit(_ value: JSONValue, _ allowed: String) -> ExpressionError {
    ExpressionError(
      column: column,
      problem: "`\(function.rawValue)` is applied to \(value.typeName) \(ValueWords.short(value))",
      allowed: allowed)
  }

  private func list(_ value: JSONValue) throws(ExpressionError) -> [JSONValue] {
    guard let elements = value.array else { throw unfit(value, "a list") }
    return elements
  }

  private func object(_ value: JSONValue) throws(ExpressionError) -> JSONObject {
    guard let object = value.object else { throw unfit(value, "an object") }
    return object
  }

  private func flags(_ value: JSONValue) throws(ExpressionError) -> [Bool] {
    let elements = try list(value)
    let flags = elements.compactMap(\.bool)
    guard flags.count == elements.count else { throw unfit(value, "a list of Booleans") }
    return flags
  }

  private func text(_ value: JSONValue) throws(ExpressionError) -> String {
    guard let text = value.string else { throw unfit(value, "a text") }
    return text
  }

  private func double(_ value: JSONValue) throws(ExpressionError) -> Double {
    guard let number = value.double else { throw unfit(value, "a number") }
    return number
  }

  private func real(_ value: Double) throws(ExpressionError) -> JSONValue {
    guard value.isFinite else {
      throw ExpressionError(column: column, problem: "the result is not a finite number")
    }
    return .number(JSONNumber(value))
  }
}
