import StructuredText

/// A metric whose value is computed from the means of other metrics, such as an F1 score.
package enum FormulaOverMeans {
  /// An error that says why the formula has no value.
  package struct Failure: Error, Sendable, Hashable {
    /// A description of the reason.
    package var reason: String
  }

  /// Returns the value of a formula in which `$.name` stands for the mean of the metric `name`.
  ///
  /// - Parameters:
  ///   - text: The formula.
  ///   - means: The means, keyed by metric name.
  package static func value(of text: String, _ means: [String: Double]) -> Result<Double, Failure> {
    let members = means.sorted { $0.key < $1.key }
      .map { (key: $0.key, value: JSONValue.number(JSONNumber($0.value))) }
    let facts = AttemptFacts(value: .object(JSONObject(members)))
    do throws(ExpressionError) {
      let formula = try Expression(parsing: text)
      let value = try formula.value(in: Expression.Context(facts: facts, element: .null))
      if let number = value.double { return .success(number) }
      return .failure(Failure(reason: "\(value.typeName) \(ValueWords.short(value))"))
    } catch {
      return .failure(Failure(reason: "\(error.problem) (character \(error.column))"))
    }
  }
}
