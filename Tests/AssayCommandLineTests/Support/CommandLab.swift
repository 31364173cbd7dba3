import Foundation
import Synchronization
import TestSupport

@testable import AssayCommandLine

/// A temporary folder in which tests run commands as a shell would, and read their output.
final class CommandLab: Sendable {
  /// The exit status of a command, and its output.
  struct Ending {
    let status: AssayCommandLine.ExitStatus
    /// The standard output.
    let output: String
    /// The standard error.
    let notes: String

    /// The error messages, without `error: `.
    var errors: [String] {
      notes.split(separator: "\n").filter { $0.hasPrefix("error: ") }.map {
        String($0.dropFirst(7))
      }
    }
  }

  /// The time at which commands run unless a test sets another, in seconds since 1970.
  static let time = 1_790_000_000.0

  private let temporary: TemporaryFolder

  init() throws { temporary = try TemporaryFolder() }

  var folder: String { temporary.path }

  // MARK: Files

  /// Returns the absolute path of a file in the folder.
  func path(_ name: String) -> String { temporary.path(name) }

  /// The folder of reports.
  var reports: String { path("reports") }

  /// The result database.
  var database: String { path("reports/results.sqlite") }

  /// Returns whether a file or folder exists.
  func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

  /// Writes a file, and creates its folder if necessary.
  func write(_ text: String, to name: String) throws {
    try temporary.write(text, to: name)
  }

  /// Writes a file, and creates its folder if necessary.
  func write(_ data: Data, to name: String) throws {
    try temporary.write(data, to: name)
  }

  /// Returns the text of a file.
  func text(_ name: String) throws -> String {
    String(decoding: try data(name), as: UTF8.self)
  }

  /// Returns the bytes of a file.
  func data(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path(name)))
  }

  /// Creates an empty file, and opens it for writing.
  func writing(_ name: String) throws -> FileHandle {
    try write("", to: name)
    return try FileHandle(forWritingTo: URL(fileURLWithPath: path(name)))
  }

  /// Removes a file or folder.
  func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: path(name))
  }

  // MARK: Commands

  /// Runs a command line without adding any options; `time` is in seconds since 1970.
  func run(
    _ words: [String], environment: [String: String] = [:],
    by program: AssayProgram = AssayProgram(), named name: String = "assay",
    time: Double = CommandLab.time
  ) async -> Ending {
    let output = Transcript()
    let notes = Transcript()
    let plain = Console.standard(environment: ["NO_COLOR": "1"])
    let console = Console(
      output: { output.add($0) }, notes: { notes.add($0) }, outputStyle: plain.outputStyle,
      noteStyle: plain.noteStyle, isInteractive: false, width: 80)
    let context = ProgramContext(
      console: console, environment: environment, workingDirectory: folder,
      executable: path(name),
      now: { time })
    let status = await program.run(words, in: context)
    return Ending(status: status, output: output.text, notes: notes.text)
  }

  /// Adds `--reports` with the lab's folder of reports to a command line, and runs it.
  func assay(_ words: String...) async -> Ending {
    await run(words + ["--reports", reports])
  }
}

/// Collects the text that a command writes, in order.
private final class Transcript: Sendable {
  private let parts = Mutex("")

  func add(_ text: String) { parts.withLock { $0 += text } }

  var text: String { parts.withLock { $0 } }
}
