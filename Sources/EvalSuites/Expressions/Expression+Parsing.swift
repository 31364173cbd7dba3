import EvalRecords
import Patterns
import StructuredText

extension Expression {
  /// Creates a formula by parsing text.
  ///
  /// - Parameter text: The formula.
  /// - Throws: `ExpressionError` for the first mistake in the formula.
  package init(parsing text: String) throws(ExpressionError) {
    guard text.count <= Self.maximumLength else {
      throw ExpressionError(
        column: Self.maximumLength + 1, problem: "the formula is too long",
        allowed: "at most \(Self.maximumLength) characters")
    }
    var parser = ExpressionParser(text: text)
    self.text = text
    root = try parser.formula()
  }
}

/// A recursive-descent parser with a limit on its depth.
private struct ExpressionParser {
  private let characters: [Character]
  private var position = 0
  private var depth = 0
  private var partCount = 0

  init(text: String) { characters = Array(text) }

  private var current: Character? {
    position < characters.count ? characters[position] : nil
  }

  private func error(
    _ problem: String, allowed: String, at place: Int? = nil
  ) -> ExpressionError {
    ExpressionError(column: (place ?? position) + 1, problem: problem, allowed: allowed)
  }

  mutating func formula() throws(ExpressionError) -> Expression.Node {
    let node = try either()
    if let next = current {
      throw error(
        "unexpected `\(next)`",
        allowed: "an operator such as `==` or `and`, or the end of the formula")
    }
    return node
  }

  // MARK: Levels of precedence

  private mutating func either() throws(ExpressionError) -> Expression.Node {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Expression.maximumDepth else {
      throw error(
        "the formula is nested too deeply", allowed: "at most \(Expression.maximumDepth) levels")
    }
    var node = try both()
    while let column = word("or") { node = .either(node, try both(), column: column) }
    return node
  }

  private mutating func both() throws(ExpressionError) -> Expression.Node {
    var node = try negation()
    while let column = word("and") { node = .both(node, try negation(), column: column) }
    return node
  }

  private mutating func negation() throws(ExpressionError) -> Expression.Node {
    // Two `not`s cancel out, so a sequence of `not`s is reduced to one or two, without recursion.
    var column: Int?
    var isNegated = false
    while let place = word("not") {
      column = column ?? place
      isNegated.toggle()
    }
    let node = try comparison()
    guard let column else { return node }
    let negated = Expression.Node.not(node, column: column)
    return isNegated ? negated : .not(negated, column: column)
  }

  private mutating func comparison() throws(ExpressionError) -> Expression.Node {
    let left = try sum()
    guard let (comparison, column) = comparisonSign() else { return left }
    let right = try sum()
    if let (second, place) = comparisonSign() {
      throw error(
        "`\(second.rawValue)` follows another comparison",
        allowed: "combine comparisons with `and`", at: place - 1)
    }
    return .comparison(comparison, left, right, column: column)
  }

  private mutating func sum() throws(ExpressionError) -> Expression.Node {
    var node = try product()
    while let (sign, column) = sign([.plus, .minus]) {
      node = .arithmetic(sign, node, try product(), column: column)
    }
    return node
  }

  private mutating func product() throws(ExpressionError) -> Expression.Node {
    var node = try signed()
    while let (sign, column) = sign([.times, .by, .modulo]) {
      node = .arithmetic(sign, node, try signed(), column: column)
    }
    return node
  }

  private mutating func signed() throws(ExpressionError) -> Expression.Node {
    skipSpace()
    guard current == "-" else { return try operand() }
    let column = position + 1
    position += 1
    return .negative(try operand(), column: column)
  }

  // MARK: Operands

  private mutating func operand() throws(ExpressionError) -> Expression.Node {
    skipSpace()
    let start = position
    // A chain of operators becomes a tree that is as deep as the chain is long, so the number of
    // operands is limited.
    partCount += 1
    guard partCount <= Expression.maximumPartCount else {
      throw error(
        "the formula has too many parts", allowed: "at most \(Expression.maximumPartCount)")
    }
    guard let first = current else {
      throw error("the formula ends too early", allowed: Self.operands)
    }
    switch first {
    case "(":
      position += 1
      let node = try either()
      try close(")", from: start)
      return node
    case "[":
      position += 1
      return .list(try arguments(until: "]", from: start))
    case "'", "\"": return .literal(.string(try quoted()))
    case "$", "@": return try path()
    case _ where first.isASCII && first.isNumber: return .literal(.number(try number()))
    case _ where first.isLetter || first == "_": return try named()
    default: throw error("unexpected `\(first)`", allowed: Self.operands)
    }
  }

  private static let operands =
    "a path such as `$.name`, a number, a text in quotes, a list, a function or `case.name`"

  private mutating func named() throws(ExpressionError) -> Expression.Node {
    let start = position
    let name = identifier()
    switch name {
    case "true": return .literal(true)
    case "false": return .literal(false)
    case "null": return .literal(nil)
    case "case" where current == ".":
      position += 1
      let variable = identifier(allowing: "-.")
      guard !variable.isEmpty else {
        throw error(
          "a name is missing after `case.`", allowed: "the name of a variable of the test case")
      }
      return .variable(variable, column: start + 1)
    default: break
    }
    let names = ExpressionFunction.allCases.map(\.rawValue)
    guard let function = ExpressionFunction(rawValue: name) else {
      throw error(
        "there is no function `\(name)`",
        allowed: NearestName.hint(for: name, among: names, what: "functions"), at: start)
    }
    guard current == "(" else {
      throw error("`\(name)` is a function", allowed: "`(` must follow")
    }
    position += 1
    let parts = try arguments(until: ")", from: start)
    guard function.arity.contains(parts.count) else {
      throw error(
        "`\(name)` has \(parts.count.counted("argument"))",
        allowed: "use it as `\(function.signature)`", at: start)
    }
    switch (function, parts.first, parts.last) {
    case (.exists, .path?, _): break
    case (.exists, _, _):
      throw error("`exists` needs a path", allowed: "`exists($.name)`", at: start)
    case (.matches, _, .literal(.string(let pattern))?):
      do throws(PatternError) {
        _ = try TextPattern(parsing: pattern)
      } catch {
        throw self.error(
          "`\(pattern)` is not a valid pattern: \(error.problem)", allowed: error.allowed, at: start
        )
      }
    case (.matches, _, _):
      throw error(
        "the pattern of `matches` must be a literal", allowed: "a text in quotes", at: start)
    default: break
    }
    return .call(function, parts, column: start + 1)
  }

  private mutating func arguments(
    until end: Character, from start: Int
  ) throws(ExpressionError) -> [Expression.Node] {
    skipSpace()
    if current == end {
      position += 1
      return []
    }
    var parts = [try either()]
    while true {
      skipSpace()
      guard current == "," else { break }
      position += 1
      parts.append(try either())
    }
    try close(end, from: start)
    return parts
  }

  private mutating func close(_ end: Character, from start: Int) throws(ExpressionError) {
    skipSpace()
    guard current == end else {
      throw error(
        "`\(characters[start])` is not closed", allowed: "`\(end)` must follow", at: start)
    }
    position += 1
  }

  /// Consumes the longest text that could be a path, and parses it.
  private mutating func path() throws(ExpressionError) -> Expression.Node {
    let start = position
    position += 1
    while let next = current {
      if next == "." {
        position += 1
        if current == "*" { position += 1 } else { _ = identifier() }
      } else if next == "[" {
        var quote: Character?
        while let inside = current, quote != nil || inside != "]" {
          if inside == "\\", quote != nil {
            position += 1
          } else if inside == quote {
            quote = nil
          } else if quote == nil, inside == "'" || inside == "\"" {
            quote = inside
          }
          position += 1
        }
        position = min(position + 1, characters.count)
      } else {
        break
      }
    }
    let isRelative = characters[start] == "@"
    do throws(PathSyntaxError) {
      let path = try JSONPlace(
        parsing: String(characters[start..<position]), isRelative: isRelative)
      return .path(path, isRelative: isRelative, column: start + 1)
    } catch {
      throw self.error(error.problem, allowed: error.allowed, at: start + error.column - 1)
    }
  }

  private mutating func number() throws(ExpressionError) -> JSONNumber {
    let start = position
    func isPart(_ character: Character) -> Bool {
      (character.isASCII && character.isNumber) || character == "." || character == "e"
        || character == "E"
    }
    while let next = current,
      isPart(next)
        || ((next == "-" || next == "+") && position > start
          && "eE".contains(characters[position - 1]))
    {
      position += 1
    }
    let text = String(characters[start..<position])
    guard let number = JSONNumber(text), number.double.isFinite else {
      throw error("`\(text)` is not a number", allowed: "a number such as `3` or `0.25`", at: start)
    }
    return number
  }

  private mutating func quoted() throws(ExpressionError) -> String {
    let start = position
    let quote = characters[position]
    position += 1
    var text = ""
    while let next = current {
      position += 1
      if next == quote { return text }
      guard next == "\\" else {
        text.append(next)
        continue
      }
      switch current {
      case "n": text.append("\n")
      case "t": text.append("\t")
      case "\\", "'", "\"": text.append(current ?? "\\")
      default:
        throw error(
          "`\\` doesn't begin a known escape", allowed: #"`\n`, `\t`, `\\`, `\'` and `\"`"#,
          at: position - 1)
      }
      position += 1
    }
    throw error("the quote is not closed", allowed: "`\(quote)` must follow", at: start)
  }

  // MARK: Words and operators

  private mutating func skipSpace() {
    while let next = current, next.isWhitespace { position += 1 }
  }

  private mutating func identifier(allowing signs: String = "") -> String {
    let start = position
    while let next = current, next.isLetter || next.isNumber || next == "_" || signs.contains(next)
    {
      position += 1
    }
    return String(characters[start..<position])
  }

  /// Consumes a word if it is the next identifier.
  private mutating func word(_ word: String) -> Int? {
    skipSpace()
    let start = position
    guard identifier() == word else {
      position = start
      return nil
    }
    return start + 1
  }

  private mutating func comparisonSign() -> (Expression.Comparison, Int)? {
    if let column = word("in") { return (.among, column) }
    let column = position + 1
    // Longer operators come first, because `<` is a prefix of `<=`.
    for sign in [Expression.Comparison.equal, .different, .atMost, .atLeast, .less, .greater] {
      let text = Array(sign.rawValue)
      guard characters[position...].starts(with: text) else { continue }
      position += text.count
      return (sign, column)
    }
    return nil
  }

  private mutating func sign(_ signs: [Expression.Arithmetic]) -> (Expression.Arithmetic, Int)? {
    skipSpace()
    guard let current, let sign = signs.first(where: { $0.rawValue == String(current) }) else {
      return nil
    }
    position += 1
    return (sign, position)
  }
}
