import StructuredText

extension SourceNode {
  /// The text of a string scalar, or `nil` for other nodes.
  var text: String? { if case .scalar(.string(let text)) = content { text } else { nil } }

  /// The elements of a sequence, or an empty array for other nodes.
  var elements: [SourceNode] {
    if case .sequence(let nodes) = content { nodes } else { [] }
  }

  /// The members of a mapping, or an empty array for other nodes.
  var members: [SourceMember] {
    if case .mapping(let members) = content { members } else { [] }
  }

  /// Returns the Boolean under a key, or false if there is none.
  func flag(_ key: String) -> Bool { self[key]?.value.bool ?? false }

  /// Returns the texts in the list under a key.
  func texts(_ key: String) -> [String] { self[key]?.elements.compactMap(\.text) ?? [] }

  /// Returns the values in the list under a key.
  func values(_ key: String) -> [JSONValue] { self[key]?.elements.map(\.value) ?? [] }

  /// The bounds under the keys `min`, `max` and `exact`.
  var countBounds: CountBounds {
    let exact = self["exact"]?.value.int
    return CountBounds(
      minimum: exact ?? self["min"]?.value.int, maximum: exact ?? self["max"]?.value.int)
  }

  /// Returns the node with all its positions moved down by a number of lines.
  func moved(byLines lines: Int) -> SourceNode {
    func moved(_ place: SourceLocation) -> SourceLocation {
      SourceLocation(line: place.line + lines, column: place.column)
    }
    let content: Content =
      switch content {
      case .scalar: content
      case .sequence(let nodes): .sequence(nodes.map { $0.moved(byLines: lines) })
      case .mapping(let members):
        .mapping(
          members.map {
            SourceMember(
              key: $0.key, keyLocation: moved($0.keyLocation),
              node: $0.node.moved(byLines: lines))
          })
      }
    return SourceNode(content, at: moved(location))
  }

  /// Returns the node that a JSON pointer such as `#/properties/cards` leads to, or the deepest
  /// existing node on the way.
  func part(at pointer: String) -> SourceNode {
    var node = self
    for step in pointer.split(separator: "/", omittingEmptySubsequences: true).dropFirst() {
      var key = ""
      var rest = step
      while let character = rest.popFirst() {
        if character == "~", let code = rest.popFirst() {
          key.append(code == "1" ? "/" : "~")
        } else {
          key.append(character)
        }
      }
      if let next = node[key] {
        node = next
      } else if let index = Int(key), node.elements.indices.contains(index) {
        node = node.elements[index]
      } else {
        break
      }
    }
    return node
  }
}
