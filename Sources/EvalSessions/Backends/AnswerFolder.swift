import EvalRecords
import EvalRunner
import SystemBasics

/// A folder that caches answers between runs.
///
/// Each answer has a JSON file, which is named after the answer's key.
///
/// A file is written under a temporary name and then moved into place, so that processes can share
/// a folder and a killed process leaves no partial file. An unreadable file counts as missing. The
/// folder can be deleted at any time.
package struct AnswerFolder: Sendable {
  /// The path of the folder, which need not exist.
  package let path: String

  /// Creates a reference to the folder at a path, and writes nothing.
  package init(path: String) { self.path = path }

  /// The runner's answer cache, which is stored in this folder.
  package var cache: AnswerCache {
    AnswerCache(read: { read($0) }, write: { write($1, $0) })
  }

  /// Returns the file for the answer with the given key.
  ///
  /// The file is in a subfolder named after the first two characters of the key, so that no folder
  /// contains too many files.
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
