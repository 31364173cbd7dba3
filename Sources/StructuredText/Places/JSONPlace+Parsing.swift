/// An error for a text that isn't a valid path; it gives the position, what is wrong, and what is
/// allowed.
public struct PathSyntaxError: Error, Sendable, Hashable {
  /// The column, counted in characters from 1.
  public var column: Int
  /// A description of what is wrong.
  public var problem: String
  /// A description of what is allowed.
  public var allowed: String
}

extension JSONPlace {
  /// The maximum number of steps in a path of a suite.
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

  /// Returns the longest place at the beginning of a text, with the rest of the text.
  ///
  /// The text may have been written by version 0.1, whose reports wrote a digit after a dot
  /// (`$.2nd`) and didn't escape names (`$['it's']`).
  package static func beginning(of text: String) -> (place: JSONPlace, rest: Substring) {
    var parser = PathParser(text: text, isStrict: false)
    let (steps, end) = parser.stepsAtBeginning()
    return (JSONPlace(steps: steps), text[end...])
  }
}

/// A parser for paths.
///
/// The grammar is regular, so the parser needs no recursion. The parser reads Unicode scalars,
/// because a name may begin with a scalar that combines with the dot or the quote before it.
private struct PathParser {
  private let scalars: String.UnicodeScalarView
  private var position: String.Index
  /// Whether the parser refuses the spellings of version 0.1's reports.
  private let isStrict: Bool

  init(text: String, isStrict: Bool = true) {
    self.isStrict = isStrict
    scalars = text.unicodeScalars
    position = scalars.startIndex
  }

  private var current: Unicode.Scalar? {
    position < scalars.endIndex ? scalars[position] : nil
  }

  private mutating func advance() { scalars.formIndex(after: &position) }

  private func error(
    _ problem: String, allowed: String, at place: String.Index? = nil
  ) -> PathSyntaxError {
    let before = String(scalars[..<(place ?? position)])
    return PathSyntaxError(column: before.count + 1, problem: problem, allowed: allowed)
  }

  mutating func path(root: Unicode.Scalar) throws(PathSyntaxError) -> [JSONPlace.Step] {
    guard let first = current else {
      throw error("the path is empty", allowed: "`\(root)` is the whole value")
    }
    if first == root {
      advance()
    } else if first == "$" || first == "@" {
      throw error(
        "the path begins with `\(first)`",
        allowed: root == "@"
          ? "paths inside `each`, `any`, `none` and `find` begin with `@`, the element"
          : "paths begin with `$`; `@` is the element inside `each`, `any`, `none` and `find`")
    } else if first != "." && first != "[" {
      throw error(
        "the path begins with `\(first)`",
        allowed: "a path begins with `\(root)`, as in `\(root).name`")
    }
    var steps: [JSONPlace.Step] = []
    while let next = current {
      guard steps.count < JSONPlace.maximumSteps else {
        throw error("the path is too long", allowed: "at most \(JSONPlace.maximumSteps) steps")
      }
      guard let step = try step() else {
        throw error(
          "unexpected `\(next)` in a path",
          allowed: "`.name`, `['any name']`, `[0]` or `[*]` may follow")
      }
      steps.append(step)
    }
    return steps
  }

  /// Reads the root and as many steps as possible.
  ///
  /// - Returns: The steps, and the position after the last one.
  mutating func stepsAtBeginning() -> ([JSONPlace.Step], String.Index) {
    if current == "$" { advance() }
    var steps: [JSONPlace.Step] = []
    var end = position
    while let step = try? step() {
      steps.append(step)
      end = position
    }
    return (steps, end)
  }

  /// Reads one step, or returns `nil` if the text goes on with something else.
  private mutating func step() throws(PathSyntaxError) -> JSONPlace.Step? {
    switch current {
    case ".": try dotStep()
    case "[": try bracketStep()
    default: nil
    }
  }

  private mutating func dotStep() throws(PathSyntaxError) -> JSONPlace.Step {
    advance()
    if current == "." {
      throw error("`..` is not supported", allowed: "a name or `*` follows the dot")
    }
    if current == "*" {
      advance()
      return .wildcard
    }
    let start = position
    guard let first = current,
      isStrict ? JSONPlace.Step.isNameStart(first) : JSONPlace.Step.isNamePart(first)
    else {
      throw error(
        "a name is missing after the dot",
        allowed: "a letter or `_`; other names are written `['any name']`")
    }
    while let next = current, JSONPlace.Step.isNamePart(next) { advance() }
    return .name(String(scalars[start..<position]))
  }

  private mutating func bracketStep() throws(PathSyntaxError) -> JSONPlace.Step {
    let start = position
    advance()
    let step: JSONPlace.Step
    switch current {
    case "*":
      advance()
      step = .wildcard
    case "'", "\"": step = .name(try quotedName())
    case let digit? where ("0"..."9").contains(digit): step = .index(try index())
    default:
      throw error(
        "the bracket contains neither an index, `*` nor a quoted name",
        allowed: "`[0]`, `[*]` or `['any name']`")
    }
    guard current == "]" else {
      throw error("the bracket is not closed", allowed: "`]` must follow", at: start)
    }
    advance()
    return step
  }

  private mutating func index() throws(PathSyntaxError) -> Int {
    let start = position
    while let next = current, ("0"..."9").contains(next) { advance() }
    let digits = String(scalars[start..<position])
    guard digits == "0" || digits.first != "0", let index = Int(digits), index < 1 << 31 else {
      throw error(
        "`\(digits)` is not an index", allowed: "0, or digits without a leading zero", at: start)
    }
    return index
  }

  private mutating func quotedName() throws(PathSyntaxError) -> String {
    let start = position
    guard let quote = current else { return "" }
    advance()
    var name = String.UnicodeScalarView()
    while let next = current {
      if next == "\\" {
        name.append(try escape())
      } else {
        advance()
        if next == quote, isStrict || current == "]" { return String(name) }
        name.append(next)
      }
    }
    throw error("the quote is not closed", allowed: "`\(quote)` must follow", at: start)
  }

  private mutating func escape() throws(PathSyntaxError) -> Unicode.Scalar {
    let start = position
    advance()
    guard let letter = current else {
      throw error(
        "the escape is incomplete", allowed: #"\b \f \n \r \t \/ \\ \' \" \uXXXX"#, at: start)
    }
    advance()
    if letter == "'" { return letter }
    if letter.isASCII, let character = JSONEscapes.character(UInt8(letter.value)) {
      return Unicode.Scalar(character)
    }
    switch letter {
    case "u":
      if let scalar = escapedScalar() { return scalar }
      throw error(
        "the escape is not a character", allowed: #"\u and four hexadecimal digits"#, at: start)
    default:
      throw error(
        "`\\\(letter)` is not an escape", allowed: #"\b \f \n \r \t \/ \\ \' \" \uXXXX"#, at: start)
    }
  }

  /// Reads the digits after `\u` and, if they are the first half of a surrogate pair, its second
  /// half.
  private mutating func escapedScalar() -> Unicode.Scalar? {
    guard let first = hexadecimal() else { return nil }
    guard UTF16.isLeadSurrogate(first) else { return Unicode.Scalar(first) }
    guard current == "\\" else { return nil }
    advance()
    guard current == "u" else { return nil }
    advance()
    guard let second = hexadecimal(), UTF16.isTrailSurrogate(second) else { return nil }
    return UTF16.decode(UTF16.EncodedScalar([first, second]))
  }

  private mutating func hexadecimal() -> UInt16? {
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard let next = current, next.properties.isASCIIHexDigit,
        let digit = UInt16(String(next), radix: 16)
      else { return nil }
      value = value << 4 | digit
      advance()
    }
    return value
  }
}
