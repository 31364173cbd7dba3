import EvalSuites

/// A model file in the cache of another program.
package struct FoundModel: Sendable, Hashable {
  /// The cache that contains the model.
  package var source: ModelSource
  /// The model's usual name, without the prefix of the cache.
  package var name: String
  /// Other spellings of the name.
  package var otherNames: Set<String> = []
  /// The path of the file, or the reason why the model can't be used.
  package var file: Result<String, Problem>

  /// The reason why a model in a cache can't be used.
  package struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file or folder with the problem.
    package let path: String
    /// The problem.
    package let reason: String

    /// The path and the reason.
    package var description: String { "\(path): \(reason)" }
  }

  /// The name in the form that `--model` accepts.
  package var qualifiedName: String { "\(source.prefix):\(name)" }
}
