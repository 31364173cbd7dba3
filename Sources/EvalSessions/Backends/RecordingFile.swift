import EvalSuites
import HTTPTransport
import Synchronization
import SystemBasics

/// Reads and writes recordings as JSON Lines files, with one exchange per line.
enum RecordingFile {
  /// The maximum size in bytes of a recording to replay.
  private static let limit = 2 << 30

  /// Creates a client that writes each exchange to a new recording as soon as the exchange ends.
  ///
  /// - Parameters:
  ///   - path: The file, which must not exist.
  ///   - client: The client that sends the requests.
  static func recording(
    to path: String, _ client: any HTTPClient
  ) throws(SessionFailure) -> any HTTPClient {
    guard !FileManager.default.fileExists(atPath: path) else {
      throw SessionFailure(
        .usage, "--record \(path): the file already exists; choose another name, or remove it")
    }
    guard let file = OpenFile(appendingTo: path, mustBeNew: true) else {
      throw SessionFailure(.cannotRun, "--record \(path): the file can't be written")
    }
    let written = Mutex(file)
    return RecordingClient(client) { exchange in
      // If a line can't be written, the run continues, and a replay of the recording will report
      // what is missing.
      let line = exchange.line + "\n"
      _ = written.withLock { file in file.write(line.utf8) }
    }
  }

  /// Opens a recording for replay.
  ///
  /// - Throws: `SessionFailure` if the file can't be read, or if a line is invalid; the message
  ///   gives the line number.
  static func replay(of path: String) throws(SessionFailure) -> any HTTPClient {
    if FileReading.disk.kind(path) != .file {
      throw SessionFailure(.usage, "--replay \(path): there is no such file")
    }
    guard let status = FileStatus(path: path), status.size <= limit,
      let data = FileManager.default.contents(atPath: path)
    else {
      throw SessionFailure(
        .usage, "--replay \(path): the file can't be read; expected a recording of at most 2 GiB")
    }
    var exchanges: [RecordedExchange] = []
    for (number, line) in data.split(separator: 10, omittingEmptySubsequences: false).enumerated()
    where !line.isEmpty {
      guard let text = String(validating: line, as: UTF8.self) else {
        throw SessionFailure(.usage, "\(path):\(number + 1):1: the line is not UTF-8")
      }
      do throws(RecordingProblem) {
        exchanges.append(try RecordedExchange(line: text))
      } catch {
        throw SessionFailure(.usage, "\(path):\(number + 1):1: the line can't be used: \(error)")
      }
    }
    return ReplayClient(exchanges)
  }
}
