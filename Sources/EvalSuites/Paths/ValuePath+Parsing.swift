/// An error for a text that isn't a valid path; it gives the position, what is wrong, and what is
/// allowed.
public struct PathSyntaxError: Error, Sendable, Hashable {
  /// The column, counted in characters from 1.
  public var column: Int
  /// A description of what is wrong.
  public var problem: String
  /// A description of what is allowed.
  public var allowed: String

  /// Creates an error.
  public init(column: Int, problem: String, allowed: String) {
    self.column = column
    self.problem = problem
    self.allowed = allowed
  }
}

extension ValuePath {
  /// The maximum number of steps in a path.
  static let maximumSteps = 64

  /// Creates a path by parsing text.
  ///
  /// - Parameters:
  ///   - text: The path, for example `$.cards[*].answer`.
  ///   - isRelative: Whether the path starts with `@`, the element inside `each`, `any`, `none` and
  ///     `find`.
  /// - Throws: `PathSyntaxError` for the first mistake in the path.
  public init(parsing text: String, isRelative: Bool = false) throws(PathSyntaxError) {
    var parser = PathParser(text: text)
    steps = try parser.path(root: isRelative ? "@" : "$")
  }
}

/// A parser for paths.
///
/// The grammar is regular, so the parser needs no recursion.
private struct PathParser {
  private let characters: [Character]
  private var position = 0

  init(text: String) { characters = Array(text) }

  private var current: Character? {
    position < characters.count ? characters[position] : nil
  }

  private func error(
    _ problem: String, allowed: String, at place: Int? = nil
  ) -> PathSyntaxError {
    PathSyntaxError(column: (place ?? position) + 1, problem: problem, allowed: allowed)
  }

  mutating func path(root: Character) throws(PathSyntaxError) -> [ValuePath.Step] {
    guard !characters.isEmpty else {
      throw error("the path is empty", allowed: "`\(root)` is the whole value")
    }
    if current == root {
      position += 1
    } else if current == "$" || current == "@" {
      throw error(
        "the path begins with `\(characters[0])`",
        allowed: root == "@"
          ? "paths inside `each`, `any`, `none` and `find` begin with `@`, the element"
          : "paths begin with `$`; `@` is the element inside `each`, `any`, `none` and `find`")
    } else if current != "." && current != "[" {
      throw error(
        "the path begins with `\(characters[0])`",
        allowed: "a path begins with `\(root)`, as in `\(root).name`")
    }
    var steps: [ValuePath.Step] = []
    while let next = current {
      guard steps.count < ValuePath.maximumSteps else {
        throw error("the path is too long", allowed: "at most \(ValuePath.maximumSteps) steps")
      }
      switch next {
      case ".": steps.append(try dotStep())
      case "[": steps.append(try bracketStep())
      default:
        throw error(
          "unexpected `\(next)` in a path",
          allowed: "`.name`, `['any name']`, `[0]` or `[*]` may follow")
      }
    }
    return steps
  }

  private mutating func dotStep() throws(PathSyntaxError) -> ValuePath.Step {
    position += 1
    if current == "." {
      throw error("`..` is not supported", allowed: "a name or `*` follows the dot")
    }
    if current == "*" {
      position += 1
      return .wildcard
    }
    let start = position
    guard let first = current, ValuePath.Step.isNameStart(first) else {
      throw error(
        "a name is missing after the dot",
        allowed: "a letter or `_`; other names are written `['any name']`")
    }
    while let next = current, ValuePath.Step.isNamePart(next) { position += 1 }
    return .name(String(characters[start..<position]))
  }

  private mutating func bracketStep() throws(PathSyntaxError) -> ValuePath.Step {
    let start = position
    position += 1
    let step: ValuePath.Step
    switch current {
    case "*":
      position += 1
      step = .wildcard
    case "'", "\"": step = .name(try quotedName())
    case let digit? where digit.isASCII && digit.isNumber: step = .index(try index())
    default:
      throw error(
        "the bracket contains neither an index, `*` nor a quoted name",
        allowed: "`[0]`, `[*]` or `['any name']`")
    }
    guard current == "]" else {
      throw error("the bracket is not closed", allowed: "`]` must follow", at: start)
    }
    position += 1
    return step
  }

  private mutating func index() throws(PathSyntaxError) -> Int {
    let start = position
    while let next = current, next.isASCII, next.isNumber { position += 1 }
    let digits = String(characters[start..<position])
    guard digits == "0" || digits.first != "0", let index = Int(digits), index < 1 << 31 else {
      throw error(
        "`\(digits)` is not an index", allowed: "0, or digits without a leading zero", at: start)
    }
    return index
  }

  private mutating func quotedName() throws(PathSyntaxError) -> String {
    let start = position
    let quote = characters[position]
    position += 1
    var name = ""
    while let next = current {
      position += 1
      if next == quote { return name }
      if next == "\\" { name.unicodeScalars.append(try escape()) } else { name.append(next) }
    }
    throw error("the quote is not closed", allowed: "`\(quote)` must follow", at: start)
  }

  private mutating func escape() throws(PathSyntaxError) -> Unicode.Scalar {
    let start = position - 1
    guard let letter = current else {
      throw error(
        "the escape is incomplete", allowed: #"\b \f \n \r \t \/ \\ \' \" \uXXXX"#, at: start)
    }
    position += 1
    switch letter {
    case "b": return "\u{8}"
    case "f": return "\u{c}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "/": return "/"
    case "\\": return "\\"
    case "'": return "'"
    case "\"": return "\""
    case "u":
      let end = min(position + 4, characters.count)
      let digits = String(characters[position..<end])
      if digits.count == 4, digits.allSatisfy(\.isHexDigit),
        let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value)
      {
        position = end
        return scalar
      }
      throw error(
        "the escape is not a character", allowed: #"\u and four hexadecimal digits"#, at: start)
    default:
      throw error(
        "`\\\(letter)` is not an escape", allowed: #"\b \f \n \r \t \/ \\ \' \" \uXXXX"#, at: start)
    }
  }
}
