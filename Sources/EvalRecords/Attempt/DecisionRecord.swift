import StructuredText

/// The probabilities that the model gave to the options at one decision.
///
/// The probabilities are conditional on the text that this attempt had sampled before the decision.
/// The mass of an option is the total probability of all tokens that take the option: after
/// `{"cards":`, the tokens `[]` and `[]}` decide "end", `[{` decides "element", and a bare `[`
/// leaves the decision open until the next step.
public struct DecisionRecord: Sendable, Hashable, Codable {
  /// The kind of a decision.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// The choice between another element and the end of the array; the options are `element` and
    /// `end`.
    case array
    /// The choice of a branch of a union or payload enum; the options are the branches' names.
    case branch
    /// The choice of a string in a string enum; the options are the strings.
    case choice
    /// The choice of whether to write an optional property; the options are `present` and `absent`.
    case optional
  }

  /// The kind of the decision.
  public var kind: Kind
  /// The path in the value: the array's path for `array`, otherwise the value's path.
  public var path: String
  /// The number of elements so far if the decision is about an array; otherwise 0.
  public var index: Int
  /// The options with their probabilities, in schema order.
  public var options: [OptionProbability]
  /// The option that this attempt chose, or `nil` if the decision is *censored*: a limit cut the
  /// answer off before the decision was made.
  ///
  /// The probabilities of a censored decision are as valid as others. Without them, the decisions
  /// would be a biased sample, because an option that takes fewer tokens is chosen more often
  /// before the limit.
  public var chosen: DecisionOption?
  /// The step (the answer's token number, from zero) at which the decision was made.
  public var step: Int
  /// The share of the probability that Assay couldn't assign to any option, after the mask or as
  /// sampled, whichever is larger.
  ///
  /// For example, this probability may belong to tokens that left the decision open and that this
  /// attempt didn't sample.
  ///
  /// The true probabilities after the mask and as sampled differ from the recorded ones by at most
  /// this value.
  public var unresolved: Double

  /// The maximum unresolved mass at which Assay still averages, compares or judges a decision's
  /// probabilities.
  public static let mostUnresolved = 0.05

  /// Whether the recorded probabilities are close enough to the true probabilities to be used.
  public var isResolved: Bool { unresolved <= Self.mostUnresolved }

  /// Creates a decision.
  ///
  /// The path may have any spelling, because version 0.1 spelled some paths of decisions in another
  /// way than suites do.
  public init(
    kind: Kind, path: String, index: Int, options: [OptionProbability],
    chosen: DecisionOption?, step: Int, unresolved: Double
  ) {
    self.kind = kind
    self.path = JSONPlace.canonical(path)
    self.index = index
    self.options = options
    self.chosen = chosen
    self.step = step
    self.unresolved = unresolved
  }

  /// The pattern of the path, which is the same for the elements of an array.
  package var pattern: String { JSONPlace.pattern(path) }

  /// Returns the probability with which an option was sampled, or `nil` if there is no such option.
  public func sampledProbability(of option: DecisionOption) -> Double? {
    options.first { $0.option == option }?.sampled
  }
}

extension DecisionRecord {
  private enum CodingKeys: CodingKey {
    case kind, path, index, options, chosen, step, unresolved
  }

  /// An option as it is stored: by name, because the decision's kind says what the name means.
  private struct StoredOption: Codable {
    var name: String
    var raw: Double
    var masked: Double
    var sampled: Double
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let kind = try values.decode(Kind.self, forKey: .kind)
    func option(_ name: String) -> DecisionOption { DecisionOption(name: name, in: kind) }
    self.init(
      kind: kind, path: try values.decode(String.self, forKey: .path),
      index: try values.decode(Int.self, forKey: .index),
      options: try values.decode([StoredOption].self, forKey: .options).map {
        OptionProbability(option($0.name), raw: $0.raw, masked: $0.masked, sampled: $0.sampled)
      },
      chosen: try values.decodeIfPresent(String.self, forKey: .chosen).map(option),
      step: try values.decode(Int.self, forKey: .step),
      unresolved: try values.decode(Double.self, forKey: .unresolved))
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(kind, forKey: .kind)
    try values.encode(path, forKey: .path)
    try values.encode(index, forKey: .index)
    let stored = options.map {
      StoredOption(name: $0.option.name, raw: $0.raw, masked: $0.masked, sampled: $0.sampled)
    }
    try values.encode(stored, forKey: .options)
    try values.encodeIfPresent(chosen?.name, forKey: .chosen)
    try values.encode(step, forKey: .step)
    try values.encode(unresolved, forKey: .unresolved)
  }
}

/// An option's probability before the mask, after the mask, and during sampling.
public struct OptionProbability: Sendable, Hashable {
  /// The option.
  public var option: DecisionOption
  /// The mass of the option's tokens under the model's own distribution.
  public var raw: Double
  /// The mass after the mask, renormalized over the allowed tokens.
  public var masked: Double
  /// The probability with which the option was sampled, after temperature and truncation.
  public var sampled: Double

  /// Creates an option's probabilities.
  public init(_ option: DecisionOption, raw: Double, masked: Double, sampled: Double) {
    self.option = option
    self.raw = raw
    self.masked = masked
    self.sampled = sampled
  }
}
