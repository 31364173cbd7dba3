import Foundation

/// A suite of 20 test cases with fixed answers `{ "x": …, "y": … }`, whose rules tests edit.
struct JudgedSuite {
  /// The assertions, each as an entry of the suite file.
  var assertions = [
    "{ name: trivial, present: { path: $.y } }",
    "{ name: is ok, equals: { path: $.x, value: ok } }",
  ]
  /// Further lines of the suite file.
  var rules = "gate: { passRate: 0.1 }"
  /// The value of `x` in each answer.
  var answers = [String](repeating: "ok", count: 20)
  /// Further keys of a test case.
  var ownRules: [String] = []
  /// The description of `x` in the schema.
  var guide = "A word."

  /// Twenty good answers.
  static let good = [String](repeating: "ok", count: 20)
  /// Eight bad answers and twelve good ones.
  static let worse = [String](repeating: "-", count: 8) + [String](repeating: "ok", count: 12)

  /// The suite file.
  var text: String {
    let cases = answers.enumerated().map { index, answer in
      let own = ownRules.indices.contains(index) ? ", \(ownRules[index])" : ""
      return "  - { id: c\(index), input: \"Text \(index).\", "
        + "stub: { content: { x: \"\(answer)\", y: fine } }\(own) }"
    }
    return """
      suite: judged
      generates: { schema: schema.json }
      instructions: Answer with two words.
      options: { sampling: greedy }
      \(rules)
      assertions:
      \(assertions.map { "  - \($0)" }.joined(separator: "\n"))
      cases:
      \(cases.joined(separator: "\n"))

      """
  }

  private var schema: String {
    """
    {
      "title": "Two", "type": "object",
      "properties": {
        "x": { "description": "\(guide)", "type": "string" }, "y": { "type": "string" }
      },
      "required": ["x", "y"], "additionalProperties": false, "x-order": ["x", "y"]
    }
    """
  }

  /// Writes the suite to a lab.
  func write(to lab: CommandLab) throws {
    try lab.write(text, to: "judged/suite.yaml")
    try lab.write(schema, to: "judged/schema.json")
  }

  /// Creates a lab in which a run of this suite is the accepted baseline.
  func accepted(_ options: String...) async throws -> CommandLab {
    let lab = try CommandLab()
    try write(to: lab)
    _ = await lab.run(
      ["run", lab.path("judged"), "-b", "stub", "--reports", lab.reports] + options)
    _ = await lab.assay("baseline", "accept", "--reason", "good", "--allow", "a test")
    return lab
  }

  /// Runs the suite.
  static func run(_ lab: CommandLab, _ options: String...) async -> CommandLab.Ending {
    await lab.run(
      ["run", lab.path("judged"), "-b", "stub", "--reports", lab.reports] + options)
  }
}

extension CommandLab.Ending {
  /// The standard output as one line.
  var line: String { output.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
