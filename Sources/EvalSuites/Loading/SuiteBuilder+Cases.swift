import EvalRecords
import GuidedGeneration
import StructuredText

extension SuiteBuilder {
  /// Builds the test cases, which are in the suite file or in a file that it names.
  mutating func cases(
    _ root: SourceNode, shared: [Assertion], schema: GenerationSchema?, variants: [SuiteVariant]
  ) -> [SuiteCase] {
    guard let node = root["cases"] else { return [] }
    let stub = root["stub"].flatMap { format.isSound($0) ? StubScript($0) : nil }
    guard let name = node["file"]?.text else {
      checkIDs(of: node.elements, what: "test case")
      let drafts = node.elements.compactMap { draft($0, schema) }
      let found = variableProblems(of: drafts, root, shared: shared, variants: variants)
      format.problems.add(found.suite + found.rows)
      return drafts.map { suiteCase($0, of: root, shared: shared, schema: schema, stub: stub) }
    }
    let other = FilePath.join(FilePath.folder(of: path), name)
    guard reader.files.kind(other) == .file else {
      format.problems.add(
        node["file"]?.location ?? node.location, "there is no file `\(other)`",
        allowed: "paths are relative to the suite file")
      return []
    }
    let read = reader.cases(other)
    otherProblems += read.problems
    // The rows are in another file, so their problems are collected separately.
    var rows = SuiteBuilder(
      path: other, reader: reader, types: types, environment: environment)
    rows.declaredNames = declaredNames
    rows.schemaCause = schemaCause
    rows.hasUnreadAssertions = hasUnreadAssertions
    let nodes = rows.identified(read.nodes, for: variants.flatMap(\.prompt.variables))
    rows.format.doubts = reader.doubts(in: other)
    for row in nodes { rows.format.check(row, .table(.suiteCase), name: "case") }
    rows.checkIDs(of: nodes, what: "test case")
    let drafts = nodes.compactMap { rows.draft($0, schema) }
    let found = variableProblems(
      of: drafts, root, shared: shared, variants: variants, inFile: other)
    format.problems.add(found.suite)
    rows.format.problems.add(found.rows)
    let cases = drafts.map {
      rows.suiteCase($0, of: root, shared: shared, schema: schema, stub: stub)
    }
    otherProblems += rows.problems
    otherWarnings += rows.format.warnings
    if read.nodes.isEmpty, read.problems.isEmpty {
      otherProblems.append(
        SuiteProblem(
          file: other, line: 0, column: 0, problem: "has no test cases",
          allowed: "at least one is expected"))
    }
    return cases
  }

  /// A test case whose own assertions are read.
  struct CaseNode {
    var node: SourceNode
    var id: String
    /// The assertions of the test case itself.
    var own: [Assertion]
    /// Whether every assertion of the test case could be read.
    var isWhole: Bool

    /// The members that aren't keys of the format: the values of variables.
    var free: [SourceMember] {
      node.members.filter { SuiteFormat.suiteCase.row($0.key) == nil }
    }
  }

  /// Reads a test case's own assertions, or returns `nil` if its keys have problems.
  private mutating func draft(_ node: SourceNode, _ schema: GenerationSchema?) -> CaseNode? {
    guard format.isSound(node), let id = node["id"]?.text else { return nil }
    let own = namedChecks(node["assertions"], schema)
    return CaseNode(
      node: node, id: id, own: own, isWhole: own.count == node["assertions"]?.elements.count ?? 0)
  }

  private mutating func suiteCase(
    _ draft: CaseNode, of root: SourceNode, shared: [Assertion], schema: GenerationSchema?,
    stub: StubScript?
  ) -> SuiteCase {
    let (node, id, own) = (draft.node, draft.id, draft.own)
    var variables = JSONObject(draft.free.map { (key: $0.key, value: $0.node.value) })
    for name in declaredNames {
      if let value = environment[name] { variables["env.\(name)"] = .string(value) }
    }
    let assertions = Self.uniquelyNamed(shared + own)
      .map { resolved($0, with: variables, of: node, id: id, schema) }
    let custom = swiftAssertions.assertions(of: id)
    checkSwiftAssertions(custom, beside: assertions, of: id, at: node.location)
    if assertions.isEmpty, custom.isEmpty, schema != nil, problems.isEmpty, !hasUnreadAssertions {
      format.problems.add(
        node.location, "the test case `\(id)` has no assertions",
        allowed: "an attempt passes only if an assertion passes")
    }
    var suiteCase = SuiteCase(
      id: id, title: node["title"]?.text ?? id, tags: node.texts("tags"), variables: variables,
      assertions: assertions, stub: node["stub"].flatMap { StubScript($0) } ?? stub,
      settings: settings(of: node, in: root),
      scoring: scoring(of: node, in: root, assertions, custom),
      metrics: Self.hugging(own, caseID: id))
    suiteCase.customAssertions = custom
    suiteCase.line = path.isEmpty ? nil : node.location.line
    return suiteCase
  }

  /// Returns an assertion with the names of variables replaced by their values in the test case.
  ///
  /// The builder reports a problem at the test case if a value doesn't fit the assertion, or if a
  /// value names an enum case that the schema doesn't have.
  private mutating func resolved(
    _ assertion: Assertion, with variables: JSONObject, of node: SourceNode, id: String,
    _ schema: GenerationSchema?
  ) -> Assertion {
    var assertion = assertion
    let names = assertion.check.variables
    guard !names.isEmpty else { return assertion }
    do throws(VariableProblem) {
      assertion.check = try assertion.check.resolved(with: variables)
    } catch {
      let place = node.members.first { $0.key == error.name }?.node.location ?? node.location
      format.problems.add(
        place, "`\(error.name)` of the test case `\(id)` \(error.problem)", allowed: error.allowed)
      return assertion
    }
    guard let check = assertion.check.withoutNegations.check as? ValueCheck,
      let rule = check.rule as? BranchRule,
      let known = schema.flatMap({ try? SchemaView($0).following(check.path) })?.branches
    else { return assertion }
    for branch in rule.names where !known.contains(branch) {
      format.problems.add(
        node.members.first { names.contains($0.key) }?.node.location ?? node.location,
        "there is no `\(branch)` among the enum cases at `\(check.path)`",
        allowed: NearestName.hint(for: branch, among: known, what: "they are") + schemaCause)
    }
    return assertion
  }
}

extension StubScript {
  /// Creates a script from a `stub` node that has passed the format check.
  init?(_ node: SourceNode) {
    func entry(_ node: SourceNode) -> Entry {
      Entry(
        weight: node["weight"]?.value.double ?? 1, content: node["content"]?.value,
        fault: node["fault"]?.text.flatMap { Fault(rawValue: $0) })
    }
    let latency = node["latency"]?.value.double ?? 0
    if let list = node["sequence"] {
      self.init(choice: .sequence, entries: list.elements.map(entry), latency: latency)
    } else if let list = node["weighted"] {
      self.init(choice: .weighted, entries: list.elements.map(entry), latency: latency)
    } else {
      self.init(choice: .sequence, entries: [entry(node)], latency: latency)
    }
  }
}
