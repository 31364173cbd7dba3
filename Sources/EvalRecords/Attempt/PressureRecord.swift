/// The constraint pressure of an attempt in nats (Σ −ln Z over its steps), split by the reason why
/// the mask removed probability.
///
/// *Format* pressure comes from the way in which a value is written; *content* pressure comes from
/// the schema.
public struct PressureRecord: Sendable, Hashable, Codable {
  /// Pressure against white space between the parts of the value.
  ///
  /// If the setting `whitespace` is `any`, only white space beyond the limit counts.
  public var whitespace: Double
  /// Pressure against other ways to split the same text into tokens.
  public var segmentation: Double
  /// Pressure against text before the value.
  public var preface: Double
  /// Pressure from keys, types, bounds and enum cases.
  public var content: Double
  /// The format pressure on the way to each decision, in the order of the attempt's decisions.
  public var decisions: [Double]

  /// The pressure from white space, segmentation and preface together.
  public var format: Double { whitespace + segmentation + preface }

  /// The format pressure at which the mask has removed half of the probability, so that the format,
  /// and not the model, may have made a decision.
  public static let decisive = 0.693

  /// Creates a record.
  public init(
    whitespace: Double, segmentation: Double, preface: Double, content: Double,
    decisions: [Double] = []
  ) {
    self.whitespace = whitespace
    self.segmentation = segmentation
    self.preface = preface
    self.content = content
    self.decisions = decisions
  }
}

extension AttemptRecord {
  /// The decisions that the format may have made: array ends and branches that this attempt chose
  /// after the format had removed at least half of the probability on the way there.
  public var decisionsUnderFormatPressure: [DecisionRecord] {
    guard let pressure = details.pressure else { return [] }
    return zip(decisions, pressure.decisions).compactMap { decision, format in
      let isEnd = decision.chosen == .end
      return format >= PressureRecord.decisive && (isEnd || decision.kind == .branch)
        ? decision : nil
    }
  }
}
