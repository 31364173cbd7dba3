/// The reason why a planned attempt was not made.
public enum SkipReason: Sendable, Hashable {
  /// The gate was already settled.
  case settled(EarlyStopRecord)
  /// An imported log has no answer to the test case, which the import may permit.
  case noAnswer(isPermitted: Bool)
  /// A description of the reason, for example that a budget was used up.
  ///
  /// Older versions recorded every reason as a description.
  case text(String)
}

extension SkipReason: Codable {
  /// The stored forms of `noAnswer`, without and with a permission.
  ///
  /// Assay 0.1 stored the first one as a description.
  private static let noAnswerTexts = [
    "no transcript has the prompt of the test case",
    "no transcript has the prompt of the test case, which is permitted",
  ]

  /// Creates a reason from an object for an early stop, or from a string for any other reason.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      let known = Self.noAnswerTexts.firstIndex(of: text)
      self = known.map { .noAnswer(isPermitted: $0 == 1) } ?? .text(text)
    } else {
      self = .settled(try container.decode(EarlyStopRecord.self))
    }
  }

  /// Writes an early stop as an object, and any other reason as a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .settled(let stop): try container.encode(stop)
    case .noAnswer(let isPermitted):
      try container.encode(Self.noAnswerTexts[isPermitted ? 1 : 0])
    case .text(let text): try container.encode(text)
    }
  }
}
