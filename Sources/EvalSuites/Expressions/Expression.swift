import StructuredText

/// A formula over a value: `count($.cards) >= 3 and $.total == sum($.items[*].price)`.
///
/// The language is total: the evaluation of every formula ends with a value, or with an error that
/// says why there is none. It has no loops, no recursion, no user-defined names and no effects.
/// Every part of a formula is evaluated at most once, in time linear in the values that it reads
/// (`sorted` takes n log n; `in`, `contains` and `similarity` take the product of their two sizes).
/// Texts that a formula creates have a limited length.
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
/// A path with `$` reads the whole answer. Inside `each`, `any`, `none` and `find`, a path with `@`
/// reads the element. A path with `[*]` stands for the list of the selected values; any other path
/// stands for the value there, or for null.
package struct Expression: Sendable, Hashable {
  /// The formula as it was written.
  package let text: String
  /// The syntax tree.
  var root: Node

  /// A part of a formula.
  indirect enum Node: Sendable, Hashable {
    case literal(JSONValue)
    case list([Node])
    case path(ValuePath, isRelative: Bool, column: Int)
    /// A variable of a test case that is not known yet.
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

  /// The arithmetic operators; `+` also concatenates texts and lists.
  enum Arithmetic: String, Sendable, Hashable, CaseIterable {
    case plus = "+"
    case minus = "-"
    case times = "*"
    case by = "/"
    case modulo = "%"
  }

  /// The maximum number of characters in a formula.
  static let maximumLength = 4_000
  /// The maximum number of numbers, texts, paths and calls in a formula.
  static let maximumPartCount = 256
  /// The maximum nesting depth of parentheses, lists and calls.
  static let maximumDepth = 40
}

/// An error in a formula that can't be parsed or has no value: its position, what is wrong, and
/// what is allowed.
package struct ExpressionError: Error, Sendable, Hashable {
  /// The column in characters, starting at 1.
  package var column: Int
  /// The problem.
  package var problem: String
  /// The allowed alternatives; empty if the problem names them already.
  package var allowed = ""
}

extension Expression.Node {
  /// The direct parts of this part.
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

  /// Returns the part with its direct parts transformed.
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
  /// The paths that the formula reads, in order of occurrence and without duplicates.
  var paths: [(path: ValuePath, isRelative: Bool, column: Int)] {
    var found: [(path: ValuePath, isRelative: Bool, column: Int)] = []
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

  /// The variables of the test case that the formula reads.
  var variables: [String] {
    var found: [String] = []
    func visit(_ node: Node) {
      if case .variable(let name, _) = node, !found.contains(name) { found.append(name) }
      node.parts.forEach(visit)
    }
    visit(root)
    return found
  }

  /// Returns the formula with the values of a test case's variables in place of their names.
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
