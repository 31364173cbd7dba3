import SystemBasics

/// The context of an evaluation: everything that the evaluation reads from outside, such as the
/// clock and the environment variables.
package struct EvaluationContext: Sendable {
  /// The environment variables.
  package let environment: [String: String]
  /// The current directory.
  package let workingDirectory: String
  /// The path of the program, which helps to find the bundled model.
  package let executable: String
  /// The processor and the number of cores of this machine, or `nil` if they aren't known.
  package let machine: String?
  /// An identifier of the program's code, which changes whenever the code does, or `nil` if it
  /// isn't known.
  package let build: @Sendable () -> String?
  /// Returns the wall-clock time, in seconds since 1970.
  package let now: @Sendable () -> Double
  /// The clock for time limits and pauses, and for measuring how long answers take.
  package let clock: any Clock<Duration>
  /// Returns the current thread's processor time, in seconds, for
  /// ``EvaluationSettings/isProfiled``.
  package let processorTime: @Sendable () -> Double
  /// The types, suites and backends that the program adds.
  package var registered: Registered

  /// Creates a context.
  ///
  /// - Parameters:
  ///   - environment: The environment variables.
  ///   - workingDirectory: The current directory.
  ///   - executable: The path of the program.
  ///   - machine: The processor and the number of cores, or `nil` if they aren't known.
  ///   - build: Returns an identifier of the program's code, or `nil` if it isn't known.
  ///   - registered: The types, suites and backends that the program adds.
  ///   - clock: The clock for time limits and pauses, and for measuring how long answers take.
  ///   - processorTime: Returns the current thread's processor time, in seconds.
  ///   - now: Returns the wall-clock time, in seconds since 1970.
  package init(
    environment: [String: String], workingDirectory: String, executable: String,
    machine: String? = nil, build: @escaping @Sendable () -> String? = { nil },
    registered: Registered = Registered(), clock: any Clock<Duration>,
    processorTime: @escaping @Sendable () -> Double = { 0 },
    now: @escaping @Sendable () -> Double
  ) {
    self.environment = environment
    self.workingDirectory = workingDirectory
    self.executable = executable
    self.machine = machine
    self.build = build
    self.registered = registered
    self.clock = clock
    self.processorTime = processorTime
    self.now = now
  }

  /// The name of the program whose commands advice names: `assay`, or a program with suites, types
  /// or backends of its own.
  package var programName: String {
    let name = executable.split(separator: "/").last.map(String.init) ?? "assay"
    return registered.isEmpty ? "assay" : name
  }

  /// The current time in the format of records: ISO 8601 in UTC, in whole seconds.
  package var timestamp: String { timestamp(daysAgo: 0) }

  /// Returns the current time minus the given number of days, in the format of records.
  package func timestamp(daysAgo days: Int) -> String {
    Date(timeIntervalSince1970: now() - Double(days) * 86_400).formatted(.iso8601)
  }
}
