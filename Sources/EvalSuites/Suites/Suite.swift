public import EvalRecords
import GuidedGeneration
import StructuredText

/// A loaded suite, with all references resolved and all checks passed.
public struct Suite: Sendable {
  /// The id, unique among the loaded suites.
  public var id: String
  /// The title for reports; the id if the suite has no title.
  public var title: String
  /// The regression that the suite guards against.
  public var guards: String
  /// The tags of the suite, by which it can be selected.
  public var tags: [String]
  /// The path of the suite file, for messages.
  public var path: String
  /// The path of the suite file, relative to the folder that was passed to the loader.
  public var file: String
  /// The name of the generated type.
  public var schemaName: String
  /// The assertions for all test cases.
  public var assertions: [Assertion]
  /// The variants; the first variant is the default.
  public var variants: [SuiteVariant]
  /// The test cases.
  public var cases: [SuiteCase]
  /// The number of attempts per test case.
  public var repeats: Int
  /// The seed for all random numbers.
  public var seed: UInt64
  /// The options for generating answers.
  public var options: GenerationSettings
  /// The lint rules that the suite silences, each as a rule's name or `rule at Type.property`.
  public var silencedRules: [String]
  /// The gate that the suite must pass.
  public var gate: GateRecord
  /// The file with the test cases, or `nil` if they are in the suite file.
  public var caseFile: String?
  /// The document from which the schema was read, or `nil` if the schema wasn't read from a
  /// document.
  var schemaDocument: SchemaDocument?
  /// The metrics that are computed for every attempt.
  public var metrics: [Metric] = []
  /// The ids of all test cases, including those of other shards, for which the stub's answers vary
  /// from repeat to repeat.
  var casesWithVaryingStub: [String] = []
  /// The ids of those of them in which the number of a repeat decides its answer.
  var casesWithStubTurns: [String] = []
  /// Further facts for the record of the suite.
  public var details = SuiteDetails()
  /// The files from which the suite was read, with their contents; empty if the suite is written in
  /// Swift.
  package var readFiles: [String: [UInt8]] = [:]
  /// The warnings about the files, for example about a text that a comment cuts off.
  package var warnings: [SuiteProblem] = []
}

/// A variant of a suite, with its edits applied.
public struct SuiteVariant: Sendable {
  /// The id, unique in the suite.
  public var id: String
  /// The title for reports; the id if the variant has no title.
  public var title: String
  /// The schema as compact JSON in Apple's dialect.
  public var schema: String
  /// The instructions, or `nil` if there are none.
  public var instructions: String?
  /// The prompt template.
  public var prompt: PromptTemplate
  /// A description of each edit.
  public var edits: [String]
  /// The stub's answers in this variant, or `nil` if the test cases define them.
  public var stub: StubScript?
  /// The options that the variant itself sets.
  public var options = SettingsEdit()
  /// The parsed schema.
  package var generationSchema: GenerationSchema
  /// The schema by which answers are judged, as compact JSON, or `nil` if it is `schema`.
  var judgedSchema: String?

  /// The variant as it is stored in records.
  public var record: VariantRecord {
    VariantRecord(
      id: id, title: title, schema: schema, instructions: instructions,
      promptTemplate: prompt.text, edits: edits)
  }
}

/// A test case, with all assertions that apply to it.
public struct SuiteCase: Sendable {
  /// The id, unique in the suite.
  public var id: String
  /// The title for reports; the id if the test case has no title.
  public var title: String
  /// The tags of this test case.
  public var tags: [String]
  /// The values of the variables in the prompt.
  public var variables: JSONObject
  /// The suite's assertions, followed by the test case's own assertions.
  public var assertions: [Assertion]
  /// The stub's answers to this test case.
  public var stub: StubScript?
  /// The settings that override the suite's.
  public var settings = CaseSettings()
  /// The line on which the test case begins in its file, or `nil` if it isn't in a file.
  public var line: Int?
  /// The rules that turn the verdicts of an attempt into its outcome.
  public var scoring = AttemptScoring()
  /// The metrics that are computed only for this test case's attempts.
  public var metrics: [Metric] = []
  /// The assertions of this test case that are Swift closures.
  public var customAssertions: [CustomAssertion] = []

  /// The branches that the assertions expect, each at a single place.
  public var expectedBranches: [ExpectedBranch] { assertions.compactMap(\.expectedBranch) }

  /// The test case as it is stored in records.
  public var record: CaseRecord {
    CaseRecord(
      id: id, title: title, tags: tags, variables: .object(variables),
      expectedBranches: expectedBranches,
      assertions: assertions.map { Self.words($0.words, weight: $0.weight) }
        + customAssertions.map { Self.words($0.words, weight: $0.weight) })
  }

  /// Returns the description of an assertion, including its weight unless the weight is 1.
  private static func words(_ words: String, weight: Double) -> String {
    weight == 1 ? words : "\(words) (weight \(JSONNumber(weight).text))"
  }
}

extension Suite {
  /// The variables that the prompts of the suite use, without environment variables.
  package var promptedVariables: [String] {
    variants.flatMap(\.prompt.variables).unique.filter { !$0.hasPrefix("env.") }
  }

  /// The variables that the assertions and metrics of the whole suite use, without environment
  /// variables.
  package var judgedVariables: [String] {
    let formulas = metrics.flatMap { metric in
      if case .expression(let formula) = metric.source { formula.variables } else { [String]() }
    }
    return (assertions.flatMap(\.check.variables) + formulas).unique
      .filter { !$0.hasPrefix("env.") }
  }

  /// Returns the suite as it is stored in the record of a run.
  ///
  /// - Parameters:
  ///   - variants: The ids of the variants in the run, or `nil` for all variants.
  ///   - cases: The ids of the test cases in the run, or `nil` for all test cases.
  public func record(variants: Set<String>? = nil, cases: Set<String>? = nil) -> SuiteRecord {
    let running = self.variants.filter { variants?.contains($0.id) ?? true }
    let edited = running.filter { !$0.options.isEmpty }.map { ($0.id, $0.options) }
    var details = details
    details.effectiveSettings = effectiveSettings(of: running)
    details.fixedDecisions = FixedDecisionPlaces(
      Dictionary(
        running.map { ($0.id, $0.generationSchema.fixedDecisions.map(\.description)) },
        uniquingKeysWith: { first, _ in first }))
    details.variantOptions =
      edited.isEmpty ? nil : Dictionary(edited, uniquingKeysWith: { first, _ in first })
    let judged = running.compactMap { variant in variant.judgedSchema.map { (variant.id, $0) } }
    details.judgedSchemas =
      judged.isEmpty ? nil : Dictionary(judged, uniquingKeysWith: { first, _ in first })
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

  /// The bounds that the suite's `count` assertions set on array lengths, keyed by the array's path
  /// with `[*]` in place of each index.
  private var arrayBounds: [String: CountBounds] { Self.arrayBounds(assertions) }

  private static func arrayBounds(_ assertions: [Assertion]) -> [String: CountBounds] {
    var bounds: [String: CountBounds] = [:]
    for assertion in assertions {
      guard let check = assertion.check as? ValueCheck, let rule = check.rule as? CountRule else {
        continue
      }
      let path = check.path.pattern.description
      bounds[path] = bounds[path, default: CountBounds()].intersection(rule.bounds)
    }
    return bounds
  }

  /// The bounds on array lengths over all test cases, with the values of their variables, or `nil`
  /// if there are none.
  var expectedLengths: [String: ExpectedLengths]? {
    var lengths: [String: ExpectedLengths] = [:]
    for suiteCase in cases {
      for (path, bounds) in Self.arrayBounds(suiteCase.assertions) {
        lengths[path, default: ExpectedLengths()].add(
          minimum: bounds.minimum, maximum: bounds.maximum)
      }
    }
    return lengths.isEmpty ? nil : lengths
  }

  /// Returns the settings with which each test case runs in each of the given variants.
  func effectiveSettings(of variants: [SuiteVariant]) -> EffectiveSettings {
    EffectiveSettings(
      options, cases: details.cases ?? [:],
      variants: variants.map {
        EffectiveSettings.Variant(id: $0.id, edit: $0.options, stub: $0.stub)
      }, casesWithVaryingStub: casesWithVaryingStub, casesWithStubTurns: casesWithStubTurns)
  }

  /// Returns the request for a test case in a variant.
  ///
  /// - Parameters:
  ///   - suiteCase: The test case.
  ///   - variant: The variant.
  ///   - settings: The effective settings of the suite's run, or `nil` to compute them.
  public func request(
    _ suiteCase: SuiteCase, _ variant: SuiteVariant, _ settings: EffectiveSettings? = nil
  ) -> BackendRequest {
    BackendRequest(
      suite: id, variant: variant.id, caseID: suiteCase.id, schema: variant.schema,
      instructions: variant.instructions, prompt: variant.prompt.render(suiteCase.variables),
      settings: (settings ?? effectiveSettings(of: [variant]))
        .settings(of: suiteCase.id, in: variant.id),
      stubScript: variant.stub ?? suiteCase.stub, judgedSchema: variant.judgedSchema,
      variables: suiteCase.variables)
  }
}

extension Assertion {
  /// The expected branch, if the assertion expects exactly one enum case at exactly one place.
  var expectedBranch: ExpectedBranch? {
    guard let check = check as? ValueCheck, let rule = check.rule as? BranchRule,
      check.path.isSingular, rule.names.count == 1
    else { return nil }
    return ExpectedBranch(path: check.path.description, branch: rule.names[0])
  }
}
