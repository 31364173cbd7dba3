import EvalRecords
internal import ModelServers
import StructuredText

/// What is missing before Apple's model can be evaluated with `fm serve`.
enum AppleCheckup {
  /// Returns the rows that say what is missing, or that nothing is.
  ///
  /// - Parameters:
  ///   - name: The server.
  ///   - use: The use of the server during its test.
  ///   - health: The server's report on its models, or `nil` if there was none.
  static func rows(
    _ name: ServedModelName, _ use: ServedUse, health: JSONValue?
  ) -> [(name: String, value: String)] {
    var missing: [String] = []
    if health == nil {
      missing.append(
        "no server of Apple's model answers at \(name.address): on a Mac with macOS 27, accept its licence "
          + "(`sudo fm license`) and start it (`fm serve`); to reach it from another machine, "
          + "forward its port (`ssh -L 1976:127.0.0.1:1976 MAC`)")
    }
    for model in health?["models"]?.array ?? [] where model["available"] == false {
      missing.append(
        "the model `\(model["name"]?.string ?? "?")` isn't available: turn on Apple Intelligence, "
          + "and wait until the model is downloaded (`fm available`)")
    }
    if use.fingerprints.isEmpty || use.fingerprints[AppleSystem.unknown] != nil {
      missing.append(
        "the version of the system, without which an update goes unnoticed: set "
          + "\(AppleSystem.variable), for example to `Version 27.0.1 (Build 26A434)`, with the "
          + "numbers that `sw_vers` prints on the Mac")
    }
    if missing.isEmpty { return [("missing", "nothing")] }
    return missing.map { ("missing", $0) }
  }
}
