import StructuredText

/// A formula over a value: `count($.cards) >= 3 and $.total == sum($.items[*].price)`.
///
/// The language is total: evaluation always ends, either with a value or with an error that says
/// why there is no value. There are no loops, no recursion, no user-defined names and no side
/// effects. Each part of a formula is evaluated at most once. A part takes time linear in the size
/// of the values that it reads, with these exceptions: `sorted` takes n log n, and `in`, `contains`
/// and `similarity` take the product of the sizes of their two arguments. The length of strings
/// that a formula creates is limited.
///
/// ```
/// formula    = both *( "or" both )
/// both       = negation *( "and" negation )
/// negation   = *"not" comparison
/// comparison = sum [ ( "==" / "!=" / "<" / "<=" / ">" / ">=" / "in" ) sum ]
/// sum        = product *( ( "+" / "-" ) product )
/// product    = sign *( ( "*" / "/" / "%" ) sign )
/// sign       = [ "-" ] operand
/// operand    = number / text / "true" / "false" / "null" / path / "case." name
///            / function "(" [ formula *( "," formula ) ] ")" / list / "(" formula ")"
/// list       = "[" [ formula *( "," formula ) ] "]"
/// ```
///
/// A path with `$` starts at the whole answer. Inside `each`, `any`, `none` and `find`, a path with
/// `@` starts at the element. The value of a path with `[*]` is the list of the selected values.
/// The value of any other path is the value at that place, or null if there is none.
package struct Expression: Sendable, Hashable {
  /// The formula as written.
  package let text: String
  /// The syntax tree.
  var root: Node

  /// A node of the syntax tree.
  indirect enum Node: Sendable, Hashable {
    case literal(JSONValue)
    case list([Node])
    case path(JSONPlace, isRelative: Bool, column: Int)
    /// A variable of a test case whose value isn't known yet.
    case variable(String, column: Int)
    case not(Node, column: Int)
    case negative(Node, column: Int)
    case both(Node, Node, column: Int)
    case either(Node, Node, column: Int)
    case comparison(Comparison, Node, Node, column: Int)
    case arithmetic(Arithmetic, Node, Node, column: Int)
    case call(ExpressionFunction, [Node], column: Int)
  }

  /// The comparison operators.
  enum Comparison: String, Sendable, Hashable, CaseIterable {
    case equal = "=="
    case different = "!="
    case less = "<"
    case atMost = "<="
    case greater = ">"
    case atLeast = ">="
    case among = "in"
  }

  /// The arithmetic operators; `+` also concatenates strings and lists.
  enum Arithmetic: String, Sendable, Hashable, CaseIterable {
    case plus = "+"
    case minus = "-"
    case times = "*"
    case by = "/"
    case modulo = "%"
  }

  /// The maximum number of characters in a formula.
  static let maximumLength = 4_000
  /// The maximum number of operands in a formula: numbers, strings, paths, calls and the like.
  static let maximumPartCount = 256
  /// The maximum nesting depth of parentheses, lists and calls.
  static let maximumDepth = 40
}

/// An error in a formula that can't be parsed or has no value.
package struct ExpressionError: Error, Sendable, Hashable {
  /// The column, counted in characters from 1.
  package var column: Int
  /// A description of what is wrong.
  package var problem: String
  /// A description of what is allowed; empty if the problem already says it.
  package var allowed = ""
  /// Whether the formula reads a number of the attempt that nobody measured, so that there is
  /// nothing to judge.
  package var isUnmeasured = false
}

extension Expression.Node {
  /// The child nodes.
  var parts: [Expression.Node] {
    switch self {
    case .literal, .path, .variable: []
    case .list(let parts), .call(_, let parts, _): parts
    case .not(let part, _), .negative(let part, _): [part]
    case .both(let left, let right, _), .either(let left, let right, _),
      .comparison(_, let left, let right, _), .arithmetic(_, let left, let right, _):
      [left, right]
    }
  }

  /// Returns the node with its child nodes transformed.
  func map(_ change: (Expression.Node) -> Expression.Node) -> Expression.Node {
    switch self {
    case .literal, .path, .variable: self
    case .list(let parts): .list(parts.map(change))
    case .call(let function, let parts, let column):
      .call(function, parts.map(change), column: column)
    case .not(let part, let column): .not(change(part), column: column)
    case .negative(let part, let column): .negative(change(part), column: column)
    case .both(let left, let right, let column):
      .both(change(left), change(right), column: column)
    case .either(let left, let right, let column):
      .either(change(left), change(right), column: column)
    case .comparison(let kind, let left, let right, let column):
      .comparison(kind, change(left), change(right), column: column)
    case .arithmetic(let kind, let left, let right, let column):
      .arithmetic(kind, change(left), change(right), column: column)
    }
  }
}

extension Expression {
  /// The paths that the formula reads, in order of first occurrence, without duplicates.
  var paths: [(path: JSONPlace, isRelative: Bool, column: Int)] {
    var found: [(path: JSONPlace, isRelative: Bool, column: Int)] = []
    func visit(_ node: Node) {
      if case .path(let path, let isRelative, let column) = node,
        !found.contains(where: { $0.path == path && $0.isRelative == isRelative })
      {
        found.append((path, isRelative, column))
      }
      node.parts.forEach(visit)
    }
    visit(root)
    return found
  }

  /// The names of the test case's variables that the formula reads.
  var variables: [String] {
    var found: [String] = []
    func visit(_ node: Node) {
      if case .variable(let name, _) = node, !found.contains(name) { found.append(name) }
      node.parts.forEach(visit)
    }
    visit(root)
    return found
  }

  /// Returns the formula with the names of variables replaced by their values in a test case.
  func resolved(with variables: JSONObject) -> Expression {
    func resolve(_ node: Node) -> Node {
      if case .variable(let name, _) = node, let value = variables[name] { return .literal(value) }
      return node.map(resolve)
    }
    var copy = self
    copy.root = resolve(root)
    return copy
  }
}
