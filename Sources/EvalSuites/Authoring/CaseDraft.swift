import StructuredText

/// A test case to add to a suite.
package struct CaseDraft: Sendable, Hashable {
  /// The source of the draft, for messages: `log.jsonl:3:1`.
  package var place: String
  /// The id.
  package var id: String
  /// The id that was derived from the draft's variables.
  package let generatedID: String
  /// The tags.
  package var tags: [String] = []
  /// The variables of the prompt.
  package var variables: JSONObject
  /// The stub's answer to this test case, or `nil` if the suite defines the stub's answers.
  package var answer: JSONValue?

  /// Creates a draft with an id that is derived from the variables.
  ///
  /// - Parameters:
  ///   - place: The source of the draft, for messages.
  ///   - variables: The variables of the prompt.
  ///   - names: The names of the variables in the suite's prompts.
  package init(place: String, variables: JSONObject, for names: [String] = []) {
    self.place = place
    self.variables = variables
    generatedID = CaseID.generated(from: variables, for: names)
    id = generatedID
  }

  /// The test case as a mapping in the suite format.
  package var value: JSONObject {
    var value: JSONObject = ["id": .string(id)]
    if !tags.isEmpty { value["tags"] = .array(tags.map { .string($0) }) }
    for member in variables.members { value[member.key] = member.value }
    if let answer { value["stub"] = ["content": answer] }
    return value
  }
}
