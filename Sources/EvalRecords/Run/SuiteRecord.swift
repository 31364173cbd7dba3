import StructuredText

/// A suite as it was when it ran.
public struct SuiteRecord: Sendable, Hashable, Codable {
  /// The suite's id.
  public var id: String
  /// Its title.
  public var title: String
  /// Which regression it guards.
  public var guards: String
  /// The suite file, relative to the folder that was named on the command line.
  public var file: String
  /// The name of the generated type.
  public var schemaName: String
  /// Its tags.
  public var tags: [String]
  /// The variants that ran, in the suite's order; the first is the default.
  public var variants: [VariantRecord]
  /// The cases that ran.
  public var cases: [CaseRecord]
  /// Planned repeats of each case.
  public var repeats: Int
  /// The seed of the suite.
  public var seed: UInt64
  /// How answers are sampled.
  public var options: GenerationSettings
  /// What the suite must reach.
  public var gate: GateRecord
  /// The fewest elements that the suite's `count` assertions ask of arrays, by path with `[*]` for
  /// elements, for example `$.cards` → 3.
  public var arrayMinimums: [String: Int]
  /// What else is known of it.
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

/// A named edit of a suite's guides, bounds, instructions or prompt; the schema as it was sent.
public struct VariantRecord: Sendable, Hashable, Codable {
  /// The variant's id.
  public var id: String
  /// Its title.
  public var title: String
  /// The schema with the edits applied, as canonical JSON in Apple's dialect.
  public var schema: String
  /// The instructions with the edits applied; nil if there are none.
  public var instructions: String?
  /// The prompt template with the edits applied.
  public var promptTemplate: String
  /// The edits in words, for example `guide of DraftCardSet.cards`.
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
  /// The planned repeats of a case, without fresh ones: its own, or the suite's.
  public func plannedRepeats(of caseID: String) -> Int {
    details.cases?[caseID]?.repeats ?? repeats
  }

  /// The planned attempts of a variant on a backend, fresh ones among them.
  package var plannedAttempts: Int {
    let fresh = details.fresh?.repeats ?? 0
    return cases.reduce(0) { $0 + plannedRepeats(of: $1.id) + fresh }
  }
}

extension CaseRecord {
  /// A case of which nothing is told but its id, as simulations have.
  package init(id: String) {
    self.init(
      id: id, title: id, tags: [], variables: .null, expectedBranches: [], assertions: [])
  }
}

/// A case as it was when it ran.
public struct CaseRecord: Sendable, Hashable, Codable {
  /// The case's id.
  public var id: String
  /// Its title; the id where it has none.
  public var title: String
  /// Its tags.
  public var tags: [String]
  /// The prompt's variables.
  public var variables: JSONValue
  /// The enum case that the case expects, by path: the rows of the branch confusion.
  public var expectedBranches: [ExpectedBranch]
  /// The assertions that apply to it, in words.
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

/// The enum case that an input should be sorted into.
public struct ExpectedBranch: Sendable, Hashable, Codable {
  /// The path of the enum.
  public var path: String
  /// The expected case.
  public var branch: String

  /// Creates an expectation.
  public init(path: String, branch: String) {
    self.path = path
    self.branch = branch
  }
}

/// What a suite must reach: below it the exit status is 1.
public struct GateRecord: Sendable, Hashable, Codable {
  /// The share of attempts that must pass, from 0 to 1.
  public var passRate: Double
  /// Another share for some backends, by backend id.
  public var passRateByBackend: [String: Double]
  /// The names of assertions that may never fail.
  public var guardrails: [String]
  /// How the repeats of a case make its score; nil if the rate is one of attempts, not of cases.
  public var reducer: CaseReducer?

  /// Creates a gate.
  public init(
    passRate: Double = 1, passRateByBackend: [String: Double] = [:], guardrails: [String] = [],
    reducer: CaseReducer? = nil
  ) {
    self.passRate = passRate
    self.passRateByBackend = passRateByBackend
    self.guardrails = guardrails
    self.reducer = reducer
  }

  /// The share that a backend must reach.
  public func passRate(for backend: String) -> Double { passRateByBackend[backend] ?? passRate }
}
