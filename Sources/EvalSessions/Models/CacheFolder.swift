import EvalSuites

/// A bounded walk through a folder of a model cache.
struct CacheFolder {
  /// The path of the folder.
  let path: String
  /// The access to files.
  let files: FileReading
  /// The maximum depth of the subfolders to enter.
  var maximumDepth = 8
  /// The maximum number of directory entries to look at.
  var maximumNames = 20_000

  /// The relative paths of the files below the folder, sorted within each folder.
  ///
  /// The walk enters each folder once, even if links lead to it again, and leaves out hidden files.
  var relativePaths: [String] {
    var found: [String] = []
    var visited: Set<String> = []
    var namesLeft = maximumNames
    func visit(_ folder: String, relative: String, depth: Int) {
      guard depth <= maximumDepth, visited.insert(files.resolved(folder)).inserted else { return }
      let names = (try? files.names(folder))?.sorted() ?? []
      for name in names where !name.hasPrefix(".") {
        namesLeft -= 1
        guard namesLeft >= 0 else { return }
        let inner = relative.isEmpty ? name : "\(relative)/\(name)"
        switch files.kind("\(folder)/\(name)") {
        case .folder: visit("\(folder)/\(name)", relative: inner, depth: depth + 1)
        // List broken links too, so that `assay doctor` reports the missing files of their models.
        case .file, nil: found.append(inner)
        }
      }
    }
    visit(path, relative: "", depth: 0)
    return found
  }

  /// Returns the path of a file with symbolic links resolved, or the problem if the path doesn't
  /// lead to a file inside the folder.
  ///
  /// - Parameters:
  ///   - relative: The path of the file, relative to the folder.
  ///   - what: A description of the file, for the problem.
  func file(_ relative: String, what: String) -> Result<String, FoundModel.Problem> {
    let file = "\(path)/\(relative)"
    func problem(_ reason: String) -> Result<String, FoundModel.Problem> {
      .failure(FoundModel.Problem(path: file, reason: reason))
    }
    switch files.kind(file) {
    case nil: return problem("\(what) is missing, or its links are broken")
    case .folder: return problem("\(what) is a folder; a file is expected")
    case .file: break
    }
    let target = files.resolved(file)
    let root = files.resolved(path)
    guard target.hasPrefix(root.hasSuffix("/") ? root : root + "/") else {
      return problem("\(what) is a link to \(target), outside of \(root); name that file directly")
    }
    return .success(target)
  }
}

/// The rules for the names of model files.
enum ModelFileName {
  /// The ending of model files.
  static let ending = ".gguf"

  /// Returns whether a file's name is that of a model, not of an image projector.
  static func isModel(_ path: String) -> Bool {
    let name = path.split(separator: "/").last.map { $0.lowercased() } ?? ""
    return name.hasSuffix(ending) && !name.hasPrefix("mmproj")
  }

  /// Returns a name without the ending.
  static func stem(_ name: String) -> String {
    name.lowercased().hasSuffix(ending) ? String(name.dropLast(ending.count)) : name
  }

  /// Returns the part of a file's name that identifies its weights, for example `Q4_K_M`, or `nil`
  /// if there is none.
  static func weights(_ name: String) -> String? {
    let stem = stem(name.split(separator: "/").last.map(String.init) ?? name)
    guard let mark = stem.lastIndex(where: { $0 == "-" || $0 == "." }) else { return nil }
    return String(stem[stem.index(after: mark)...])
  }
}
