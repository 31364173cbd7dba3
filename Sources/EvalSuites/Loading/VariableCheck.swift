import EvalRecords
import StructuredText

/// Checks that the test cases of a suite have the variables that the suite uses, and no unknown
/// keys.
///
/// One mistake gives one problem. If no test case has a variable, the mistake is probably where the
/// suite uses it, not in each test case. And if a key is unknown in many test cases, the check
/// reports its first place.
struct VariableCheck {
  /// A prompt template of the suite, as written.
  struct Template {
    var text: String
    var location: SourceLocation
  }

  /// The test cases.
  var cases: [SuiteBuilder.CaseNode]
  /// The variables that the suite's prompts use.
  var prompted: [String]
  /// The variables that the suite's assertions and metrics use in every test case.
  var judged: [String]
  /// The environment variables that the suite declares, in the form `env.NAME`.
  var declared: [String]
  /// The prompt templates that are written in the suite file.
  var templates: [Template]
  /// Whether every template, assertion and metric could be read; if not, nobody knows which
  /// variables the suite uses.
  var isWhole: Bool
  /// The path of the data file, or `nil` if the test cases are in the suite file.
  var dataFile: String?
  /// The place in the suite file where a variable is used, and what uses it.
  var place: (String) -> (location: SourceLocation, user: String)

  /// Whether the test cases are rows of a CSV table.
  private var isTable: Bool { dataFile.map { FilePath.extension(of: $0) == "csv" } ?? false }

  /// The variables that the suite uses in every test case.
  private var shared: [String] { (prompted + judged).unique }

  /// Returns the problems in the suite file, and those in the file with the test cases.
  func problems() -> (suite: [Problem], rows: [Problem]) {
    var suite = isWhole ? misusedBraces : []
    var silent = Set(suite.map(\.name))
    for name in shared where !has(name, anywhere: cases) && !silent.contains(name) {
      guard let problem = problem(withMissing: name) else { continue }
      suite.append(problem)
      silent.insert(name)
    }
    return (suite, rows(except: silent, isUnknownKeyCheck: isWhole && suite.isEmpty))
  }

  /// One problem.
  struct Problem {
    /// The name of the variable or the key.
    var name: String
    var location: SourceLocation
    var problem: String
    var allowed: String
  }

  private func has(_ name: String, anywhere cases: [SuiteBuilder.CaseNode]) -> Bool {
    declared.contains(name) || cases.contains { $0.free.contains { $0.key == name } }
  }

  /// The keys of test cases that nothing in the suite uses, in order of first use.
  private var unusedKeys: [String] {
    cases.flatMap { draft in
      draft.free.map(\.key).filter { !wanted(by: draft).contains($0) }
    }.unique
  }

  private func wanted(by draft: SuiteBuilder.CaseNode) -> [String] {
    (shared + draft.own.flatMap(\.check.variables)).unique
  }

  // MARK: The suite file

  /// The templates that write a variable in single braces.
  private var misusedBraces: [Problem] {
    let judged = Set(judged + cases.flatMap { $0.own.flatMap(\.check.variables) })
    let keys = cases.flatMap { $0.free.map(\.key) }.unique.filter { !judged.contains($0) }
    return templates.flatMap { template -> [Problem] in
      let parsed = try? PromptTemplate(parsing: template.text)
      let texts = (parsed?.parts ?? []).compactMap { part -> String? in
        if case .text(let text) = part { text } else { nil }
      }
      return keys.filter { key in
        parsed?.variables.contains(key) == false && texts.contains { $0.contains("{\(key)}") }
      }.map { key in
        Problem(
          name: key, location: template.location,
          problem: "`{\(key)}` in the prompt is text, not a variable",
          allowed: "did you mean `{{\(key)}}`?")
      }
    }
  }

  /// Returns the problem at the place where the suite uses a variable that no test case has, or
  /// `nil` if the mistake is in the test cases.
  private func problem(withMissing name: String) -> Problem? {
    let (location, user) = place(name)
    if name.hasPrefix("env.") {
      return Problem(
        name: name, location: location,
        problem: "`\(name)` is used by \(user), but not declared",
        allowed: "list `\(name.dropFirst(4))` under `environment`")
    }
    let keys = cases.flatMap { $0.free.map(\.key) }.unique
    let near = NearestName.nearest(to: name, among: unusedKeys)
    // A key that is written once, and a missing `input`, are more likely to be wrong than the
    // suite, unless the key itself is `input`.
    let isInCases = cases.count < 2 || isTable || (name == "input" && near != nil)
    if isInCases, near != "input" { return nil }
    return Problem(
      name: name, location: location,
      problem: "no test case has the variable `\(name)`, which \(user) uses",
      allowed: NearestName.hint(for: name, among: keys, what: "the test cases have"))
  }

  // MARK: The test cases

  private func rows(except silent: Set<String>, isUnknownKeyCheck: Bool) -> [Problem] {
    var problems: [Problem] = []
    var uses: [String: Int] = [:]
    for draft in cases {
      let wanted = wanted(by: draft)
      let given = draft.free.map(\.key) + declared
      for member in draft.free where isUnknownKeyCheck && !wanted.contains(member.key) {
        let reserved = SuiteFormat.suiteCase.rows.map(\.name)
        let nearest = NearestName.nearest(to: member.key, among: wanted + reserved)
        // A data file may have columns that the suite doesn't use, unless a column's name looks
        // like a misspelling.
        if dataFile != nil, nearest == nil { continue }
        uses[member.key, default: 0] += 1
        guard uses[member.key] == 1 else { continue }
        problems.append(
          Problem(
            name: member.key, location: member.keyLocation,
            problem: "`\(member.key)` is neither a key of a test case nor a variable that the "
              + "suite uses",
            allowed: NearestName.hint(
              for: member.key, among: wanted + reserved, what: "allowed")))
      }
      for name in wanted where !given.contains(name) && !silent.contains(name) {
        // If a misspelled key was already reported, don't also report the variable as missing.
        let isMisspelt = given.contains {
          !wanted.contains($0) && NearestName.nearest(to: $0, among: [name]) != nil
        }
        if isMisspelt { continue }
        if isTable, problems.contains(where: { $0.name == name }) { continue }
        problems.append(
          Problem(
            name: name, location: draft.node.location,
            problem: "the test case `\(draft.id)` lacks the variable `\(name)`, which the suite "
              + "uses",
            allowed: given.isEmpty
              ? "the test case has no variables"
              : NearestName.hint(for: name, among: given, what: "the test case has")))
      }
    }
    for index in problems.indices where !isTable {
      guard let count = uses[problems[index].name], count > 1 else { continue }
      problems[index].problem += ", here and in \((count - 1).counted("other test case"))"
    }
    return problems
  }
}
