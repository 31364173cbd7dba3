public import EvalRecords
import StructuredText

/// A named number that is computed for every attempt, but doesn't decide whether the attempt
/// passes.
public struct Metric: Sendable, Hashable {
  /// The source of a metric's value.
  package enum Source: Sendable, Hashable {
    /// The number at a path; true counts as 1, and false as 0.
    case value(JSONPlace)
    /// The number of elements or members at a path; for a path with `[*]`, the number of selected
    /// places.
    case count(JSONPlace)
    /// The value of a formula.
    case expression(Expression)
    /// A formula over the means of other metrics.
    ///
    /// It has no value for a single attempt.
    case derived(Expression)
    /// A number that describes the attempt as a whole.
    case attempt(AttemptNumber)
    /// 1 if an array's length or a number is on a bound, and 0 otherwise.
    case hugging(BoundHugging)
  }

  /// The numbers that describe an attempt as a whole.
  package enum AttemptNumber: String, Sendable, Hashable, CaseIterable {
    /// The duration of the answer in milliseconds.
    case latency
    /// The number of tokens in the answer.
    case outputTokens
    /// The number of tokens in the prompt.
    case promptTokens
    /// The constraint pressure, Σ −ln Z, in nats.
    case pressure
    /// The format pressure in nats, which comes from white space and segmentation.
    case formatPressure
    /// The content pressure in nats, which comes from keys, types, bounds and enum cases.
    case contentPressure
    /// The weighted share of assertions that passed.
    case score
  }

  /// The stored part of the metric, such as its name and the bounds of its mean.
  public var record: MetricRecord
  /// The source of the value.
  package var source: Source

  /// Returns the metric's value for an attempt, or `nil` if the metric has none.
  ///
  /// - Parameters:
  ///   - facts: The facts about the attempt.
  ///   - attempt: The attempt, already judged by its assertions.
  package func value(of facts: AttemptFacts, _ attempt: AttemptRecord) -> Double? {
    // If an answer was cut off, only the numbers that describe the attempt as a whole can be
    // computed.
    if facts.cut != nil, !isOfAttempt { return nil }
    let number: Double? =
      switch source {
      case .value(let path): path.values(in: facts.value).first.flatMap { Self.number($0.value) }
      case .count(let path): Self.count(path, in: facts.value)
      case .expression(let expression):
        (try? expression.value(in: Expression.Context(facts: facts, element: facts.value)))
          .flatMap(Self.number)
      case .derived: nil
      case .attempt(.latency): facts.duration.map { $0 * 1000 }
      case .attempt(.outputTokens): facts.outputTokens.map(Double.init)
      case .attempt(.promptTokens): attempt.measures.promptTokens.map(Double.init)
      case .attempt(.pressure): facts.constraintPressure
      case .attempt(.formatPressure): facts.pressure?.format
      case .attempt(.contentPressure): facts.pressure?.content
      case .attempt(.score): attempt.details.score ?? AttemptScoring().score(of: attempt.verdicts)
      case .hugging(let hugging): hugging.isAtLimit(in: facts.value).map { $0 ? 1 : 0 }
      }
    return number.flatMap { $0.isFinite ? $0 : nil }
  }

  private var isOfAttempt: Bool {
    if case .attempt = source { true } else { false }
  }

  /// Returns the metric with the names of variables replaced by their values in a test case.
  func resolved(with variables: JSONObject) -> Metric {
    guard case .expression(let expression) = source else { return self }
    var metric = self
    metric.source = .expression(expression.resolved(with: variables))
    return metric
  }

  private static func number(_ value: JSONValue) -> Double? {
    value.double ?? value.bool.map { $0 ? 1 : 0 }
  }

  private static func count(_ path: JSONPlace, in value: JSONValue) -> Double? {
    let found = path.values(in: value)
    guard path.isSingular else { return Double(found.count) }
    return found.first.flatMap { $0.value.array?.count ?? $0.value.object?.count }.map(Double.init)
  }
}

extension SuiteCase {
  /// Returns the values of metrics for an attempt, keyed by metric name.
  ///
  /// - Parameters:
  ///   - metrics: The metrics.
  ///   - facts: The facts about the attempt.
  ///   - attempt: The attempt, already judged by its assertions.
  /// - Returns: The values, or `nil` if no metric has a value.
  public static func metrics(
    _ metrics: [Metric], of facts: AttemptFacts, _ attempt: AttemptRecord
  ) -> [String: Double]? {
    var values: [String: Double] = [:]
    for metric in metrics { values[metric.record.name] = metric.value(of: facts, attempt) }
    return values.isEmpty ? nil : values
  }
}
