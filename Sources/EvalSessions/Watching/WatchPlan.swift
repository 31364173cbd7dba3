import EvalSuites

/// The suites that edits to files affect.
///
/// A suite is affected if the bytes of its suite file, its schema or its file of test cases have
/// changed since the suite last ran. So if one edit breaks a file, and another edit restores the
/// file, no suite is affected.
package struct WatchPlan: Sendable, Equatable {
  /// The files that a suite was read from, with their bytes.
  package typealias Files = [String: [UInt8]]

  /// The suites to run, in the order in which they were loaded.
  package let affected: [String]
  /// The suites that are gone, sorted.
  package let removed: [String]
  /// The files that were edited since the suites last ran, sorted; the files of new suites are not
  /// included.
  package let edited: [String]

  /// Creates a plan from the files of the suites, now and when the suites last ran.
  ///
  /// - Parameters:
  ///   - suites: The suites as they are now, with their files.
  ///   - last: The files of each suite when it last ran, keyed by suite id.
  package init(_ suites: [(id: String, files: Files)], last: [String: Files]) {
    affected = suites.filter { last[$0.id] != $0.files }.map(\.id)
    removed = Set(last.keys).subtracting(suites.map(\.id)).sorted()
    var edited: Set<String> = []
    for suite in suites {
      guard let before = last[suite.id] else { continue }
      for path in Set(before.keys).union(suite.files.keys)
      where before[path] != suite.files[path] {
        edited.insert(path)
      }
    }
    self.edited = edited.sorted()
  }
}
