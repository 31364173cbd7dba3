import EvalSuites
import StructuredText

/// An addition of test cases to a suite, made from logged answers or stored attempts.
package struct CaseAddition {
  /// The suite.
  package let suite: Suite
  private let registered: Registered
  private let environment: [String: String]
  private let files: FileReading

  /// Creates an addition.
  ///
  /// - Parameters:
  ///   - suite: The loaded suite.
  ///   - context: The context of the evaluation.
  ///   - files: The access to files.
  package init(to suite: Suite, in context: EvaluationContext, files: FileReading = .disk) {
    self.suite = suite
    registered = context.registered
    environment = context.environment
    self.files = files
  }

  // MARK: Drafts

  /// Creates a test case from a logged answer.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - keepsAnswer: Whether the stub should give the same answer.
  /// - Throws: `SessionFailure` if the prompt doesn't determine the variables, or if the stub can't
  ///   repeat the answer.
  package func draft(
    of answer: LoggedAnswer, keepsAnswer: Bool
  ) throws(SessionFailure) -> CaseDraft {
    var draft = self.draft(try variables(of: answer), at: answer.place)
    if keepsAnswer { draft.answer = try stubAnswer(answer.output, at: answer.place) }
    return draft
  }

  /// Creates a test case from the values of its variables.
  package func draft(_ variables: JSONObject, at place: String) -> CaseDraft {
    CaseDraft(
      place: place, variables: variables, for: suite.variants.flatMap(\.prompt.variables))
  }

  /// Returns the values of all variables that a test case of the suite needs: those of the logged
  /// question, and those that the line of the log has beside it.
  private func variables(of answer: LoggedAnswer) throws(SessionFailure) -> JSONObject {
    var values = try variables(of: answer.question, beside: answer.others, at: answer.place)
    let prompted = suite.promptedVariables
    let needed = prompted + suite.judgedVariables.filter { !prompted.contains($0) }
    for name in needed where values[name] == nil {
      if let value = answer.others[name] { values[name] = value }
    }
    let missing = needed.filter { values[$0] == nil }
    guard missing.isEmpty else {
      let unused = values.keys + answer.others.keys.filter { !needed.contains($0) }
      let near = NearestName.nearest(to: missing[0], among: unused)
      let found = near.map { ", but has `\($0)`" } ?? ""
      let use = missing.contains(where: prompted.contains) ? "uses" : "compares answers with"
      let them = missing.count == 1 ? "it" : "them"
      let example = JSONValue.string(missing[0]).compactText
      throw SessionFailure(
        .usage,
        "\(answer.place): the line lacks \(ValueWords.list(missing))\(found); the suite "
          + "`\(suite.id)` \(use) \(them); add the values to the line, beside `output`, as in "
          + "{…, \(example): …, \"output\": …}")
    }
    return values
  }

  private func variables(
    of question: LoggedAnswer.Question, beside others: JSONObject, at place: String
  ) throws(SessionFailure) -> JSONObject {
    guard let template = suite.variants.first?.prompt else {
      throw SessionFailure(.usage, "the suite `\(suite.id)` has no variant")
    }
    let names = template.variables.filter { !$0.hasPrefix("env.") }
    switch question {
    case .prompt(let prompt):
      if let values = template.values(in: prompt) {
        return JSONObject(values.members.filter { names.contains($0.key) })
      }
      if names.allSatisfy({ others[$0] != nil }) { return [:] }
      let written = template.text.count > 200 ? template.text.prefix(200) + "…" : template.text[...]
      throw SessionFailure(
        .usage,
        "\(place): the logged prompt doesn't determine the variables of the suite's prompt "
          + "\(quoted(written)); "
          + "log them as `input`: a string, or an object with "
          + names.map { "`\($0)`" }.joined(separator: ", "))
    case .input(.object(let values)): return values
    case .input(let value):
      let open = names.filter { others[$0] == nil }
      let name = names.contains("input") || names.isEmpty ? "input" : open.first ?? names[0]
      guard open.count <= 1 || name == "input" else {
        throw SessionFailure(
          .usage,
          "\(place): `input` is a string, but the suite's prompt has \(names.count) variables; "
            + "an object with \(names.map { "`\($0)`" }.joined(separator: ", ")) is expected, or "
            + "all but one of them beside `input`")
      }
      return [name: value]
    }
  }

  private func quoted(_ text: Substring) -> String { JSONValue.string(String(text)).compactText }

  /// Returns the answer for the stub: a JSON value, or the text itself if the schema is a string.
  package func stubAnswer(
    _ output: String?, at place: String
  ) throws(SessionFailure) -> JSONValue {
    guard let output else {
      throw SessionFailure(.usage, "\(place): there is no answer for the stub to repeat")
    }
    if let value = try? JSONValue(parsing: output) { return value }
    if suite.variants.first.map({ Self.isText($0.schema) }) == true { return .string(output) }
    throw SessionFailure(
      .usage,
      "\(place): the answer is not JSON, so the stub can't repeat it; leave out --with-answer")
  }

  private static func isText(_ schema: String) -> Bool {
    (try? JSONValue(parsing: schema))?["type"]?.string == "string"
  }

  // MARK: Adding

  /// Returns the path of the file with the suite's test cases, and the file's text with the new
  /// test cases added.
  ///
  /// This method loads the suite with the new text before it returns, so that callers never write a
  /// file that doesn't load.
  ///
  /// - Parameter drafts: The test cases.
  /// - Throws: `SessionFailure` if the suite or an earlier draft already has a draft's input or id,
  ///   or if a draft doesn't fit the suite.
  package func text(
    adding drafts: [CaseDraft]
  ) throws(SessionFailure) -> (file: String, text: String) {
    try refuseDuplicates(drafts)
    let path: String
    let text: String
    do throws(SuiteProblem) {
      let list = try CaseList(of: suite.path, in: files)
      path = list.path
      text = try list.adding(drafts)
    } catch {
      throw SessionFailure(.usage, error.description)
    }
    let overlay = files.replacing(path, with: text)
    let loaded = SuiteLoader(files: overlay, types: registered.types, environment: environment)
      .load([suite.path])
    guard loaded.problems.isEmpty, let new = loaded.suites.first else {
      throw SessionFailure(
        .usage,
        loaded.problems.map { "the test case doesn't fit the suite; nothing was written: \($0)" })
    }
    guard new.cases.count == suite.cases.count + drafts.count else {
      throw SessionFailure(
        .cannotRun,
        "\(path): the suite changed while the test case was being added; nothing was written")
    }
    return (path, text)
  }

  private func refuseDuplicates(_ drafts: [CaseDraft]) throws(SessionFailure) {
    func key(_ values: JSONObject, _ names: [String]) -> [String] {
      names.map { name in
        // The cells of a table are always strings, so compare all values as strings.
        values[name].map { $0.string ?? $0.canonicalText } ?? ""
      }
    }
    var messages: [String] = []
    for (index, draft) in drafts.enumerated() {
      // Two test cases with the same prompt are the same, whatever values they expect.
      let prompted = draft.variables.keys.filter { suite.promptedVariables.contains($0) }
      let names = prompted.isEmpty ? draft.variables.keys : prompted
      let wanted = key(draft.variables, names)
      if let same = suite.cases.first(where: { key($0.variables, names) == wanted }) {
        messages.append("\(draft.place): the test case `\(same.id)` already has this input")
      } else if let same = suite.cases.first(where: { $0.id == draft.id }) {
        messages.append(
          "\(draft.place): the id `\(same.id)` belongs to a test case with a different input; "
            + "choose a different id with --id")
      } else if let same = drafts[..<index].first(where: { key($0.variables, names) == wanted }) {
        messages.append("\(draft.place): this input is the same as the one at \(same.place)")
      } else if let same = drafts[..<index].first(where: { $0.id == draft.id }) {
        messages.append(
          "\(draft.place): the id `\(draft.id)` is also used at \(same.place), "
            + "with a different input")
      }
    }
    guard messages.isEmpty else { throw SessionFailure(.usage, messages) }
  }
}
