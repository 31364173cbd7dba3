/// The value of a setting.
public enum SettingValue: Sendable, Hashable {
  case none
  case flag(Bool)
  case integer(Int)
  case number(Double)
  case text(String)

  /// The value as a number, 1 and 0 for a Boolean; `nil` for text.
  var magnitude: Double? {
    switch self {
    case .none, .text: nil
    case .flag(let flag): flag ? 1 : 0
    case .integer(let integer): Double(integer)
    case .number(let number): number
    }
  }

  /// The value as text for digests: `true`, `40`, `0.7` or `compact`.
  public var digestText: String {
    switch self {
    case .none: "none"
    case .flag(let flag): "\(flag)"
    case .integer(let integer): "\(integer)"
    case .number(let number): "\(number)"
    case .text(let text): text
    }
  }
}

extension SettingValue: Codable {
  /// Creates a value from a JSON null, Boolean, number or string.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .none
    } else if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let integer = try? container.decode(Int.self) {
      self = .integer(integer)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else {
      self = .text(try container.decode(String.self))
    }
  }

  /// Writes the value as a JSON null, Boolean, number or string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .none: try container.encodeNil()
    case .flag(let flag): try container.encode(flag)
    case .integer(let integer): try container.encode(integer)
    case .number(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    }
  }
}

/// A type of Swift values that settings have.
public protocol SettingConvertible {
  /// Creates a Swift value from a setting's value; `nil` if it has another type.
  init?(_ value: SettingValue)
  /// The setting's value.
  var settingValue: SettingValue { get }
}

extension Bool: SettingConvertible {
  /// Creates a Boolean; `nil` if the value isn't one.
  public init?(_ value: SettingValue) {
    guard case .flag(let flag) = value else { return nil }
    self = flag
  }

  /// The setting's value.
  public var settingValue: SettingValue { .flag(self) }
}

extension Int: SettingConvertible {
  /// Creates an integer; `nil` if the value isn't one.
  public init?(_ value: SettingValue) {
    guard case .integer(let integer) = value else { return nil }
    self = integer
  }

  /// The setting's value.
  public var settingValue: SettingValue { .integer(self) }
}

extension Double: SettingConvertible {
  /// Creates a number; `nil` if the value isn't one.
  public init?(_ value: SettingValue) {
    guard case .number(let number) = value else { return nil }
    self = number
  }

  /// The setting's value.
  public var settingValue: SettingValue { .number(self) }
}

extension SettingConvertible where Self: RawRepresentable, RawValue == String {
  /// Creates a choice by its stored name; `nil` if there is no such choice.
  public init?(_ value: SettingValue) {
    guard case .text(let name) = value else { return nil }
    self.init(rawValue: name)
  }

  /// The setting's value.
  public var settingValue: SettingValue { .text(rawValue) }
}
