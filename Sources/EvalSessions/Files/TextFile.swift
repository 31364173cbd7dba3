import StructuredText
import SystemBasics

/// Reads text files that a command line names.
package enum TextFile {
  /// Returns the text of a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - limit: The maximum size in bytes, or `nil` for no limit.
  /// - Throws: `SessionFailure` with the true reason: there is no such file, it is a folder, it is
  ///   too large, it can't be opened, or it is not UTF-8.
  package static func text(of path: String, limit: Int? = nil) throws(SessionFailure) -> String {
    func failure(_ problem: String) -> SessionFailure {
      SessionFailure(.usage, "\(path): \(problem)")
    }
    guard let status = FileStatus(path: path) else { throw failure("there is no such file") }
    if status.isFolder { throw failure("this is a folder; a file is expected") }
    // A pipe, for example from the shell, has no size, so read until the limit is passed.
    let most = limit ?? Int.max - 1
    guard let data = OpenFile(reading: path)?.readToEnd(limit: most + 1) else {
      throw failure("the file can't be opened")
    }
    if data.count > most { throw failure("the file is larger than \(most >> 20) MiB") }
    guard let text = String(validating: data, as: UTF8.self) else {
      let place = UTF8Check.firstInvalidLocation(in: data)
      throw SessionFailure(
        .usage,
        path + (place.map { ":\($0.line):\($0.column)" } ?? "")
          + ": this byte is not part of valid UTF-8; the file must be UTF-8 text")
    }
    return text
  }
}
