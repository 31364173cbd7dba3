public import EvalRecords
import GuidedGeneration
import StructuredText

/// A loaded suite, completely resolved and checked.
public struct Suite: Sendable {
  /// The id, unique among the loaded suites.
  public var id: String
  /// A line for reports; the id if the file has none.
  public var title: String
  /// The regression that the suite guards against.
  public var guards: String
  /// Tags for selecting the suite.
  public var tags: [String]
  /// The path of the suite file, for messages.
  public var path: String
  /// The path of the suite file, relative to the folder that the caller asked for.
  public var file: String
  /// The name of the generated type.
  public var schemaName: String
  /// The assertions for all test cases.
  public var assertions: [Assertion]
  /// The variants; the first one is the default.
  public var variants: [SuiteVariant]
  /// The test cases.
  public var cases: [SuiteCase]
  /// The number of attempts per test case.
  public var repeats: Int
  /// The seed of all random numbers.
  public var seed: UInt64
  /// The settings for sampling answers.
  public var options: GenerationSettings
  /// Lint rules that are not applied: a rule's name, or `rule at Type.property`.
  public var silencedRules: [String]
  /// The gate that the suite must pass.
  public var gate: GateRecord
  /// The file of the test cases; nil if they are in the suite file.
  public var caseFile: String?
  /// The document from which the schema was read.
  var schemaDocument: SchemaDocument?
  /// The metrics of every attempt.
  public var metrics: [Metric] = []
  /// Further facts for the suite's record.
  public var details = SuiteDetails()
  /// The files from which the suite was read, with their bytes; empty if it is written in Swift.
  package var readFiles: [String: [UInt8]] = [:]
}

/// A variant of a suite, with its edits applied.
public struct SuiteVariant: Sendable {
  /// The id, unique in the suite.
  public var id: String
  /// A line for reports; the id if the file has none.
  public var title: String
  /// The schema as compact JSON in Apple's dialect.
  public var schema: String
  /// The instructions; nil if there are none.
  public var instructions: String?
  /// The prompt template.
  public var prompt: PromptTemplate
  /// Descriptions of the edits.
  public var edits: [String]
  /// The stub's answers in this variant; nil if each test case provides them.
  public var stub: StubScript?
  /// The options that the variant sets itself.
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

/// A test case with all assertions that apply to it.
public struct SuiteCase: Sendable {
  /// The id, unique in the suite.
  public var id: String
  /// A line for reports; the id if the file has none.
  public var title: String
  /// The tags of this test case.
  public var tags: [String]
  /// The values of the prompt's variables.
  public var variables: JSONObject
  /// The suite's assertions, followed by those of the test case.
  public var assertions: [Assertion]
  /// The stub's answers.
  public var stub: StubScript?
  /// The settings that replace those of the suite.
  public var settings = CaseSettings()
  /// The line on which the test case begins in its file; nil if the test case is in no file.
  public var line: Int?
  /// The rules that turn the verdicts of an attempt into its outcome.
  public var scoring = AttemptScoring()
  /// The metrics of only this test case's attempts.
  public var metrics: [Metric] = []
  /// The test case's assertions that are written in Swift.
  public var customAssertions: [CustomAssertion] = []

  /// The record of the test case.
  public var record: CaseRecord {
    CaseRecord(
      id: id, title: title, tags: tags, variables: .object(variables),
      expectedBranches: assertions.compactMap(\.expectedBranch),
      assertions: assertions.map { Self.words($0.words, weight: $0.weight) }
        + customAssertions.map { Self.words($0.words, weight: $0.weight) })
  }

  /// Returns an assertion's description, with its weight unless that is 1.
  private static func words(_ words: String, weight: Double) -> String {
    weight == 1 ? words : "\(words) (weight \(JSONNumber(weight).text))"
  }
}

extension Suite {
  /// Returns the record of the suite for a run.
  ///
  /// - Parameters:
  ///   - variants: The ids of the variants that run; nil for all.
  ///   - cases: The ids of the test cases that run; nil for all.
  public func record(variants: Set<String>? = nil, cases: Set<String>? = nil) -> SuiteRecord {
    let running = self.variants.filter { variants?.contains($0.id) ?? true }
    let edited = running.filter { !$0.options.isEmpty }.map { ($0.id, $0.options) }
    var details = details
    details.variantOptions =
      edited.isEmpty ? nil : Dictionary(edited, uniquingKeysWith: { first, _ in first })
    let bounds = arrayBounds
    let maximums = bounds.compactMapValues(\.maximum)
    details.arrayMaximums = maximums.isEmpty ? nil : maximums
    return SuiteRecord(
      id: id, title: title, guards: guards, file: file, schemaName: schemaName, tags: tags,
      variants: running.map(\.record),
      cases: self.cases.filter { cases?.contains($0.id) ?? true }.map(\.record),
      repeats: repeats, seed: seed, options: options, gate: gate,
      arrayMinimums: bounds.compactMapValues(\.minimum), details: details
    ).stored
  }

  /// The bounds that the suite's `count` assertions set on arrays, by path with `[*]` in place of
  /// each index.
  private var arrayBounds: [String: CountBounds] {
    var bounds: [String: CountBounds] = [:]
    for assertion in assertions {
      guard let check = assertion.check as? ValueCheck, let rule = check.rule as? CountRule else {
        continue
      }
      let steps = check.path.steps.map { step -> ValuePath.Step in
        if case .index = step { .wildcard } else { step }
      }
      let path = ValuePath(steps: steps).description
      bounds[path] = bounds[path, default: CountBounds()].intersection(rule.bounds)
    }
    return bounds
  }

  /// Returns the request to a backend for a test case in a variant.
  public func request(_ suiteCase: SuiteCase, _ variant: SuiteVariant) -> BackendRequest {
    BackendRequest(
      suite: id, variant: variant.id, caseID: suiteCase.id, schema: variant.schema,
      instructions: variant.instructions, prompt: variant.prompt.render(suiteCase.variables),
      settings: variant.options.applied(to: suiteCase.settings.options ?? options),
      stubScript: variant.stub ?? suiteCase.stub)
  }
}

extension Assertion {
  /// The enum case that the assertion expects, if it expects exactly one at one place.
  var expectedBranch: ExpectedBranch? {
    guard let check = check as? ValueCheck, let rule = check.rule as? BranchRule,
      check.path.isSingular, rule.names.count == 1
    else { return nil }
    return ExpectedBranch(path: check.path.description, branch: rule.names[0])
  }
}
