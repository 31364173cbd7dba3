/// Parses the text of a pattern.
struct PatternParser {
  let scalars: [Unicode.Scalar]
  var position = 0
  var ignoresCase = false
  private var dotMatchesLineEnds = false

  /// The maximum nesting depth of groups.
  static let depthLimit = 100
  /// The largest count allowed in `{m,n}`.
  static let countLimit = 10_000

  private let budget: PatternBudget

  init(_ text: String, _ budget: PatternBudget) {
    scalars = Array(text.unicodeScalars)
    self.budget = budget
  }

  /// Charges the budget for copying and sorting the ranges of a parsed set, and returns the set.
  func paid(_ set: ScalarSet) throws(PatternError) -> ScalarSet {
    try budget.spend(set.ranges.count)
    return set
  }

  /// Parses the whole text of the pattern.
  mutating func pattern() throws(PatternError) -> PatternNode {
    if take("(?i)") { ignoresCase = true }
    let node = try choice(depth: 0)
    guard position == scalars.count else {
      throw PatternError(
        at: position, "`)` has no matching `(`", allowed: "write `\\)` for a parenthesis")
    }
    try node.checkAnchors(atStart: true, atEnd: true)
    return node
  }

  private mutating func choice(depth: Int) throws(PatternError) -> PatternNode {
    var branches = [try branch(depth: depth)]
    while take("|") { branches.append(try branch(depth: depth)) }
    return branches.count == 1 ? branches[0] : .choice(branches)
  }

  private mutating func branch(depth: Int) throws(PatternError) -> PatternNode {
    var parts: [PatternNode] = []
    while let scalar = peek(), scalar != "|", scalar != ")" {
      let atom = try atom(depth: depth)
      parts.append(try quantified(atom))
    }
    return .joined(parts)
  }

  private mutating func atom(depth: Int) throws(PatternError) -> PatternNode {
    let start = position
    let scalar = scalars[position]
    switch scalar {
    case "(": return try group(depth: depth + 1)
    case "[": return .scalar(of: try characterClass())
    case "\\" where peek(1) == "A" || peek(1) == "z":
      position += 2
      return scalars[position - 1] == "A"
        ? .startOfText(offset: start) : .endOfText(offset: start)
    case "\\" where peek(1) == "b" || peek(1) == "B":
      position += 2
      return .wordBoundary(isNegated: scalars[position - 1] == "B")
    case "\\":
      let set = try escape(inClass: false)
      return .scalar(of: try paid(set.single == nil ? set : folded(set)))
    case "*", "+", "?", "{":
      throw PatternError(
        at: start, "`\(scalar)` has nothing to repeat",
        allowed: "write `\\\(scalar)` for the character")
    case "^":
      position += 1
      return .startOfText(offset: start)
    case "$":
      position += 1
      return .endOfText(offset: start)
    case ".":
      position += 1
      return .scalar(of: dotMatchesLineEnds ? .all : .notLineEnds)
    default:
      position += 1
      return .scalar(of: folded(ScalarSet(scalar)))
    }
  }

  // MARK: - Groups

  private mutating func group(depth: Int) throws(PatternError) -> PatternNode {
    let start = position
    guard depth <= Self.depthLimit else {
      throw PatternError(
        at: start, "groups are nested too deeply",
        allowed: "at most \(Self.depthLimit) levels are allowed")
    }
    position += 1
    let flags = (ignoresCase, dotMatchesLineEnds)
    defer { (ignoresCase, dotMatchesLineEnds) = flags }
    if take("?") { try groupHead(from: start) }
    let node = try choice(depth: depth)
    guard take(")") else {
      throw PatternError(
        at: start, "the group is not closed",
        allowed: "`)` closes it; write `\\(` for a parenthesis")
    }
    return node
  }

  /// Parses the head of a group: the flags, name or colon after `(?`.
  private mutating func groupHead(from start: Int) throws(PatternError) {
    let allowed = "groups are `(…)`, `(?:…)`, `(?<name>…)`, `(?i:…)` and `(?s:…)`"
    if take(":") { return }
    if try takeFlags() { return }
    if take("<=") || take("<!") {
      throw PatternError(at: start, "look-behind is not supported", allowed: allowed)
    }
    if take("=") || take("!") {
      throw PatternError(at: start, "look-ahead is not supported", allowed: allowed)
    }
    if take(">") {
      throw PatternError(at: start, "atomic groups are not supported", allowed: allowed)
    }
    if take("P=") || take("P>") || take("R") || take("&") {
      throw PatternError(
        at: start, "back-references and recursion are not supported", allowed: allowed)
    }
    if take("(") {
      throw PatternError(at: start, "conditional groups are not supported", allowed: allowed)
    }
    if take("#") {
      let comment = scalars[position...].prefix { $0 != ")" }.map(String.init).joined()
      throw PatternError(at: start, "comments are not supported: \(comment)", allowed: allowed)
    }
    if take("<") || take("P<") {
      let nameStart = position
      while let scalar = peek(), ScalarSet.wordCharacters.contains(scalar.value) { position += 1 }
      guard position > nameStart, take(">") else {
        throw PatternError(
          at: start, "the group's name is incomplete", allowed: "a named group is `(?<name>…)`")
      }
      return
    }
    throw PatternError(
      at: start, "this kind of group is not supported",
      allowed: allowed + "; outside a group, only `(?i)` is allowed, at the start of the pattern")
  }

  /// Parses the flags of `(?i:…)`, `(?s-i:…)` and the like, which apply inside the group.
  ///
  /// The flag `m` would also let `^` and `$` match at the beginning and end of each line. The
  /// parser ignores it, because `^` may only begin a pattern or an alternative, and `$` may only
  /// end one.
  ///
  /// - Returns: False, without consuming anything, if there are no flags.
  private mutating func takeFlags() throws(PatternError) -> Bool {
    let start = position
    var isOn = true
    var flags: [(Unicode.Scalar, Bool)] = []
    while let scalar = peek(), "ims-".unicodeScalars.contains(scalar) {
      if scalar == "-" { isOn = false } else { flags.append((scalar, isOn)) }
      position += 1
    }
    guard !flags.isEmpty, take(":") else {
      position = start
      return false
    }
    for (flag, isOn) in flags {
      if flag == "i" { ignoresCase = isOn }
      if flag == "s" { dotMatchesLineEnds = isOn }
    }
    return true
  }

  // MARK: - Repetition

  private mutating func quantified(_ node: PatternNode) throws(PatternError) -> PatternNode {
    let start = position
    guard let (min, max) = try quantifier() else { return node }
    switch node {
    case .startOfText, .endOfText:
      throw PatternError(at: start, "an anchor can't be repeated")
    default: break
    }
    if take("+") {
      throw PatternError(
        at: start, "possessive quantifiers are not supported",
        allowed: "quantifiers are greedy or, with `?`, lazy")
    }
    _ = take("?")
    if let next = peek(), "*+?{".unicodeScalars.contains(next) {
      throw PatternError(
        at: position, "`\(next)` can't follow another quantifier",
        allowed: "put the inner repetition in a group, as in `(?:a+)*`")
    }
    return .repeated(node, min: min, max: max)
  }

  private mutating func quantifier() throws(PatternError) -> (min: Int, max: Int?)? {
    if take("*") { return (0, nil) }
    if take("+") { return (1, nil) }
    if take("?") { return (0, 1) }
    let start = position
    guard take("{") else { return nil }
    let form = PatternError(
      at: start, "this is not a count",
      allowed: "counts are `{m}`, `{m,}` and `{m,n}`; write `\\{` for a brace")
    guard let min = try count() else { throw form }
    if take("}") { return (min, min) }
    guard take(",") else { throw form }
    if take("}") { return (min, nil) }
    guard let max = try count(), take("}") else { throw form }
    guard min <= max else {
      throw PatternError(at: start, "the counts \(min) and \(max) are in the wrong order")
    }
    return (min, max)
  }

  private mutating func count() throws(PatternError) -> Int? {
    let start = position
    var value: Int?
    while let scalar = peek(), ScalarSet.digits.contains(scalar.value) {
      let next = (value ?? 0) * 10 + Int(scalar.value - 0x30)
      guard next <= Self.countLimit else {
        throw PatternError(
          at: start, "the count is too large", allowed: "counts go up to \(Self.countLimit)")
      }
      value = next
      position += 1
    }
    return value
  }

  // MARK: - Scalars

  func peek(_ ahead: Int = 0) -> Unicode.Scalar? {
    position + ahead < scalars.count ? scalars[position + ahead] : nil
  }

  /// Consumes a text if it comes next, and returns whether it does.
  mutating func take(_ text: String) -> Bool {
    let expected = text.unicodeScalars
    guard scalars[position...].starts(with: expected) else { return false }
    position += expected.count
    return true
  }

  func folded(_ set: ScalarSet) -> ScalarSet {
    ignoresCase ? CaseFolding.closed(set) : set
  }
}
