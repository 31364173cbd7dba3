/// An anchored value and its size.
struct YAMLAnchor {
  var node: SourceNode
  /// The number of values in the node, including the node itself.
  var count: Int
  /// The nesting depth of the collections in the node, including the node itself; 0 for a scalar.
  var depth: Int
}

extension YAMLParser {
  /// Parses `&name` and the blanks after it, or returns nil if there is no anchor.
  mutating func anchorName() throws(StructuredTextError) -> String? {
    guard peek() == UInt8(ascii: "&") else { return nil }
    let name = try name("anchor")
    let next = peek()
    let isSeparate = Self.isSpace(next) || Self.isFlowIndicator(next)
    if !isSeparate { throw missingSpace() }
    skipBlanks()
    if peek() == UInt8(ascii: "&") {
      throw failure(
        at: position, "this value has a second anchor", allowed: "a value can have only one")
    }
    return name
  }

  private mutating func missingSpace() -> StructuredTextError {
    failure(
      at: position, "\(found(at: position)) is not allowed in a name",
      allowed: "a space ends a name")
  }

  private mutating func name(_ kind: String) throws(StructuredTextError) -> String {
    let start = position
    position += 1
    while !Self.isSpace(peek()), !Self.isFlowIndicator(peek()) { position += 1 }
    guard position > start + 1 else {
      throw failure(
        at: start, "the name of the \(kind) is missing",
        allowed: "quote a string that begins with `&` or `*`")
    }
    return String(decoding: bytes[start + 1..<position], as: UTF8.self)
  }

  /// Registers a value under the name of its anchor, if it has an anchor.
  mutating func register(_ node: SourceNode, as name: String?) -> SourceNode {
    if let name {
      let size = Self.size(of: node)
      anchors[name] = YAMLAnchor(node: node, count: size.count, depth: size.depth)
    }
    return node
  }

  private static func size(of node: SourceNode) -> (count: Int, depth: Int) {
    let parts: [SourceNode]
    switch node.content {
    case .scalar: return (1, 0)
    case .sequence(let nodes): parts = nodes
    case .mapping(let members): parts = members.map(\.node)
    }
    var total = (count: 1, depth: 0)
    for part in parts {
      let size = size(of: part)
      total.count += size.count
      total.depth = max(total.depth, size.depth)
    }
    return (total.count, total.depth + 1)
  }

  /// Parses `*name` and returns the anchored value, with the position of the alias.
  mutating func alias(depth: Int) throws(StructuredTextError) -> SourceNode {
    let start = position
    let name = try name("alias")
    guard let anchor = anchors[name] else {
      throw failure(
        at: start, "there is no anchor `&\(name)` before this alias",
        allowed: "an alias repeats a value that is complete before the alias")
    }
    expandedCount += anchor.count
    guard expandedCount <= YAMLReader.aliasLimit else {
      throw failure(
        at: start, "the aliases expand to too many values",
        allowed: "together they may expand to \(YAMLReader.aliasLimit)")
    }
    try checkDepth(depth + anchor.depth)
    return SourceNode(anchor.node.content, at: location(of: start))
  }
}
