import EvalRecords
public import GuidedGeneration
public import StructuredText

/// A suite that is written in Swift.
///
/// The suite generates a `@Generable` type, and its assertions may be closures.
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
/// The same code checks this suite and suite files, so an unknown path, a misspelled parameter or a
/// missing variable is reported before anything runs.
public struct SwiftSuite: Sendable {
  /// The id, unique among the suites of a run.
  public let id: String
  /// The place in the source.
  package let place: SwiftPlace
  private let members: [JSONObject.Member]
  /// The type that the model generates.
  package let type: (name: String, schema: GenerationSchema)
  private let assertions: [SuiteAssertion]
  private let cases: [SwiftCase]

  /// Creates a suite.
  ///
  /// - Parameters:
  ///   - id: The id, unique among the suites of a run.
  ///   - type: The type that the model generates.
  ///   - title: The title for reports, or `nil` to use the id.
  ///   - guards: The regression that the suite guards against.
  ///   - tags: Tags by which the suite can be selected.
  ///   - instructions: The system message.
  ///   - prompt: The prompt template with the variables of a test case, or `nil` for `{{input}}`.
  ///   - repeats: The number of attempts per test case.
  ///   - seed: The seed for all random numbers.
  ///   - passRate: The share of attempts that must pass.
  ///   - guardrails: The names of assertions that must never fail.
  ///   - more: Further keys of a suite file, such as `options`, `variants`, `stub` and `lint`.
  ///   - assertions: The assertions for all test cases.
  ///   - cases: The test cases.
  ///   - file: The file of the suite, for messages.
  ///   - line: The line of the suite, for messages.
  ///   - column: The column of the suite, for messages.
  public init<Value: Generable>(
    _ id: String, generates type: Value.Type, title: String? = nil, guards: String = "",
    tags: [String] = [], instructions: String? = nil, prompt: String? = nil, repeats: Int = 1,
    seed: Int = 1, passRate: Double = 1, guardrails: [String] = [],
    more: KeyValuePairs<String, JSONValue> = [:], assertions: [SuiteAssertion] = [],
    cases: [SwiftCase],
    file: String = #filePath, line: Int = #line, column: Int = #column
  ) {
    self.id = id
    place = SwiftPlace(file: file, line: line, column: column)
    self.type = (String(describing: type), type.generationSchema)
    self.assertions = assertions
    self.cases = cases
    var members: [JSONObject.Member] = [
      (key: "suite", value: .string(id)),
      (key: "generates", value: ["type": .string(self.type.name)]),
      (key: "repeats", value: .number(JSONNumber(repeats))),
      (key: "seed", value: .number(JSONNumber(seed))),
    ]
    var gate: JSONObject = ["passRate": .number(JSONNumber(passRate))]
    if !guardrails.isEmpty { gate["guardrail"] = .array(guardrails.map { .string($0) }) }
    members.append((key: "gate", value: .object(gate)))
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
  /// Loads the suite.
  ///
  /// - Returns: The suite, or its problems.
  package func load() -> LoadedSuites {
    var builder = SuiteBuilder(
      path: "Swift suite \(id)", reader: DocumentReader(files: .memory([:])),
      types: [type.name: type.schema], environment: [:])
    builder.swiftAssertions = SwiftAssertions(
      shared: assertions.compactMap(\.custom),
      ofCases: Dictionary(
        cases.map { ($0.id, $0.assertions.compactMap(\.custom)) }, uniquingKeysWith: +))
    let (root, places) = document
    builder.format.problems.places = places
    var suite = builder.suite(root, file: builder.path)
    suite?.schemaDocument = nil
    let problems = builder.problems + negationProblems
    return LoadedSuites(
      suites: problems.isEmpty ? suite.map { [$0] } ?? [] : [], problems: problems)
  }

  /// One problem for each negated closure.
  private var negationProblems: [SuiteProblem] {
    (assertions + cases.flatMap(\.assertions)).compactMap { assertion in
      guard case .negatedCustom(let name) = assertion.content else { return nil }
      let place = assertion.place
      return SuiteProblem(
        file: place.file, line: place.line, column: place.column,
        problem: "`not` is applied to the Swift assertion `\(name)`",
        allowed: "return the opposite from the closure instead")
    }
  }

  /// The suite in the form of a suite file, with the places of its parts.
  private var document: (root: SourceNode, places: SwiftPlaces) {
    var (count, places) = (0, SwiftPlaces(suite: place))
    func node(_ members: [JSONObject.Member], _ assertions: [SuiteAssertion]) -> SourceNode {
      let closed = assertions.compactMap { assertion in
        assertion.closed.map { (assertion.place, $0) }
      }
      let node = SourceNode(members, count: &count)
      guard !closed.isEmpty else { return node }
      let keyLocation = SourceLocation(next: &count)
      let nodes = closed.map { place, value in
        let first = count + 1
        let node = SourceNode(value, count: &count)
        places.add(place, parts: first...count)
        return node
      }
      let list = SourceNode(.sequence(nodes), at: SourceLocation(next: &count))
      let member = SourceMember(key: "assertions", keyLocation: keyLocation, node: list)
      return SourceNode(.mapping(node.members + [member]), at: node.location)
    }
    let shared = node(members, assertions)
    let cases = cases.map { suiteCase in
      let first = count + 1
      let node = node(suiteCase.members, suiteCase.assertions)
      places.add(suiteCase.place, parts: first...count)
      return node
    }
    let list = SourceMember(
      key: "cases", keyLocation: SourceLocation(next: &count),
      node: SourceNode(.sequence(cases), at: SourceLocation(next: &count)))
    return (SourceNode(.mapping(shared.members + [list]), at: shared.location), places)
  }
}

extension SuiteAssertion {
  /// The closure, or `nil` if this is a built-in assertion.
  fileprivate var custom: CustomAssertion? {
    if case .custom(let custom) = content { custom } else { nil }
  }

  /// The entry for a list of assertions, or `nil` if this is a closure.
  fileprivate var closed: JSONValue? {
    if case .closed(let members) = content { .object(members) } else { nil }
  }
}

extension SourceNode {
  /// Creates a node for a value that isn't in a file.
  ///
  /// - Parameter count: A counter that gives each part of the value a different position.
  fileprivate init(_ value: JSONValue, count: inout Int) {
    switch value {
    case .object(let object): self.init(object.members, count: &count)
    case .array(let elements):
      let nodes = elements.map { SourceNode($0, count: &count) }
      self.init(.sequence(nodes), at: SourceLocation(next: &count))
    default: self.init(.scalar(value), at: SourceLocation(next: &count))
    }
  }

  fileprivate init(_ members: [JSONObject.Member], count: inout Int) {
    let members = members.map { member in
      SourceMember(
        key: member.key, keyLocation: SourceLocation(next: &count),
        node: SourceNode(member.value, count: &count))
    }
    self.init(.mapping(members), at: SourceLocation(next: &count))
  }
}

extension SourceLocation {
  fileprivate init(next count: inout Int) {
    count += 1
    self.init(line: count, column: 1)
  }
}
