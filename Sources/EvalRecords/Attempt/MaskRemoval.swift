import StructuredText

/// A decision before which the mask removed more than half of the model's probability, because the
/// model wanted to write something else.
public struct MaskRemoval: Sendable, Hashable, Codable {
  /// The kind of the decision.
  public var kind: DecisionRecord.Kind
  /// The pattern of the decision's path, which is the same for all elements of an array.
  public var path: String
  /// The token that the model gave the highest probability of all that the mask forbids.
  public var wanted: String

  /// Creates a removal.
  public init(kind: DecisionRecord.Kind, path: String, wanted: String) {
    self.kind = kind
    self.path = path
    self.wanted = wanted
  }

  /// The maximum number of bytes of a token that is kept.
  private static let mostBytes = 64

  /// Returns the removals in an answer, at most one for each kind of decision at a path.
  ///
  /// For several decisions in an array, the first one counts.
  ///
  /// - Parameters:
  ///   - decisions: The decisions of the answer.
  ///   - trace: The steps of the answer.
  package static func removals(
    _ decisions: [DecisionRecord], _ trace: [TokenStep]
  ) -> [MaskRemoval] {
    var seen: Set<String> = []
    return decisions.compactMap { decision in
      let path = decision.pattern
      guard seen.insert("\(decision.kind) \(path)").inserted else { return nil }
      let kept = decision.options.reduce(0) { $0 + $1.raw }
      guard kept < 0.5, trace.indices.contains(decision.step) else { return nil }
      // What the model wanted may come before the token that decides, as white space or a preface.
      let steps = trace[...decision.step].reversed().prefix { step in
        step == trace[decision.step] || JSONPlace.canonical(step.path) == decision.path
      }
      let wanted = steps.min { $0.keptMass < $1.keptMass }?.candidates
        .filter { !$0.isAllowed }.max { $0.raw < $1.raw }
      guard let wanted, wanted.text.utf8.count <= mostBytes else { return nil }
      return MaskRemoval(kind: decision.kind, path: path, wanted: wanted.text)
    }
  }
}
