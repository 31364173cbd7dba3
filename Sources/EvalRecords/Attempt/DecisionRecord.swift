/// The probabilities that the model gave to the options at one point where the schema leaves a
/// choice.
///
/// A decision is reached along the text that this attempt sampled, so its numbers are conditional
/// on that prefix. Mass is summed over all tokens whose bytes enter an option: after `{"cards":`
/// the tokens `[]` and `[]}` decide "end", `[{` decides "element", and a bare `[` leaves it open
/// until the next step.
public struct DecisionRecord: Sendable, Hashable, Codable {
  /// What is decided.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// Another element, or the end of the array; the options are `element` and `end`.
    case array
    /// Which choice of a union or payload enum; the options are the case names.
    case branch
    /// Which string of a string enum.
    case choice
    /// An optional property; the options are `present` and `absent`.
    case optional
  }

  /// What is decided.
  public var kind: Kind
  /// The place in the value: the array's path for `array`, the value's path otherwise.
  public var path: String
  /// For arrays the number of elements already there; 0 otherwise.
  public var index: Int
  /// The options with their probabilities, in the schema's order.
  public var options: [OptionProbability]
  /// The name of the option that this attempt took.
  public var chosen: String
  /// The step (token number of the answer, from zero) at which the decision fell.
  public var step: Int
  /// The sampled mass that stayed undecided on token paths that this attempt did not follow: the
  /// true probabilities differ from the stated ones by at most this much.
  public var unresolved: Double

  /// The most mass that may be unresolved where probabilities are averaged, compared or judged.
  public static let mostUnresolved = 0.05

  /// Whether the stated probabilities lie close enough to the true ones to be used.
  public var isResolved: Bool { unresolved <= Self.mostUnresolved }

  /// Creates a decision.
  public init(
    kind: Kind, path: String, index: Int, options: [OptionProbability], chosen: String,
    step: Int, unresolved: Double
  ) {
    self.kind = kind
    self.path = path
    self.index = index
    self.options = options
    self.chosen = chosen
    self.step = step
    self.unresolved = unresolved
  }

  /// The probability with which an option was sampled, or nil if there is no such option.
  public func sampledProbability(of option: String) -> Double? {
    options.first { $0.name == option }?.sampled
  }
}

/// One option's probability before the mask, after it, and as it was sampled.
public struct OptionProbability: Sendable, Hashable, Codable {
  /// The option: `element`, `end`, `present`, `absent`, a case name or a string.
  public var name: String
  /// The mass of the option's tokens under the model's own distribution.
  public var raw: Double
  /// The same after the mask (renormalised over allowed tokens).
  public var masked: Double
  /// The probability actually sampled from (after temperature and truncation).
  public var sampled: Double

  /// Creates an option's probabilities.
  public init(name: String, raw: Double, masked: Double, sampled: Double) {
    self.name = name
    self.raw = raw
    self.masked = masked
    self.sampled = sampled
  }
}
