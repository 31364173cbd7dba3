/// The reason why a planned attempt was not made.
public enum SkipReason: Sendable, Hashable {
  /// The gate was already settled.
  case settled(EarlyStopRecord)
  /// The reason as a text, from whatever ended the run: a budget, a server, or an older version.
  case text(String)
}

extension SkipReason: Codable {
  /// Creates a reason from an early stop or a text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      self = .text(text)
    } else {
      self = .settled(try container.decode(EarlyStopRecord.self))
    }
  }

  /// Writes an early stop as an object and any other reason as a text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .settled(let stop): try container.encode(stop)
    case .text(let text): try container.encode(text)
    }
  }
}
