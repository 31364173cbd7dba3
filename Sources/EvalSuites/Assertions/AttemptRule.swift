import EvalRecords
import StructuredText

/// What an assertion asks of an attempt as a whole rather than of its value.
package enum AttemptRule: Sendable, Hashable {
  /// Generation stopped for one of some reasons.
  case stopReason([StopReason])
  /// The answer took at most so many milliseconds.
  case latency(maximum: Double)
  /// The answer has a number of tokens within bounds.
  case tokens(CountBounds)
  /// The mask removed at most so many nats (Σ −ln Z) from the model's distribution.
  case pressure(maximum: Double)
  /// The sampled probability of an option at every decision of a path lies within bounds.
  case decision(ValuePath, option: String, minimum: Double?, maximum: Double?)
}

/// What is known of an attempt when its assertions are evaluated.
public struct AttemptFacts: Sendable {
  /// The value that came back.
  public var value: JSONValue
  /// Why generation stopped.
  public var stopReason: StopReason
  /// The time it took, in seconds.
  public var duration: Double
  /// The number of tokens of the output.
  public var outputTokens: Int
  /// Σ −ln Z over all steps, in nats.
  public var constraintPressure: Double
  /// The probabilities at every point of choice.
  public var decisions: [DecisionRecord]
  /// Which attempt it is, for external programs; nil where it is none of a run.
  public var key: AttemptKey?
  /// The variables of the case, for external programs.
  public var variables = JSONObject()
  /// The way to external programs; nil where they are not allowed.
  public var commands: CommandAccess?

  /// Makes facts.
  public init(
    value: JSONValue, stopReason: StopReason = .complete, duration: Double = 0,
    outputTokens: Int = 0, constraintPressure: Double = 0, decisions: [DecisionRecord] = []
  ) {
    self.value = value
    self.stopReason = stopReason
    self.duration = duration
    self.outputTokens = outputTokens
    self.constraintPressure = constraintPressure
    self.decisions = decisions
  }
}

extension AttemptRule {
  /// Judges an attempt; nil where there is nothing to judge, such as no decision at the path.
  func judge(_ facts: AttemptFacts) -> Judgement? {
    switch self {
    case .stopReason(let reasons):
      return Judgement(reasons.contains(facts.stopReason), "`\(facts.stopReason.rawValue)`")
    case .latency(let maximum):
      let milliseconds = (facts.duration * 1000).rounded()
      return Judgement(milliseconds <= maximum, "\(ValueWords.number(milliseconds)) ms")
    case .tokens(let bounds):
      return Judgement(
        bounds.contains(facts.outputTokens), ValueWords.counted(facts.outputTokens, "token"))
    case .pressure(let maximum):
      let nats = (facts.constraintPressure * 1000).rounded() / 1000
      return Judgement(facts.constraintPressure <= maximum, "\(ValueWords.number(nats)) nats")
    case .decision(let path, let option, let minimum, let maximum):
      let found = facts.decisions.filter { $0.isResolved && Self.does(path, select: $0.path) }
        .compactMap { decision in decision.sampledProbability(of: option).map { (decision, $0) } }
      guard !found.isEmpty else { return nil }
      let offender = found.first { !($0.1 >= minimum ?? 0 && $0.1 <= maximum ?? 1) }
      let (decision, probability) = offender ?? found[0]
      let percent = ValueWords.number((probability * 100_000).rounded() / 1000)
      return Judgement(
        offender == nil, "\(percent) % at \(decision.path), element \(decision.index)")
    }
  }

  /// What is missing where there is nothing to judge, in words.
  func absence(_ facts: AttemptFacts) -> String {
    guard case .decision(let path, _, _, _) = self else { return "nothing" }
    let isUnresolved = facts.decisions.contains {
      !$0.isResolved && Self.does(path, select: $0.path)
    }
    return isUnresolved ? "no resolved decision" : "no decision"
  }

  /// What the rule expects, in words.
  func expectation(negated: Bool) -> String {
    let words =
      switch self {
      case .stopReason(let reasons): ValueWords.list(reasons.map(\.rawValue), last: "or")
      case .latency(let maximum): "at most \(ValueWords.number(maximum)) ms"
      case .tokens(let bounds): bounds.words("token")
      case .pressure(let maximum): "at most \(ValueWords.number(maximum)) nats"
      case .decision(_, let option, let minimum, let maximum):
        "P(`\(option)`) "
          + [
            minimum.map { "at least \(ValueWords.number($0))" },
            maximum.map { "at most \(ValueWords.number($0))" },
          ].compactMap(\.self).joined(separator: " and ")
      }
    return (negated ? "not " : "") + words
  }

  /// Whether a path with wildcards selects a place that is given as text.
  private static func does(_ path: ValuePath, select place: String) -> Bool {
    guard let place = try? ValuePath(parsing: place), place.steps.count == path.steps.count
    else { return false }
    return zip(path.steps, place.steps).allSatisfy { pattern, step in
      pattern == .wildcard ? true : pattern == step
    }
  }
}
