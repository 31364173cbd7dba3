import EvalRecords
import StructuredText

extension AssertionKind {
  static let command = AssertionKind(
    "command", "An external program accepts the value",
    .keys(
      [
        KeyRow("run", .list(.text, minimum: 1), "The program and its arguments", isRequired: true),
        KeyRow("path", .path, "The path of the value that the program receives", fallback: "`$`"),
        KeyRow(
          "expected", .text, "A description of what is expected",
          fallback: "that the program passes"),
        KeyRow(
          "timeLimit", .number(minimum: 1, maximum: 600_000), "The time limit in milliseconds",
          fallback: "10000"),
      ], rules: []),
    example: AssertionExample(
      "command: { run: [./is-polite.py, --strict], path: $.note, timeLimit: 2000 }",
      passing: #"{"note": "Thank you."}"#, failing: #"{"note": "Go away."}"#,
      actual: "no polite word")
  ) { reader, node, view in
    var found: (path: JSONPlace, view: SchemaView?)? = (.root, view)
    if node["path"] != nil { found = reader.path(node, view) }
    guard let found else { return nil }
    return CommandCheck(
      arguments: node.texts("run"), folder: reader.folder, path: found.path,
      timeLimit: (node["timeLimit"]?.value.double ?? 10_000) / 1000,
      environment: reader.environment,
      words: node["expected"]?.text ?? "that `\(node.texts("run").first ?? "")` passes")
  }
}

/// A check that runs an external program, which reads and writes JSON.
struct CommandCheck: Check {
  /// The program and its arguments.
  var arguments: [String]
  /// The folder in which the program runs: the folder of the suite file.
  var folder: String
  /// The path of the value to pass to the program.
  ///
  /// If the path contains `[*]`, the program receives a list of the selected values.
  var path: JSONPlace
  /// The time limit in seconds.
  var timeLimit: Double
  /// The names of the environment variables that the program receives in addition to `PATH`.
  var environment: [String]
  /// A description of the expectation.
  var words: String

  var type: String { "command" }
  var runsCommand: Bool { true }

  func expectation(negated: Bool) -> String { (negated ? "not " : "") + words }

  /// Runs the program, unless the answer was cut off.
  ///
  /// If the program fails or its reply can't be read, both the check and its negation fail.
  func evaluate(_ facts: AttemptFacts, in part: AnswerPart, negated: Bool) -> CheckResult {
    let plain = expectation(negated: negated)
    guard facts.cut == nil else {
      return CheckResult(
        verdict: .unknown, expected: plain, actual: "cut off, so the command was not run")
    }
    switch reply(facts) {
    case .failure(let reason):
      return CheckResult(verdict: .fail, expected: plain, actual: reason)
    case .verdict(let isPass, let expected, let actual):
      return CheckResult(
        verdict: isPass != negated ? .pass : .fail,
        expected: expected.map { (negated ? "not " : "") + $0 } ?? plain, actual: actual)
    }
  }

  /// The result of running the program.
  private enum Reply {
    case verdict(isPass: Bool, expected: String?, actual: String)
    case failure(String)
  }

  private func reply(_ facts: AttemptFacts) -> Reply {
    guard let access = facts.commands else {
      return .failure("the command was not run: commands are not allowed")
    }
    let found = path.values(in: facts.value).map(\.value)
    var input: JSONObject = [
      "value": path.isSingular ? found.first ?? .null : .array(found), "answer": facts.value,
    ]
    if let key = facts.key {
      input["suite"] = .string(key.suite)
      input["variant"] = .string(key.variant)
      input["case"] = .string(key.caseID)
      input["backend"] = .string(key.backend)
      input["repeat"] = .number(JSONNumber(key.repeatIndex))
    }
    input["variables"] = .object(facts.variables)
    let answer = access.call(
      CommandCall(
        arguments: arguments, folder: folder, environment: environment,
        input: JSONValue.object(input).compactText, timeLimit: timeLimit))
    switch answer {
    case .failure(let reason): return .failure(reason)
    case .output(let text):
      guard let value = try? JSONValue(parsing: text), let isPass = value["pass"]?.bool else {
        return .failure(
          "the command answered \(ValueWords.quoted(text)) instead of "
            + #"{"pass": true or false, "actual": "…"}"#)
      }
      return .verdict(
        isPass: isPass, expected: value["expected"]?.string,
        actual: value["actual"].map { $0.string ?? ValueWords.short($0) }.map(ValueWords.cut)
          ?? (isPass ? "the command says yes" : "the command says no"))
    }
  }
}
