import StructuredText

extension AssertionKind {
  /// A closure that creates a rule from the variable's value, the node and the schema at the path.
  typealias RuleOfVariable =
    @Sendable (VariableValue, SourceNode, SchemaView?) throws(UnfitVariable) -> any ValueRule

  /// Returns a kind that judges each value of a path separately.
  ///
  /// - Parameters:
  ///   - rows: The parameters in addition to `path`.
  ///   - rules: The rules on combinations of parameters.
  ///   - types: The schema types to which the kind applies; nil for all.
  ///   - fits: Checks the schema at the path; returns false, after adding a problem, if the
  ///     assertion can never hold there.
  ///   - variable: Creates the rule if the expected value is a variable of the test case.
  ///   - rule: Creates the rule.
  static func values(
    _ name: String, _ summary: String, rows: [KeyRow] = [], rules: [KeyRule] = [],
    types: [String]? = nil, example: AssertionExample,
    fits: (@Sendable (inout CheckReader, SourceNode, ValuePath, SchemaView) -> Bool)? = nil,
    variable: RuleOfVariable? = nil,
    rule: @escaping @Sendable (SourceNode) -> (any ValueRule)?
  ) -> AssertionKind {
    AssertionKind(
      name, summary, .keys([.path] + rows, rules: rules), example: example
    ) { reader, node, view in
      guard let (path, inner) = reader.path(node, view) else { return nil }
      if let inner, !inner.shapes.contains(where: \.isAny) {
        if let types, !reader.require(types, name, path, inner, node) { return nil }
        if let fits, !fits(&reader, node, path, inner) { return nil }
      }
      if let variable, let variableName = node["variable"]?.text {
        return ValueCheck(
          name, path,
          VariableRule(name: variableName) { value throws(UnfitVariable) in
            try variable(value, node, inner)
          })
      }
      return rule(node).map { ValueCheck(name, path, $0) }
    }
  }

  /// Returns a kind that judges the attempt as a whole.
  ///
  /// - Parameters:
  ///   - rows: The parameters.
  ///   - rules: The rules on combinations of parameters.
  ///   - rule: Reads the rule.
  static func attempt(
    _ name: String, _ summary: String, rows: [KeyRow], rules: [KeyRule] = [],
    example: AssertionExample,
    rule: @escaping @Sendable (inout CheckReader, SourceNode, SchemaView?) -> (any AttemptRule)?
  ) -> AssertionKind {
    AssertionKind(name, summary, .keys(rows, rules: rules), example: example) {
      reader, node, view in
      rule(&reader, node, view).map { AttemptCheck(name, $0) }
    }
  }
}

// MARK: Parameters that several kinds have

extension KeyRow {
  static let path = KeyRow("path", .path, "The values to check", isRequired: true)
  static let variable = KeyRow(
    "variable", .text, "The name of the test case's variable that holds the expected value")
  static let ignoringCase = KeyRow(
    "ignoringCase", .flag, "Whether `A` equals `a`", fallback: "false")
  static let counts = [
    KeyRow("min", .integer(minimum: 0, maximum: 1 << 40), "The minimum"),
    KeyRow("max", .integer(minimum: 0, maximum: 1 << 40), "The maximum"),
    KeyRow("exact", .integer(minimum: 0, maximum: 1 << 40), "The exact number"),
  ]
}

extension KeyKind {
  static let anyNumber = KeyKind.number(
    minimum: -Double.greatestFiniteMagnitude, maximum: .greatestFiniteMagnitude)
  static let probability = KeyKind.number(minimum: 0, maximum: 1)
  static let distance = KeyKind.number(minimum: 0, maximum: .greatestFiniteMagnitude)
}

extension [KeyRule] {
  static let counts: [KeyRule] = [
    .atLeastOne(["min", "max", "exact"]), .atMostOne(["exact", "min"]),
    .atMostOne(["exact", "max"]), .ordered("min", "max"),
  ]
}
