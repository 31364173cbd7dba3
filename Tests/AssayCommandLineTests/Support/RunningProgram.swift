import Foundation

/// The built program in a separate process, as a shell starts it.
final class RunningProgram: Sendable {
  /// The error that is thrown if the built program isn't next to the test bundle.
  struct NotBuilt: Error {}

  let process: Process
  private let endings: AsyncStream<Int32>

  /// Creates a process and starts the program in it.
  ///
  /// - Parameters:
  ///   - arguments: The arguments, without the program's name.
  ///   - folder: The current directory of the program.
  ///   - environment: All environment variables of the program.
  ///   - output: The file that gets the program's standard output.
  ///   - errors: The file that gets the program's notes and errors.
  init(
    _ arguments: [String], in folder: String, environment: [String: String] = [:],
    output: FileHandle = .nullDevice, errors: FileHandle = .nullDevice
  ) throws {
    guard let program = Checkout.program else { throw NotBuilt() }
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.environment = environment
    process.standardOutput = output
    process.standardError = errors
    let (endings, continuation) = AsyncStream<Int32>.makeStream()
    process.terminationHandler = {
      continuation.yield($0.terminationStatus)
      continuation.finish()
    }
    self.process = process
    self.endings = endings
    try process.run()
  }

  /// Waits until the program ends.
  ///
  /// - Returns: The exit status, or the number of the signal that ended it.
  func status() async -> Int32? {
    for await status in endings { return status }
    return nil
  }
}
