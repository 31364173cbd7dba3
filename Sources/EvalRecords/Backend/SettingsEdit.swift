/// A variant's changes to its suite's settings; a property that is `nil` keeps the suite's setting.
public struct SettingsEdit: Sendable, Hashable, Codable {
  /// Whether the model always chooses the most likely token.
  public var isGreedy: Bool?
  /// The temperature.
  public var temperature: Double?
  /// The number of most likely tokens to keep.
  public var topK: Int?
  /// The total probability of the most likely tokens to keep.
  public var topP: Double?
  /// The minimum probability of a token to keep, relative to the most likely token.
  public var minP: Double?
  /// The maximum number of tokens in an answer.
  public var maximumTokens: Int?
  /// The white space that the mask allows.
  public var whitespace: GenerationSettings.Whitespace?
  /// The segmentations (ways to split the output into tokens) that the mask allows.
  public var tokenization: GenerationSettings.Tokenization?
  /// The way in which the prompt shows the schema.
  public var outline: GenerationSettings.Outline?
  /// Whether a mask enforces the schema.
  public var mask: GenerationSettings.Mask?

  /// Creates an edit that changes nothing.
  public init() {}

  /// Whether the edit changes nothing.
  public var isEmpty: Bool { self == SettingsEdit() }

  /// Returns settings with the edit applied.
  public func applied(to settings: GenerationSettings) -> GenerationSettings {
    GenerationSettings(
      isGreedy: isGreedy ?? settings.isGreedy, temperature: temperature ?? settings.temperature,
      topK: topK ?? settings.topK, topP: topP ?? settings.topP, minP: minP ?? settings.minP,
      maximumTokens: maximumTokens ?? settings.maximumTokens,
      whitespace: whitespace ?? settings.whitespace,
      tokenization: tokenization ?? settings.tokenization, outline: outline ?? settings.outline,
      mask: mask ?? settings.mask)
  }

  /// The changed settings as suites write them, for example `outline: jsonSchema`.
  public var words: [String] {
    [
      isGreedy.map { "sampling: \($0 ? "greedy" : "random")" },
      temperature.map { "temperature: \($0)" }, topK.map { "topK: \($0)" },
      topP.map { "topP: \($0)" }, minP.map { "minP: \($0)" },
      maximumTokens.map { "maximumTokens: \($0)" },
      whitespace.map { "whitespace: \($0.rawValue)" },
      tokenization.map { "tokenization: \($0.suiteWord)" },
      outline.map { "outline: \($0.rawValue)" }, mask.map { "mask: \($0.rawValue)" },
    ].compactMap(\.self)
  }
}

extension SettingsEdit {
  /// The settings that an edit can change, with their names in suites.
  public enum Key: String, Sendable, Hashable, CaseIterable {
    case sampling, temperature, topK, topP, minP, maximumTokens
    case whitespace, tokenization, outline, mask
  }

  /// The part of the edit that concerns one setting.
  public subscript(key: Key) -> SettingsEdit {
    get {
      var part = SettingsEdit()
      part.copy(key, from: self)
      return part
    }
    set { copy(key, from: newValue) }
  }

  private mutating func copy(_ key: Key, from other: SettingsEdit) {
    switch key {
    case .sampling: isGreedy = other.isGreedy
    case .temperature: temperature = other.temperature
    case .topK: topK = other.topK
    case .topP: topP = other.topP
    case .minP: minP = other.minP
    case .maximumTokens: maximumTokens = other.maximumTokens
    case .whitespace: whitespace = other.whitespace
    case .tokenization: tokenization = other.tokenization
    case .outline: outline = other.outline
    case .mask: mask = other.mask
    }
  }
}
