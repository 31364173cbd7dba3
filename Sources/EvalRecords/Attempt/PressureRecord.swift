/// Constraint pressure of an attempt by kind, in nats: Σ −ln Z over its steps, split by what the mask
/// removed probability for.
///
/// *Format* pressure only concerns how a value is written; *content* pressure is the schema's.
public struct PressureRecord: Sendable, Hashable, Codable {
  /// Other white space between the parts of the value; in the mode `any`, white space beyond its
  /// bound.
  public var whitespace: Double
  /// Other tokens of the same text.
  public var segmentation: Double
  /// A text before the value.
  public var preface: Double
  /// Keys, types, bounds and branches.
  public var content: Double
  /// The format pressure on the way to each decision, in the order of the attempt's decisions.
  public var decisions: [Double]

  /// White space, segmentation and preface together.
  public var format: Double { whitespace + segmentation + preface }

  /// The least format pressure on the way to a decision with which the format, rather than the
  /// model, may have decided: half of the probability was removed.
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
  /// The decisions that the format may have taken: ends of arrays and branches that this attempt chose
  /// where at least half of the probability on the way there was removed for the format's sake.
  public var decisionsUnderFormatPressure: [DecisionRecord] {
    guard let pressure = details.pressure else { return [] }
    return zip(decisions, pressure.decisions).compactMap { decision, format in
      let isEnd = decision.kind == .array && decision.chosen == "end"
      return format >= PressureRecord.decisive && (isEnd || decision.kind == .branch)
        ? decision : nil
    }
  }
}
