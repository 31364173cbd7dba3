import EvalRecords
import EvalRunner
import Foundation

/// A folder in which answers are kept between runs: one JSON file each, named by its key.
///
/// A file is written beside its place and then moved there, so that processes can share a folder and
/// one that is killed leaves no half of a file. What can't be read counts as not there; the folder
/// may be removed at any time.
package struct AnswerFolder: Sendable {
  /// The folder; it need not be there.
  package let path: String

  /// Creates a folder by its path; nothing is written yet.
  package init(path: String) { self.path = path }

  /// The access for the runner.
  package var cache: AnswerCache {
    AnswerCache(read: { read($0) }, write: { write($1, $0) })
  }

  /// Two levels, so that no folder has too many files.
  private func file(_ key: String) -> URL {
    URL(fileURLWithPath: "\(path)/\(key.prefix(2))/\(key).json")
  }

  private func read(_ key: String) -> BackendAnswer? {
    guard let data = try? Data(contentsOf: file(key)) else { return nil }
    return try? JSONDecoder().decode(BackendAnswer.self, from: data)
  }

  private func write(_ answer: BackendAnswer, _ key: String) {
    let file = file(key)
    let folder = file.deletingLastPathComponent()
    guard let data = try? JSONEncoder().encode(answer) else { return }
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // A cache that can't be written is no reason to stop a run.
    try? data.write(to: file, options: .atomic)
  }
}
