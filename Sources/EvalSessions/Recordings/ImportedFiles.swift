import EvalFindings
import StructuredText
import SystemBasics

/// The list of files that imports have already added, by digest, in a folder of reports.
///
/// ```
/// reports/imported.sha256      9f86d081884c7d65…  recordings/2026-11-28.jsonl
/// ```
/// So a nightly job can offer a whole folder of recordings, and adds each file once, whatever its
/// name. The list has the format of `shasum -a 256`.
package struct ImportedFiles: Sendable {
  /// The name of the list.
  package static let name = "imported.sha256"

  /// The path of the list.
  private let path: String
  private var digests: Set<String>

  /// Reads the list in a folder of reports; a missing list is empty.
  package init(in reports: String) throws(SessionFailure) {
    path = "\(reports)/\(Self.name)"
    digests = []
    guard FileManager.default.fileExists(atPath: path) else { return }
    for line in try TextFile.text(of: path).linesByFeed {
      digests.insert(String(line.prefix { $0 != " " }))
    }
  }

  /// Returns whether an import has already added a file with this text.
  package func contains(_ text: String) -> Bool { digests.contains(SHA256.hexDigest(of: text)) }

  /// Adds files to the list.
  ///
  /// - Parameter files: The files' names and texts.
  /// - Throws: `SessionFailure` if the list can't be written.
  package mutating func add(_ files: [(name: String, text: String)]) throws(SessionFailure) {
    var lines = ""
    for file in files {
      let digest = SHA256.hexDigest(of: file.text)
      guard digests.insert(digest).inserted else { continue }
      lines += "\(digest)  \(VisibleText.line(file.name))\n"
    }
    if lines.isEmpty { return }
    let before =
      FileManager.default.fileExists(atPath: path) ? try TextFile.text(of: path) : ""
    do {
      try Data((before + lines).utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw SessionFailure(
        .cannotRun, "\(path): can't be written: \(SystemReason.words(for: error))")
    }
  }
}
