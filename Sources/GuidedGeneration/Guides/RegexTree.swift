/// Checks a regular expression for groups that the standard library drops when it writes the
/// expression as text.
///
/// The library writes `Regex { ChoiceOf { "a"; "b" }; "c" }` as `a|bc`, which has a different
/// meaning. The check reads the library's tree by reflection, so if the layout of the tree ever
/// changes, the check finds nothing.
enum RegexTree {
  /// Returns the reason why the library's text would have a different meaning, or `nil` if the
  /// check finds none.
  static func problem<Output>(of regex: Regex<Output>) -> String? {
    var value: Any = regex
    for label in ["program", "tree", "root"] {
      guard let next = Mirror(reflecting: value).descendant(label) else { return nil }
      value = next
    }
    return isFaithful(Node(value), depth: 0)
      ? nil
      : "this regular expression contains a choice, a repetition or a literal without an explicit "
        + "group; put it in a Capture, or write the whole expression as a literal"
  }

  /// A node of the tree: the name of its enum case and that case's payload.
  private struct Node {
    var name: String
    var payload: Any

    init(_ value: Any) {
      let child = Mirror(reflecting: value).children.first
      name = child?.label ?? ""
      payload = child?.value ?? value
    }

    var elements: [Node] { Mirror(reflecting: payload).children.map { Node($0.value) } }

    func part(_ label: String) -> Node? {
      Mirror(reflecting: payload).children.first { $0.label == label }.map { Node($0.value) }
    }

    /// The node inside the wrappers that the library doesn't write, and whether one of these
    /// wrappers was a literal.
    var written: (node: Node, isLiteral: Bool) {
      switch name {
      case "ignoreCapturesInTypedOutput", "limitCaptureNesting":
        let inner = Node(payload).written
        return inner
      case "convertedRegexLiteral":
        guard let inner = part(".0")?.written else { return (self, true) }
        return (inner.node, true)
      default: return (self, false)
      }
    }
  }

  private static let depthLimit = 200

  private static func isFaithful(_ node: Node, depth: Int) -> Bool {
    guard depth < depthLimit else { return false }
    let node = node.written.node
    switch node.name {
    case "concatenation":
      let elements = node.elements
      return elements.allSatisfy { element in
        (elements.count == 1 || element.written.node.name != "orderedChoice")
          && isFaithful(element, depth: depth + 1)
      }
    case "orderedChoice": return node.elements.allSatisfy { isFaithful($0, depth: depth + 1) }
    case "quantification":
      guard let child = node.part(".2") else { return true }
      let written = child.written
      let isGrouped =
        switch written.node.name {
        case "orderedChoice", "quantification": false
        case "concatenation": !written.isLiteral || written.node.elements.count == 1
        default: true
        }
      return isGrouped && isFaithful(child, depth: depth + 1)
    case "capture", "nonCapturingGroup":
      let parts = Mirror(reflecting: node.payload).children.map { Node($0.value) }
      return parts.allSatisfy { isFaithful($0, depth: depth + 1) }
    default: return true
    }
  }
}
