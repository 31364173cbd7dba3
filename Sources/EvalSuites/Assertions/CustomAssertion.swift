import EvalRecords
public import GuidedGeneration

/// An assertion that is written in Swift, over a generated value.
///
/// What the closed set of assertions can say is better said with it: its failures name path, expected
/// and actual by themselves, and a suite file can use it. This one is for the rest.
public struct CustomAssertion: Sendable {
  /// What a custom assertion found.
  public enum Finding: Sendable, Hashable {
    /// The value is as expected.
    case pass
    /// It is not; what is there instead, in words.
    case fail(actual: String)
    /// There was nothing to judge, in words; never counted as a pass.
    case vacuous(because: String)
  }

  /// The name under which verdicts are stored; unique among the assertions of a case.
  public var name: String
  /// The place that it is about, for reports.
  public var path: String
  /// What is expected, in words.
  public var expected: String
  /// How much it counts beside the others; 0 if its verdict is kept and decides nothing.
  public var weight = 1.0
  private let evaluate: @Sendable (GeneratedContent) throws -> Finding

  /// Creates an assertion over the generated content.
  ///
  /// - Parameters:
  ///   - name: The name under which verdicts are stored.
  ///   - path: The place that it is about, for reports.
  ///   - expected: What is expected, in words.
  ///   - evaluate: Judges a value; an error that it throws fails the assertion.
  public init(
    _ name: String, path: String = "$", expected: String,
    over evaluate: @escaping @Sendable (GeneratedContent) throws -> Finding
  ) {
    self.name = name
    self.path = path
    self.expected = expected
    self.evaluate = evaluate
  }

  /// Creates an assertion over the decoded type.
  ///
  /// - Parameters:
  ///   - name: The name under which verdicts are stored.
  ///   - type: The type that the suite generates.
  ///   - path: The place that it is about, for reports.
  ///   - expected: What is expected, in words.
  ///   - evaluate: Judges a value; an error that it or the decoding throws fails the assertion.
  public init<Value: ConvertibleFromGeneratedContent>(
    _ name: String, on type: Value.Type, path: String = "$", expected: String,
    evaluate: @escaping @Sendable (Value) throws -> Finding
  ) {
    self.init(name, path: path, expected: expected) { try evaluate(Value($0)) }
  }

  /// Creates an assertion that holds or doesn't.
  ///
  /// - Parameters:
  ///   - name: The name under which verdicts are stored.
  ///   - type: The type that the suite generates.
  ///   - path: The place that it is about, for reports.
  ///   - expected: What is expected, in words; the name where nothing is given.
  ///   - holds: Whether a value is as expected.
  public init<Value: ConvertibleFromGeneratedContent>(
    _ name: String, on type: Value.Type, path: String = "$", expected: String? = nil,
    holds: @escaping @Sendable (Value) throws -> Bool
  ) {
    self.init(name, on: type, path: path, expected: expected ?? name) { value in
      try holds(value) ? .pass : .fail(actual: "not so")
    }
  }

  /// The assertion in words: its name, and what it expects.
  package var words: String { expected == name ? name : "\(name): \(expected)" }

  /// The verdict on an answer that was cut off, over which no Swift code can be run.
  package var verdictOnCutAnswer: VerdictRecord {
    VerdictRecord(
      assertion: name, type: "custom", path: path, verdict: .unknown, expected: expected,
      actual: "cut off")
  }

  /// The verdict on an output.
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
