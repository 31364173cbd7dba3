/// A variant's changes to its suite's settings, with a property for each key of ``SettingKeys``; a
/// property that is `nil` keeps the suite's setting.
@dynamicMemberLookup
public struct SettingsEdit: Sendable, Hashable {
  private var values: [GenerationSetting: SettingValue] = [:]

  /// Creates an edit that changes nothing.
  public init() {}

  /// Whether the edit changes nothing.
  public var isEmpty: Bool { values.isEmpty }

  /// The new value of a setting, or `nil` if the edit keeps it.
  public subscript(setting: GenerationSetting) -> SettingValue? {
    get { values[setting] }
    set { values[setting] = newValue }
  }

  /// The new value of a setting as a Swift value, or `nil` if the edit keeps it.
  public subscript<Value: SettingConvertible>(
    dynamicMember path: KeyPath<SettingKeys, SettingKey<Value>>
  ) -> Value? {
    get { values[SettingKeys.all[keyPath: path].setting].flatMap { Value($0) } }
    set { values[SettingKeys.all[keyPath: path].setting] = newValue?.settingValue }
  }

  /// Returns settings with the edit applied.
  public func applied(to settings: GenerationSettings) -> GenerationSettings {
    var edited = settings
    for (setting, value) in values { edited[setting] = value }
    return edited
  }

  /// The changed settings as suites write them, for example `outline: jsonSchema`.
  public var words: [String] { GenerationSetting.allCases.compactMap(words(of:)) }

  /// Returns a changed setting as suites write it, or `nil` if the edit keeps it.
  public func words(of setting: GenerationSetting) -> String? {
    values[setting].map { "\(setting.rawValue): \(setting.row.word(for: $0))" }
  }
}

extension SettingsEdit: Codable {
  /// Creates an edit from a decoder; a missing key keeps the setting.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: GenerationSetting.self)
    for setting in GenerationSetting.allCases {
      values[setting] = try setting.value(in: container)
    }
  }

  /// Writes the changed settings.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: GenerationSetting.self)
    for setting in GenerationSetting.allCases {
      try container.encodeIfPresent(values[setting], forKey: setting)
    }
  }
}
