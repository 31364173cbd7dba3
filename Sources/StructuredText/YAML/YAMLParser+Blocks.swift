extension YAMLParser {
  /// The token that precedes a node on its line.
  enum Lead {
    /// `---`
    case marker
    /// `-` of a sequence
    case dash
    /// `key:`
    case colon
  }

  /// Parses the node after a `-`, `key:` or `---`; the node may begin on a later line.
  ///
  /// - Parameter parent: The column of the collection that contains the node, or -1 if there is
  ///   none.
  mutating func node(
    parent: Int, after lead: Lead, depth: Int
  ) throws(StructuredTextError) -> SourceNode {
    let separation = position
    skipBlanks()
    let hasTab = bytes[separation..<position].contains(0x09)
    if lead == .dash, isIndicator("-") || isImplicitKey() {
      if hasTab { throw tab(at: separation) }
      return try content(parent: parent, column: column, mayBeBlock: true, depth: depth)
    }
    let anchor = try anchorName()
    if Self.isLineEnd(peek()) || isComment {
      let empty = SourceNode(.scalar(.null), at: location(of: separation))
      try finishLine()
      try enterContentLine()
      let isInside =
        indentation > parent
        || (indentation == parent && lead == .colon && isIndicator("-"))
      guard !hasEnded, isInside else { return register(empty, as: anchor) }
      let node = try content(
        parent: parent, column: indentation, mayBeBlock: true, depth: depth)
      return register(node, as: anchor)
    }
    let node = try content(
      parent: parent, column: column, mayBeBlock: false, depth: depth)
    return register(node, as: anchor)
  }

  /// Parses the node that begins at the current position.
  ///
  /// - Parameters:
  ///   - column: The column of the current position.
  ///   - mayBeBlock: Whether a block collection may begin here.
  mutating func content(
    parent: Int, column: Int, mayBeBlock: Bool, depth: Int
  ) throws(StructuredTextError) -> SourceNode {
    let start = position
    if isIndicator("-") {
      guard mayBeBlock else {
        throw failure(
          at: start, "a sequence can't begin on the line of its key",
          allowed: "put each item on its own line, or use `[…]`")
      }
      return try sequence(at: column, depth: depth + 1)
    }
    if isIndicator("?") {
      throw failure(at: start, "`?` keys are not supported", allowed: "write keys as `key: value`")
    }
    switch peek() {
    case UInt8(ascii: "|"), UInt8(ascii: ">"):
      let place = location(of: start)
      return SourceNode(.scalar(.string(try blockScalar(parent: parent))), at: place)
    case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "*"):
      let node = try flowNode(depth: depth).node
      skipBlanks()
      if isIndicator(":") { throw collectionKey(at: start) }
      try finishLine()
      try enterContentLine()
      return node
    case UInt8(ascii: "&") where mayBeBlock:
      if isImplicitKey() { return try mapping(at: column, depth: depth + 1) }
      let anchor = try anchorName()
      guard !Self.isLineEnd(peek()), !isComment else {
        position = start
        return try node(parent: parent, after: .marker, depth: depth)
      }
      let node = try content(parent: parent, column: column, mayBeBlock: false, depth: depth)
      return register(node, as: anchor)
    default:
      break
    }
    if isImplicitKey() {
      guard mayBeBlock else {
        throw failure(
          at: start, "a mapping can't begin on the line of its key",
          allowed: "put each key on its own line, or use `{…}`; quote a string that contains `: `")
      }
      return try mapping(at: column, depth: depth + 1)
    }
    let node = try scalar(parent: parent, inFlow: false).node
    try finishLine()
    try enterContentLine()
    return node
  }

  // MARK: - Collections

  private mutating func sequence(
    at column: Int, depth: Int
  ) throws(StructuredTextError) -> SourceNode {
    let place = location(of: position)
    try checkDepth(depth)
    var nodes: [SourceNode] = []
    repeat {
      position += 1
      nodes.append(try node(parent: column, after: .dash, depth: depth))
    } while !hasEnded && indentation == column && isIndicator("-")
    if indentation > column { throw misplacedLine() }
    return SourceNode(.sequence(nodes), at: place)
  }

  private mutating func mapping(
    at column: Int, depth: Int
  ) throws(StructuredTextError) -> SourceNode {
    let place = location(of: position)
    try checkDepth(depth)
    var members = YAMLMembers()
    repeat {
      let key = try key()
      if let first = members.location(of: key.text) {
        throw .duplicateKey(key.text, at: key.location, first: first)
      }
      let value = try node(parent: column, after: .colon, depth: depth)
      members.append(SourceMember(key: key.text, keyLocation: key.location, node: value))
    } while !hasEnded && indentation == column
    if indentation > column { throw misplacedLine() }
    return SourceNode(.mapping(members.list), at: place)
  }

  /// Parses a key of a block mapping and the `:` after it.
  private mutating func key() throws(StructuredTextError) -> (
    text: String, location: SourceLocation
  ) {
    let anchor = try anchorName()
    let start = position
    guard isImplicitKey() else {
      throw failure(
        at: start, "this line is not a key of the mapping above it",
        allowed: "a key and its `: ` must be on one line")
    }
    let place = location(of: start)
    if peek() == UInt8(ascii: "*") { throw collectionKey(at: start) }
    let item = try scalar(parent: -1, inFlow: false, isKey: true)
    try refuseMergeKey(item, at: start)
    _ = register(item.node, as: anchor)
    skipBlanks()
    position += 1
    return (item.text, place)
  }

  /// Returns whether a key and its `:` come next, both on the current line.
  func isImplicitKey() -> Bool {
    var ahead = 0
    if peek() == UInt8(ascii: "&") {
      while !Self.isSpace(peek(ahead)) { ahead += 1 }
      while Self.isBlank(peek(ahead)) { ahead += 1 }
    }
    if isIndicator("-", ahead: ahead) || isIndicator("?", ahead: ahead) { return false }
    switch peek(ahead) {
    case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: ">"),
      UInt8(ascii: "#"):
      return false
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      let quote = peek(ahead)
      let isDouble = quote == UInt8(ascii: "\"")
      ahead += 1
      while true {
        let byte = peek(ahead)
        if Self.isLineEnd(byte) { return false }
        let isPair =
          isDouble
          ? byte == UInt8(ascii: "\\") && !Self.isLineEnd(peek(ahead + 1))
          : byte == quote && peek(ahead + 1) == quote
        if byte == quote, !isPair { break }
        ahead += isPair ? 2 : 1
      }
      ahead += 1
      while Self.isBlank(peek(ahead)) { ahead += 1 }
      return isIndicator(":", ahead: ahead)
    default:
      while !Self.isLineEnd(peek(ahead)) {
        if isIndicator(":", ahead: ahead) { return true }
        ahead += 1
        if peek(ahead) == UInt8(ascii: "#"), Self.isBlank(peek(ahead - 1)) { return false }
      }
      return false
    }
  }

  // MARK: - Errors

  mutating func checkDepth(_ depth: Int) throws(StructuredTextError) {
    guard depth <= YAMLReader.depthLimit else {
      throw failure(
        at: position, "sequences and mappings are nested too deeply",
        allowed: "at most \(YAMLReader.depthLimit) levels are allowed")
    }
  }

  mutating func collectionKey(at offset: Int) -> StructuredTextError {
    failure(
      at: offset, "a collection or an alias can't be a key",
      allowed: "a key is a plain or quoted string")
  }

  mutating func refuseMergeKey(
    _ key: YAMLScalar, at offset: Int
  ) throws(StructuredTextError) {
    if key.isPlain, key.text == "<<" {
      throw failure(
        at: offset, "merge keys (`<<`) are not supported",
        allowed: "write the members out, or quote the key \"<<\"")
    }
  }
}

/// The members of a mapping that is being parsed.
struct YAMLMembers {
  private(set) var list: [SourceMember] = []
  private var locations: [String: SourceLocation] = [:]

  /// Returns the position of an earlier member with the same key, or nil if there is none.
  func location(of key: String) -> SourceLocation? { locations[key] }

  mutating func append(_ member: SourceMember) {
    list.append(member)
    locations[member.key] = member.keyLocation
  }
}
