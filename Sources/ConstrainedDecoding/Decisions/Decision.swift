/// The probabilities of the options at one point where the schema left a choice.
///
/// The decision stands at a byte of the output. Its probabilities are those of what follows, given
/// the text before it, in whatever white space and tokens: they are conditional on the tokens up to
/// where that text was settled, and sum over all ways to write what lies between there and the
/// option. Mass is summed along the sampled tokens:
///
/// ```
///   step 7   []  0.20 ─► end      [{  0.50 ─► element      [  0.30 ─► open, and sampled
///   step 8   ]   0.10 ─► end      {   0.85 ─► element      {" 0.05 ─► element
///
///   end      0.20 + 0.30 · 0.10 = 0.23
///   element  0.50 + 0.30 · 0.90 = 0.77
/// ```
///
/// A token that leaves the decision open and is not the sampled one belongs to no option, unless
/// `DecodingSession.resolveDecisions` follows it: its mass is `unresolved`. Masked and sampled
/// probabilities are normalised over the decided mass, so that they add up to one, and the true
/// ones differ from them by at most `unresolved` (for the sampled ones). Raw probabilities are
/// divided, at each step up to the decision's place, by the raw mass of all tokens that agree with the
/// text before it, legal or not behind it; what is missing to one went to illegal and unresolved
/// tokens.
package struct Decision: Sendable, Hashable {
  /// An option and its probabilities.
  package struct Option: Sendable, Hashable {
    /// The name: `element`, `end`, `present`, `absent`, a case or a string.
    package var name: String
    /// Under the model's own distribution.
    package var raw: Double
    /// After the mask.
    package var masked: Double
    /// After temperature and truncation.
    package var sampled: Double
  }

  /// What is decided.
  package var kind: DecisionKind
  /// The array's path for `array`, the value's path otherwise.
  package var path: String
  /// For arrays the number of elements already there; 0 otherwise.
  package var index: Int
  /// The options in the schema's order.
  package var options: [Option]
  /// The position in `options` of what was taken.
  package var chosen: Int
  /// The token, counted from zero, with which the decision fell.
  package var step: Int
  /// The share of the sampled mass that belongs to no option.
  package var unresolved: Double
  /// The format pressure in nats, summed over the tokens on the way from where the text was settled
  /// up to the decision; nil if it was not measured.
  package var formatPressure: Double?
}
