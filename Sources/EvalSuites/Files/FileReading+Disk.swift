import Foundation

extension FileReading {
  /// The maximum size of a file in bytes.
  static let maximumBytes = 64 << 20

  /// Access to the files of this machine.
  ///
  /// Relative paths start at the working directory.
  public static let disk = FileReading(
    kind: { path in
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
        return nil
      }
      return isFolder.boolValue ? .folder : .file
    },
    bytes: { path throws(Failure) in
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
        throw Failure(reason: "no such file")
      }
      if isFolder.boolValue { throw Failure(reason: "it is a folder") }
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      if let kind = attributes?[.type] as? FileAttributeType, kind != .typeRegular,
        kind != .typeSymbolicLink
      {
        throw Failure(reason: "it is not a regular file")
      }
      if let size = (attributes?[.size] as? NSNumber)?.intValue, size > maximumBytes {
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
