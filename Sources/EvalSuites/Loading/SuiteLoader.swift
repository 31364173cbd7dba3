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
  /// The names of suite files.
  public static let fileNames = ["suite.yaml", "suite.yml", "suite.json"]

  let files: FileReading
  private let types: [String: GenerationSchema]
  private let environment: [String: String]

  /// Creates a loader.
  ///
  /// - Parameters:
  ///   - files: Access to the files.
  ///   - types: The schemas of registered Swift types, keyed by the name that suites use.
  ///   - environment: The values of the environment variables that suites can declare, keyed by
  ///     name.
  public init(
    files: FileReading, types: [String: GenerationSchema] = [:], environment: [String: String] = [:]
  ) {
    self.files = files
    self.types = types
    self.environment = environment
  }

  /// Loads suites.
  ///
  /// - Parameter paths: Suite files, or folders that contain suite files.
  /// - Returns: The suites without problems, and the problems in all files.
  public func load(_ paths: [String]) -> LoadedSuites {
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
        loaded.problems.append(
          SuiteProblem(
            file: path, line: 0, column: 0, problem: "there is no such file or folder",
            allowed: "a suite file, or a folder that contains suites, is expected"))
      }
    }
    var known: Set<String> = []
    var first: [String: (path: String, place: SourceLocation)] = [:]
    for (path, file) in found where known.insert(path).inserted {
      load(path, file: file, into: &loaded, first: &first)
    }
    return loaded
  }

  private func load(
    _ path: String, file: String, into loaded: inout LoadedSuites,
    first: inout [String: (path: String, place: SourceLocation)]
  ) {
    let observation = FileObservation(of: files)
    let reader = DocumentReader(files: observation.reading)
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
