import EvalSuites
import GuidedGeneration

/// What a program brings of its own: types that suite files may name, and suites written in Swift.
package struct Registered: Sendable {
  /// The schemas of types, by name.
  package let types: [String: GenerationSchema]
  /// The suites.
  package let suites: [SwiftSuite]

  package init(types: [any Generable.Type] = [], suites: [SwiftSuite] = []) {
    self.types = Dictionary(
      types.map { (String(describing: $0), $0.generationSchema) }, uniquingKeysWith: { $1 })
    self.suites = suites
  }

  /// Loads suites.
  ///
  /// - Parameters:
  ///   - names: Suite files, folders of some, or ids of own suites; none for the folder `evals`,
  ///     where there is one or nothing else, and all own suites.
  ///   - environment: The variables that suites may declare.
  package func load(_ names: [String], environment: [String: String] = [:]) -> LoadedSuites {
    let files = FileReading.disk
    var paths = names
    var own = suites
    if names.isEmpty {
      paths = own.isEmpty || files.kind("evals") == .folder ? ["evals"] : []
    } else {
      let ids = Set(own.map(\.id))
      own = own.filter { names.contains($0.id) }
      paths.removeAll { ids.contains($0) && files.kind($0) == nil }
    }
    var loaded = SuiteLoader(files: files, types: types, environment: environment)
      .load(paths)
    var known = Set(loaded.suites.map(\.id))
    for suite in own {
      let more = suite.load()
      loaded.problems += more.problems
      guard known.insert(suite.id).inserted else {
        loaded.problems.append(
          SuiteProblem(
            file: "Swift suite `\(suite.id)`", line: 0, column: 0,
            problem: "the suite id `\(suite.id)` is used twice",
            allowed: "ids are unique in a run"))
        continue
      }
      loaded.suites += more.suites
    }
    return loaded
  }
}
