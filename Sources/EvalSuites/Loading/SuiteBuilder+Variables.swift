import StructuredText

extension SuiteBuilder {
  /// Returns the problems with the variables of test cases, in the suite file and in the file with
  /// the test cases.
  ///
  /// - Parameters:
  ///   - cases: The test cases.
  ///   - root: The document of the suite.
  ///   - shared: The suite's assertions.
  ///   - variants: The suite's variants; if none could be built, there are no problems.
  ///   - dataFile: The path of the data file, or `nil` if the test cases are in the suite file.
  func variableProblems(
    of cases: [CaseNode], _ root: SourceNode, shared: [Assertion], variants: [SuiteVariant],
    inFile dataFile: String? = nil
  ) -> (suite: [SuiteProblem], rows: [SuiteProblem]) {
    guard !variants.isEmpty, !cases.isEmpty else { return ([], []) }
    let metrics = root["metrics"].map(format.isSound) ?? true
    let found = VariableCheck(
      cases: cases, prompted: variants.flatMap(\.prompt.variables).unique,
      judged: (shared.flatMap(\.check.variables) + metricVariables(root)).unique,
      declared: declaredNames.map { "env.\($0)" }, templates: Self.templates(root),
      isWhole: !hasUnreadAssertions && metrics && cases.allSatisfy(\.isWhole)
        && variants.count == root["variants"]?.elements.count ?? 1,
      dataFile: dataFile, place: { Self.use(of: $0, in: root) }
    ).problems()
    func problems(
      _ found: [VariableCheck.Problem], in collector: ProblemCollector
    ) -> [SuiteProblem] {
      found.map { collector.problem(at: $0.location, $0.problem, allowed: $0.allowed) }
    }
    let here = format.problems
    return (
      problems(found.suite, in: here),
      problems(found.rows, in: dataFile.map { ProblemCollector(file: $0) } ?? here)
    )
  }

  /// The prompt templates in the document of a suite: its own, and those of its variants.
  private static func templates(_ root: SourceNode) -> [VariableCheck.Template] {
    let edits = (root["variants"]?.elements ?? []).flatMap { $0["edits"]?.elements ?? [] }
    return ([root["prompt"]] + edits.map { $0["prompt"]?["text"] }).compactMap { node in
      node.flatMap { node in
        node.text.map { VariableCheck.Template(text: $0, location: node.location) }
      }
    }
  }

  /// Returns the first place in the document of a suite that uses a variable, and what is there.
  private static func use(
    of name: String, in root: SourceNode
  ) -> (location: SourceLocation, user: String) {
    for template in templates(root) {
      let variables = (try? PromptTemplate(parsing: template.text))?.variables
      if variables?.contains(name) == true { return (template.location, "this prompt") }
    }
    let places: [(node: SourceNode?, user: String)] = [
      (root["assertions"], "this assertion"), (root["metrics"], "this metric"),
    ]
    for (node, user) in places {
      if let location = node.flatMap({ Self.use(of: name, inside: $0, key: "") }) {
        return (location, user)
      }
    }
    let cases = root["cases"]?.location ?? root.location
    guard root["prompt"] == nil, name == "input" else {
      return (root["include"]?.location ?? cases, "the suite")
    }
    return (cases, "the prompt")
  }

  /// Returns the first place inside an assertion or a metric that uses a variable.
  private static func use(
    of name: String, inside node: SourceNode, key: String
  ) -> SourceLocation? {
    switch node.content {
    case .sequence(let nodes):
      return nodes.lazy.compactMap { use(of: name, inside: $0, key: key) }.first
    case .mapping(let members):
      return members.lazy.compactMap { use(of: name, inside: $0.node, key: $0.key) }.first
    case .scalar(.string(let text)) where key == "variable":
      return text == name ? node.location : nil
    case .scalar(.string(let text)) where key == AssertionKind.expression.name:
      let variables = (try? Expression(parsing: text))?.variables
      return variables?.contains(name) == true ? node.location : nil
    case .scalar: return nil
    }
  }
}
