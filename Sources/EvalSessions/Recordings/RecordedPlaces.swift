import EvalRecords
import EvalSuites
import StructuredText
import SystemBasics

/// Finds the test case and the variant that a recording answers, by its prompt or its input.
struct RecordedPlaces {
  /// A test case in one variant, with its request.
  private struct Candidate {
    var place: RecordedFacts.Place
    var instructions: String
    var schema: JSONValue?
    /// The test case's id and its earlier ones, which a line may still have.
    var caseIDs: [String]

    /// Returns whether all names that a line gives fit.
    func has(_ names: [String: String]) -> Bool {
      (names["suite"] ?? place.suite) == place.suite
        && (names["variant"] ?? place.variant) == place.variant
        && caseIDs.contains(names["case"] ?? place.caseID)
    }
  }

  /// The test cases of one suite in all its variants.
  private struct Part {
    var inputs: InputIndex
    var ofPrompt: [String: [Candidate]] = [:]
    var ofCase: [String: [Candidate]] = [:]
  }

  private var parts: [Part] = []
  /// The names of the variables that the prompts and the assertions use.
  private let variables: Set<String>

  /// Creates an index of the test cases of suites, in all their variants.
  init(_ suites: [Suite]) {
    variables = Set(suites.flatMap { $0.promptedVariables + $0.judgedVariables })
    for suite in suites {
      var part = Part(inputs: InputIndex(suite))
      for variant in suite.variants {
        let schema = try? JSONValue(parsing: variant.schema)
        let instructions = (variant.instructions ?? "").trimmed
        for suiteCase in suite.cases {
          let prompt = suite.request(suiteCase, variant).prompt.trimmed
          let candidate = Candidate(
            place: .init(suite: suite.id, variant: variant.id, caseID: suiteCase.id),
            instructions: instructions, schema: schema,
            caseIDs: [suiteCase.id] + (suiteCase.settings.aliases ?? []))
          part.ofPrompt[prompt, default: []].append(candidate)
          part.ofCase[suiteCase.id, default: []].append(candidate)
        }
      }
      parts.append(part)
    }
  }

  /// Returns the test case and the variant that a recording answers, or `nil` if there is none.
  ///
  /// A line that names its suite, variant or test case counts only where all these names fit, and
  /// only if the prompt or the input is still the same. If several places are left, the first one
  /// counts that also has the same instructions and the same schema.
  func place(of recording: Recording) -> RecordedFacts.Place? {
    let all = candidates(for: recording, named: names(in: recording))
    let instructions = recording.instructions.map(\.trimmed)
    let schema = recording.facts.schema
    let fitting = all.filter { candidate in
      (instructions == nil || candidate.instructions == instructions)
        && (schema == nil || candidate.schema == schema)
    }
    return (fitting.first ?? all.first)?.place
  }

  /// Returns the names that a line gives.
  ///
  /// A variable with such a key is a value, unless the line has all three names, as a recorder
  /// writes them.
  private func names(in recording: Recording) -> [String: String] {
    let names = recording.facts.names
    return recording.facts.namesCase ? names : names.filter { !variables.contains($0.key) }
  }

  private func candidates(
    for recording: Recording, named names: [String: String]
  ) -> [Candidate] {
    guard let values = recording.variables else {
      let prompt = recording.prompt.trimmed
      return parts.flatMap { $0.ofPrompt[prompt] ?? [] }.filter { $0.has(names) }
    }
    func candidates(_ part: Part, _ ids: [String]) -> [Candidate] {
      ids.flatMap { part.ofCase[$0] ?? [] }.filter { $0.has(names) }
    }
    let found = parts.map { part in
      (part: part, ids: part.inputs.cases(asked: values, beside: recording.others))
    }
    let asked = found.flatMap { candidates($0.part, $0.ids ?? []) }
    if !asked.isEmpty { return asked }
    // The line may have only some variables of another suite's prompt.
    return found.filter { $0.ids == nil }.flatMap { part, _ in
      candidates(part, part.inputs.cases(having: values))
    }
  }
}
