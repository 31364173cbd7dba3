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
    guard OpenFile(appendingTo: path, mustBeNew: true) != nil else {
      throw SessionFailure(.cannotRun, "--record \(path): the file can't be written")
    }
    let problem = Mutex<HTTPFailure?>(nil)
    return RecordingClient(client) { exchange throws(HTTPFailure) in
      // After a gap, a replay would give requests the answers of others, so the recording ends.
      if let problem = problem.withLock(\.self) { throw problem }
      guard let reason = OpenFile.append((exchange.line + "\n").utf8, to: path) else { return }
      let failure = HTTPFailure.unrecorded(
        "--record \(path): the recording can't be written: \(reason)")
      problem.withLock { $0 = failure }
      throw failure
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
