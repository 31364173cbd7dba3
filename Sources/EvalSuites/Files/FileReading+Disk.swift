import SystemBasics

extension FileReading {
  /// The maximum size of a file in bytes.
  static let maximumBytes = 64 << 20

  /// Access to the files of this machine.
  ///
  /// Relative paths start at the working directory.
  public static let disk = FileReading(
    kind: { path in
      FileStatus(path: path).map { $0.isFolder ? .folder : .file }
    },
    bytes: { path throws(Failure) in
      guard let status = FileStatus(path: path) else { throw Failure(reason: "no such file") }
      switch status.kind {
      case .folder: throw Failure(reason: "it is a folder")
      case .other: throw Failure(reason: "it is not a regular file")
      case .file: break
      }
      if status.size > maximumBytes {
        throw Failure(reason: "it is larger than \(maximumBytes >> 20) MiB")
      }
      guard let data = FileManager.default.contents(atPath: path) else {
        throw Failure(reason: "it can't be opened")
      }
      return Array(data)
    },
    names: { path throws(Failure) in
      do {
        return try FileManager.default.contentsOfDirectory(atPath: path)
      } catch {
        throw Failure(reason: "the folder can't be listed")
      }
    },
    resolved: { path in
      guard let resolved = realpath(path, nil) else { return path }
      defer { free(resolved) }
      return String(cString: resolved)
    })
}
