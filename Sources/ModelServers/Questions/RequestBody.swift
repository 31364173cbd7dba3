import EvalRecords
import StructuredText

/// Builds a request's body, and records the options that it leaves out.
struct RequestBody {
  private(set) var members: JSONObject = [:]
  private(set) var unapplied: [String] = []
  private let leftOut: Set<String>

  init(leavingOut leftOut: Set<String>) { self.leftOut = leftOut }

  /// Sets a member, even if the server has rejected it before.
  mutating func set(_ name: String, _ value: JSONValue) { members[name] = value }

  /// Sets a member for one of the suite's options; if the server has rejected the member before,
  /// records the option as left out instead.
  mutating func set(_ name: String, _ value: JSONValue, option: String) {
    if leftOut.contains(name) {
      unapplied.append(option)
    } else {
      members[name] = value
    }
  }

  /// Records an option that the interface doesn't support.
  mutating func leaveOut(_ option: String) { unapplied.append(option) }

  /// Adds the user's members, which override others with the same names.
  mutating func add(_ extra: JSONObject) {
    for member in extra { members[member.key] = member.value }
  }
}

extension GenerationSettings {
  /// The temperature to send; 0 for greedy sampling.
  var askedTemperature: JSONValue { .number(JSONNumber(isGreedy ? 0 : temperature)) }

  /// True if top-k limits the candidates.
  var limitsTopK: Bool { topK > 0 && !isGreedy }
  /// True if top-p limits the candidates.
  var limitsTopP: Bool { topP < 1 && !isGreedy }
  /// True if min-p limits the candidates.
  var limitsMinP: Bool { minP > 0 && !isGreedy }
}
