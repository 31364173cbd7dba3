/// An independent reader of GBNF: it parses the rules and finds the prefixes that they accept.
struct NotationReader {
  indirect enum Part {
    case literal([Unicode.Scalar])
    case characters([ClosedRange<UInt32>], isNegated: Bool)
    case rule(String)
    case sequence([Part])
    case options([Part])
    case times(Part, Int, Int?)
  }

  struct Problem: Error {
    var text: String
  }

  private var rules: [String: Part] = [:]

  init(_ text: String) throws {
    for line in text.split(separator: "\n") {
      guard let sign = line.firstRange(of: " ::= ") else { throw Problem(text: String(line)) }
      var parser = Parser(rest: Array(line[sign.upperBound...].unicodeScalars)[...])
      let name = String(line[..<sign.lowerBound])
      guard rules[name] == nil else { throw Problem(text: "two rules named \(name)") }
      rules[name] = try parser.options()
      guard parser.rest.isEmpty else { throw Problem(text: "after \(line): \(parser.rest)") }
    }
  }

  /// Returns whether the rule `root` accepts a whole text.
  func accepts(_ text: String) throws -> Bool {
    let scalars = Array(text.unicodeScalars)
    return try ends(.rule("root"), scalars, [0]).contains(scalars.count)
  }

  private func ends(_ part: Part, _ text: [Unicode.Scalar], _ starts: Set<Int>) throws -> Set<Int> {
    if starts.isEmpty { return [] }
    switch part {
    case .literal(let scalars):
      return Set(
        starts.filter { text[$0...].starts(with: scalars) }.map { $0 + scalars.count })
    case .characters(let ranges, let isNegated):
      return Set(
        starts.filter { start in
          start < text.count
            && ranges.contains { $0.contains(text[start].value) } != isNegated
        }.map { $0 + 1 })
    case .rule(let name):
      guard let rule = rules[name] else { throw Problem(text: "no rule \(name)") }
      return try ends(rule, text, starts)
    case .sequence(let parts): return try parts.reduce(starts) { try ends($1, text, $0) }
    case .options(let parts):
      return try parts.reduce(into: []) { $0.formUnion(try ends($1, text, starts)) }
    case .times(let part, let minimum, let maximum):
      var (all, current, count) = (minimum == 0 ? starts : [], starts, 0)
      while !current.isEmpty, count < maximum ?? .max {
        current = try ends(part, text, current)
        count += 1
        if count >= minimum {
          if maximum == nil, current.isSubset(of: all) { break }
          all.formUnion(current)
        }
      }
      return all
    }
  }

  private struct Parser {
    var rest: ArraySlice<Unicode.Scalar>

    mutating func options() throws -> Part {
      var parts = [try sequence()]
      while rest.first == "|" {
        rest.removeFirst()
        parts.append(try sequence())
      }
      return .options(parts)
    }

    private mutating func sequence() throws -> Part {
      var parts: [Part] = []
      while true {
        rest = rest.drop { $0 == " " }
        guard let next = rest.first, next != "|", next != ")" else { return .sequence(parts) }
        parts.append(try repeated(item()))
      }
    }

    private mutating func item() throws -> Part {
      guard let next = rest.popFirst() else { throw Problem(text: "the rule ends") }
      switch next {
      case "\"":
        var scalars: [Unicode.Scalar] = []
        while rest.first != "\"" { scalars.append(try scalar()) }
        rest.removeFirst()
        return .literal(scalars)
      case "[":
        let isNegated = rest.first == "^"
        if isNegated { rest.removeFirst() }
        var ranges: [ClosedRange<UInt32>] = []
        while rest.first != "]" {
          let low = try scalar().value
          guard rest.first == "-" else {
            ranges.append(low...low)
            continue
          }
          rest.removeFirst()
          ranges.append(low...(try scalar().value))
        }
        rest.removeFirst()
        return .characters(ranges, isNegated: isNegated)
      case "(":
        let part = try options()
        guard rest.popFirst() == ")" else { throw Problem(text: "no )") }
        return part
      default:
        let name = [next] + rest.prefix { $0 == "-" || $0.properties.isAlphabetic || $0.isDigit }
        rest = rest.dropFirst(name.count - 1)
        return .rule(String(String.UnicodeScalarView(name)))
      }
    }

    private mutating func repeated(_ part: Part) throws -> Part {
      switch rest.first {
      case "*":
        rest.removeFirst()
        return .times(part, 0, nil)
      case "?":
        rest.removeFirst()
        return .times(part, 0, 1)
      case "{":
        let inner = String(String.UnicodeScalarView(rest.dropFirst().prefix { $0 != "}" }))
        rest = rest.dropFirst(inner.unicodeScalars.count + 2)
        let bounds = inner.split(separator: ",", omittingEmptySubsequences: false)
        guard bounds.count == 2, let minimum = Int(bounds[0]) else { throw Problem(text: inner) }
        return .times(part, minimum, Int(bounds[1]))
      default: return part
      }
    }

    private mutating func scalar() throws -> Unicode.Scalar {
      guard let next = rest.popFirst() else { throw Problem(text: "a text does not end") }
      guard next == "\\" else { return next }
      guard let letter = rest.popFirst() else { throw Problem(text: "an escape does not end") }
      let digits: Int
      switch letter {
      case "n": return "\n"
      case "r": return "\r"
      case "t": return "\t"
      case "x": digits = 2
      case "u": digits = 4
      case "U": digits = 8
      default: return letter
      }
      let hex = String(String.UnicodeScalarView(rest.prefix(digits)))
      rest = rest.dropFirst(digits)
      guard let value = UInt32(hex, radix: 16), let scalar = Unicode.Scalar(value) else {
        throw Problem(text: hex)
      }
      return scalar
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { (0x30...0x39).contains(value) }
}
