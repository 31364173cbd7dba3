/// Settings that replace those of a suite, as a variant has them; nil where the suite's stay.
public struct SettingsEdit: Sendable, Hashable, Codable {
  /// Whether the likeliest token is always taken.
  public var isGreedy: Bool?
  /// The temperature.
  public var temperature: Double?
  /// The number of likeliest tokens that are kept.
  public var topK: Int?
  /// The mass of likeliest tokens that is kept.
  public var topP: Double?
  /// The least share of the likeliest token's probability that is kept.
  public var minP: Double?
  /// The most tokens of an answer.
  public var maximumTokens: Int?
  /// The white space that the mask allows.
  public var whitespace: GenerationSettings.Whitespace?
  /// The segmentations that are allowed.
  public var tokenization: GenerationSettings.Tokenization?
  /// How the prompt shows the schema.
  public var outline: GenerationSettings.Outline?
  /// Whether a mask holds the answer to its schema.
  public var mask: GenerationSettings.Mask?

  /// Makes an edit that changes nothing.
  public init() {}

  /// Whether nothing is changed.
  public var isEmpty: Bool { self == SettingsEdit() }

  /// Settings with the edit made.
  public func applied(to settings: GenerationSettings) -> GenerationSettings {
    GenerationSettings(
      isGreedy: isGreedy ?? settings.isGreedy, temperature: temperature ?? settings.temperature,
      topK: topK ?? settings.topK, topP: topP ?? settings.topP, minP: minP ?? settings.minP,
      maximumTokens: maximumTokens ?? settings.maximumTokens,
      whitespace: whitespace ?? settings.whitespace,
      tokenization: tokenization ?? settings.tokenization, outline: outline ?? settings.outline,
      mask: mask ?? settings.mask)
  }

  /// The edit in words as suites write them, one for each setting: `outline: jsonSchema`.
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
  /// The settings that can be edited, by the names that suites use.
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
