/// A suite of twenty test cases, each of which asks for one word and has its own answer.
struct WordSuite {
  /// The answer to a test case.
  enum Answer {
    case good
    case bad
    /// The backend fails.
    case error
  }

  /// The answers to the test cases `c00`, `c01` and so on.
  var answers = [Answer](repeating: .good, count: 20)
  /// The keys of the gate besides its pass rate.
  var gate = ""
  /// The pass rate that the gate requires.
  var passRate = 0.1
  /// Lines of the suite file besides the usual ones.
  var more = ""
  /// Further assertions, as lines of the suite file.
  var assertions = ""
  /// The token limit.
  var tokens = 50

  /// Creates a suite in which the first test cases get bad answers.
  init(bad: Int = 0, errors: Int = 0, passRate: Double = 0.1, gate: String = "") {
    for index in 0..<bad { answers[index] = .bad }
    for index in 0..<errors { answers[bad + index] = .error }
    (self.passRate, self.gate) = (passRate, gate)
  }

  /// The suite file.
  var text: String {
    let cases = answers.enumerated().map { index, answer in
      let stub =
        switch answer {
        case .good: "{ content: { x: ok, list: [] } }"
        case .bad: "{ content: { x: no, list: [] } }"
        case .error: "{ fault: error }"
        }
      return
        "  - { id: c\(index < 10 ? "0" : "")\(index), input: \"Word \(index).\", stub: \(stub) }"
    }
    return """
      suite: words
      title: One word
      guards: Wrong words.
      generates: { schema: schema.json }
      instructions: Answer with one word.
      options: { temperature: 0.7, maximumTokens: \(tokens) }
      gate: { passRate: \(passRate)\(gate.isEmpty ? "" : ", \(gate)") }
      \(more)
      assertions:
        - { name: is ok, equals: { path: $.x, value: ok } }
      \(assertions)
      cases:
      \(cases.joined(separator: "\n"))

      """
  }

  /// The schema file.
  static let schema = """
    {
      "title": "Word", "type": "object",
      "properties": {
        "x": { "type": "string" },
        "list": { "type": "array", "items": { "type": "string" } }
      },
      "required": ["x", "list"], "additionalProperties": false, "x-order": ["x", "list"]
    }
    """

  /// Writes the suite file and the schema file to the folder `words` of a lab.
  func write(to lab: CommandLab) throws {
    try lab.write(text, to: "words/suite.yaml")
    try lab.write(Self.schema, to: "words/schema.json")
  }
}
