/// The description of a setting: one row of the table in ``GenerationSetting``.
public struct SettingRow: Sendable {
  /// The values that suite files can give a setting.
  public enum Kind: Sendable, Hashable {
    /// One of two words.
    case flag(off: String, on: String)
    /// A whole number in a range.
    case integer(ClosedRange<Int>)
    /// A number in a range.
    case number(ClosedRange<Double>)
    /// One of several words.
    case words([Word])

    /// A choice: its word in suite files, and its name in stored runs.
    public struct Word: Sendable, Hashable {
      /// The word in suite files.
      public var word: String
      /// The name in stored runs.
      public var stored: String
    }

    static func choice<Choice: CaseIterable & RawRepresentable<String>>(
      _: Choice.Type, word: (Choice) -> String = \.rawValue
    ) -> Kind {
      .words(Choice.allCases.map { Word(word: word($0), stored: $0.rawValue) })
    }
  }

  /// The values that a suite can give the setting.
  public var kind: Kind
  /// The default.
  public var usual: SettingValue
  /// The value with which the setting limits nothing, or `nil` if it never limits the candidates
  /// for the next token.
  public var neutral: SettingValue?
  /// The values with which the setting leaves one candidate, or `nil` if there are none.
  let certain: ClosedRange<Double>?
  /// The name in stored runs, or `nil` if they use the name in suite files.
  let storedName: String?
  /// The setting's name in reports, or `nil` if they use the name in suite files.
  public var words: String?
  /// The description in the reference of suite files.
  public var summary: String
  /// The names of the setting in requests, each with the interfaces that use it.
  package let servers: [String: [String]]

  init(
    _ kind: Kind, usual: SettingValue, neutral: SettingValue? = nil,
    certain: ClosedRange<Double>? = nil, storedAs storedName: String? = nil, words: String? = nil,
    _ summary: String, servers: [String: [String]] = [:]
  ) {
    self.kind = kind
    self.usual = usual
    self.neutral = neutral
    self.certain = certain
    self.storedName = storedName
    self.words = words
    self.summary = summary
    self.servers = servers
  }

  /// Returns the setting's name in the requests of a server interface, or `nil` if the interface
  /// lacks the setting.
  ///
  /// - Parameter interface: The interface's name in commands, for example `vllm`.
  public func name(for interface: String) -> String? {
    servers.first { $0.value.contains(interface) }?.key
  }

  /// Returns a value as suite files write it.
  public func word(for value: SettingValue) -> String {
    switch (kind, value) {
    case (.flag(let off, let on), .flag(let flag)): flag ? on : off
    case (.words(let words), .text(let text)): words.first { $0.stored == text }?.word ?? text
    default: value.digestText
    }
  }
}

/// A setting with the type of its values.
public struct SettingKey<Value: SettingConvertible>: Sendable {
  let setting: GenerationSetting

  init(_ setting: GenerationSetting) { self.setting = setting }
}

extension GenerationSetting: CodingKey {
  /// The name in stored runs.
  public var stringValue: String { row.storedName ?? rawValue }
  /// `nil`: stored runs name settings.
  public var intValue: Int? { nil }

  /// Creates a setting from its name in stored runs; `nil` if there is no such setting.
  public init?(stringValue: String) {
    guard let setting = Self.allCases.first(where: { $0.stringValue == stringValue }) else {
      return nil
    }
    self = setting
  }

  /// Returns `nil`: stored runs name settings.
  public init?(intValue: Int) { nil }

  /// Reads the setting's value from a stored record.
  func value(
    in container: KeyedDecodingContainer<GenerationSetting>
  ) throws -> SettingValue? {
    switch row.kind {
    case .flag: try container.decodeIfPresent(Bool.self, forKey: self).map { .flag($0) }
    case .integer: try container.decodeIfPresent(Int.self, forKey: self).map { .integer($0) }
    case .number: try container.decodeIfPresent(Double.self, forKey: self).map { .number($0) }
    case .words(let words):
      try container.decodeIfPresent(String.self, forKey: self).map { name in
        guard words.contains(where: { $0.stored == name }) else {
          throw DecodingError.dataCorruptedError(
            forKey: self, in: container, debugDescription: "\(rawValue) has no value \(name)")
        }
        return .text(name)
      }
    }
  }
}
