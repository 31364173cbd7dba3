import GuidedGeneration
import StructuredText

/// The result of loading suite files: the suites, and the problems in the files.
public struct LoadedSuites: Sendable {
  /// The suites without problems, in the order of their files.
  public var suites: [Suite]
  /// The problems in all files; if there are any, nothing should run.
  public var problems: [SuiteProblem]
}

/// Finds, reads and checks suite files.
public struct SuiteLoader: Sendable {
  /// The folder whose suites can be named by their ids.
  package static let folder = "evals"
  /// The names of suite files.
  public static let fileNames = ["suite.yaml", "suite.yml", "suite.json"]

  let files: FileReading
  private let types: [String: GenerationSchema]
  private let environment: [String: String]
  private let backendProblem: BackendCheck

  /// Returns the problem with the id of a backend, and what is allowed, or `nil` if there can be
  /// such a backend.
  public typealias BackendCheck = @Sendable (String) -> (problem: String, allowed: String)?

  /// Creates a loader.
  ///
  /// - Parameters:
  ///   - files: Access to the files.
  ///   - types: The schemas of registered Swift types, keyed by the name that suites use.
  ///   - environment: The values of the environment variables that suites can declare, keyed by
  ///     name.
  ///   - backendProblem: Checks the ids of backends in gates; by default, all are accepted.
  public init(
    files: FileReading, types: [String: GenerationSchema] = [:],
    environment: [String: String] = [:], backendProblem: @escaping BackendCheck = { _ in nil }
  ) {
    self.files = files
    self.types = types
    self.environment = environment
    self.backendProblem = backendProblem
  }

  /// Loads suites.
  ///
  /// - Parameter paths: Suite files, folders that contain suite files, or ids of suites in the
  ///   folder `evals`.
  /// - Returns: The suites without problems, and the problems in all files.
  public func load(_ paths: [String]) -> LoadedSuites { load(paths, ids: []) }

  /// Loads suites.
  ///
  /// - Parameters:
  ///   - paths: Suite files, folders that contain suite files, or ids of suites in the folder
  ///     `evals`.
  ///   - ids: The ids of further suites, for suggestions.
  package func load(_ paths: [String], ids: [String]) -> LoadedSuites {
    var loaded = LoadedSuites(suites: [], problems: [])
    var found: [(path: String, file: String)] = []
    for path in paths {
      switch files.kind(path) {
      case .file: found.append((path, FilePath.name(of: path)))
      case .folder:
        let root = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        let inside = suiteFiles(in: root, &loaded.problems)
        if inside.isEmpty, loaded.problems.isEmpty {
          loaded.problems.append(
            SuiteProblem(
              file: path, line: 0, column: 0, problem: "there is no suite in this folder",
              allowed: "a suite is a file called \(ValueWords.list(Self.fileNames, last: "or"))"))
        }
        found += inside
      case nil:
        let known = suitesInFolder
        let named = known.filter { $0.id == path }
        found += named.map { ($0.path, $0.file) }
        if named.isEmpty {
          loaded.problems.append(unknown(path, among: known.map(\.id) + ids))
        }
      }
    }
    var known: Set<String> = []
    var first: [String: (path: String, place: SourceLocation)] = [:]
    for (path, file) in found where known.insert(path).inserted {
      load(path, file: file, into: &loaded, first: &first)
    }
    return loaded
  }

  /// The suites in the folder `evals`, with their ids; files that can't be read are left out.
  private var suitesInFolder: [(id: String, path: String, file: String)] {
    guard files.kind(Self.folder) == .folder else { return [] }
    var ignored: [SuiteProblem] = []
    let reader = DocumentReader(files: files)
    return suiteFiles(in: Self.folder, &ignored).compactMap { path, file in
      (try? reader.document(path))?["suite"]?.text.map { ($0, path, file) }
    }
  }

  /// Returns the problem for a name that is neither a path nor the id of a suite.
  private func unknown(_ name: String, among ids: [String]) -> SuiteProblem {
    let isPath = name.contains("/")
    let near =
      (isPath ? nil : NearestName.nearest(to: name, among: ids)) ?? files.path(meantBy: name)
    let list = ids.isEmpty ? "" : " the ids of suites are \(ValueWords.list(ids))"
    return SuiteProblem(
      file: name, line: 0, column: 0,
      problem: "there is no such file or folder" + (isPath ? "" : ", and no suite with this id"),
      allowed: near.map { "did you mean `\($0)`?" + (isPath ? "" : list) }
        ?? "a suite file, a folder that contains suites, or the id of a suite is expected"
        + (ids.isEmpty || isPath ? "" : ";" + list))
  }

  private func load(
    _ path: String, file: String, into loaded: inout LoadedSuites,
    first: inout [String: (path: String, place: SourceLocation)]
  ) {
    let observation = FileObservation(of: files)
    let reader = DocumentReader(
      files: observation.reading, backendProblem: backendProblem)
    let root: SourceNode
    do throws(SuiteProblem) {
      root = try reader.document(path)
    } catch {
      loaded.problems.append(error)
      return
    }
    var builder = SuiteBuilder(
      path: path, reader: reader, types: types, environment: environment)
    let suite = builder.suite(root, file: file)
    loaded.problems += builder.problems
    if let idNode = root["suite"], let id = idNode.text {
      if let other = first[id] {
        loaded.problems.append(
          SuiteProblem(
            file: path, line: idNode.location.line, column: idNode.location.column,
            problem: "the suite id `\(id)` is used twice",
            allowed:
              "the first one is at \(other.path):\(other.place.line):\(other.place.column)"))
        return
      }
      first[id] = (path, idNode.location)
    }
    if var suite {
      suite.readFiles = observation.states.compactMapValues(\.bytes)
      loaded.suites.append(suite)
    }
  }
}
