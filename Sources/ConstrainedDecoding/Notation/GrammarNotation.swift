import GuidedGeneration

/// A compiled schema in GBNF, the grammar notation of llama.cpp, which vLLM and SGLang read too.
///
/// The notation accepts the same texts as the engine's mask, with three exceptions: it doesn't
/// limit the nesting depth of recursive types, it allows duplicate keys in values that the schema
/// leaves open ("any"), and its bound on white space doesn't depend on the depth. Apart from these,
/// a server that enforces the notation generates from the same distribution as the local engine.
///
/// ```
/// { "tips": array 0...2 of string }         root ::= n3
///                                           n3 ::= "{" ws "\"tips\"" bl ":" bl n2 ws "}"
/// with any white space                      n2 ::= "[" (ws text (bl "," ws text){0,1})? ws "]"
///                                           where text stands for  "\"" char* "\"", and bl for
///                                           white space beside a separator
/// ```
///
/// Source: `grammars/README.md` of llama.cpp.
package struct GrammarNotation {
  /// The reason why a grammar can't be written in GBNF.
  package enum Obstacle: Error, Sendable, Hashable, CustomStringConvertible {
    /// The layout is `pretty`, which depends on the nesting depth (which GBNF can't count), or
    /// `flexible`, which has no bound.
    case layout(WhitespaceMode)
    /// An object with keys that the schema doesn't name, or with bounds on the number of keys.
    case openObject
    /// There are more repetitions than servers accept, or so many possible unique elements that
    /// they would take too many rules.
    case count(Int)
    /// The notation has too many rules.
    case rules(Int)

    /// A description of the obstacle for error messages.
    package var description: String {
      switch self {
      case .layout(let mode): "GBNF can't express the layout `\(mode.rawValue)`"
      case .openObject:
        "GBNF can't express keys that the schema doesn't name, or bounds on the number of keys"
      case .count(let count): "a bound of \(count) is too high for a GBNF grammar"
      case .rules(let limit): "the GBNF grammar would have more than \(limit) rules"
      }
    }
  }

  /// The maximum repetition count in the notation; llama.cpp refuses higher counts.
  static let mostRepeats = 1000
  /// The maximum number of rules.
  static let mostRules = 20_000
  /// The maximum number of possible values in an array with unique elements; each subset of the
  /// values takes a rule.
  static let mostSetElements = 6

  let grammar: Grammar
  private var rules: [(name: String, body: String)] = []
  private var known: Set<String> = []
  /// The rules that have no body yet.
  ///
  /// Because of this list, writing a deep grammar takes no deep recursion.
  private var pending: [(place: Int, body: Body)] = []

  /// A function that writes the body of a rule.
  typealias Body = (inout GrammarNotation) throws(Obstacle) -> String

  /// Writes a grammar in GBNF.
  ///
  /// - Parameter grammar: The compiled schema.
  /// - Returns: The rules, one per line, beginning with `root`.
  /// - Throws: `Obstacle` if the notation can't express the grammar.
  package static func text(of grammar: Grammar) throws(Obstacle) -> String {
    switch grammar.options.whitespace {
    case .compact, .singleSpace, .any: break
    case .pretty, .flexible: throw .layout(grammar.options.whitespace)
    }
    var notation = GrammarNotation(grammar: grammar)
    let root = try notation.node(grammar.root)
    while let (place, body) = notation.pending.popLast() {
      notation.rules[place].body = try body(&notation)
    }
    return (["root ::= \(root)"] + notation.rules.map { "\($0.name) ::= \($0.body)" })
      .joined(separator: "\n")
  }

  private init(grammar: Grammar) { self.grammar = grammar }

  // MARK: Rules

  /// Adds a rule, whose body `text(of:)` writes later, and returns its name.
  mutating func rule(_ name: String, _ body: @escaping Body) throws(Obstacle) -> String {
    guard known.insert(name).inserted else { return name }
    guard rules.count < Self.mostRules else { throw .rules(Self.mostRules) }
    pending.append((rules.count, body))
    rules.append((name, ""))
    return name
  }

  /// Returns the expression for a node.
  mutating func node(_ number: UInt32) throws(Obstacle) -> String {
    switch grammar.nodes[Int(number)] {
    case .alias(let target) where target != number: return try node(target)
    case .states(let state): return try states(state)
    case .choice(let index):
      let names = grammar.choiceSets[index].names
      return try rule("n\(number)") { _ in
        names.map { Self.literal(JSONText.quoted($0)) }.joined(separator: " | ")
      }
    case .string(let index): return try string(grammar.lengths[index])
    case .any(let depth): return try any(depth)
    case .openObject: throw .openObject
    case .union(let union):
      return try rule("n\(number)") { it throws(Obstacle) in
        var options: [String] = []
        for option in union.options { options.append(try it.node(option)) }
        return options.joined(separator: " | ")
      }
    case let part:
      return try rule("n\(number)") { it throws(Obstacle) in try it.container(part, number) }
    }
  }

  private mutating func container(
    _ node: Grammar.Node, _ number: UInt32
  ) throws(Obstacle) -> String {
    switch node {
    case .object(let object): try self.object(object, number)
    case .array(let element, let minimum, let maximum):
      try array(of: self.node(element), minimum, maximum)
    case .tuple(let tuple): try "\"[\" \(self.tuple(tuple, number, count: 0))"
    case .set(let set): try "\"[\" \(self.set(set, number, used: 0))"
    default: throw .openObject
    }
  }

  // MARK: Texts

  /// Returns bytes of valid UTF-8 as a quoted literal.
  static func literal(_ bytes: [UInt8]) -> String {
    var text = "\""
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      default:
        if scalar.value < 0x20 || scalar.value == 0x7F {
          text += hex(scalar.value)
        } else {
          text.unicodeScalars.append(scalar)
        }
      }
    }
    return text + "\""
  }

  /// Returns a code point as an escape for character classes and literals.
  static func hex(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    let (letter, width) = value < 0x100 ? ("x", 2) : value < 0x10000 ? ("u", 4) : ("U", 8)
    return "\\\(letter)" + String(repeating: "0", count: width - digits.count) + digits
  }

  /// Returns the suffix that repeats an expression: `*`, `{2,}` or `{2,5}`.
  static func times(_ minimum: Int, _ maximum: Int?) throws(Obstacle) -> String {
    if let highest = [minimum, maximum ?? 0].max(), highest > mostRepeats { throw .count(highest) }
    if minimum == 0, maximum == nil { return "*" }
    return "{\(minimum),\(maximum.map(String.init) ?? "")}"
  }

  /// Returns the expression for a free string.
  private mutating func string(_ length: Grammar.Length) throws(Obstacle) -> String {
    let times = try Self.times(Int(length.minimum), length.maximum.map { Int($0) })
    let character = try rule("char") { _ in
      #"[^"\\\x7F\x00-\x1F] | "\\" escape"#
    }
    _ = try rule("escape") { _ in
      #"["\\bfnrt] | "u00" ("0" [0-7bBeEfF] | "1" [0-9a-fA-F] | "7" [fF])"#
    }
    return #""\"" \#(character)\#(times) "\"""#
  }

  // MARK: Layout

  /// Returns the name of the rule for optional white space, followed by a space, or an empty string
  /// if the layout is fixed.
  ///
  /// GBNF can't count the nesting depth, so the bound must not depend on it
  /// (`WhitespaceBound.withoutDepth`). Nor can it add up the blanks before and after a line feed,
  /// so the rule allows only one before it.
  mutating func space() throws(Obstacle) -> String {
    guard grammar.options.whitespace == .any else { return "" }
    let bound = grammar.options.whitespaceBound
    let most = bound.mostBlanks
    return try rule("ws") { _ in
      let first = min(most, 1)
      let line = #" | [ \t\r]{0,\#(first)} "\n" [ \t\r]{0,\#(most - first)}"#
      return #"[ \t\r]{0,\#(most)}"# + (bound.lineEnds > 0 ? line : "")
    } + " "
  }

  /// Returns the expression for the separator between two members or elements.
  mutating func comma() throws(Obstacle) -> String {
    if grammar.options.whitespace == .singleSpace { return #"", ""# }
    return try space() + #"",""# + " " + space()
  }

  /// Returns the expression for the separator between a key and its value.
  mutating func colon() throws(Obstacle) -> String {
    if grammar.options.whitespace == .singleSpace { return #"": ""# }
    return spaceBesideColon() + #"":""# + " " + spaceBesideColon()
  }

  /// Returns the expression for optional white space beside a colon, followed by a space, or an
  /// empty string if the layout is fixed.
  private func spaceBesideColon() -> String {
    guard grammar.options.whitespace == .any else { return "" }
    return #"[ \t\r]{0,\#(grammar.options.whitespaceBound.blanksBesideColon)} "#
  }

  // MARK: Anything

  /// Returns the name of the rule for JSON values of any type up to a nesting depth.
  private mutating func any(_ depth: UInt32) throws(Obstacle) -> String {
    try rule("any\(depth)") { it throws(Obstacle) in
      var options: [String] = []
      for state in it.grammar.punctuation.anyScalars { options.append(try it.states(state)) }
      let text = try it.string(it.grammar.lengths[0])
      options.append(text)
      if depth > 0 {
        let value = try it.any(depth - 1)
        options.append(try it.array(of: value, 0, nil))
        let member = try "\(text) \(it.colon()) \(value)"
        options.append(
          try "\"{\" (\(it.space())\(member) (\(it.comma()) \(member))*)? \(it.space())\"}\"")
      }
      return options.joined(separator: " | ")
    }
  }
}
