import StructuredText

/// A suite as it was when it ran.
public struct SuiteRecord: Sendable, Hashable, Codable {
  /// The suite's id.
  public var id: String
  /// The suite's title.
  public var title: String
  /// The regression that the suite guards against.
  public var guards: String
  /// The suite file, relative to the folder given on the command line.
  public var file: String
  /// The name of the type that the model generates.
  public var schemaName: String
  /// The suite's tags.
  public var tags: [String]
  /// The variants that ran, in suite order; gates judge only the first variant.
  public var variants: [VariantRecord]
  /// The test cases that ran.
  public var cases: [CaseRecord]
  /// The number of planned repeats per test case.
  public var repeats: Int
  /// The seed of the suite.
  public var seed: UInt64
  /// The settings for sampling answers.
  public var options: GenerationSettings
  /// The gate that the suite must pass.
  public var gate: GateRecord
  /// The minimum lengths that the suite's `count` assertions require of arrays, for example
  /// `$.cards` → 3.
  ///
  /// The keys are paths, in which `[*]` stands for any element.
  public var arrayMinimums: [String: Int]
  /// Further facts about the suite.
  public var details: SuiteDetails

  /// Creates a record.
  public init(
    id: String, title: String, guards: String, file: String, schemaName: String,
    tags: [String] = [], variants: [VariantRecord], cases: [CaseRecord], repeats: Int,
    seed: UInt64, options: GenerationSettings, gate: GateRecord,
    arrayMinimums: [String: Int] = [:], details: SuiteDetails = SuiteDetails()
  ) {
    self.id = id
    self.title = title
    self.guards = guards
    self.file = file
    self.schemaName = schemaName
    self.tags = tags
    self.variants = variants
    self.cases = cases
    self.repeats = repeats
    self.seed = seed
    self.options = options
    self.gate = gate
    self.arrayMinimums = arrayMinimums
    self.details = details
  }
}

/// A version of a suite in which named edits change the guides, bounds, instructions, prompt or
/// options.
///
/// The record contains the schema as Assay sent it.
public struct VariantRecord: Sendable, Hashable, Codable {
  /// The variant's id.
  public var id: String
  /// The variant's title.
  public var title: String
  /// The schema with the edits applied, as canonical JSON in Apple's dialect.
  public var schema: String
  /// The instructions with the edits applied, or `nil` if there are none.
  public var instructions: String?
  /// The prompt template with the edits applied.
  public var promptTemplate: String
  /// Descriptions of the edits, for example `guide of DraftCardSet.cards`.
  public var edits: [String]

  /// Creates a record.
  public init(
    id: String, title: String, schema: String, instructions: String?, promptTemplate: String,
    edits: [String]
  ) {
    self.id = id
    self.title = title
    self.schema = schema
    self.instructions = instructions
    self.promptTemplate = promptTemplate
    self.edits = edits
  }
}

extension SuiteRecord {
  /// The schemas by which the variants' answers are judged, keyed by variant id.
  package var answerSchemas: [String: String] {
    Dictionary(
      variants.map { ($0.id, details.judgedSchemas?[$0.id] ?? $0.schema) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns the number of planned repeats of a test case, without fresh repeats: the test case's
  /// number or, if it has none, the suite's.
  public func plannedRepeats(of caseID: String) -> Int {
    details.cases?[caseID]?.repeats ?? repeats
  }

  /// The number of planned attempts of a variant on a backend, including fresh attempts.
  package var plannedAttempts: Int {
    cases.reduce(0) {
      $0 + plannedRepeats(of: $1.id) + freshRepeats(of: $1.id)
    }
  }
}

extension CaseRecord {
  /// Creates a test case with only an id, for simulations.
  package init(id: String) {
    self.init(
      id: id, title: id, tags: [], variables: .null, expectedBranches: [], assertions: [])
  }
}

/// A test case as it was when it ran.
public struct CaseRecord: Sendable, Hashable, Codable {
  /// The test case's id.
  public var id: String
  /// The title, or the id if the test case has no title.
  public var title: String
  /// The test case's tags.
  public var tags: [String]
  /// The variables of the prompt.
  public var variables: JSONValue
  /// The enum cases that the test case expects, one per path, which select the rows of the
  /// confusion matrices.
  public var expectedBranches: [ExpectedBranch]
  /// Descriptions of the assertions that apply to the test case.
  public var assertions: [String]

  /// Creates a record.
  public init(
    id: String, title: String, tags: [String], variables: JSONValue,
    expectedBranches: [ExpectedBranch], assertions: [String]
  ) {
    self.id = id
    self.title = title
    self.tags = tags
    self.variables = variables
    self.expectedBranches = expectedBranches
    self.assertions = assertions
  }
}

extension CaseRecord {
  /// The first words of the placeholder inputs that `assay init` writes, in this version and in
  /// earlier versions.
  package static let placeholders = [
    "Write an input here for which", "Write here an input for which",
  ]

  /// Returns whether a variable is a placeholder input that `assay init` wrote.
  package static func isPlaceholder(_ variable: JSONValue) -> Bool {
    variable.string.map { text in placeholders.contains { text.hasPrefix($0) } } ?? false
  }

  /// Whether the author has not yet replaced the input that `assay init` wrote.
  package var hasPlaceholder: Bool {
    variables.object?.members.contains { Self.isPlaceholder($0.value) } ?? false
  }
}

/// The enum case that is expected for an input.
public struct ExpectedBranch: Sendable, Hashable, Codable {
  /// The path of the enum.
  public var path: String
  /// The expected enum case.
  public var branch: String

  /// Creates an expectation.
  public init(path: String, branch: String) {
    self.path = path
    self.branch = branch
  }
}

/// The gate of a suite; if the suite misses it, the exit status is 1.
public struct GateRecord: Sendable, Hashable, Codable {
  /// The name of the model that the gate and the suite's baselines were written for, or `nil` if
  /// they judge any model.
  public var model: String?
  /// The share of attempts that must pass or, with a reducer, the mean score that is needed, from 0
  /// to 1.
  public var passRate: Double
  /// The values that replace the pass rate for some backends, keyed by backend id.
  public var passRateByBackend: [String: Double]
  /// The names of the assertions that must never fail.
  public var guardrails: [String]
  /// The rule that combines the repeats of a test case, or `nil` if the rate counts attempts and
  /// not test cases.
  public var reducer: CaseReducer?

  /// Creates a gate.
  public init(
    model: String? = nil, passRate: Double = 1, passRateByBackend: [String: Double] = [:],
    guardrails: [String] = [], reducer: CaseReducer? = nil
  ) {
    self.model = model
    self.passRate = passRate
    self.passRateByBackend = passRateByBackend
    self.guardrails = guardrails
    self.reducer = reducer
  }

  /// Gives local models the pass rate of the backend `local`, unless the gate has separate rates
  /// for these models.
  ///
  /// - Parameter ids: The ids of the backends that run these models.
  package mutating func nameModels(_ ids: [String]) {
    guard let share = passRateByBackend["local"] else { return }
    for id in ids where passRateByBackend[id] == nil { passRateByBackend[id] = share }
  }

  /// Returns the pass rate that a backend must reach.
  public func passRate(for backend: String) -> Double { passRateByBackend[backend] ?? passRate }
}
