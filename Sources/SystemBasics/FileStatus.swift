/// The kind and the size of the file or folder at the end of a path.
package struct FileStatus: Sendable, Hashable {
  /// The kind of a path's target.
  package enum Kind: Sendable, Hashable {
    case file
    case folder
    /// Neither a file nor a folder, for example a named pipe.
    case other
  }

  /// The kind of the path's target.
  package let kind: Kind
  /// The size in bytes.
  package let size: Int

  /// Whether the path leads to a folder.
  package var isFolder: Bool { kind == .folder }

  /// Reads the status of a path's target, or returns `nil` if nothing is there.
  ///
  /// - Parameter path: The path; symbolic links are followed.
  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .file
    case S_IFDIR: kind = .folder
    default: kind = .other
    }
    size = Int(status.st_size)
  }
}
