import StructuredText

/// The project file, `assay.yaml`: the named models of a project, and defaults for commands.
///
/// ```yaml
/// models:
///   smollm2: { file: models/smollm2.gguf, sha256: 5d2c…, chatFormat: chatml }
/// model: smollm2
/// reports: ../reports
/// ```
///
/// Paths in the file are relative to its folder.
package struct ProjectFile: Sendable, Hashable {
  /// A named model.
  package struct Model: Sendable, Hashable {
    /// The name.
    package var name: String
    /// The location of the model.
    ///
    /// For a local model, this is the path of its file relative to the current folder, or its name
    /// in another program's cache. For a served model, it is the name that `--backend` takes.
    package var path: String
    /// The required SHA-256 of the model file, or `nil` to accept any file.
    package var digest: String?
    /// The name of the model's chat format, or `nil` for the format of the file's chat template.
    package var chatFormat: String?
    /// The maximum total number of tokens in a prompt and its answer, or `nil` for the default.
    package var contextLength: Int?
    /// The last line of each prompt: `nil` for the default, or empty for no such line.
    package var cue: String?
    /// The maximum memory for the key-value cache in MiB, or `nil` for the project's maximum.
    package var memory: Int?
    /// The options of a served model, or `nil` for a local model.
    package var server: ProjectServer?
    /// The path of the project file.
    package var project = ""
    /// The positions of the values in the project file, by key.
    package var places: [String: SourceLocation] = [:]

    /// Creates a problem at the position of a key's value in the project file.
    package func problem(
      with key: String, _ problem: String, allowed: String
    ) -> SuiteProblem {
      let place = places[key]
      return SuiteProblem(
        file: project, line: place?.line ?? 0, column: place?.column ?? 0, problem: problem,
        allowed: allowed)
    }
  }

  /// The name of project files.
  package static let fileName = "assay.yaml"

  /// The path of the project file.
  package var path: String
  /// The models, in the order of the file.
  package var models: [Model] = []
  /// The name of the default model, or `nil` if there is none.
  package var model: String?
  /// The id of the default backend, or `nil` if there is none.
  package var backend: String?
  /// The folder for reports, or `nil` if the file sets none.
  package var reports: String?
  /// The maximum number of test cases in progress at the same time.
  package var jobs: Int?
  /// The maximum memory for the key-value cache of a local model, in MiB.
  package var memory: Int?

  /// Returns the model with the given name, or `nil` if there is none.
  package func model(named name: String) -> Model? { models.first { $0.name == name } }

  // MARK: Finding

  /// Returns the path of the project file that applies to a suite file or folder.
  ///
  /// The search begins in the given folder, or in the folder of the suite file, and continues
  /// upward to the nearest folder that has a project file.
  ///
  /// - Parameters:
  ///   - path: A suite file or folder.
  ///   - files: Access to the files.
  package static func find(from path: String, in files: FileReading) -> String? {
    var folder = files.kind(path) == .folder ? path : FilePath.folder(of: path)
    while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
    // Walk up from a relative path by appending `..`, because `FileReading` doesn't know the
    // working directory.
    for _ in 0..<64 {
      let candidate = folder.isEmpty ? fileName : "\(folder)/\(fileName)"
      if files.kind(candidate) == .file { return candidate }
      guard let parent = parent(of: folder), files.kind(parent) == .folder else { return nil }
      folder = parent
    }
    return nil
  }

  private static func parent(of folder: String) -> String? {
    if folder == "/" { return nil }
    if folder.isEmpty || folder == "." { return ".." }
    if folder.hasSuffix("..") { return folder + "/.." }
    guard let slash = folder.lastIndex(of: "/") else { return "." }
    return slash == folder.startIndex ? "/" : String(folder[..<slash])
  }

  // MARK: Reading

  /// Creates a project file by reading the file at a path.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - files: Access to the files.
  /// - Throws: `ProjectProblems` with all problems in the file and their positions.
  package init(path: String, in files: FileReading) throws(ProjectProblems) {
    let root: SourceNode
    do throws(SuiteProblem) {
      root = try DocumentReader(files: files).document(path)
    } catch {
      throw ProjectProblems(problems: [error])
    }
    var check = FormatCheck(file: path)
    check.check(root, .table(.project), name: "the project file")
    self.path = path
    let folder = FilePath.folder(of: path)
    for member in root["models"]?.members ?? [] {
      let places = Dictionary(
        member.node.members.map { ($0.key, $0.node.location) },
        uniquingKeysWith: { first, _ in first })
      if let server = ProjectServer(member.node, in: folder) {
        models.append(
          Model(
            name: member.key, path: server.name, server: server, project: path, places: places))
        continue
      }
      guard let file = member.node["file"]?.text else { continue }
      if let digest = member.node["sha256"], let text = digest.text,
        text.count != 64 || !text.allSatisfy(\.isHexDigit)
      {
        check.problems.add(
          digest.location, "`sha256` is `\(text)`", allowed: "64 hexadecimal digits are expected")
      }
      models.append(
        Model(
          name: member.key, path: CachedModelName(file) != nil ? file : FilePath.join(folder, file),
          digest: member.node["sha256"]?.text?.lowercased(),
          chatFormat: member.node["chatFormat"]?.text,
          contextLength: member.node["context"]?.value.int, cue: member.node["cue"]?.text,
          memory: member.node["memory"]?.value.int, project: path, places: places))
    }
    model = root["model"]?.text
    if let node = root["model"], let name = node.text, model(named: name) == nil {
      check.problems.add(
        node.location, "there is no model `\(name)`",
        allowed: NearestName.hint(for: name, among: models.map(\.name), what: "models"))
    }
    backend = root["backend"]?.text
    if let node = root["reports"], node.text == "" {
      check.problems.add(node.location, "`reports` is empty", allowed: "a folder is expected")
    }
    reports = root["reports"]?.text.map { FilePath.join(folder, $0) }
    jobs = root["jobs"]?.value.int
    memory = root["memory"]?.value.int
    guard check.problems.problems.isEmpty else {
      throw ProjectProblems(problems: check.problems.problems)
    }
  }
}

/// The problems in a project file.
package struct ProjectProblems: Error, Sendable {
  /// The problems in the order in which they were found.
  package let problems: [SuiteProblem]
}
