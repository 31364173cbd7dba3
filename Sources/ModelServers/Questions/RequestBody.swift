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

  /// Records an option that the interface doesn't support.
  mutating func leaveOut(_ option: String) { unapplied.append(option) }

  /// Adds the user's members, which override existing members with the same names.
  mutating func add(_ extra: JSONObject) {
    for member in extra { members[member.key] = member.value }
  }
}

extension GenerationSettings {
  /// The temperature to send, which is 0 for greedy sampling.
  var askedTemperature: JSONValue { .number(JSONNumber(isGreedy ? 0 : temperature)) }

  /// Whether top-k limits the candidates.
  var limitsTopK: Bool { topK > 0 && !isGreedy }
  /// Whether top-p limits the candidates.
  var limitsTopP: Bool { topP < 1 && !isGreedy }
  /// Whether min-p limits the candidates.
  var limitsMinP: Bool { minP > 0 && !isGreedy }
}
