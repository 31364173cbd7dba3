import EvalRecords
import GuidedGeneration
import StructuredText

/// A suite as it was loaded: everything resolved and checked.
public struct Suite: Sendable {
  /// The id, unique among the loaded suites.
  public var id: String
  /// One line for reports; the id where the file has none.
  public var title: String
  /// The regression that the suite is there to catch.
  public var guards: String
  /// Words to select by.
  public var tags: [String]
  /// The suite file as it was found, for messages.
  public var path: String
  /// The suite file relative to the folder that was asked for.
  public var file: String
  /// The name of the generated type.
  public var schemaName: String
  /// The assertions of every case.
  public var assertions: [Assertion]
  /// The variants; the first one is the default.
  public var variants: [SuiteVariant]
  /// The cases.
  public var cases: [SuiteCase]
  /// Attempts per case.
  public var repeats: Int
  /// What all random numbers are drawn from.
  public var seed: UInt64
  /// How answers are sampled.
  public var options: GenerationSettings
  /// Rules of the lint that are not applied: a rule's name, or `rule at Type.property`.
  public var silencedRules: [String]
  /// What the suite must reach.
  public var gate: GateRecord
  /// The file of the cases; nil if they stand in the suite file.
  public var caseFile: String?
  /// Where the schema was read.
  var schemaDocument: SchemaDocument?
  /// What is measured in every attempt.
  public var metrics: [Metric] = []
  /// What else its record says.
  public var details = SuiteDetails()
}

/// A named edit of a suite, with the edits applied.
public struct SuiteVariant: Sendable {
  /// The id, unique in the suite.
  public var id: String
  /// One line for reports; the id where the file has none.
  public var title: String
  /// The schema as compact JSON in Apple's dialect.
  public var schema: String
  /// The instructions; nil if there are none.
  public var instructions: String?
  /// The prompt template.
  public var prompt: PromptTemplate
  /// The edits in words.
  public var edits: [String]
  /// What the stub answers in this variant; nil for what each case says.
  public var stub: StubScript?
  /// The options that the variant has of its own.
  public var options = SettingsEdit()
  /// The schema itself.
  package var generationSchema: GenerationSchema

  /// The record of the variant.
  public var record: VariantRecord {
    VariantRecord(
      id: id, title: title, schema: schema, instructions: instructions,
      promptTemplate: prompt.text, edits: edits)
  }
}

/// A case with all assertions that apply to it.
public struct SuiteCase: Sendable {
  /// The id, unique in the suite.
  public var id: String
  /// One line for reports; the id where the file has none.
  public var title: String
  /// The case's own tags.
  public var tags: [String]
  /// The values of the prompt's variables.
  public var variables: JSONObject
  /// The suite's assertions, then the case's own.
  public var assertions: [Assertion]
  /// What the stub answers.
  public var stub: StubScript?
  /// What the case has of its own where the suite says otherwise.
  public var settings = CaseSettings()
  /// The line of its file on which the case begins; nil if it is in no file.
  public var line: Int?
  /// How the verdicts of an attempt make its outcome.
  public var scoring = AttemptScoring()
  /// What is measured in the attempts of this case only.
  public var metrics: [Metric] = []
  /// The assertions that are written in Swift.
  public var customAssertions: [CustomAssertion] = []

  /// The record of the case.
  public var record: CaseRecord {
    CaseRecord(
      id: id, title: title, tags: tags, variables: .object(variables),
      expectedBranches: assertions.compactMap(\.expectedBranch),
      assertions: assertions.map { Self.words($0.words, weight: $0.weight) }
        + customAssertions.map { Self.words($0.words, weight: $0.weight) })
  }

  /// An assertion with its weight, which is a part of what is asserted.
  private static func words(_ words: String, weight: Double) -> String {
    weight == 1 ? words : "\(words) (weight \(JSONNumber(weight).text))"
  }
}

extension Suite {
  /// The record of the suite as it runs.
  ///
  /// - Parameters:
  ///   - variants: The ids of the variants that run; nil for all.
  ///   - cases: The ids of the cases that run; nil for all.
  public func record(variants: Set<String>? = nil, cases: Set<String>? = nil) -> SuiteRecord {
    let running = self.variants.filter { variants?.contains($0.id) ?? true }
    let edited = running.filter { !$0.options.isEmpty }.map { ($0.id, $0.options) }
    var details = details
    details.variantOptions =
      edited.isEmpty ? nil : Dictionary(edited, uniquingKeysWith: { first, _ in first })
    return SuiteRecord(
      id: id, title: title, guards: guards, file: file, schemaName: schemaName, tags: tags,
      variants: running.map(\.record),
      cases: self.cases.filter { cases?.contains($0.id) ?? true }.map(\.record),
      repeats: repeats, seed: seed, options: options, gate: gate,
      arrayMinimums: arrayMinimums, details: details
    ).stored
  }

  /// The fewest elements that `count` asks of arrays for every case, by path with `[*]` for
  /// elements.
  private var arrayMinimums: [String: Int] {
    var minimums: [String: Int] = [:]
    for assertion in assertions {
      guard let check = assertion.check as? ValueCheck, let rule = check.rule as? CountRule,
        let minimum = rule.bounds.minimum
      else { continue }
      let steps = check.path.steps.map { step -> ValuePath.Step in
        if case .index = step { .wildcard } else { step }
      }
      minimums[ValuePath(steps: steps).description, default: 0].raise(to: minimum)
    }
    return minimums
  }

  /// What a backend is asked for a case in a variant.
  public func request(_ suiteCase: SuiteCase, _ variant: SuiteVariant) -> BackendRequest {
    BackendRequest(
      suite: id, variant: variant.id, caseID: suiteCase.id, schema: variant.schema,
      instructions: variant.instructions, prompt: variant.prompt.render(suiteCase.variables),
      settings: variant.options.applied(to: suiteCase.settings.options ?? options),
      stubScript: variant.stub ?? suiteCase.stub)
  }
}

extension Assertion {
  /// The enum case that the assertion expects, where it expects exactly one at one place.
  var expectedBranch: ExpectedBranch? {
    guard let check = check as? ValueCheck, let rule = check.rule as? BranchRule,
      check.path.isSingular, rule.names.count == 1
    else { return nil }
    return ExpectedBranch(path: check.path.description, branch: rule.names[0])
  }
}

extension Int {
  fileprivate mutating func raise(to value: Int) { self = Swift.max(self, value) }
}
