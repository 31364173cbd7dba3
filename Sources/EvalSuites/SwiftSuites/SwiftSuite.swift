import EvalRecords
public import GuidedGeneration
public import StructuredText

/// A suite that is written in Swift: it generates a `@Generable` type, and its assertions may be
/// closures.
///
///     let flashcards = SwiftSuite(
///       "flashcards", generates: CardSet.self, guards: "Empty sets of cards.",
///       instructions: "You turn notes into study cards.", repeats: 3,
///       assertions: [
///         .count("$.cards", 3...8),
///         .holds("questions end with a question mark", for: CardSet.self) { set in
///           set.cards.allSatisfy { $0.question.hasSuffix("?") }
///         },
///       ],
///       cases: [SwiftCase("owls", input: "Owls can turn their heads almost all the way round.")])
///
/// It is checked like a suite file, by the same code: an unknown path, a misspelt parameter or a
/// variable that is missing is an error before anything runs.
public struct SwiftSuite: Sendable {
  /// The id, unique among the suites of a run.
  public let id: String
  private let members: [JSONObject.Member]
  private let type: (name: String, schema: GenerationSchema)
  private let assertions: [SuiteAssertion]
  private let guardrails: [String]
  private let cases: [SwiftCase]

  /// Makes a suite.
  ///
  /// - Parameters:
  ///   - id: The id, unique among the suites of a run.
  ///   - type: What is generated.
  ///   - title: One line for reports; the id where it is nil.
  ///   - guards: The regression that the suite is there to catch.
  ///   - tags: Words to select by.
  ///   - instructions: The system text.
  ///   - prompt: The template over the variables of a case; `{{input}}` where it is nil.
  ///   - repeats: Attempts per case.
  ///   - seed: What all random numbers are drawn from.
  ///   - passRate: The share of attempts that must pass.
  ///   - guardrails: The names of assertions that may never fail.
  ///   - more: Other keys of a suite file, such as `options`, `variants`, `stub` and `lint`.
  ///   - assertions: Assertions of every case.
  ///   - cases: The cases.
  public init<Value: Generable>(
    _ id: String, generates type: Value.Type, title: String? = nil, guards: String = "",
    tags: [String] = [], instructions: String? = nil, prompt: String? = nil, repeats: Int = 1,
    seed: Int = 1, passRate: Double = 1, guardrails: [String] = [],
    more: KeyValuePairs<String, JSONValue> = [:], assertions: [SuiteAssertion] = [],
    cases: [SwiftCase]
  ) {
    self.id = id
    self.type = (String(describing: type), type.generationSchema)
    self.assertions = assertions
    self.guardrails = guardrails
    self.cases = cases
    var members: [JSONObject.Member] = [
      (key: "suite", value: .string(id)),
      (key: "generates", value: ["type": .string(self.type.name)]),
      (key: "repeats", value: .number(JSONNumber(repeats))),
      (key: "seed", value: .number(JSONNumber(seed))),
      (key: "gate", value: ["passRate": .number(JSONNumber(passRate))]),
    ]
    let texts = [
      ("title", title), ("guards", guards.isEmpty ? nil : guards),
      ("instructions", instructions), ("prompt", prompt),
    ]
    for (key, text) in texts {
      if let text { members.append((key: key, value: .string(text))) }
    }
    if !tags.isEmpty { members.append((key: "tags", value: .array(tags.map { .string($0) }))) }
    self.members = members + more.map { (key: $0.key, value: $0.value) }
  }
}

extension SwiftSuite {
  /// Stands in the document for assertions that are closures, so that a case with nothing else has
  /// one; taken out again after loading.
  private static let standIn = "assertions in Swift"

  /// Loads the suite.
  ///
  /// - Returns: The suite, or what is wrong with it.
  package func load() -> LoadedSuites {
    let path = "Swift suite \(id).json"
    let loader = SuiteLoader(
      files: .memory([path: document.compactText]), types: [type.name: type.schema])
    var loaded = loader.load([path])
    // A place in a document that nobody has written helps nobody.
    loaded.problems = loaded.problems.map {
      SuiteProblem(
        file: "Swift suite `\(id)`", line: 0, column: 0, problem: $0.problem, allowed: $0.allowed)
    }
    loaded.suites = loaded.suites.map { suite in
      var suite = suite
      suite.path = "Swift suite \(id)"
      suite.file = suite.path
      suite.schemaDocument = nil
      finish(&suite, &loaded.problems)
      return suite
    }
    if !loaded.problems.isEmpty { loaded.suites = [] }
    return loaded
  }

  private func finish(_ suite: inout Suite, _ problems: inout [SuiteProblem]) {
    suite.assertions.removeAll { $0.name == Self.standIn }
    let shared = Self.custom(assertions)
    for (index, suiteCase) in zip(suite.cases.indices, cases) {
      suite.cases[index].assertions.removeAll { $0.name == Self.standIn }
      let custom = shared + Self.custom(suiteCase.assertions)
      suite.cases[index].customAssertions = custom
      var scoring = suite.cases[index].scoring
      scoring.weights[Self.standIn] = nil
      for assertion in custom where assertion.weight != 1 {
        scoring.weights[assertion.name] = assertion.weight
      }
      scoring.guardrails.formUnion(guardrails)
      suite.cases[index].scoring = scoring
    }
    let names = suite.cases.flatMap { suiteCase in
      suiteCase.assertions.map(\.name) + suiteCase.customAssertions.map(\.name)
    }
    func add(_ problem: String, allowed: String) {
      problems.append(
        SuiteProblem(
          file: "Swift suite `\(id)`", line: 0, column: 0, problem: problem, allowed: allowed))
    }
    for suiteCase in suite.cases {
      let names = suiteCase.assertions.map(\.name) + suiteCase.customAssertions.map(\.name)
      var seen: Set<String> = []
      for name in names where !seen.insert(name).inserted {
        add(
          "the name `\(name)` is used twice in the case `\(suiteCase.id)`",
          allowed: "names of assertions are unique")
      }
    }
    let custom = Self.custom(assertions + cases.flatMap(\.assertions))
    for assertion in custom where !(0...1_000_000).contains(assertion.weight) {
      add(
        "the weight of `\(assertion.name)` is \(assertion.weight)",
        allowed: "a number from 0 to 1000000 is allowed")
    }
    for name in guardrails where !names.contains(name) {
      add(
        "the guardrail `\(name)` is no assertion",
        allowed: NearestName.hint(for: name, among: names.unique, what: "names"))
    }
    suite.gate.guardrails += guardrails
  }

  private static func custom(_ assertions: [SuiteAssertion]) -> [CustomAssertion] {
    assertions.compactMap { assertion in
      if case .custom(let custom) = assertion.content { custom } else { nil }
    }
  }

  /// The suite as a file would have it.
  private var document: JSONValue {
    func list(_ assertions: [SuiteAssertion]) -> JSONValue {
      var values: [JSONValue] = []
      for case .closed(let members) in assertions.map(\.content) { values.append(.object(members)) }
      if let most = Self.custom(assertions).map(\.weight).max() {
        // Only whether there is a weight matters of it.
        values.append([
          "name": .string(Self.standIn), "present": ["path": "$"],
          "weight": .number(JSONNumber(most > 0 ? 1 : 0)),
        ])
      }
      return .array(values)
    }
    var members = members
    if !assertions.isEmpty { members.append((key: "assertions", value: list(assertions))) }
    let cases = cases.map { suiteCase in
      var members = suiteCase.members
      if !suiteCase.assertions.isEmpty {
        members.append((key: "assertions", value: list(suiteCase.assertions)))
      }
      return JSONValue.object(JSONObject(members))
    }
    members.append((key: "cases", value: .array(cases)))
    return .object(JSONObject(members))
  }
}
