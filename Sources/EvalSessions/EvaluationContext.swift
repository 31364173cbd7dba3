import Foundation

/// The surroundings of an evaluation: everything that it reads from outside comes through here.
package struct EvaluationContext: Sendable {
  /// The environment's variables.
  package let environment: [String: String]
  /// The current directory.
  package let workingDirectory: String
  /// The path of the program, from which the bundled model is found.
  package let executable: String
  /// The wall clock, in seconds since 1970.
  package let now: @Sendable () -> Double
  /// The clock that measures how long answers take, and of time limits and pauses.
  package let clock: any Clock<Duration>
  /// The types, suites and backends that the program adds.
  package var registered: Registered

  /// Creates the surroundings.
  ///
  /// - Parameters:
  ///   - environment: The environment's variables.
  ///   - workingDirectory: The current directory.
  ///   - executable: The path of the program.
  ///   - registered: The types, suites and backends that the program adds.
  ///   - clock: The clock that measures durations.
  ///   - now: The wall clock, in seconds since 1970.
  package init(
    environment: [String: String], workingDirectory: String, executable: String,
    registered: Registered = Registered(), clock: any Clock<Duration>,
    now: @escaping @Sendable () -> Double
  ) {
    self.environment = environment
    self.workingDirectory = workingDirectory
    self.executable = executable
    self.registered = registered
    self.clock = clock
    self.now = now
  }

  /// The current time as records write it: ISO 8601 in UTC, whole seconds.
  package var timestamp: String { timestamp(daysAgo: 0) }

  /// The time a number of days ago, as records write it.
  package func timestamp(daysAgo days: Int) -> String {
    Date(timeIntervalSince1970: now() - Double(days) * 86_400).formatted(.iso8601)
  }
}
