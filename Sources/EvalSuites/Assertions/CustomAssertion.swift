import EvalRecords
public import GuidedGeneration
import StructuredText

/// A Swift closure that judges a generated value, with its name and a description.
///
/// Prefer a built-in assertion if there is a suitable one: its failures automatically state the
/// path, the expected value and the actual value, and suite files can use it too. Use a custom
/// assertion for everything else.
public struct CustomAssertion: Sendable {
  /// The result of a custom assertion on one value.
  public enum Finding: Sendable, Hashable {
    /// The value is as expected.
    case pass
    /// The value is not as expected, with a description of the actual value.
    case fail(actual: String)
    /// There was nothing to judge, for the given reason; this result never counts as a pass.
    case vacuous(because: String)
  }

  /// The name under which verdicts are stored; unique among the assertions of a test case.
  public var name: String
  /// The path that the assertion concerns, for reports.
  public var path: String
  /// A description of the expectation.
  public var expected: String
  /// The weight relative to other assertions.
  ///
  /// An assertion with weight 0 is recorded but has no effect on the attempt's outcome, unless it
  /// is a guardrail.
  public var weight = 1.0
  private let evaluate: @Sendable (GeneratedContent) throws -> Finding

  /// Creates an assertion on the generated content.
  ///
  /// - Parameters:
  ///   - name: The name under which verdicts are stored.
  ///   - path: The path that the assertion concerns, for reports.
  ///   - expected: A description of the expectation.
  ///   - evaluate: A closure that judges a value; if it throws an error, the assertion fails.
  public init(
    _ name: String, path: String = "$", expected: String,
    over evaluate: @escaping @Sendable (GeneratedContent) throws -> Finding
  ) {
    self.name = name
    self.path = path
    self.expected = expected
    self.evaluate = evaluate
  }

  /// Creates an assertion on the decoded value.
  ///
  /// - Parameters:
  ///   - name: The name under which verdicts are stored.
  ///   - type: The type that the suite generates.
  ///   - path: The path that the assertion concerns, for reports.
  ///   - expected: A description of the expectation.
  ///   - evaluate: A closure that judges a value. If the closure or the decoding throws an error,
  ///     the assertion fails.
  public init<Value: ConvertibleFromGeneratedContent>(
    _ name: String, on type: Value.Type, path: String = "$", expected: String,
    evaluate: @escaping @Sendable (Value) throws -> Finding
  ) {
    self.init(name, path: path, expected: expected) { try evaluate(Value($0)) }
  }

  /// Creates an assertion from a closure that returns a Boolean.
  ///
  /// - Parameters:
  ///   - name: The name under which verdicts are stored.
  ///   - type: The type that the suite generates.
  ///   - path: The path that the assertion concerns, for reports.
  ///   - expected: A description of the expectation; by default, the name.
  ///   - holds: A closure that returns whether a value is as expected.
  public init<Value: ConvertibleFromGeneratedContent>(
    _ name: String, on type: Value.Type, path: String = "$", expected: String? = nil,
    holds: @escaping @Sendable (Value) throws -> Bool
  ) {
    self.init(name, on: type, path: path, expected: expected ?? name) { value in
      try holds(value) ? .pass : .fail(actual: "rejected by the closure")
    }
  }

  /// A description of the assertion: its name and its expectation.
  package var words: String { expected == name ? name : "\(name): \(expected)" }

  /// The identity: the closure's code can't be read, so the name, the path, the description and the
  /// weight stand for it.
  var identity: AssertionIdentity {
    func digest(_ weight: Double) -> String {
      let form: JSONValue = [
        "custom 1": [
          "name": .string(name), "path": .string(path), "expected": .string(expected),
          "weight": .number(JSONNumber(weight)),
        ]
      ]
      return form.canonicalDigest
    }
    return AssertionIdentity(
      name: name, digest: digest(weight), unweighted: weight == 1 ? nil : digest(1))
  }

  /// The verdict on a cut-off answer: unknown, because the closure judges only complete answers.
  package var verdictOnCutAnswer: VerdictRecord {
    VerdictRecord(
      assertion: name, type: "custom", path: path, verdict: .unknown, expected: expected,
      actual: "cut off")
  }

  /// Returns the verdict on a complete output.
  package func verdict(onOutput output: String) -> VerdictRecord {
    var verdict = VerdictRecord(
      assertion: name, type: "custom", path: path, verdict: .pass, expected: expected,
      actual: "as expected")
    do {
      switch try evaluate(GeneratedContent(json: output)) {
      case .pass: break
      case .fail(let actual): (verdict.verdict, verdict.actual) = (.fail, actual)
      case .vacuous(let reason): (verdict.verdict, verdict.actual) = (.vacuous, reason)
      }
    } catch {
      (verdict.verdict, verdict.actual) = (.fail, "an error: \(error)")
    }
    return verdict
  }
}
