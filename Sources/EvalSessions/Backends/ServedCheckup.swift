import Backends
import EvalRecords

/// The result of testing a served model: its capabilities, as rows of text.
package struct ServedCheckup: Sendable {
  /// The findings with their names.
  package let rows: [(name: String, value: String)]
  /// The reason why the server can't be used; nil if it can.
  package let failure: String?

  /// Creates the result of testing a served model.
  ///
  /// - Parameters:
  ///   - choice: The model.
  ///   - context: The context of the evaluation, with the key.
  /// - Throws: `SessionFailure` if no request can be sent to it.
  package init(_ choice: ServedChoice, in context: EvaluationContext) async throws(SessionFailure) {
    var backends = BackendChoice(ids: [choice.id])
    backends.served = [choice.id: choice]
    guard
      let backend = try BackendFactory.backends(backends, in: context).first as? ServedBackend
    else { throw SessionFailure(.cannotRun, "\(choice.id) is not a served model") }
    let probe = await ServedProbe(backend)
    let use = backend.served
    let models = use.map { $0.models.keys.sorted().joined(separator: ", ") } ?? ""
    rows = [
      ("server", use?.address ?? ""),
      ("model", models.isEmpty ? "unknown: no answer came" : models),
      ("build", use.map { $0.fingerprints.keys.sorted().joined(separator: ", ") } ?? ""),
      ("enforces schemas", Self.words(probe.enforcesSchema)),
      ("repeats a seed", Self.words(probe.repeatsSeeds)),
      (
        "decisions",
        Self.words(
          probe.measuresDecisions, yes: "measured", no: "counted: the server lists no tokens")
          + (probe.probabilities.map {
            $0 == .beforeMask ? ", from before the mask" : ", from after the mask"
          } ?? "")
      ),
      ("white space", Self.words(probe.writesWhitespace, yes: "written", no: "none")),
      (
        "not applied",
        probe.unapplied.isEmpty
          ? "none of the options" : probe.unapplied.joined(separator: ", ")
      ),
    ]
    failure = use?.ending
  }

  private static func words(
    _ finding: ServedProbe.Finding, yes: String = "yes", no: String = "no"
  ) -> String {
    switch finding {
    case .yes: yes
    case .no: no
    case .unknown(let reason): "unknown: \(reason)"
    }
  }
}
