import Foundation

/// A suite as a user might write it, with a schema, eight test cases and answers for the stub.
struct QuizSuite {
  /// A guide that states the number of pairs.
  static let statedBound = """
    From three to eight cards, no two of them alike. If the passage is too short for three, make \
    further cards on what it implies.
    """

  /// The guide of `pairs`.
  var guide = statedBound
  /// The number of attempts per test case.
  var repeats = 5
  /// The share of attempts that must pass.
  var passRate = 0.5
  /// The answers of the stub, as lines of the suite file.
  var stub = QuizSuite.fullAnswer
  /// The id and the input of each test case.
  var cases = (1...8).map { ("case-\($0)", "A short text, the one with number \($0).") }

  /// Passages so short that the toy model writes enough pairs only if the guide asks for them.
  static let shortPassages = [
    ("owl", "An owl can turn its head almost all the way round."),
    ("mint", "Mint spreads quickly in a garden. Its roots run under the soil."),
    ("ice", "Ice floats on water because it is lighter."),
    ("wool", "Wool keeps warm even when it is wet."),
    ("rust", "Rust forms when iron meets water and air."),
    ("bell", "The old bell was cast in bronze in the year 1504."),
  ]

  private static let pairs = """
    [ { question: "One?", answer: "First." }, { question: "Two?", answer: "Second." }, \
    { question: "Three?", answer: "Third." } ]
    """

  /// Answers that always have three pairs.
  static let fullAnswer = "  content: { pairs: \(pairs) }"

  /// Answers that always have three pairs, in two versions.
  static let varyingAnswer = """
      weighted:
        - { weight: 1, content: { pairs: \(pairs) } }
        - { weight: 1, content: { pairs: \(pairs.replacing("First", with: "The first")) } }
    """

  /// Answers that have three pairs with a probability of two thirds, and otherwise none.
  static let sometimesEmpty = """
      weighted:
        - { weight: 2, content: { pairs: \(pairs) } }
        - { weight: 1, content: { pairs: [] } }
    """

  /// The suite file.
  var text: String {
    """
    suite: quiz
    title: Pairs for a quiz
    guards: Short and empty quizzes.
    generates: { schema: schema.json }
    instructions: You turn a passage into study cards.
    repeats: \(repeats)
    options: { temperature: 0.7, maximumTokens: 200 }
    gate: { passRate: \(passRate) }
    variants:
      - { id: default, edits: [] }
      - { id: same, edits: [] }
      - { id: silent, edits: [ { guide: { at: QuizBook.pairs, text: The cards. } } ] }
    assertions:
      - name: three to eight pairs
        count: { path: $.pairs, min: 3, max: 8 }
    stub:
    \(stub)
    cases:
    \(cases.map { "  - { id: \($0.0), input: \"\($0.1)\" }" }.joined(separator: "\n"))

    """
  }

  /// The schema file.
  var schema: String {
    """
    {
      "title": "QuizBook", "description": "Quiz pairs made from a text.", "type": "object",
      "properties": {
        "pairs": {
          "description": "\(guide)",
          "type": "array", "items": { "$ref": "#/$defs/QuizPair" }
        }
      },
      "required": ["pairs"], "additionalProperties": false, "x-order": ["pairs"],
      "$defs": {
        "QuizPair": {
          "title": "QuizPair", "type": "object",
          "properties": {
            "question": { "description": "A short question.", "type": "string" },
            "answer": { "description": "The answer, taken from the text.", "type": "string" }
          },
          "required": ["question", "answer"], "additionalProperties": false,
          "x-order": ["question", "answer"]
        }
      }
    }
    """
  }

  /// Writes the suite file and the schema file to a folder of a lab.
  func write(to lab: CommandLab, folder: String = "quiz") throws {
    try lab.write(text, to: "\(folder)/suite.yaml")
    try lab.write(schema, to: "\(folder)/schema.json")
  }
}
