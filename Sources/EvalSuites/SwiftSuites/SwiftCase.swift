public import GuidedGeneration
public import StructuredText

/// One case of a suite that is written in Swift.
public struct SwiftCase: Sendable {
  /// The id, unique in the suite.
  let id: String
  /// The keys of a case in a suite file, the variables of the prompt among them.
  var members: [JSONObject.Member]
  /// Assertions of this case alone.
  var assertions: [SuiteAssertion]

  /// Creates a case.
  ///
  /// - Parameters:
  ///   - id: The id, unique in the suite.
  ///   - input: The variable `input` of the prompt.
  ///   - title: One line for reports; the id where it is nil.
  ///   - tags: Words to select by.
  ///   - variables: More variables of the prompt and of assertions.
  ///   - stub: What the stub answers, as a suite file has it: `["weighted": …]`; nil for what the
  ///     suite says.
  ///   - assertions: Assertions of this case alone.
  public init(
    _ id: String, input: String? = nil, title: String? = nil, tags: [String] = [],
    variables: KeyValuePairs<String, JSONValue> = [:], stub: JSONValue? = nil,
    assertions: [SuiteAssertion] = []
  ) {
    self.id = id
    members = [(key: "id", value: .string(id))]
    if let title { members.append((key: "title", value: .string(title))) }
    if !tags.isEmpty { members.append((key: "tags", value: .array(tags.map { .string($0) }))) }
    if let input { members.append((key: "input", value: .string(input))) }
    members += variables.map { (key: $0.key, value: $0.value) }
    if let stub { members.append((key: "stub", value: stub)) }
    self.assertions = assertions
  }

  /// Creates a case whose stub answers one value.
  ///
  /// - Parameters:
  ///   - id: The id, unique in the suite.
  ///   - input: The variable `input` of the prompt.
  ///   - answer: What the stub answers.
  ///   - assertions: Assertions of this case alone.
  public init(
    _ id: String, input: String, stubAnswer answer: some ConvertibleToGeneratedContent,
    assertions: [SuiteAssertion] = []
  ) {
    self.init(
      id, input: input,
      stub: .object(JSONObject([(key: "content", value: answer.generatedContent.jsonValue)])),
      assertions: assertions)
  }
}
