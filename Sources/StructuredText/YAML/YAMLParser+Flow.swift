extension YAMLParser {
  /// A node inside `[…]` or `{…}`; `scalar` is set if the node may be a key.
  struct FlowItem {
    var node: SourceNode
    var scalar: YAMLScalar?
    /// Whether the node is a plain scalar.
    ///
    /// A `:` after any other node (a quoted string or a collection) needs no space behind it.
    var isPlain: Bool { scalar?.isPlain ?? false }
  }

  /// Parses a flow collection, an alias or a scalar.
  mutating func flowNode(depth: Int) throws(StructuredTextError) -> FlowItem {
    let anchor = try anchorName()
    if anchor != nil {
      try skipFlowSpace()
      if isFlowEnd {
        let empty = SourceNode(.scalar(.null), at: location(of: position))
        return FlowItem(node: register(empty, as: anchor), scalar: nil)
      }
    }
    switch peek() {
    case UInt8(ascii: "["):
      let node = try flowSequence(depth: depth + 1)
      return FlowItem(node: register(node, as: anchor), scalar: nil)
    case UInt8(ascii: "{"):
      let node = try flowMapping(depth: depth + 1)
      return FlowItem(node: register(node, as: anchor), scalar: nil)
    case UInt8(ascii: "*"):
      if anchor != nil {
        throw failure(
          at: position, "an alias can't have an anchor", allowed: "only values have anchors")
      }
      return FlowItem(node: try alias(depth: depth), scalar: nil)
    case UInt8(ascii: "?") where Self.isSpace(peek(1)):
      throw failure(
        at: position, "`?` keys are not supported", allowed: "write keys as `key: value`")
    default:
      let scalar = try scalar(parent: -1, inFlow: true)
      return FlowItem(node: register(scalar.node, as: anchor), scalar: scalar)
    }
  }

  private mutating func flowSequence(depth: Int) throws(StructuredTextError) -> SourceNode {
    let opening = position
    let place = location(of: opening)
    try checkDepth(depth)
    position += 1
    var nodes: [SourceNode] = []
    try skipFlowSpace()
    while peek() != UInt8(ascii: "]") {
      guard position < bytes.count else { throw openBracket(at: opening) }
      let start = position
      let startLine = lineStart
      let item = try flowNode(depth: depth)
      let isOnOneLine = lineStart == startLine
      try skipFlowSpace()
      if isFlowColon(after: item) {
        // `[a: 1]` is short for `[{a: 1}]`.
        guard isOnOneLine, lineStart == startLine else {
          throw failure(
            at: start, "this key and its `:` are on different lines",
            allowed: "inside `[…]`, a key and its `:` must be on one line")
        }
        try checkDepth(depth + 1)
        let member = try flowMember(item, at: start, depth: depth + 1)
        nodes.append(SourceNode(.mapping([member]), at: member.keyLocation))
      } else {
        nodes.append(item.node)
      }
      try flowSeparator(before: UInt8(ascii: "]"), opening: opening)
    }
    position += 1
    return SourceNode(.sequence(nodes), at: place)
  }

  private mutating func flowMapping(depth: Int) throws(StructuredTextError) -> SourceNode {
    let opening = position
    let place = location(of: opening)
    try checkDepth(depth)
    position += 1
    var members = YAMLMembers()
    try skipFlowSpace()
    while peek() != UInt8(ascii: "}") {
      guard position < bytes.count else { throw openBracket(at: opening) }
      let start = position
      let item = try flowNode(depth: depth)
      try skipFlowSpace()
      let member = try flowMember(item, at: start, depth: depth)
      if let first = members.location(of: member.key) {
        throw .duplicateKey(member.key, at: member.keyLocation, first: first)
      }
      members.append(member)
      try flowSeparator(before: UInt8(ascii: "}"), opening: opening)
    }
    position += 1
    return SourceNode(.mapping(members.list), at: place)
  }

  /// Parses `: value` after a key; if the value is missing, it is null.
  private mutating func flowMember(
    _ item: FlowItem, at start: Int, depth: Int
  ) throws(StructuredTextError) -> SourceMember {
    guard let key = item.scalar else { throw collectionKey(at: start) }
    try refuseMergeKey(key, at: start)
    let place = key.node.location
    var value = SourceNode(.scalar(.null), at: location(of: position))
    if isFlowColon(after: item) {
      position += 1
      try skipFlowSpace()
      if !isFlowEnd { value = try flowNode(depth: depth).node }
    }
    return SourceMember(key: key.text, keyLocation: place, node: value)
  }

  private func isFlowColon(after item: FlowItem) -> Bool {
    guard peek() == UInt8(ascii: ":") else { return false }
    return !item.isPlain || Self.isSpace(peek(1)) || Self.isFlowIndicator(peek(1))
  }

  private var isFlowEnd: Bool {
    switch peek() {
    case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"): true
    default: false
    }
  }

  private mutating func flowSeparator(
    before closing: UInt8, opening: Int
  ) throws(StructuredTextError) {
    try skipFlowSpace()
    if peek() == UInt8(ascii: ",") {
      position += 1
      try skipFlowSpace()
    } else if peek() != closing {
      guard position < bytes.count else { throw openBracket(at: opening) }
      let end = closing == UInt8(ascii: "]") ? "`]`" : "`}`"
      throw failure(
        at: position, "\(found(at: position)) follows a value",
        allowed: "`,` or \(end) is expected" + quotingHint + commentHint(after: opening))
    }
  }

  /// A hint that a comment may have cut off the text inside a bracket.
  private func commentHint(after opening: Int) -> String {
    guard let comment = flowComment, comment.offset > opening else { return "" }
    return "; ` #` in line \(comment.line) begins a comment, so quote a text that contains it"
  }

  /// A hint to quote the value before a bracket that directly follows it, as in `$.items[*]`.
  private var quotingHint: String {
    guard peek() == UInt8(ascii: "[") || peek() == UInt8(ascii: "{"), position > lineStart,
      !Self.isBlank(bytes[position - 1])
    else { return "" }
    let line = bytes[lineStart..<position]
    let start = line.lastIndex { Self.isBlank($0) || Self.isFlowIndicator($0) }.map { $0 + 1 }
    let isPath = bytes[start ?? lineStart] == UInt8(ascii: "$")
    return isPath
      ? "; inside brackets, quote a path that contains `[`, as in \"$.items[*]\""
      : "; inside brackets, quote a text that contains \(found(at: position))"
  }

  private mutating func openBracket(at opening: Int) -> StructuredTextError {
    failure(
      at: opening, "this bracket is not closed",
      allowed: "`]` closes `[`, and `}` closes `{`" + commentHint(after: opening))
  }

  /// Skips spaces, tabs, line breaks and comments.
  private mutating func skipFlowSpace() throws(StructuredTextError) {
    while position < bytes.count {
      skipBlanks()
      if isComment {
        if !Self.isSpace(peek(1)) { flowComment = (position, location(of: position).line) }
        skipToLineEnd()
      }
      guard Self.isLineEnd(peek()), position < bytes.count else { return }
      skipLineBreak()
      if isAnyMarker {
        throw failure(
          at: position, "the document ends inside brackets",
          allowed: "close the brackets first")
      }
    }
  }
}
