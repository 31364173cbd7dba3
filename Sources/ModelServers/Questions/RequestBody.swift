import EvalRecords
import StructuredText

/// Puts a request's body together, and keeps book of what an interface does not take.
struct RequestBody {
  private(set) var members: JSONObject = [:]
  private(set) var unapplied: [String] = []
  private let leftOut: Set<String>

  init(leavingOut leftOut: Set<String>) { self.leftOut = leftOut }

  /// Sets a member that every request has.
  mutating func set(_ name: String, _ value: JSONValue) { members[name] = value }

  /// Sets a member that carries an option of the suite, unless the server refused it before.
  mutating func set(_ name: String, _ value: JSONValue, option: String) {
    if leftOut.contains(name) {
      unapplied.append(option)
    } else {
      members[name] = value
    }
  }

  /// Notes an option that the interface does not take.
  mutating func leaveOut(_ option: String) { unapplied.append(option) }

  /// Adds the user's own members, which win.
  mutating func add(_ extra: JSONObject) {
    for member in extra { members[member.key] = member.value }
  }
}

extension GenerationSettings {
  /// The temperature to ask for: a greedy answer is one of temperature zero.
  var askedTemperature: JSONValue { .number(JSONNumber(isGreedy ? 0 : temperature)) }

  /// Whether the number of candidates is limited.
  var limitsTopK: Bool { topK > 0 && !isGreedy }
  /// Whether the candidates' common mass is limited.
  var limitsTopP: Bool { topP < 1 && !isGreedy }
  /// Whether the candidates' least share is limited.
  var limitsMinP: Bool { minP > 0 && !isGreedy }
}
