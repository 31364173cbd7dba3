import EvalRecords
import EvalSuites
import StructuredText

extension ParsedArguments {
  /// Checks the names of models in gates.
  ///
  /// Nothing would judge a suite whose gate misspells its model. Names that differ only in digits
  /// are those of other sizes or versions, so they count as different models.
  ///
  /// - Throws: `UsageError` if a gate's model is not in the project file, but has nearly the name
  ///   of a model that is.
  func checkModels(inGatesOf suites: [Suite]) throws(UsageError) {
    let names = (project?.models ?? []).map(\.name)
    for suite in suites {
      guard let model = suite.gate.model, !names.contains(model) else { continue }
      let near = names.first { name in
        NearestName.distance(name.lowercased(), model.lowercased()) <= 2
          && name.filter { !$0.isNumber } != model.filter { !$0.isNumber }
      }
      guard let near else { continue }
      throw UsageError(
        "\(suite.id): the gate is for the model `\(model)`, which the project file doesn't list; "
          + "did you mean `\(near)`?")
    }
  }
}
