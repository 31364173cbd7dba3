/// File access, passed in by callers so that loading a suite depends only on its arguments.
public struct FileReading: Sendable {
  /// The kind of a path's target.
  public enum Kind: Sendable, Hashable {
    case file
    case folder
  }

  /// An error for a file or folder that could not be read.
  public struct Failure: Error, Sendable, Hashable {
    /// The reason, for example `no such file`.
    public var reason: String
  }

  /// Returns the kind of a path's target, or `nil` if nothing is there.
  public var kind: @Sendable (String) -> Kind?
  /// Returns the bytes of a file.
  public var bytes: @Sendable (String) throws(Failure) -> [UInt8]
  /// Returns the names in a folder, in any order.
  public var names: @Sendable (String) throws(Failure) -> [String]
  /// Returns a path with its symbolic links resolved, so that all paths to the same folder are
  /// equal.
  public var resolved: @Sendable (String) -> String

  /// Creates file access from closures.
  public init(
    kind: @escaping @Sendable (String) -> Kind?,
    bytes: @escaping @Sendable (String) throws(Failure) -> [UInt8],
    names: @escaping @Sendable (String) throws(Failure) -> [String],
    resolved: @escaping @Sendable (String) -> String = { $0 }
  ) {
    self.kind = kind
    self.bytes = bytes
    self.names = names
    self.resolved = resolved
  }
}

extension FileReading {
  /// Returns access to files that are held in memory, keyed by path.
  public static func memory(_ files: [String: String]) -> FileReading {
    @Sendable func names(in folder: String) -> Set<String> {
      let prefix = folder.isEmpty || folder.hasSuffix("/") ? folder : folder + "/"
      return Set(
        files.keys.filter { $0.hasPrefix(prefix) }
          .compactMap { $0.dropFirst(prefix.count).split(separator: "/").first.map(String.init) })
    }
    return FileReading(
      kind: { files[$0] != nil ? .file : names(in: $0).isEmpty ? nil : .folder },
      bytes: { path throws(Failure) in
        guard let text = files[path] else { throw Failure(reason: "no such file") }
        return Array(text.utf8)
      },
      names: { Array(names(in: $0)) })
  }
}

extension FileReading {
  /// Returns access to the same files, with a different text for the file at `path`.
  package func replacing(_ path: String, with text: String) -> FileReading {
    let original = self
    return FileReading(
      kind: kind,
      bytes: { name throws(Failure) in
        name == path ? Array(text.utf8) : try original.bytes(name)
      },
      names: names, resolved: resolved)
  }
}

/// Joins and splits paths as text.
enum FilePath {
  /// Resolves a path relative to a folder; absolute paths stay unchanged.
  static func join(_ folder: String, _ path: String) -> String {
    if path.hasPrefix("/") || folder.isEmpty || folder == "." { return path }
    return folder.hasSuffix("/") ? folder + path : folder + "/" + path
  }

  /// Returns the folder of a file, or an empty string if the path names no folder.
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Returns the last component of a path.
  static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// Returns the text after the last dot in the name, in lowercase.
  static func `extension`(of path: String) -> String {
    let name = name(of: path)
    guard let dot = name.lastIndex(of: ".") else { return "" }
    return name[name.index(after: dot)...].lowercased()
  }
}
