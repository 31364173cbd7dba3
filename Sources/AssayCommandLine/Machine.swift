import EvalRecords
import SystemBasics

/// The machine on which the program runs.
enum Machine {
  /// The name of the processor and the number of cores, for example `AMD EPYC 9R14, 2 cores`.
  ///
  /// Durations are comparable on machines with the same name.
  static let name: String = {
    let cores = ProcessInfo.processInfo.activeProcessorCount
    return "\(processor ?? "unknown processor"), \(cores.counted("core"))"
  }()

  private static var processor: String? {
    #if canImport(Darwin)
      var size = 0
      guard sysctlbyname("machdep.cpu.brand_string", nil, &size, nil, 0) == 0, size > 1 else {
        return nil
      }
      var name = [CChar](repeating: 0, count: size)
      guard sysctlbyname("machdep.cpu.brand_string", &name, &size, nil, 0) == 0 else { return nil }
      return String(cString: name)
    #else
      guard let bytes = OpenFile(reading: "/proc/cpuinfo")?.readToEnd() else { return nil }
      return processor(inCPUInfo: String(decoding: bytes, as: UTF8.self))
    #endif
  }

  /// Returns the processor's name in the text of `/proc/cpuinfo`, or `nil` if there is none.
  ///
  /// On Arm, the file has numbers instead of names.
  static func processor(inCPUInfo text: String) -> String? {
    var values: [String: String] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let key = parts[0].trimmed
      let value = parts[1].trimmed
      if values[key] == nil, !value.isEmpty { values[key] = value }
    }
    if let name = values["model name"] { return name }
    let parts = ["CPU implementer", "CPU part", "CPU variant"].compactMap { values[$0] }
    return parts.isEmpty ? nil : "Arm " + parts.joined(separator: " ")
  }
}
