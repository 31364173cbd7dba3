import StructuredText

/// Something that a night judges on its own: a quantity of the comparison with the reference, or a
/// condition of the gate.
///
/// The suite that a night is about and a criterion identify a finding. So a suite can have several
/// findings, of which one is new and another one was known before.
package enum Criterion: Sendable, Hashable {
  /// A quantity that counts for the verdict of the comparison.
  case quantity(Quantity)
  /// The pass rate that the gate requires.
  case gateRate
  /// An assertion that must never fail.
  case guardrail(String)
  /// The bounds on the mean of a metric.
  case metric(String)
  /// The test case's own gate.
  case testCase(String)
  /// The maximum share of backend errors.
  case backendErrors
  /// The answer to each test case of an import.
  case recordedAnswers
  /// A test case that newly fails for certain (``FlippedCases``).
  case newlyFailing(String)

  /// Whether the criterion is a condition of the gate, not a quantity of the comparison.
  package var isOfGate: Bool {
    switch self {
    case .quantity, .newlyFailing: false
    case .gateRate, .guardrail, .metric, .testCase, .backendErrors, .recordedAnswers: true
    }
  }

  /// Whether failed attempts alone decide the criterion, so that the same finding can be about
  /// other test cases than last night.
  package var isAboutPassing: Bool { self == .gateRate || self == .quantity(.passRate) }
}

/// The result of one criterion of a slice on one night.
package struct CriterionResult: Sendable, Hashable {
  package var criterion: Criterion
  /// Whether the criterion is in order: the quantity didn't get worse, or the condition holds.
  package var isGood: Bool
  /// The values that the gate allows, or `nil` if the criterion has no bounds.
  package var allowed: ClosedRange<Double>?

  /// Creates a result.
  package init(_ criterion: Criterion, isGood: Bool, allowed: ClosedRange<Double>? = nil) {
    (self.criterion, self.isGood, self.allowed) = (criterion, isGood, allowed)
  }

  /// Returns whether the gate demands no less than in an earlier result.
  func isAsStrict(as earlier: CriterionResult) -> Bool {
    guard let before = earlier.allowed else { return true }
    guard let allowed else { return false }
    return before.lowerBound <= allowed.lowerBound && allowed.upperBound <= before.upperBound
  }
}

/// The names of criteria in `history.jsonl`, which docs/history-format.md documents.
extension Criterion {
  /// The kind and the subject, or `nil` for a quantity that no comparison judges.
  var historyNames: (kind: String, subject: String)? {
    switch self {
    case .quantity(.passRate): ("passRate", "")
    case .quantity(.shortArray(let minimum, let path)): ("shortArrays", "\(path) \(minimum)")
    case .quantity(.failedAssertion(let name, let path)): ("assertion", "\(path) \(name)")
    case .quantity(let quantity): quantity.historyNames
    case .gateRate: ("gate", "")
    case .guardrail(let name): ("guardrail", name)
    case .metric(let name): ("metric", name)
    case .testCase(let id): ("caseGate", id)
    case .backendErrors: ("backendErrors", "")
    case .recordedAnswers: ("recordedAnswers", "")
    case .newlyFailing(let id): ("newlyFails", id)
    }
  }

  /// The same criterion with the spelling of paths that a line of the history has, so that a run
  /// and its line are about equal criteria; or `nil` if no line can name the criterion.
  package var inHistory: Criterion? {
    historyNames.flatMap { Criterion(historyKind: $0.kind, subject: $0.subject) }
  }

  /// Creates a criterion from its names, or returns `nil` if this version doesn't know the kind.
  init?(historyKind kind: String, subject: String) {
    /// The path at the beginning of the subject, and the text after the space that ends the path.
    func parts() -> (path: String, rest: String)? {
      let (place, rest) = JSONPlace.beginning(of: subject)
      return rest.first == " " ? (place.description, String(rest.dropFirst())) : nil
    }
    switch kind {
    case "passRate": self = .quantity(.passRate)
    case "shortArrays":
      guard let (path, rest) = parts(), let minimum = Int(rest) else { return nil }
      self = .quantity(.shortArray(minimum: minimum, path: path))
    case "assertion":
      guard let (path, rest) = parts() else { return nil }
      self = .quantity(.failedAssertion(name: rest, path: path))
    case "gate": self = .gateRate
    case "guardrail": self = .guardrail(subject)
    case "metric": self = .metric(subject)
    case "caseGate": self = .testCase(subject)
    case "backendErrors": self = .backendErrors
    case "recordedAnswers": self = .recordedAnswers
    case "newlyFails": self = .newlyFailing(subject)
    default:
      guard let quantity = Quantity(historyKind: kind, subject: subject) else { return nil }
      self = .quantity(quantity)
    }
  }
}
