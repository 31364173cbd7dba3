public import GuidedGeneration
public import StructuredText

/// A test case of a suite that is written in Swift.
public struct SwiftCase: Sendable {
  /// The id, unique in the suite.
  let id: String
  /// The keys and values that would describe the test case in a suite file, including the prompt's
  /// variables.
  var members: [JSONObject.Member]
  /// The assertions for only this test case.
  var assertions: [SuiteAssertion]
  /// The place in the source.
  let place: SwiftPlace

  /// Creates a test case.
  ///
  /// - Parameters:
  ///   - id: The id, unique in the suite.
  ///   - input: The value of the prompt's variable `input`.
  ///   - title: The title for reports, or `nil` to use the id.
  ///   - tags: Tags by which the test case can be selected.
  ///   - variables: Further variables for the prompt and for assertions.
  ///   - stub: The stub's answers, written as in a suite file, such as `["weighted": …]`, or `nil`
  ///     to use the suite's answers.
  ///   - assertions: The assertions for only this test case.
  ///   - file: The file of the test case, for messages.
  ///   - line: The line of the test case, for messages.
  ///   - column: The column of the test case, for messages.
  public init(
    _ id: String, input: String? = nil, title: String? = nil, tags: [String] = [],
    variables: KeyValuePairs<String, JSONValue> = [:], stub: JSONValue? = nil,
    assertions: [SuiteAssertion] = [],
    file: String = #filePath, line: Int = #line, column: Int = #column
  ) {
    self.id = id
    place = SwiftPlace(file: file, line: line, column: column)
    members = [(key: "id", value: .string(id))]
    if let title { members.append((key: "title", value: .string(title))) }
    if !tags.isEmpty { members.append((key: "tags", value: .array(tags.map { .string($0) }))) }
    if let input { members.append((key: "input", value: .string(input))) }
    members += variables.map { (key: $0.key, value: $0.value) }
    if let stub { members.append((key: "stub", value: stub)) }
    self.assertions = assertions
  }

  /// Creates a test case with a single stub answer.
  ///
  /// - Parameters:
  ///   - id: The id, unique in the suite.
  ///   - input: The value of the prompt's variable `input`.
  ///   - answer: The stub's answer.
  ///   - assertions: The assertions for only this test case.
  ///   - file: The file of the test case, for messages.
  ///   - line: The line of the test case, for messages.
  ///   - column: The column of the test case, for messages.
  public init(
    _ id: String, input: String, stubAnswer answer: some ConvertibleToGeneratedContent,
    assertions: [SuiteAssertion] = [],
    file: String = #filePath, line: Int = #line, column: Int = #column
  ) {
    self.init(
      id, input: input,
      stub: .object(JSONObject([(key: "content", value: answer.generatedContent.jsonValue)])),
      assertions: assertions, file: file, line: line, column: column)
  }
}
