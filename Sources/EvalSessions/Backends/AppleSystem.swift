import EvalRecords
import HTTPTransport
internal import ModelServers
import SystemBasics

/// The version of the system that Apple's model belongs to.
///
/// Apple changes the model with the system, and its server doesn't say which system it runs on.
enum AppleSystem {
  /// The environment variable that names the system of a server on another machine.
  static let variable = "ASSAY_APPLE_SYSTEM"

  /// The words for a system that is unknown, in runs and comparisons.
  static let unknown = ServedUse.unknownSystem

  /// Returns the system of a server, or `nil` if it is unknown.
  ///
  /// If the variable isn't set, a server on this Mac has this Mac's system.
  static func version(of name: ServedModelName, in context: EvaluationContext) -> String? {
    if let named = context.environment[variable], !named.isEmpty { return named }
    #if os(macOS)
      return name.address.isLoopback
        ? ProcessInfo.processInfo.operatingSystemVersionString : nil
    #else
      return nil
    #endif
  }
}
