import Backends
import EvalRecords

/// A served model tried out: what it promises, in rows of words.
package struct ServedCheckup: Sendable {
  /// The findings, each with its name.
  package let rows: [(name: String, value: String)]
  /// Why the server can't be used; nil if it can.
  package let failure: String?

  /// Tries a served model out.
  ///
  /// - Parameters:
  ///   - choice: The model.
  ///   - context: The surroundings, with the key.
  /// - Throws: `SessionFailure` if it can't be asked at all.
  package init(_ choice: ServedChoice, in context: EvaluationContext) async throws(SessionFailure) {
    var backends = BackendChoice(ids: [choice.id])
    backends.served = [choice.id: choice]
    guard
      let backend = try BackendFactory.backends(backends, in: context).first as? ServedBackend
    else { throw SessionFailure(.cannotRun, "\(choice.id) is not served") }
    let probe = await ServedProbe(backend)
    let use = backend.served
    let models = use.map { $0.models.keys.sorted().joined(separator: ", ") } ?? ""
    rows = [
      ("server", use?.address ?? ""),
      ("model", models.isEmpty ? "unknown: nothing was answered" : models),
      ("build", use.map { $0.fingerprints.keys.sorted().joined(separator: ", ") } ?? ""),
      ("keeps to schemas", Self.words(probe.enforcesSchema)),
      ("repeats a seed", Self.words(probe.repeatsSeeds)),
      (
        "decisions",
        Self.words(probe.measuresDecisions, yes: "measured", no: "counted: no tokens are listed")
          + (probe.probabilities.map {
            $0 == .beforeMask ? ", from before the mask" : ", from after the mask"
          } ?? "")
      ),
      ("white space", Self.words(probe.writesWhitespace, yes: "written", no: "none")),
      (
        "not applied",
        probe.unapplied.isEmpty
          ? "nothing that was asked" : probe.unapplied.joined(separator: ", ")
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
