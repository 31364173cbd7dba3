import EvalRecords
import StructuredText

/// Builds the body of a request, and records the options that it leaves out.
struct RequestBody {
  private(set) var members: JSONObject = [:]
  private(set) var unapplied: [String] = []
  private let leftOut: Set<String>

  init(leavingOut leftOut: Set<String>) { self.leftOut = leftOut }

  /// Sets a member, even if the server has already rejected it.
  mutating func set(_ name: String, _ value: JSONValue) { members[name] = value }

  /// Sets a member for one of the suite's options.
  ///
  /// If the server has already rejected the member, the method records the option as left out
  /// instead.
  mutating func set(_ name: String, _ value: JSONValue, option: String) {
    if leftOut.contains(name) {
      unapplied.append(option)
    } else {
      members[name] = value
    }
  }

  /// Sets the settings that limit the candidates for the next token, and records those that the
  /// interface lacks.
  ///
  /// - Parameters:
  ///   - settings: The settings.
  ///   - interface: The interface.
  ///   - isComplete: Whether to send a setting's neutral value if it limits nothing, to override
  ///     the server's default.
  mutating func setLimits(
    _ settings: GenerationSettings, for interface: ServerInterface, isComplete: Bool = false
  ) {
    for setting in GenerationSetting.allCases {
      guard let neutral = setting.row.neutral else { continue }
      let limits = settings.limits(setting)
      if let name = setting.row.name(for: interface.rawValue) {
        if limits || isComplete {
          set(name, (limits ? settings[setting] : neutral).json, option: setting.rawValue)
        }
      } else if limits {
        leaveOut(setting.rawValue)
      }
    }
  }

  /// Records an option that the interface doesn't support.
  mutating func leaveOut(_ option: String) { unapplied.append(option) }

  /// Adds the user's members, which override existing members with the same names.
  mutating func add(_ extra: JSONObject) {
    for member in extra { members[member.key] = member.value }
  }
}

extension GenerationSettings {
  /// The temperature to send, which is 0 for greedy sampling.
  var askedTemperature: JSONValue { .number(JSONNumber(self.isGreedy ? 0 : self.temperature)) }
}

extension SettingValue {
  /// The value as JSON.
  var json: JSONValue {
    switch self {
    case .none: .null
    case .flag(let flag): .bool(flag)
    case .integer(let integer): .number(JSONNumber(integer))
    case .number(let number): .number(JSONNumber(number))
    case .text(let text): .string(text)
    }
  }
}
