public import GuidedGeneration
public import StructuredText

/// An assertion of a suite that is written in Swift: one of the closed set, or a closure.
///
/// The closed set is the one of suite files, with the same types, parameters and checks; the common
/// ones have functions here, and ``check(_:_:)`` makes any. Paths are those of suite files:
/// `$.cards[*].question`.
public struct SuiteAssertion: Sendable {
  /// The forms of an assertion.
  enum Content: Sendable {
    /// One of the closed set, with its parameters.
    case closed(JSONObject)
    /// A closure.
    case custom(CustomAssertion)
    /// The negation of the closure with this name, which is reported when the suite is loaded.
    case negatedCustom(String)
  }

  let content: Content

  /// Any assertion of the closed set, as a suite file has it.
  ///
  ///     .check("closeTo", ["path": "$.price", "value": 3.5, "tolerance": 0.1])
  ///
  /// - Parameters:
  ///   - type: Its type; evals/README.md lists them.
  ///   - parameters: Its parameters.
  public static func check(_ type: String, _ parameters: JSONValue) -> Self {
    Self(content: .closed(JSONObject([(key: type, value: parameters)])))
  }

  /// The assertion under a name, which guardrails and reports use.
  ///
  /// A custom assertion has a name already, and keeps it.
  public func named(_ name: String) -> Self {
    guard case .closed(let members) = content else { return self }
    return Self(
      content: .closed(JSONObject([(key: "name", value: .string(name))] + members.members)))
  }

  /// The assertion with another weight than 1 in the score of an attempt.
  ///
  /// - Parameter weight: From 0, where its verdict is kept and decides nothing, to 1,000,000.
  public func weighing(_ weight: Double) -> Self {
    switch content {
    case .closed(let members):
      let weight = JSONValue.number(JSONNumber(weight))
      return Self(
        content: .closed(JSONObject(members.members + [(key: "weight", value: weight)])))
    case .custom(var custom):
      custom.weight = weight
      return .custom(custom)
    case .negatedCustom: return self
    }
  }

  /// An assertion that is written in Swift.
  public static func custom(_ assertion: CustomAssertion) -> Self {
    Self(content: .custom(assertion))
  }

  /// An assertion over the decoded type, which holds or doesn't.
  ///
  /// - Parameters:
  ///   - name: The name under which verdicts are stored; it says what is expected.
  ///   - type: The type that the suite generates.
  ///   - holds: Whether a value is as expected.
  public static func holds<Value: ConvertibleFromGeneratedContent>(
    _ name: String, for type: Value.Type, _ holds: @escaping @Sendable (Value) throws -> Bool
  ) -> Self {
    .custom(CustomAssertion(name, on: type, holds: holds))
  }
}

extension SuiteAssertion {
  /// The array at a path has a number of elements.
  public static func count(_ path: String, _ bounds: ClosedRange<Int>) -> Self {
    at(path, "count", ["min": .init(bounds.lowerBound), "max": .init(bounds.upperBound)])
  }

  /// The array at a path has exactly so many elements.
  public static func count(_ path: String, exactly count: Int) -> Self {
    at(path, "count", ["exact": .init(count)])
  }

  /// The string, array or object at a path is not empty.
  public static func nonEmpty(_ path: String) -> Self { at(path, "nonEmpty") }

  /// No two values of a path, or elements of the array there, are equal.
  public static func unique(_ path: String) -> Self { at(path, "unique") }

  /// The enum at a path took one of some cases.
  public static func branch(_ path: String, _ names: String...) -> Self {
    at(path, "branch", ["in": .array(names.map { .string($0) })])
  }

  /// The value at a path equals another, numbers by value.
  public static func equals(_ path: String, _ value: JSONValue) -> Self {
    at(path, "equals", ["value": value])
  }

  /// The number at a path lies within bounds.
  public static func range(_ path: String, _ bounds: ClosedRange<Double>) -> Self {
    at(path, "range", ["min": .init(bounds.lowerBound), "max": .init(bounds.upperBound)])
  }

  /// The text at a path has so many words.
  public static func words(_ path: String, _ bounds: ClosedRange<Int>) -> Self {
    at(path, "words", ["min": .init(bounds.lowerBound), "max": .init(bounds.upperBound)])
  }

  /// The text at a path contains another.
  public static func contains(_ path: String, _ text: String, ignoringCase: Bool = false) -> Self {
    at(path, "contains", ["text": .string(text), "ignoringCase": .bool(ignoringCase)])
  }

  /// The whole text at a path matches a regular expression.
  public static func matches(_ path: String, _ pattern: String) -> Self {
    at(path, "matches", ["pattern": .string(pattern)])
  }

  /// The text at a path is no stand-in such as "unknown" or "TBD".
  public static func notPlaceholder(_ path: String) -> Self { at(path, "notPlaceholder") }

  /// The text at a path has no Markdown and no HTML in it.
  public static func noMarkup(_ path: String) -> Self { at(path, "noMarkup") }

  /// The text at a path is a date of the calendar such as `2026-03-12`.
  public static func dateISO8601(_ path: String) -> Self { at(path, "dateISO8601") }

  /// A path leads to a value, null included.
  public static func present(_ path: String) -> Self { at(path, "present") }

  /// A path leads nowhere.
  public static func absent(_ path: String) -> Self { at(path, "absent") }

  /// The assertion does not hold, for any value of its path.
  ///
  /// - Parameter assertion: One of the closed set. A custom one is negated in its closure; loading a
  ///   suite that negates it here reports a problem.
  public static func not(_ assertion: SuiteAssertion) -> Self {
    switch assertion.content {
    case .closed(let members):
      Self(content: .closed(JSONObject([(key: "not", value: .object(members))])))
    case .custom(let custom): Self(content: .negatedCustom(custom.name))
    case .negatedCustom: assertion
    }
  }

  private static func at(
    _ path: String, _ type: String, _ parameters: KeyValuePairs<String, JSONValue> = [:]
  ) -> Self {
    .check(
      type,
      .object(
        JSONObject([(key: "path", value: .string(path))] + parameters.map { ($0.key, $0.value) })))
  }
}

extension JSONValue {
  fileprivate init(_ number: Int) { self = .number(JSONNumber(number)) }
  fileprivate init(_ number: Double) { self = .number(JSONNumber(number)) }
}
