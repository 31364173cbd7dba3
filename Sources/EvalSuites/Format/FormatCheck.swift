import EvalRecords
import Patterns
import StructuredText

/// Checks a document against the tables of the suite format.
///
/// The check reports one problem for each cause. It records the positions of invalid values, so
/// that later steps can skip these values instead of reporting them again.
struct FormatCheck {
  /// The problems so far.
  var problems: ProblemCollector
  /// The values that YAML probably reads differently than their author.
  var doubts = YAMLDoubts()
  /// The warnings so far.
  private(set) var warnings: [SuiteProblem] = []
  /// Whether paths start at an element, as inside `each`.
  private var isRelative = false
  /// The positions of values that contain problems.
  private var unsound: Set<SourceLocation> = []
  /// The nesting depth up to which assertions are always allowed.
  ///
  /// Each assertion takes fewer than four levels of the document, so the depth limit for the
  /// document is four times as large.
  private static let maximumDepth = 16
  private var depth = 0

  init(file: String) { problems = ProblemCollector(file: file) }

  /// Returns whether a value is free of problems.
  func isSound(_ node: SourceNode) -> Bool { !unsound.contains(node.location) }

  /// Checks a value.
  ///
  /// - Parameters:
  ///   - node: The value.
  ///   - kind: The expected kind.
  ///   - name: The name for the value in messages, such as its key.
  /// - Returns: Whether the value is free of problems.
  @discardableResult
  mutating func check(_ node: SourceNode, _ kind: KeyKind, name: String) -> Bool {
    depth += 1
    defer { depth -= 1 }
    let isSound: Bool
    if depth > Self.maximumDepth * 4 {
      problems.add(node.location, "`\(name)` is nested too deeply", allowed: "flatten it")
      isSound = false
    } else {
      isSound = checkContent(node, kind, name: name)
    }
    if !isSound { unsound.insert(node.location) }
    return isSound
  }

  private mutating func checkContent(_ node: SourceNode, _ kind: KeyKind, name: String) -> Bool {
    if !doubts.isEmpty, kind == .text || kind == .value { warn(ofDoubtsIn: node) }
    switch (kind, node.content) {
    case (.value, _): return true
    case (.list(let element, let minimum), .sequence(let nodes)):
      if nodes.count < minimum {
        problems.add(
          node.location, "`\(name)` is empty",
          allowed: "at least \(minimum.counted("element"))")
        return false
      }
      return nodes.map { check($0, element, name: name) }.allSatisfy(\.self)
    case (.table(let table), .mapping(let members)):
      return check(members, at: node.location, table, name: name)
    case (.dictionary(let value), .mapping(let members)):
      return members.map { check($0.node, value, name: $0.key) }.allSatisfy(\.self)
    case (.either(let list, _), .sequence): return check(node, list, name: name)
    case (.either(_, let mapping), .mapping): return check(node, mapping, name: name)
    case (_, .scalar(let value)): return checkScalar(value, node, kind, name: name)
    default:
      problems.add(
        node.location, "`\(name)` is \(node.words)", allowed: "\(kind.words) is expected")
      return false
    }
  }

  private mutating func checkScalar(
    _ value: JSONValue, _ node: SourceNode, _ kind: KeyKind, name: String
  ) -> Bool {
    func fail(_ problem: String, allowed: String) -> Bool {
      problems.add(node.location, problem, allowed: allowed)
      return false
    }
    switch kind {
    case .text where value.string != nil: return true
    case .name(let alphabet):
      guard let text = value.string else { break }
      if alphabet.allows(text) { return true }
      let isLong = text.utf8.count > NameAlphabet.longest
      return fail(
        "`\(name)` is \(ValueWords.quoted(text))",
        allowed: isLong
          ? "at most \(NameAlphabet.longest) characters are allowed"
          : "\(alphabet.words) are allowed")
    case .path:
      guard let text = value.string else { break }
      do throws(PathSyntaxError) {
        _ = try JSONPlace(parsing: text, isRelative: isRelative)
        return true
      } catch {
        problems.add(node.location, path: text, error)
        return false
      }
    case .pattern:
      guard let text = value.string else { break }
      do throws(PatternError) {
        _ = try TextPattern(parsing: text)
        return true
      } catch {
        let place = error.offset.map { " (character \($0 + 1))" } ?? ""
        return fail(
          "`\(text)` is not a valid pattern: \(error.problem)\(place)", allowed: error.allowed)
      }
    case .formula:
      guard let text = value.string else { break }
      do throws(ExpressionError) {
        let expression = try Expression(parsing: text)
        guard !isRelative, let read = expression.paths.first(where: \.isRelative) else {
          return true
        }
        return fail(
          "`@` in `\(text)` has no element to refer to (character \(read.column))",
          allowed:
            "`$` is the whole value; `@` is the element inside `each`, `any`, `none` and `find`")
      } catch {
        return fail(
          "`\(text)` is not a formula: \(error.problem) (character \(error.column))",
          allowed: error.allowed)
      }
    case .reducer:
      guard let text = value.string else { break }
      if CaseReducer(text) != nil { return true }
      return fail(
        "`\(name)` is \(ValueWords.quoted(text))", allowed: "\(kind.words) is expected")
    case .integer(let minimum, let maximum):
      guard let number = value.number else { break }
      guard let int = number.int else {
        return fail("`\(name)` is \(number.text)", allowed: "\(kind.words) is expected")
      }
      if int >= minimum && int <= maximum { return true }
      return fail("`\(name)` is \(int)", allowed: "\(kind.words) is expected")
    case .number(let minimum, let maximum):
      guard let number = value.number?.double else { break }
      if number >= minimum && number <= maximum { return true }
      return fail(
        "`\(name)` is \(value.number?.text ?? "")", allowed: "\(kind.words) is expected")
    case .flag where value.bool != nil: return true
    case .choice(let words):
      guard let text = value.string else { break }
      if words.contains(text) { return true }
      return fail(
        "`\(name)` is \(ValueWords.quoted(text))",
        allowed: NearestName.hint(for: text, among: words, what: "allowed"))
    default: break
    }
    let isUnquoted = kind.isText && value.string == nil && value != .null
    return fail(
      "`\(name)` is \(node.words)",
      allowed: "\(kind.words) is expected" + (isUnquoted ? "; put it in quotes" : ""))
  }

  /// Warns of texts that a comment cuts off, and of numbers that lose leading zeros.
  private mutating func warn(ofDoubtsIn node: SourceNode) {
    switch node.content {
    case .sequence(let nodes): for node in nodes { warn(ofDoubtsIn: node) }
    case .mapping(let members): for member in members { warn(ofDoubtsIn: member.node) }
    case .scalar(.string(let text)):
      guard let place = doubts.cuts[node.location] else { return }
      warnings.append(
        SuiteProblem(
          file: problems.file, line: place.line, column: place.column,
          problem: "YAML reads the rest of this line as a comment, so the text is only "
            + ValueWords.quoted(text),
          allowed: "quote a text that contains ` #`, or write a space after the `#` of a comment"))
    case .scalar(.number(let number)):
      guard let spelling = doubts.paddedNumbers[node.location] else { return }
      let place = node.location
      warnings.append(
        SuiteProblem(
          file: problems.file, line: place.line, column: place.column,
          problem: "YAML reads `\(spelling)` as the number \(number.text)",
          allowed: "quote a text that begins with 0, or leave out the zeros of a number"))
    case .scalar: return
    }
  }

  // MARK: Mappings

  private mutating func check(
    _ members: [SourceMember], at location: SourceLocation, _ tableName: TableName, name: String
  ) -> Bool {
    let table = tableName.table
    var isSound = true
    let wasRelative = isRelative
    defer { isRelative = wasRelative }
    if tableName == .elementAssertion { isRelative = true }
    for member in members {
      if let row = table.row(member.key) {
        if !row.kind.isCollection, row.kind != .value, !member.node.isScalar,
          let other = table.collectionRow(near: member.key)
        {
          problems.add(
            member.node.location, "`\(member.key)` is \(member.node.words)",
            allowed: "\(row.kind.words) is expected; did you mean `\(other.name)`?")
          isSound = false
          continue
        }
        if !check(member.node, row.kind, name: member.key) { isSound = false }
      } else if let others = table.others {
        if !check(member.node, others, name: member.key) { isSound = false }
      } else {
        problems.add(
          member.keyLocation, "unknown key `\(member.key)` in \(table.title)",
          allowed: NearestName.hint(
            for: member.key, meaning: table.meant[member.key], among: table.rows.map(\.name),
            what: "keys"))
        isSound = false
      }
    }
    // A misspelled key would also be reported as a missing key, but each cause is reported only
    // once.
    let hasUnknownKey = members.contains { table.row($0.key) == nil } && table.others == nil
    if !hasUnknownKey {
      for row in table.rows where row.isRequired && !members.contains(where: { $0.key == row.name })
      {
        problems.add(
          location, "`\(row.name)` is missing in \(table.title)", allowed: row.requirement)
        isSound = false
      }
      for rule in table.rules where !check(rule, members, at: location, table) {
        isSound = false
      }
    }
    return isSound
  }

  private mutating func check(
    _ rule: KeyRule, _ members: [SourceMember], at location: SourceLocation, _ table: KeyTable
  ) -> Bool {
    func present(_ keys: [String]) -> [SourceMember] {
      members.filter { keys.contains($0.key) }
    }
    func list(_ keys: [String]) -> String { ValueWords.list(keys, last: "or") }
    switch rule {
    case .exactlyOne(let keys), .atMostOne(let keys):
      let found = present(keys)
      if found.count > 1 {
        problems.add(
          found[1].keyLocation,
          "\(table.title) has \(ValueWords.list(found.map(\.key)))",
          allowed: "only one of \(list(keys)) is allowed")
        return false
      }
      guard case .exactlyOne = rule, found.isEmpty else { return true }
      problems.add(
        location, "\(table.title) lacks a required key",
        allowed: "one of \(list(keys)) is expected")
      return false
    case .atLeastOne(let keys):
      if !present(keys).isEmpty { return true }
      problems.add(
        location, "\(table.title) has no bound", allowed: "\(list(keys)) is expected")
      return false
    case .ordered(let low, let high):
      guard let lowNode = members.first(where: { $0.key == low })?.node,
        let highNode = members.first(where: { $0.key == high })?.node,
        case .scalar(.number(let lowNumber)) = lowNode.content,
        case .scalar(.number(let highNumber)) = highNode.content,
        NumberBounds.isLess(highNumber, lowNumber)
      else { return true }
      problems.add(
        lowNode.location, "`\(low)` is \(lowNumber.text), which is more than `\(high)`",
        allowed: "at most \(highNumber.text), which is `\(high)`")
      return false
    case .only(let keys, let other):
      let isThere = members.contains { $0.key == other }
      guard !isThere, let found = present(keys).first else { return true }
      // The message suggests the keys in the other `only` rules.
      let bound = table.rules.compactMap { rule -> [String]? in
        if case .only(let keys, let with) = rule, with != other { keys } else { nil }
      }.flatMap(\.self)
      problems.add(
        found.keyLocation, "`\(found.key)` only applies to \(table.title) with `\(other)`",
        allowed: "the keys allowed here are " + bound.map { "`\($0)`" }.joined(separator: ", "))
      return false
    }
  }
}

extension KeyRow {
  /// A description of the missing value.
  fileprivate var requirement: String { "\(kind.words) is expected under `\(name)`" }
}

extension SourceNode {
  /// Whether the node is neither a list nor a mapping.
  fileprivate var isScalar: Bool { if case .scalar = content { true } else { false } }

  /// A description of the node's value: `the number 3`, `a list`.
  var words: String {
    switch content {
    case .scalar(.null): "empty"
    case .scalar(.string(let text)): "the text \(ValueWords.quoted(text))"
    case .scalar(.number(let number)): "the number \(number.text)"
    case .scalar(let value): ValueWords.short(value)
    case .sequence: "a list"
    case .mapping: "a mapping"
    }
  }
}

extension KeyKind {
  /// Whether text is expected, so that putting the value in quotes would help.
  fileprivate var isText: Bool {
    switch self {
    case .text, .name, .path, .pattern, .formula, .reducer, .choice: true
    default: false
    }
  }

  /// A description of the expected value.
  package var words: String {
    switch self {
    case .text: return "text"
    case .name: return "a name"
    case .path: return "a path such as `$.name`"
    case .pattern: return "a regular expression"
    case .reducer: return "`all`, `mean`, `at least 2`, `pass@2` or `pass^2`"
    case .formula: return "a formula such as `count($.items) > 2`"
    case .integer(let minimum, let maximum):
      if maximum >= 1 << 30 { return "an integer of at least \(minimum)" }
      return "an integer from \(minimum) to \(maximum)"
    case .number(let minimum, let maximum):
      if minimum == -.greatestFiniteMagnitude { return "a number" }
      if maximum >= 1e12 { return "a number of at least \(ValueWords.number(minimum))" }
      return "a number from \(ValueWords.number(minimum)) to \(ValueWords.number(maximum))"
    case .flag: return "`true` or `false`"
    case .choice(let words): return "one of \(ValueWords.list(words, last: "or"))"
    case .value: return "a value"
    case .list: return "a list"
    case .table(let table):
      let keys = table.table.rows.map(\.name)
      return keys.count > 12 ? "a mapping" : "a mapping of \(ValueWords.list(keys))"
    case .dictionary: return "a mapping"
    case .either: return "a list or a mapping"
    }
  }
}
