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
    if let limit, status.size > limit {
      throw failure("the file is larger than \(limit >> 20) MiB")
    }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw failure("the file can't be opened")
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      let place = UTF8Check.firstInvalidLocation(in: Array(data))
      throw SessionFailure(
        .usage,
        path + (place.map { ":\($0.line):\($0.column)" } ?? "")
          + ": this byte is not part of valid UTF-8; the file must be UTF-8 text")
    }
    return text
  }
}
