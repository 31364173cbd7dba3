import Backends
import EvalFindings
import EvalRecords
internal import ModelServers

/// The result of testing a served model, as rows of text that list the capabilities.
package struct ServedCheckup: Sendable {
  /// The results of the tests, with their names.
  package let rows: [(name: String, value: String)]
  /// The reason why the server can't be used, or `nil` if it can be used.
  package let failure: String?

  /// Creates a result by testing a served model.
  ///
  /// - Parameters:
  ///   - choice: The model.
  ///   - context: The context of the evaluation, whose environment has the server's key.
  /// - Throws: `SessionFailure` if no request can be sent to the model.
  package init(_ choice: ServedChoice, in context: EvaluationContext) async throws(SessionFailure) {
    var backends = BackendChoice(ids: [choice.id])
    backends.served = [choice.id: choice]
    guard
      let backend = try BackendFactory.backends(backends, in: context).first as? ServedBackend
    else { throw SessionFailure(.cannotRun, "\(choice.id) is not a served model") }
    let (found, use) = await backend.probe()
    let missing =
      choice.name.interface == .apple
      ? AppleCheckup.rows(choice.name, use, health: await backend.report(at: "/health")) : []
    let models = use.models.keys.sorted().joined(separator: ", ")
    rows =
      [
        ("server", use.address),
        (
          "model",
          !models.isEmpty
            ? models
            : use.answers == 0
              ? "unknown: there was no answer" : "unknown: the answers don't name it"
        ),
        ("build", use.fingerprints.keys.sorted().joined(separator: ", ")),
      ] + found.rows + missing
    failure = use.ending
  }
}
