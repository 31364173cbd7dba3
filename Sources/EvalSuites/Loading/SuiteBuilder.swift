import EvalRecords
import GuidedGeneration
import StructuredText

/// Builds a suite from its document, and collects every problem along the way.
struct SuiteBuilder {
  /// The path of the suite file, or of a file that the suite file names.
  let path: String
  /// The reader of the other files that the suite file names.
  let reader: DocumentReader
  /// The schemas of registered Swift types, keyed by name.
  let types: [String: GenerationSchema]
  /// The values of the environment variables that suites can declare, keyed by name.
  let environment: [String: String]
  /// The names of the environment variables that this suite declares.
  var declaredNames: [String] = []
  /// The format check, which also collects the problems in this file.
  var format: FormatCheck
  /// The problems in other files.
  var otherProblems: [SuiteProblem] = []
  /// The warnings about other files.
  var otherWarnings: [SuiteProblem] = []
  /// The assertions that are Swift closures; empty for a suite file.
  var swiftAssertions = SwiftAssertions()
  /// The reason why the schema may rule out values that its author wants to allow, for messages
  /// about such values; empty if there is none.
  var schemaCause = ""
  /// Whether an assertion couldn't be read, so that the variables that it uses aren't known.
  var hasUnreadAssertions = false

  init(
    path: String, reader: DocumentReader, types: [String: GenerationSchema],
    environment: [String: String]
  ) {
    self.path = path
    self.reader = reader
    self.types = types
    self.environment = environment
    format = FormatCheck(file: path)
  }

  /// All problems, sorted by line within each file; the problems in the suite file come first.
  var problems: [SuiteProblem] {
    func ordered(_ problems: [SuiteProblem]) -> [SuiteProblem] {
      problems.enumerated().sorted { left, right in
        (left.element.line, left.element.column, left.offset)
          < (right.element.line, right.element.column, right.offset)
      }.map(\.element)
    }
    let files = otherProblems.map(\.file).unique
    return ordered(format.problems.problems)
      + files.flatMap { file in ordered(otherProblems.filter { $0.file == file }) }
  }

  /// Builds the suite.
  ///
  /// - Parameters:
  ///   - root: The document.
  ///   - file: The path of the suite file, relative to the folder that was passed to the loader.
  /// - Returns: The suite, or `nil` if there are problems.
  mutating func suite(_ root: SourceNode, file: String) -> Suite? {
    format.doubts = reader.doubts(in: path)
    format.check(root, .table(.suite), name: "suite")
    checkEnvironment(root["environment"])
    checkThreshold(root["threshold"])
    let base = source(root)
    noteConditions(in: base?.document)
    let variants = variants(root, base)
    let shared =
      namedChecks(root["assertions"], base?.schema) + includedChecks(root, base?.schema)
    let cases = cases(root, shared: shared, schema: base?.schema, variants: variants)
    let gate = gate(root, shared: shared, cases: cases)
    let metrics = metrics(root, base?.schema) + Self.hugging(shared, caseID: nil)
    checkMetricNames(metrics + cases.flatMap(\.metrics), root)
    checkSilencedRules(root["lint"])
    guard problems.isEmpty, let base, let id = root["suite"]?.text, !variants.isEmpty else {
      return nil
    }
    var suite = Suite(
      id: id, title: root["title"]?.text ?? id, guards: root["guards"]?.text ?? "",
      tags: root.texts("tags"), path: path, file: file,
      schemaName: base.schema.root.name ?? id, assertions: Self.uniquelyNamed(shared),
      variants: variants, cases: cases,
      repeats: root["repeats"]?.value.int ?? 1, seed: UInt64(root["seed"]?.value.int ?? 1),
      options: options(root["options"]), silencedRules: root["lint"]?.texts("silence") ?? [],
      gate: gate, caseFile: root["cases"]?["file"]?.text,
      schemaDocument: base.document
        ?? SchemaDocument(
          path: path, node: nil, location: root["generates"]?.location ?? root.location))
    suite.metrics = metrics
    suite.warnings = format.warnings + otherWarnings
    suite.describeOwnSettings()
    suite.details.store = root["store"]?.text.flatMap(TextKeeping.init)
    return suite
  }

  /// Notes conditions of the schema that never decide anything.
  private mutating func noteConditions(in document: SchemaDocument?) {
    guard let document, let node = document.node else { return }
    for found in ConditionCheck.findings(in: node) {
      let problem = SuiteProblem(
        file: document.path, line: found.location.line, column: found.location.column,
        problem: found.problem, allowed: found.hint)
      otherWarnings.append(problem)
      if schemaCause.isEmpty { schemaCause = "; the cause may be at \(problem)" }
    }
  }

  /// Reads a check, and adds its problems to the builder's.
  mutating func check(_ node: SourceNode, _ view: SchemaView?) -> (any Check)? {
    var reader = CheckReader(
      problems: format.problems, root: view, folder: FilePath.folder(of: path),
      environment: declaredNames, cause: schemaCause)
    let check = reader.check(node, view)
    format.problems = reader.problems
    return check
  }

  /// Returns the assertions in a list, and reports names that are used twice in the list.
  mutating func namedChecks(_ list: SourceNode?, _ schema: GenerationSchema?) -> [Assertion] {
    let view = schema.map { SchemaView($0) }
    let form = CanonicalForm(
      files: reader.files, folder: FilePath.folder(of: path), environment: declaredNames)
    var assertions: [Assertion] = []
    var places: [String: SourceLocation] = [:]
    for node in list?.elements ?? [] where format.isSound(node) {
      guard let check = check(node, view) else { continue }
      if let nameNode = node["name"], let name = nameNode.text {
        if let first = places[name] {
          format.problems.add(
            nameNode.location, "the name `\(name)` is used twice",
            allowed: "the first one is at \(format.problems.address(of: first))")
        }
        places[name] = nameNode.location
        assertions.append(Assertion(name: name, check: check))
      } else {
        assertions.append(Assertion(name: Assertion.defaultName(of: check), check: check))
      }
      assertions[assertions.count - 1].weight = node["weight"]?.value.double ?? 1
      let digests = form.digests(of: node, check)
      assertions[assertions.count - 1].digest = digests.0
      assertions[assertions.count - 1].unweightedDigest = digests.unweighted
    }
    if assertions.count < list?.elements.count ?? 0 { hasUnreadAssertions = true }
    return assertions
  }

  /// Returns the assertions in the included files.
  ///
  /// A problem in an included file refers to a position in that file.
  private mutating func includedChecks(
    _ root: SourceNode, _ schema: GenerationSchema?
  ) -> [Assertion] {
    guard let list = root["include"], format.isSound(list) else { return [] }
    return list.elements.flatMap { node -> [Assertion] in
      guard let document = document(named: node) else {
        hasUnreadAssertions = true
        return []
      }
      var included = SuiteBuilder(
        path: document.path, reader: reader, types: types, environment: environment)
      included.declaredNames = declaredNames
      included.schemaCause = schemaCause
      included.format.check(document.node, .table(.include), name: "file")
      let checks = included.namedChecks(document.node["assertions"], schema)
      otherProblems += included.problems
      if included.hasUnreadAssertions { hasUnreadAssertions = true }
      return checks
    }
  }

  /// Returns the assertions with unique names: `equals $.age`, `equals $.age #2`.
  static func uniquelyNamed(_ assertions: [Assertion]) -> [Assertion] {
    var uses: [String: Int] = [:]
    return assertions.map { assertion in
      var assertion = assertion
      let use = (uses[assertion.name] ?? 0) + 1
      uses[assertion.name] = use
      if use > 1 { assertion.name += " #\(use)" }
      return assertion
    }
  }

  /// Returns the base options, overridden by the options that a suite or a test case sets.
  ///
  /// For a test case, the base options are the options of its suite.
  func options(
    _ node: SourceNode?, over base: GenerationSettings = GenerationSettings()
  ) -> GenerationSettings {
    node.map { SettingsEdit($0).applied(to: base) } ?? base
  }

  private mutating func checkSilencedRules(_ node: SourceNode?) {
    guard let node, format.isSound(node) else { return }
    let rules = LintRule.allCases.map(\.rawValue)
    for entry in node["silence"]?.elements ?? [] {
      let rule = entry.text?.split(separator: " ").first.map(String.init) ?? ""
      if rules.contains(rule) { continue }
      format.problems.add(
        entry.location, "there is no rule `\(rule)`",
        allowed: NearestName.hint(for: rule, among: rules, what: "rules"))
    }
  }

  private mutating func gate(
    _ root: SourceNode, shared: [Assertion], cases: [SuiteCase]
  ) -> GateRecord {
    var gate = GateRecord()
    guard let node = root["gate"], format.isSound(node) else { return gate }
    gate.model = node["model"]?.text
    gate.passRate = node["passRate"]?.value.double ?? 1
    gate.reducer = node["reducer"]?.text.flatMap { CaseReducer($0) }
    for member in node["backends"]?.members ?? [] {
      if let problem = reader.backendProblem(member.key) {
        format.problems.add(member.keyLocation, problem.problem, allowed: problem.allowed)
      }
      gate.passRateByBackend[member.key] = member.node.value.double ?? 1
    }
    // If there are other problems, they may be the reason why names are missing, so missing names
    // aren't reported.
    guard problems.isEmpty else { return gate }
    let shared = Self.uniquelyNamed(shared).map(\.name)
    let names =
      (shared + cases.flatMap { $0.assertions.map(\.name) } + swiftAssertions.names.sorted()).unique
    for entry in node["guardrail"]?.elements ?? [] {
      if let name = entry.text, names.contains(name) {
        gate.guardrails.append(name)
      } else if let index = entry.value.int, shared.indices.contains(index) {
        gate.guardrails.append(shared[index])
      } else {
        let hint =
          entry.text.map { NearestName.hint(for: $0, among: names, what: "names") }
          ?? "an index from 0 to \(shared.count - 1) of the suite's assertions, or a name"
        format.problems.add(
          entry.location, "the guardrail \(ValueWords.short(entry.value)) is not an assertion",
          allowed: hint)
      }
    }
    return gate
  }
}
