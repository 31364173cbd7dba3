/// The settings for prompting, formatting and sampling an answer, with a property for each key of
/// ``SettingKeys``.
///
/// The settings are part of a run's identity.
@dynamicMemberLookup
public struct GenerationSettings: Sendable, Hashable {
  /// The values, in the order of the settings.
  private var values: [SettingValue]

  /// Creates the default settings.
  init() { values = GenerationSetting.allCases.map(\.row.usual) }

  /// The value of a setting.
  public subscript(setting: GenerationSetting) -> SettingValue {
    get { values[setting.index] }
    set { values[setting.index] = newValue }
  }

  /// The value of a setting as a Swift value.
  public subscript<Value: SettingConvertible>(
    dynamicMember path: KeyPath<SettingKeys, SettingKey<Value>>
  ) -> Value {
    get {
      let setting = SettingKeys.all[keyPath: path].setting
      guard let value = Value(self[setting]) else {
        preconditionFailure("\(setting) has a value of another type")
      }
      return value
    }
    set { self[SettingKeys.all[keyPath: path].setting] = newValue.settingValue }
  }

  /// Returns the settings that don't have their default, as lines for digests.
  ///
  /// Digests leave defaults out, so that a new setting changes no digest of a run that doesn't use
  /// it. A change of a default, a name or a value needs a new version of `MeasurementProtocol`,
  /// which is part of every digest.
  ///
  /// - Parameter ignored: Settings that have no effect on what is compared.
  /// - Returns: The name in stored runs and the value of each, for example `topK 40`, sorted.
  public func digestLines(without ignored: Set<GenerationSetting> = []) -> [String] {
    GenerationSetting.allCases
      .filter { self[$0] != $0.row.usual && !ignored.contains($0) }
      .map { "\($0.stringValue) \(self[$0].digestText)" }.sorted()
  }

  /// Returns whether a setting keeps candidates for the next token from being drawn.
  public func limits(_ setting: GenerationSetting) -> Bool {
    setting.row.neutral.map { $0 != self[setting] && !self.isGreedy } ?? false
  }

  /// Whether the settings leave one token at each step, so that the answer doesn't depend on the
  /// seed.
  ///
  /// `SamplingSettings.picksLikeliest`, which the engine uses, covers only the settings for which
  /// the engine computes no distribution.
  public var samplesNothing: Bool {
    GenerationSetting.allCases.contains { setting in
      guard let certain = setting.row.certain, let value = self[setting].magnitude else {
        return false
      }
      return certain.contains(value)
    }
  }
}

extension GenerationSetting {
  /// The position among all settings.
  fileprivate var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension GenerationSettings: Codable {
  /// The settings that all records have.
  private static let required: Set<GenerationSetting> = [
    .sampling, .temperature, .topK, .topP, .minP, .maximumTokens, .whitespace, .tokenization,
  ]

  /// Creates settings from a decoder.
  ///
  /// A setting that is newer than the record has its default.
  public init(from decoder: any Decoder) throws {
    self.init()
    let container = try decoder.container(keyedBy: GenerationSetting.self)
    for setting in GenerationSetting.allCases {
      if let value = try setting.value(in: container) {
        self[setting] = value
      } else if Self.required.contains(setting) {
        throw DecodingError.keyNotFound(
          setting,
          .init(codingPath: container.codingPath, debugDescription: "\(setting) is missing"))
      }
    }
  }

  /// Writes the settings.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: GenerationSetting.self)
    for setting in GenerationSetting.allCases {
      try container.encode(self[setting], forKey: setting)
    }
  }
}
