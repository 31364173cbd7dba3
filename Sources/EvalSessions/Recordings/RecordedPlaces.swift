import EvalRecords
import EvalSuites
import StructuredText
import SystemBasics

/// Finds the test case and the variant that a recording answers, by its prompt.
struct RecordedPlaces {
  /// A test case in one variant, with its request.
  private struct Candidate {
    var place: RecordedFacts.Place
    var instructions: String
    var schema: JSONValue?
  }

  private var candidates: [String: [Candidate]] = [:]
  private let inputs: InputIndex
  private let firstVariants: [String: String]

  /// Creates an index of the test cases of suites, in all their variants.
  init(_ suites: [Suite]) {
    inputs = InputIndex(suites)
    firstVariants = Dictionary(
      suites.compactMap { suite in suite.variants.first.map { (suite.id, $0.id) } },
      uniquingKeysWith: { first, _ in first })
    for suite in suites {
      for variant in suite.variants {
        let schema = try? JSONValue(parsing: variant.schema)
        for suiteCase in suite.cases {
          let prompt = Self.trimmed(suite.request(suiteCase, variant).prompt)
          candidates[prompt, default: []].append(
            Candidate(
              place: .init(suite: suite.id, variant: variant.id, caseID: suiteCase.id),
              instructions: Self.trimmed(variant.instructions ?? ""), schema: schema))
        }
      }
    }
  }

  /// Returns the test case and the variant that a recording answers, or `nil` if there is none.
  ///
  /// A line that names suite, variant and test case counts only there, and only if the prompt is
  /// still the same. Otherwise, if several variants have the same prompt, the first one counts that
  /// also has the same instructions and the same schema.
  func place(of recording: Recording) -> RecordedFacts.Place? {
    if let variables = recording.variables {
      guard let place = inputs.place(of: variables, beside: recording.others) else { return nil }
      return self.place(place, named: recording.facts.place)
    }
    let all = candidates[Self.trimmed(recording.prompt)] ?? []
    if let named = recording.facts.place {
      return all.contains { $0.place == named } ? named : nil
    }
    let instructions = recording.instructions.map(Self.trimmed)
    let schema = recording.facts.schema
    let fitting = all.filter { candidate in
      (instructions == nil || candidate.instructions == instructions)
        && (schema == nil || candidate.schema == schema)
    }
    return (fitting.first ?? all.first)?.place
  }

  /// Returns the variant of a test case that a line of a log with `input` names, or the first one.
  private func place(
    _ place: String, named: RecordedFacts.Place?
  ) -> RecordedFacts.Place? {
    for (suite, variant) in firstVariants where place.hasPrefix(suite + "/") {
      let caseID = String(place.dropFirst(suite.count + 1))
      if let named, named.suite == suite, named.caseID == caseID { return named }
      return RecordedFacts.Place(suite: suite, variant: variant, caseID: caseID)
    }
    return nil
  }

  private static func trimmed(_ text: String) -> String {
    text.trimmed
  }
}
