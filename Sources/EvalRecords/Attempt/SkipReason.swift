/// The reason why a planned attempt was not made.
public enum SkipReason: Sendable, Hashable {
  /// The gate was already settled.
  case settled(EarlyStopRecord)
  /// An imported log has no answer to the test case.
  case noAnswer
  /// A description of the reason, for example that a budget was used up.
  ///
  /// Older versions recorded every reason as a description.
  case text(String)
}

extension SkipReason: Codable {
  /// The stored form of `noAnswer`, which Assay 0.1 stored as a description.
  private static let noAnswerText = "no transcript has the prompt of the test case"

  /// Creates a reason from an object for an early stop, or from a string for any other reason.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      self = text == Self.noAnswerText ? .noAnswer : .text(text)
    } else {
      self = .settled(try container.decode(EarlyStopRecord.self))
    }
  }

  /// Writes an early stop as an object, and any other reason as a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .settled(let stop): try container.encode(stop)
    case .noAnswer: try container.encode(Self.noAnswerText)
    case .text(let text): try container.encode(text)
    }
  }
}
