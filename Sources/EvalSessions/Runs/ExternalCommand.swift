import EvalRecords
import EvalSuites
import HTTPTransport
import SystemBasics

/// Calls the external programs of `command` assertions.
///
/// Input and output go through files, so that no program can block on a full pipe. The environment
/// of the programs has only `PATH` and the variables that the suite declares.
package struct ExternalCommand {
  /// The environment variables.
  package let environment: [String: String]
  /// The clock for time limits.
  package let clock: any Clock<Duration>

  /// Creates a caller of external programs.
  package init(environment: [String: String], clock: any Clock<Duration>) {
    self.environment = environment
    self.clock = clock
  }

  /// Ends all running programs; call this method just before you exit this process.
  package static func endAll() { ProcessGroup.endAll() }

  /// The maximum number of bytes to read from an answer.
  private static let maximumOutput = 1 << 20

  /// The access to external programs for a run.
  package var access: CommandAccess { CommandAccess { call($0, until: $1) } }

  private func call(_ call: CommandCall, until isGivenUp: () -> Bool) -> CommandAnswer {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("assay-command-\(UUID().uuidString)")
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      return .failure("the command could not be started: there is no temporary folder")
    }
    defer { try? FileManager.default.removeItem(at: folder) }
    do {
      return try run(call, in: folder, until: isGivenUp)
    } catch {
      return .failure(
        "the command `\(call.arguments.first ?? "")` could not be started: "
          + SystemReason.words(for: error))
    }
  }

  private func run(
    _ call: CommandCall, in folder: URL, until isGivenUp: () -> Bool
  ) throws -> CommandAnswer {
    let input = folder.appendingPathComponent("input")
    let output = folder.appendingPathComponent("output")
    try Data(call.input.utf8).write(to: input)
    try Data().write(to: output)
    let name = call.arguments.first ?? ""
    guard let program = program(name, in: call.folder) else {
      return .failure("there is no program `\(name)`")
    }
    var variables = environment.filter { call.environment.contains($0.key) }
    variables["PATH"] = environment["PATH"]
    let child: ProcessGroup
    do throws(ProcessGroup.Failure) {
      child = try ProcessGroup(
        script: "cd \"$0\" && exec \"$@\"",
        [call.folder.isEmpty ? "." : call.folder, program.path] + call.arguments.dropFirst(),
        environment: variables, input: .file(input.path), output: .file(output.path),
        errors: .nothing)
    } catch {
      return .failure("the command `\(name)` could not be started: \(error.reason)")
    }
    let elapsed = clock.stopwatch()
    var status = child.status()
    while status == nil, elapsed() < call.timeLimit, !isGivenUp() {
      usleep(2_000)
      status = child.status()
    }
    guard let status else {
      child.end()
      if isGivenUp() { return .failure("the command was stopped") }
      return .failure("the command took longer than \(Int(call.timeLimit * 1000)) ms")
    }
    if status != 0 { return .failure("the command ended with exit status \(status)") }
    guard let bytes = OpenFile(reading: output.path)?.readToEnd(limit: Self.maximumOutput + 1)
    else { return .failure("the command's answer can't be read") }
    guard bytes.count <= Self.maximumOutput, let text = String(validating: bytes, as: UTF8.self)
    else { return .failure("the command's answer is too long or not UTF-8") }
    return .output(text)
  }

  /// Returns the file of a program, or `nil` if there is no such program.
  ///
  /// A name with a slash is a path relative to the suite. Any other name is looked up in `PATH`.
  private func program(_ name: String, in folder: String) -> URL? {
    let base = URL(fileURLWithPath: folder.isEmpty ? "." : folder)
    let places =
      name.contains("/")
      ? [URL(fileURLWithPath: name, relativeTo: base)]
      : (environment["PATH"] ?? "").split(separator: ":")
        .map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }
    return places.map(\.absoluteURL).first {
      !name.isEmpty && FileManager.default.isExecutableFile(atPath: $0.path)
    }
  }
}
