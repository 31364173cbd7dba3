/// A setting of a request.
///
/// ``row`` is the only description of a setting. Suite files, variants, stored runs, comparisons,
/// fingerprints, the reference and the requests to servers all read it, so a new setting needs a
/// case, a row, a key and a parameter in this file, and the code of the engine that applies it. Its
/// default must mean what Assay did before, because digests of runs leave defaults out.
///
/// The raw value is the name in suite files.
public enum GenerationSetting: String, Sendable, Hashable, Codable, CaseIterable {
  case sampling, temperature, topK, topP, minP, maximumTokens
  case whitespace, tokenization, outline, mask

  /// The description of the setting.
  public var row: SettingRow {
    switch self {
    case .sampling:
      SettingRow(
        .flag(off: "random", on: "greedy"), usual: .flag(false), certain: 1...1,
        storedAs: "isGreedy", words: "greedy sampling",
        "How the model chooses a token: `random` draws one, `greedy` takes the most likely one",
        servers: ["sampling": ["exec"]])
    case .temperature:
      SettingRow(
        .number(0...100), usual: .number(0.7), certain: -.infinity...0,
        "The divisor of the logits: the higher the temperature, the more the answers vary",
        servers: ["temperature": ["exec"]])
    case .topK:
      SettingRow(
        .integer(0...1 << 30), usual: .integer(0), neutral: .integer(0), certain: 1...1,
        words: "top-k",
        "The number of most likely tokens from which `random` draws; 0 means all",
        servers: [
          "top_k": ["llama-server", "vllm", "sglang", "lmstudio", "ollama"],
          "topK": ["google", "exec"],
        ])
    case .topP:
      SettingRow(
        // The most likely of n tokens has a probability of at least 1/n, and no vocabulary has a
        // million tokens.
        .number(0...1), usual: .number(1), neutral: .number(1), certain: -.infinity...1e-6,
        words: "top-p",
        "The total probability of the most likely tokens from which `random` draws; 1 means all",
        servers: [
          "top_p": [
            "openai-api", "llama-server", "vllm", "sglang", "lmstudio", "openai", "azure", "apple",
            "ollama",
          ],
          "topP": ["google", "exec"],
        ])
    case .minP:
      SettingRow(
        .number(0...1), usual: .number(0), neutral: .number(0), certain: 1 ... .infinity,
        words: "min-p",
        "The minimum probability of tokens that `random` may draw, as a share of the probability "
          + "of the most likely token; 0 allows all tokens",
        servers: ["min_p": ["llama-server", "vllm", "sglang", "ollama"], "minP": ["exec"]])
    case .maximumTokens:
      SettingRow(
        .integer(1...1 << 30), usual: .integer(512), words: "maximum tokens",
        "The maximum number of tokens in an answer", servers: ["maximumTokens": ["exec"]])
    case .whitespace:
      SettingRow(
        .choice(GenerationSettings.Whitespace.self), usual: .text("any"), words: "white space",
        "The white space in the answer. With `any`, the model chooses it, up to a limit. With "
          + "`compact`, there is none; with `singleSpace`, one space after each `:` and `,`; with "
          + "`pretty`, one member per line, indented")
    case .tokenization:
      SettingRow(
        .choice(GenerationSettings.Tokenization.self, word: \.suiteWord),
        usual: .text("canonical"),
        "The tokens that may spell the answer. With `canonical`, the text that the schema "
          + "prescribes, such as keys, must be split into tokens as the tokenizer splits it. With "
          + "`canonicalPairs`, every token must be one that the tokenizer could produce after the "
          + "previous token. With `allSegmentations`, any tokens may spell the answer")
    case .outline:
      SettingRow(
        .choice(GenerationSettings.Outline.self), usual: .text("typescript"),
        "How the prompt shows the schema: as TypeScript types (`typescript`), as JSON Schema "
          + "(`jsonSchema`), as an example (`example`), or not at all (`none`)",
        servers: ["outline": ["exec"]])
    case .mask:
      SettingRow(
        .choice(GenerationSettings.Mask.self), usual: .text("on"),
        "`off` lets the model answer freely; Assay then checks the answer against the schema")
    }
  }
}

/// The settings as properties, with the type of their values.
///
/// ``GenerationSettings`` and ``SettingsEdit`` have a property for each key.
public struct SettingKeys: Sendable {
  /// Whether the model always chooses the most likely token, so that temperature and truncation
  /// have no effect.
  public let isGreedy = SettingKey<Bool>(.sampling)
  /// The number by which the logits are divided; 1 keeps the model's distribution.
  public let temperature = SettingKey<Double>(.temperature)
  /// The number of most likely tokens to keep; 0 keeps all.
  public let topK = SettingKey<Int>(.topK)
  /// The total probability of the most likely tokens to keep; 1 keeps all.
  public let topP = SettingKey<Double>(.topP)
  /// The minimum probability of a token to keep, relative to the most likely token; 0 keeps all.
  public let minP = SettingKey<Double>(.minP)
  /// The maximum number of tokens in an answer.
  public let maximumTokens = SettingKey<Int>(.maximumTokens)
  /// The white space that the mask allows.
  public let whitespace = SettingKey<GenerationSettings.Whitespace>(.whitespace)
  /// The segmentations (ways to split the output into tokens) that the mask allows.
  public let tokenization = SettingKey<GenerationSettings.Tokenization>(.tokenization)
  /// The way in which the prompt shows the schema.
  public let outline = SettingKey<GenerationSettings.Outline>(.outline)
  /// Whether a mask enforces the schema.
  public let mask = SettingKey<GenerationSettings.Mask>(.mask)

  static let all = SettingKeys()
}

extension GenerationSettings {
  /// Creates settings.
  public init(
    isGreedy: Bool = false, temperature: Double = 0.7, topK: Int = 0, topP: Double = 1,
    minP: Double = 0, maximumTokens: Int = 512, whitespace: Whitespace = .any,
    tokenization: Tokenization = .canonical, outline: Outline = .typescript, mask: Mask = .on
  ) {
    self.init()
    self.isGreedy = isGreedy
    self.temperature = temperature
    self.topK = topK
    self.topP = topP
    self.minP = minP
    self.maximumTokens = maximumTokens
    self.whitespace = whitespace
    self.tokenization = tokenization
    self.outline = outline
    self.mask = mask
  }
}
