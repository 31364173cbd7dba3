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
      return node.elements.compactMap {
        suiteCase($0, of: root, shared: shared, schema: schema, variants: variants, stub: stub)
      }
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
    rows.isDataFile = true
    let nodes = rows.identified(read.nodes, for: variants.flatMap(\.prompt.variables))
    for row in nodes { rows.format.check(row, .table(.suiteCase), name: "case") }
    rows.checkIDs(of: nodes, what: "test case")
    let cases = nodes.compactMap {
      rows.suiteCase($0, of: root, shared: shared, schema: schema, variants: variants, stub: stub)
    }
    otherProblems += rows.problems
    if read.nodes.isEmpty, read.problems.isEmpty {
      otherProblems.append(
        SuiteProblem(
          file: other, line: 0, column: 0, problem: "has no test cases",
          allowed: "at least one is expected"))
    }
    return cases
  }

  private mutating func suiteCase(
    _ node: SourceNode, of root: SourceNode, shared: [Assertion], schema: GenerationSchema?,
    variants: [SuiteVariant], stub: StubScript?
  ) -> SuiteCase? {
    guard format.isSound(node), let id = node["id"]?.text else { return nil }
    let own = namedChecks(node["assertions"], schema)
    let table = SuiteFormat.suiteCase
    let free = node.members.filter { table.row($0.key) == nil }
    var variables = JSONObject(free.map { (key: $0.key, value: $0.node.value) })
    for name in declaredNames {
      if let value = environment[name] { variables["env.\(name)"] = .string(value) }
    }
    let wanted =
      variants.flatMap(\.prompt.variables) + (shared + own).flatMap(\.check.variables)
      + metricVariables(root)
    if !variants.isEmpty { checkVariables(of: node, id: id, free: free, wanted: wanted.unique) }
    let assertions = Self.uniquelyNamed(shared + own)
      .map { resolved($0, with: variables, of: node, id: id, schema) }
    let custom = swiftAssertions.assertions(of: id)
    checkSwiftAssertions(custom, beside: assertions, of: id, at: node.location)
    if assertions.isEmpty, custom.isEmpty, schema != nil, problems.isEmpty {
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
        allowed: NearestName.hint(for: branch, among: known, what: "they are"))
    }
    return assertion
  }

  /// Whether the test cases are rows of a CSV table.
  private var isTable: Bool { FilePath.extension(of: path) == "csv" }

  /// Checks that the test case has every variable that the suite uses, and no unknown keys.
  private mutating func checkVariables(
    of node: SourceNode, id: String, free: [SourceMember], wanted: [String]
  ) {
    let given = free.map(\.key) + declaredNames.map { "env.\($0)" }
    let reserved = SuiteFormat.suiteCase.rows.map(\.name)
    for member in free where !wanted.contains(member.key) {
      let nearest = NearestName.nearest(to: member.key, among: wanted + reserved)
      // A data file may have columns that the suite doesn't use, unless a column's name looks like
      // a misspelling.
      if isDataFile, nearest == nil { continue }
      if isTable, !reportedColumns.insert(member.key).inserted { continue }
      format.problems.add(
        member.keyLocation,
        "`\(member.key)` is neither a key of a test case nor a variable that the suite uses",
        allowed: NearestName.hint(
          for: member.key, among: wanted + reserved, what: "allowed"))
    }
    for name in wanted where !given.contains(name) {
      // If a misspelled key was already reported, don't also report the variable as missing.
      let isMisspelt = given.contains {
        !wanted.contains($0) && NearestName.nearest(to: $0, among: [name]) != nil
      }
      if isMisspelt { continue }
      if isTable, !reportedColumns.insert(name).inserted { continue }
      format.problems.add(
        node.location, "the test case `\(id)` lacks the variable `\(name)`, which the suite uses",
        allowed: given.isEmpty
          ? "the test case has no variables"
          : NearestName.hint(for: name, among: given, what: "the test case has"))
    }
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
