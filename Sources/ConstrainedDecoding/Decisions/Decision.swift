/// The probabilities of the options at one point where the schema left a choice.
///
/// A decision is made at one byte of the output. An option's probability is the probability that
/// the text from that byte on takes the option, given the text before it. It depends neither on the
/// optional white space nor on the tokens with which the text is written.
///
/// At some point before a decision, only one text can still lead to the decision; from that point
/// on, the text is *settled*. The probabilities are conditional on the tokens up to that point.
/// Each of them is a sum over all ways to write the text from that point up to and including the
/// option: over all segmentations, and over all optional white space.
/// `DecisionRecorder` adds up the *mass* (the probability of one token, or of several together)
/// along the sampled tokens:
///
/// ```
///   step 7   []  0.20 ─► end      [{  0.50 ─► element      [  0.30 ─► open, and sampled
///   step 8   ]   0.10 ─► end      {   0.85 ─► element      {" 0.05 ─► element
///
///   end      0.20 + 0.30 · 0.10 = 0.23
///   element  0.50 + 0.30 · 0.90 = 0.77
/// ```
///
/// If a token leaves the decision open and was not sampled, its mass belongs to no option. This
/// mass counts as `unresolved`, unless `DecodingSession.follow` evaluates what comes after the
/// token.
///
/// Masked and sampled probabilities are normalized over the mass that belongs to some option, so
/// they add up to one. Each of them differs from its true value by at most `unresolved`. At each
/// step before the decision, the raw probabilities are divided by the raw
/// mass of all tokens that agree with the text up to the decision, including tokens that continue
/// illegally after it. So the raw probabilities add up to one minus the mass of illegal and
/// unresolved tokens.
package struct Decision: Sendable, Hashable {
  /// An option.
  ///
  /// The names of branches come from the schema, so an enum case may have the same name as another
  /// option.
  package enum Option: Sendable, Hashable {
    /// Another element of the array.
    case element
    /// The end of the array.
    case end
    /// The optional property is present.
    case present
    /// The optional property is absent.
    case absent
    /// The alternative of a union, or the enum case, with the given name.
    case branch(String)
  }

  /// An option and its probabilities.
  package struct OptionProbability: Sendable, Hashable {
    /// The option.
    package var option: Option
    /// The probability under the model's own distribution.
    package var raw: Double
    /// The probability after the mask.
    package var masked: Double
    /// The probability after temperature and truncation.
    package var sampled: Double
  }

  /// The kind of the decision.
  package var kind: DecisionKind
  /// The path of the array if the decision is about an array; otherwise the path of the value.
  package var path: String
  /// The number of elements so far if the decision is about an array; otherwise 0.
  package var index: Int
  /// The options in schema order.
  package var options: [OptionProbability]
  /// The index in `options` of the option that was taken, or nil if a limit cut the answer off
  /// before the decision was made.
  package var chosen: Int?
  /// The index of the token that made the decision; if the answer was cut off, the number of its
  /// tokens.
  package var step: Int
  /// The share of the masked or of the sampled mass that belongs to no option, whichever is larger.
  package var unresolved: Double
  /// The format pressure in nats, without the pressure from prefaces, or nil if it was not
  /// measured.
  ///
  /// It is the sum over several steps: from the first step at which the text is settled or a legal
  /// token can pass the decision, to the step that made the decision.
  package var formatPressure: Double?

  /// The option that was taken, or nil if the answer was cut off before.
  package var chosenOption: Option? { chosen.map { options[$0].option } }
}
