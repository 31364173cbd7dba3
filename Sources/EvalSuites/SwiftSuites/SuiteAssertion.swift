public import GuidedGeneration
public import StructuredText
public import SuiteRanges

/// An assertion of a suite that is written in Swift: a built-in assertion or a closure.
///
/// The built-in assertions have the same kinds, parameters and checks as in suite files. The common
/// kinds have their own functions here, and ``check(_:_:)`` creates an assertion of any kind. Paths
/// are written as in suite files: `$.cards[*].question`. Each function takes the place of its call,
/// at which messages report a mistake.
public struct SuiteAssertion: Sendable {
  /// The forms of an assertion.
  enum Content: Sendable {
    /// A built-in assertion in the form of a suite file.
    case closed(JSONObject)
    /// A closure.
    case custom(CustomAssertion)
    /// The negation of the closure with the given name; loading the suite reports it as a problem.
    case negatedCustom(String)
  }

  let content: Content
  /// The place in the source.
  let place: SwiftPlace

  /// Creates a built-in assertion of any kind, in the form of a suite file.
  ///
  ///     .check("closeTo", ["path": "$.price", "value": 3.5, "tolerance": 0.1])
  ///
  /// - Parameters:
  ///   - type: The kind of assertion; docs/suite-format.md lists all kinds.
  ///   - parameters: The parameters of the assertion.
  public static func check(
    _ type: String, _ parameters: JSONValue,
    file: String = #filePath, line: Int = #line, column: Int = #column
  ) -> Self {
    Self(
      content: .closed(JSONObject([(key: type, value: parameters)])),
      place: SwiftPlace(file: file, line: line, column: column))
  }

  /// Returns the assertion with a name, which guardrails and reports can refer to.
  ///
  /// A custom assertion keeps the name that it already has.
  public func named(_ name: String) -> Self {
    guard case .closed(let members) = content else { return self }
    return Self(
      content: .closed(JSONObject([(key: "name", value: .string(name))] + members.members)),
      place: place)
  }

  /// Returns the assertion with the given weight in an attempt's score; the default weight is 1.
  ///
  /// - Parameter weight: A number from 0 to 1,000,000. An assertion with weight 0 is recorded but
  ///   has no effect on the attempt's outcome, unless it is a guardrail.
  public func weighing(_ weight: Double) -> Self {
    switch content {
    case .closed(let members):
      let weight = JSONValue.number(JSONNumber(weight))
      return Self(
        content: .closed(JSONObject(members.members + [(key: "weight", value: weight)])),
        place: place)
    case .custom(var custom):
      custom.weight = weight
      return Self(content: .custom(custom), place: place)
    case .negatedCustom: return self
    }
  }

  /// Creates an assertion from a custom assertion.
  public static func custom(
    _ assertion: CustomAssertion,
    file: String = #filePath, line: Int = #line, column: Int = #column
  ) -> Self {
    Self(
      content: .custom(assertion), place: SwiftPlace(file: file, line: line, column: column))
  }

  /// Creates an assertion from a closure that returns whether the decoded value is as expected.
  ///
  /// - Parameters:
  ///   - name: The name under which verdicts are stored, which should describe the expectation.
  ///   - type: The type that the suite generates.
  ///   - holds: A closure that returns whether a value is as expected.
  public static func holds<Value: ConvertibleFromGeneratedContent>(
    _ name: String, for type: Value.Type,
    file: String = #filePath, line: Int = #line, column: Int = #column,
    _ holds: @escaping @Sendable (Value) throws -> Bool
  ) -> Self {
    .custom(
      CustomAssertion(name, on: type, holds: holds), file: file, line: line, column: column)
  }
}

extension SuiteAssertion {
  /// Requires the number of elements in the array at a path to be within bounds.
  public static func count(
    _ path: String, _ bounds: AssertionRange<Int>,
    file: String = #filePath, line: Int = #line, column: Int = #column
  ) -> Self {
    at(
      path, "count", SwiftPlace(file: file, line: line, column: column),
      ["min": .init(bounds.minimum), "max": .init(bounds.maximum)])
  }

  /// Requires the number of elements in the array at a path to be within bounds.
  @_disfavoredOverload
  public static func count(
    _ path: String, _ bounds: ClosedRange<Int>,
    file: String = #filePath, line: Int = #line, column: Int = #column
  ) -> Self {
    count(path, AssertionRange(bounds), file: file, line: line, column: column)
  }

  /// Requires the array at a path to have exactly this number of elements.
  public static func count(
    _ path: String, exactly count: Int,
    file: String = #filePath, line: Int = #line, column: Int = #column
  ) -> Self {
    at(path, "count", SwiftPlace(file: file, line: line, column: column), ["exact": .init(count)])
  }

  /// Requires the string, array or object at a path not to be empty.
  public static func nonEmpty(
    _ path: String,
    file: String = #filePath, line: Int = #line, column: Int = #column
  ) -> Self {
    at(path, "nonEmpty", SwiftPlace(file: file, line: line, column: column))
  }

  /// Requires the values that a path with `[*]` selects, or the elements of the array at a path, to
  /// be unique.
  public static func unique(
    _ path: String,
    file: String = #filePath, line: Int = #line, column: Int = #column
  ) -> Self {
    at(path, "unique", SwiftPlace(file: file, line: line, column: column))
  }

  /// Requires the enum at a path to take one of the given cases.
  public static func branch(
    _ path: String, _ names: String...,
    file: String = #filePath, line: Int = #line, column: Int = #column
  ) -> Self {
    at(
      path, "branch", SwiftPlace(file: file, line: line, column: column),
      ["in": .array(names.map { .string($0) })])
  }

  /// Requires the value at a path to equal this value; numbers are compared by value.
  public static func equals(
    _ path: String, _ value: JSONValue,
    file: String = #filePath, line: Int = #line, column: Int = #column
  ) -> Self {
    at(path, "equals", SwiftPlace(file: file, line: line, column: column), ["value": value])
  }

  /// Requires the number at a path to be within bounds.
  public static func range(
    _ path: String, _ bounds: AssertionRange<Double>,
    file: String = #filePath, line: Int = #line, column: Int = #column
  ) -> Self {
    at(
      path, "range", SwiftPlace(file: file, line: line, column: column),
      ["min": .init(bounds.minimum), "max": .init(bounds.maximum)])
  }

  /// Requires the number at a path to be within bounds.
  @_disfavoredOverload
  public static func range(
    _ path: String, _ bounds: ClosedRange<Double>,
    file: String = #filePath, line: Int = #line, column: Int = #column
  ) -> Self {
    range(path, AssertionRange(bounds), file: file, line: line, column: column)
  }

  /// Requires the number of words in the text at a path to be within bounds.
  public static func words(
    _ path: String, _ bounds: AssertionRange<Int>,
    file: String = #filePath, line: Int = #line, column: Int = #column
  ) -> Self {
    at(
      path, "words", SwiftPlace(file: file, line: line, column: column),
      ["min": .init(bounds.minimum), "max": .init(bounds.maximum)])
  }

  /// Requires the number of words in the text at a path to be within bounds.
  @_disfavoredOverload
  public static func words(
    _ path: String, _ bounds: ClosedRange<Int>,
    file: String = #filePath, line: Int = #line, column: Int = #column
  ) -> Self {
    words(path, AssertionRange(bounds), file: file, line: line, column: column)
  }

  /// Requires the text at a path to contain this text.
  public static func contains(
    _ path: String, _ text: String, ignoringCase: Bool = false,
    file: String = #filePath, line: Int = #line, column: Int = #column
  ) -> Self {
    at(
      path, "contains", SwiftPlace(file: file, line: line, column: column),
      ["text": .string(text), "ignoringCase": .bool(ignoringCase)])
  }

  /// Requires a regular expression to match the whole text at a path.
  public static func matches(
    _ path: String, _ pattern: String,
    file: String = #filePath, line: Int = #line, column: Int = #column
  ) -> Self {
    at(
      path, "matches", SwiftPlace(file: file, line: line, column: column),
      ["pattern": .string(pattern)])
  }

  /// Requires the text at a path not to be a placeholder such as "unknown" or "TBD".
  public static func notPlaceholder(
    _ path: String,
    file: String = #filePath, line: Int = #line, column: Int = #column
  ) -> Self {
    at(path, "notPlaceholder", SwiftPlace(file: file, line: line, column: column))
  }

  /// Requires the text at a path not to contain Markdown or HTML.
  public static func noMarkup(
    _ path: String,
    file: String = #filePath, line: Int = #line, column: Int = #column
  ) -> Self {
    at(path, "noMarkup", SwiftPlace(file: file, line: line, column: column))
  }

  /// Requires the text at a path to be a calendar date such as `2026-03-12`.
  public static func dateISO8601(
    _ path: String,
    file: String = #filePath, line: Int = #line, column: Int = #column
  ) -> Self {
    at(path, "dateISO8601", SwiftPlace(file: file, line: line, column: column))
  }

  /// Requires a value at a path; null counts as a value.
  public static func present(
    _ path: String,
    file: String = #filePath, line: Int = #line, column: Int = #column
  ) -> Self {
    at(path, "present", SwiftPlace(file: file, line: line, column: column))
  }

  /// Requires that there is no value at a path.
  public static func absent(
    _ path: String,
    file: String = #filePath, line: Int = #line, column: Int = #column
  ) -> Self {
    at(path, "absent", SwiftPlace(file: file, line: line, column: column))
  }

  /// Negates an assertion, so that it must not hold for any value at its path.
  ///
  /// - Parameters:
  ///   - assertion: A built-in assertion. A custom assertion can't be negated here: loading the
  ///     suite would report a problem. Negate its closure instead.
  ///   - file: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - column: The column of the call, for messages.
  public static func not(
    _ assertion: SuiteAssertion,
    file: String = #filePath, line: Int = #line, column: Int = #column
  ) -> Self {
    let content: Content =
      switch assertion.content {
      case .closed(let members):
        .closed(JSONObject([(key: "not", value: .object(members))]))
      case .custom(let custom): .negatedCustom(custom.name)
      case .negatedCustom: assertion.content
      }
    return Self(content: content, place: SwiftPlace(file: file, line: line, column: column))
  }

  private static func at(
    _ path: String, _ type: String, _ place: SwiftPlace,
    _ parameters: KeyValuePairs<String, JSONValue> = [:]
  ) -> Self {
    let members: [JSONObject.Member] =
      [(key: "path", value: .string(path))] + parameters.map { ($0.key, $0.value) }
    return .check(
      type, .object(JSONObject(members)), file: place.file, line: place.line,
      column: place.column)
  }
}

extension JSONValue {
  fileprivate init(_ number: Int) { self = .number(JSONNumber(number)) }
  fileprivate init(_ number: Double) { self = .number(JSONNumber(number)) }
}
