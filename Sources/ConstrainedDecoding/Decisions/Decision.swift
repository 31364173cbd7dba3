/// The probabilities of the options at one point where the schema left a choice.
///
/// The decision is made at a byte of the output. An option's probability is the probability that
/// the text from that byte on takes the option, given the text before it, whatever the layout and
/// the tokens. The text before the decision is *settled* at the point from which only one text can
/// lead to the decision. The probabilities are conditional on the tokens up to that point. They are
/// sums over all ways to write the text from there up to and including the option.
/// `DecisionRecorder` adds up the mass along the sampled tokens:
///
/// ```
///   step 7   []  0.20 ─► end      [{  0.50 ─► element      [  0.30 ─► open, and sampled
///   step 8   ]   0.10 ─► end      {   0.85 ─► element      {" 0.05 ─► element
///
///   end      0.20 + 0.30 · 0.10 = 0.23
///   element  0.50 + 0.30 · 0.90 = 0.77
/// ```
///
/// If a token leaves the decision open and was not sampled, its mass belongs to no option and
/// counts as `unresolved`, unless `DecodingSession.follow` follows the token.
///
/// Masked and sampled probabilities are normalized over the decided mass, so they add up to one.
/// Each sampled probability differs from its true value by at most `unresolved`. At each step up to
/// the decision, raw probabilities are normalized over the raw mass of all tokens that agree with
/// the text before the decision, even if they continue after that text with something illegal. So
/// the raw probabilities add up to one minus the mass of illegal and unresolved tokens.
package struct Decision: Sendable, Hashable {
  /// An option and its probabilities.
  package struct Option: Sendable, Hashable {
    /// The name: `element`, `end`, `present`, `absent`, the name of a union's option, or a case of
    /// an enum.
    package var name: String
    /// The probability under the model's own distribution.
    package var raw: Double
    /// The probability after the mask.
    package var masked: Double
    /// The probability after temperature and truncation.
    package var sampled: Double
  }

  /// The kind of the decision.
  package var kind: DecisionKind
  /// For arrays, the path of the array; otherwise the path of the value.
  package var path: String
  /// For arrays, the number of elements so far; otherwise 0.
  package var index: Int
  /// The options in schema order.
  package var options: [Option]
  /// The index in `options` of the option that was taken.
  package var chosen: Int
  /// The number of the token that made the decision, counted from zero.
  package var step: Int
  /// The share of the sampled mass that belongs to no option.
  package var unresolved: Double
  /// The format pressure in nats, without the pressure from prefaces; nil if it was not measured.
  ///
  /// The sum begins with the first step at which the text is settled or a legal token can pass the
  /// decision. It ends with the step that made the decision.
  package var formatPressure: Double?
}
