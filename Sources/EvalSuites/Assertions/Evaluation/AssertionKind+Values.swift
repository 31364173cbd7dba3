import StructuredText

extension AssertionKind {
  /// A closure that creates a rule from a variable's value, the assertion's node and the schema at
  /// the path.
  typealias RuleOfVariable =
    @Sendable (VariableValue, SourceNode, SchemaView?) throws(UnfitVariable) -> any ValueRule

  /// Returns a kind whose assertions judge each value at a path separately.
  ///
  /// - Parameters:
  ///   - rows: The parameters in addition to `path`.
  ///   - rules: The rules on combinations of parameters.
  ///   - version: The version of the kind.
  ///   - types: The schema types that a value at the path may have, or `nil` for any.
  ///   - fits: A closure that checks the schema at the path. If the assertion could never hold
  ///     there, the closure adds a problem and returns false.
  ///   - variable: A closure that creates the rule if the expected value is a variable of the test
  ///     case.
  ///   - rule: A closure that creates the rule in all other cases.
  static func values(
    _ name: String, _ summary: String, version: Int = 1, rows: [KeyRow] = [],
    rules: [KeyRule] = [], types: [String]? = nil, example: AssertionExample,
    fits: (@Sendable (inout CheckReader, SourceNode, JSONPlace, SchemaView) -> Bool)? = nil,
    variable: RuleOfVariable? = nil,
    rule: @escaping @Sendable (SourceNode) -> (any ValueRule)?
  ) -> AssertionKind {
    AssertionKind(
      name, summary, .keys([.path] + rows, rules: rules), version: version, example: example
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

  /// Returns a kind whose assertions judge the attempt as a whole.
  ///
  /// - Parameters:
  ///   - version: The version of the kind.
  ///   - rows: The parameters.
  ///   - rules: The rules on combinations of parameters.
  ///   - rule: A closure that creates the rule.
  static func attempt(
    _ name: String, _ summary: String, version: Int = 1, rows: [KeyRow], rules: [KeyRule] = [],
    example: AssertionExample,
    rule: @escaping @Sendable (inout CheckReader, SourceNode, SchemaView?) -> (any AttemptRule)?
  ) -> AssertionKind {
    AssertionKind(
      name, summary, .keys(rows, rules: rules), version: version, example: example
    ) { reader, node, view in
      rule(&reader, node, view).map { AttemptCheck(name, $0) }
    }
  }
}

// MARK: Parameters shared by several kinds

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
