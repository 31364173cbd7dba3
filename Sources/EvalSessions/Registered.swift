import EvalRecords
import EvalSuites
import GuidedGeneration

/// The types that suite files can name, the suites written in Swift, and the backends that a
/// program adds to Assay.
package struct Registered: Sendable {
  /// The schemas of types, keyed by name.
  package let types: [String: GenerationSchema]
  /// The suites.
  package let suites: [SwiftSuite]
  /// The backends, which commands name by their ids.
  package let backends: [any EvalBackend]

  /// Creates a list of a program's additions.
  ///
  /// - Parameters:
  ///   - types: Types that suite files can name under `generates`, without the module.
  ///   - suites: Suites written in Swift.
  ///   - backends: Backends; `--backend ID` selects the backend whose record has this id.
  package init(
    types: [any Generable.Type] = [], suites: [SwiftSuite] = [], backends: [any EvalBackend] = []
  ) {
    self.types = Dictionary(
      types.map { (String(describing: $0), $0.generationSchema) }, uniquingKeysWith: { $1 })
    self.suites = suites
    self.backends = backends
  }

  /// Returns the schema of a type of the program, or `nil` if there is no type with this name.
  ///
  /// - Parameter name: The name of a registered type, or of a type that a suite generates.
  package func schema(named name: String) -> GenerationSchema? {
    types[name] ?? suites.lazy.map(\.type).first { $0.name == name }?.schema
  }

  /// The names of all types whose schemas ``schema(named:)`` returns, in alphabetical order.
  package var schemaNames: [String] {
    Set(types.keys).union(suites.map { $0.type.name }).sorted()
  }

  /// Whether the program adds nothing, as `assay` itself.
  package var isEmpty: Bool { types.isEmpty && suites.isEmpty && backends.isEmpty }

  /// Returns the backend with an id, or `nil` if the program doesn't add a backend with this id.
  package func backend(_ id: String) -> (any EvalBackend)? {
    backends.first { $0.record.id == id }
  }

  /// Loads suites.
  ///
  /// - Parameters:
  ///   - names: Suite files, folders with suite files, or ids of suites in the folder `evals` and
  ///     of the program's own suites; if empty, all suites in the folder `evals` and all of the
  ///     program's own suites. The folder may be missing if the program has its own suites.
  ///   - environment: The environment variables, which suites can use if they declare them.
  ///   - files: The access to files.
  package func load(
    _ names: [String], environment: [String: String] = [:], files: FileReading = .disk
  ) -> LoadedSuites {
    var paths = names
    var own = suites
    if names.isEmpty {
      paths =
        own.isEmpty || files.kind(SuiteLoader.folder) == .folder
        ? [SuiteLoader.folder] : []
    } else {
      let ids = Set(own.map(\.id))
      own = own.filter { names.contains($0.id) }
      paths.removeAll { ids.contains($0) && files.kind($0) == nil }
    }
    let loader = SuiteLoader(
      files: files, types: types, environment: environment, backendProblem: backendProblem)
    var loaded = loader.load(paths, ids: suites.map(\.id))
    var known = Set(loaded.suites.map(\.id))
    for suite in own {
      let more = suite.load()
      loaded.problems += more.problems
      guard known.insert(suite.id).inserted else {
        loaded.problems.append(
          SuiteProblem(
            file: suite.place.file, line: suite.place.line, column: suite.place.column,
            problem: "the suite id `\(suite.id)` is used twice",
            allowed: "ids are unique in a run"))
        continue
      }
      loaded.suites += more.suites
    }
    return loaded
  }
}
