import Tokenization

/// The constraint pressure of an answer or a step by kind, in nats.
///
/// Constraint pressure is -ln Z summed over the steps of an answer, where Z is the mass that the
/// mask kept. *Format* pressure comes from rules about how a value is written: the mask removed
/// other white space, other tokens for the same text, or a preface. The rest is *content* pressure:
/// the mask removed tokens that the schema forbids (keys, types, bounds, branches).
///
/// ```
/// after {"words":     the model: ␣[ 0.90   [ 0.05   null 0.05         compact allows [
///
///   whitespace   ln (0.95 / 0.05)   the schema allows both ways to write the bracket
///   content      ln (1 / 0.95)      it does not allow null
/// ```
package struct PressureKinds: Sendable, Hashable {
  /// The pressure from removing other white space; in the mode `any`, only white space beyond the
  /// bound.
  package var whitespace = 0.0
  /// The pressure from removing other tokens for the same text.
  package var segmentation = 0.0
  /// The pressure from removing text before the value: a first token that can't begin a JSON value.
  package var preface = 0.0
  /// The pressure from removing everything else: tokens that the schema forbids.
  package var content = 0.0

  static func += (left: inout PressureKinds, right: PressureKinds) {
    left.whitespace += right.whitespace
    left.segmentation += right.segmentation
    left.preface += right.preface
    left.content += right.content
  }

  init() {}

  /// Creates the pressures of a step.
  ///
  /// The initializer lifts the restrictions one after another: segmentation, white space, the
  /// schema and, at the first token, the requirement to begin a value. The pressure of a kind is
  /// the increase in the logarithm of the kept mass when the corresponding restriction is lifted.
  ///
  /// - Parameters:
  ///   - distribution: The step's distribution, computed with the mask of the step.
  ///   - mask: The mask of the step, from which the session chooses a token.
  ///   - exact: The mask with the same white space, but with all segmentations.
  ///   - free: The mask with any white space and all segmentations.
  ///   - starts: At the first token, the tokens that can begin a value; nil at later tokens.
  init(
    _ distribution: TokenDistribution, mask: TokenMask, exact: TokenMask, free: TokenMask,
    starts: TokenMask?
  ) {
    var logarithm = distribution.logKeptMass
    /// Adds a mass to the kept mass, and returns the increase in the logarithm of the kept mass.
    func gain(_ mass: Double) -> Double {
      guard mass > 0 else { return 0 }
      let wider = min(0, ExactMath.log(ExactMath.exp(logarithm) + mass))
      let gain = max(0, wider - logarithm)
      logarithm += gain
      return gain
    }
    segmentation = gain(distribution.rawProbability(of: exact, without: mask))
    whitespace = gain(distribution.rawProbability(of: free, without: exact))
    if let starts {
      content = gain(distribution.rawProbability(of: starts, without: free))
      preface = max(0, -logarithm)
    } else {
      content = max(0, -logarithm)
    }
  }
}
